import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, idOrUuid } from '../../ids.ts'
import { ServiceName, ServiceSpec } from '../spec.ts'

/** The cluster's answer about a specification before it is applied. */
export const DryRun = z.object({
  /** The resulting objects, in the order in which they are written. */
  objects: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      /** `none`: the object is already as wanted. */
      change: z.enum(['create', 'change', 'remove', 'none']),
      /** The cluster's error text, in a sentence; empty if it accepts the object. */
      refusal: z.string(),
    }),
  ),
  /** Why the cluster was not asked, or did not answer for all objects in time; otherwise empty. */
  silent: z.string(),
})
export type DryRun = z.infer<typeof DryRun>

const params = z.strictObject({ teamId: id, stackId: idOrUuid, serviceName: ServiceName })
const path = '/orchestration/api/:teamId/stack/:stackId/service/:serviceName/check' as const

/** Not in the specification: sends the objects of a service to its cluster as a dry run, in the team's name. */
export const dryRuns = {
  create: endpoint({
    method: 'POST',
    path,
    access: { team: 'teamId', permission: 'stack_service_create' },
    audit: 'service.check-create',
    summary: 'What the cluster says of a service before it is added',
    params,
    body: ServiceSpec,
    data: DryRun,
    topics: [],
  }),
  upgrade: endpoint({
    method: 'PUT',
    path,
    access: { team: 'teamId', permission: 'stack_service_edit' },
    audit: 'service.check-upgrade',
    summary: 'What the cluster says of a new specification of a service before it is applied',
    params,
    body: ServiceSpec,
    data: DryRun,
    topics: [],
  }),
}
