import { z } from 'zod'
import { decisionsTopic } from '../../decisions/topics.ts'
import { endpoint } from '../../endpoint.ts'
import { id, uuid } from '../../ids.ts'
import { grayWay, mustDivide, ServiceCopy } from './copy.ts'
import { basis, ServiceDetail } from '../services.ts'
import { ServiceSpec } from '../spec.ts'
import { serviceTopic, stacksTopic } from '../topics.ts'

const one = z.strictObject({ teamId: id, envId: uuid, id })
const path = '/orchestration/api/:teamId/env/:envId/service/:id' as const
const edit = { team: 'teamId', permission: 'stack_service_edit' } as const

/** Upgrades by a copy beside the service: blue/green, which gets all requests or none; gray, which gets a part. */
export const copies = {
  blueGreen: endpoint({
    method: 'POST',
    path: `${path}/bgupgrade`,
    access: edit,
    audit: 'service.blue-green',
    summary: 'Run a new specification beside the service; once confirmed, all requests go there at once',
    params: one,
    query: z.strictObject(basis),
    body: z.strictObject({ spec: ServiceSpec }),
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  gray: endpoint({
    method: 'POST',
    path: `${path}/gray_deploy`,
    access: edit,
    audit: 'service.gray',
    summary: 'Run a new specification beside the service and give it a rising part of the requests, step by step',
    params: one,
    query: z.strictObject(basis),
    body: z.strictObject({ spec: ServiceSpec, ...grayWay }).superRefine(mustDivide),
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  grayOf: endpoint({
    method: 'GET',
    path: `${path}/gray_deploy`,
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: 'The gray deployment of a service that is open, or how the last one ended; null where there was none',
    params: one,
    data: ServiceCopy.nullable(),
    topics: [serviceTopic],
  }),
  /** Not in the specification: the choices for the form of an upgrade. */
  grayWays: endpoint({
    method: 'GET',
    path: `${path}/gray_deploy/ways`,
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: 'The ways in of the stack whose requests a gray deployment of a service can divide, or why none can',
    params: one,
    data: z.object({
      /** The names of the services that are these ways in. */
      ways: z.array(z.string()),
      /** Why there is none, in the caller's language; empty if there is one. */
      why: z.string(),
      /** Why their requests cannot be counted for the rule, in the caller's language; empty if they can. */
      uncounted: z.string(),
    }),
    topics: [stacksTopic],
  }),
  /** Not in the specification: ends the pause of a step. */
  goOn: endpoint({
    method: 'POST',
    path: `${path}/gray_deploy/next`,
    access: { team: 'teamId', permission: 'stack_service_operate' },
    audit: 'service.gray-next',
    summary: 'Begin the next step of a gray deployment now',
    params: one,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic, decisionsTopic],
  }),
}
