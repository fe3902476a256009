import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { ServiceDetail } from './services.ts'
import { serviceTopic, stacksTopic } from './topics.ts'

/** A field of an object in the cluster that something other than the platform changed, added or removed. */
const DriftField = z.object({
  /** `Deployment web` */
  object: z.string(),
  /** `spec.template.spec.containers[web].image`; empty: the object itself was deleted. */
  field: z.string(),
  /** The applied value, on one line; null: none was applied. */
  wanted: z.string().nullable(),
  /** The present value; null: it does not exist. */
  live: z.string().nullable(),
  /** The program that wrote it, by the cluster's name for it; empty if unknown. */
  by: z.string(),
  at: z.string().nullable(),
  /** Whether a service's document can express it, so that it can be kept. */
  keeps: z.boolean(),
})

export const Drift = z.object({
  /** False while the service is changing: its drift is then unknown. */
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
