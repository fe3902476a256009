import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { ServiceDetail } from './services.ts'
import { serviceTopic, stacksTopic } from './topics.ts'

/** A field of an object in the cluster that others changed, added or removed. */
const DriftField = z.object({
  /** `Deployment web` */
  object: z.string(),
  /** `spec.template.spec.containers[web].image`; empty: the object itself is gone. */
  field: z.string(),
  /** As it was applied, in one line; null: nothing was said of it. */
  wanted: z.string().nullable(),
  /** As it is; null: it is not there. */
  live: z.string().nullable(),
  /** The program that wrote it, as the cluster calls it; empty where that is not known. */
  by: z.string(),
  at: z.string().nullable(),
  /** Whether a service's document has a place for it, so that it can be kept. */
  keeps: z.boolean(),
})

export const Drift = z.object({
  /** Nothing can be said of a service that is on its way. */
  settled: z.boolean(),
  fields: z.array(DriftField),
})
export type Drift = z.infer<typeof Drift>

const params = z.strictObject({ teamId: id, envId: uuid, id })
const path = '/orchestration/api/:teamId/env/:envId/service/:id/drift' as const

export const drift = {
  get: endpoint({
    method: 'GET',
    path,
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary:
      'What others changed in the cluster of what was applied, field by field; values of secrets are not compared',
    params,
    data: Drift,
    topics: [serviceTopic],
  }),
  keep: endpoint({
    method: 'POST',
    path,
    action: 'keep',
    access: { team: 'teamId', permission: 'stack_service_edit' },
    audit: 'service.keep-drift',
    summary: 'Make what others changed the next revision of the service',
    params,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  putBack: endpoint({
    method: 'POST',
    path,
    action: 'putBack',
    access: { team: 'teamId', permission: 'stack_service_operate' },
    audit: 'service.put-back',
    summary: 'Return what others changed to what was applied',
    params,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
}
