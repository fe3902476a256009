import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'

/**
 * The guided first minute (ours): a small service with tests in a git repository that the product makes, a pipeline, a product and a
 * stack in the sandbox. Everything that it makes is ordinary; one step deletes it all.
 */
export const Sample = z.object({
  /** none: not made; ready: made; unavailable: no sandbox or no git. */
  state: z.enum(['none', 'ready', 'unavailable']),
  reason: z.string(),
  pipeline: z.object({ id: z.number().int(), groupId: z.number().int(), name: z.string() }).nullable(),
  product: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  stack: z.object({ id: z.number().int(), uuid: z.string(), name: z.string(), envId: z.string() }).nullable(),
  build: z.object({ number: z.number().int(), state: z.string() }).nullable(),
  service: z.object({ id: z.number().int(), name: z.string(), state: z.string(), url: z.string() }).nullable(),
})
export type Sample = z.infer<typeof Sample>

const inTeam = z.strictObject({ teamId: id })

export const sample = {
  get: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/sample',
    access: { team: 'teamId' },
    summary: 'The sample and how far it is',
    params: inTeam,
    data: Sample,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/sample',
    access: { team: 'teamId', permission: 'pipeline_pipeline_create' },
    audit: 'sample.create',
    summary: 'Make the sample and start its first build; a second call continues what is there',
    params: inTeam,
    data: Sample,
  }),
  /** A second commit to the sample's repository, so that an upgrade can be seen. */
  change: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/sample/change',
    access: { team: 'teamId', permission: 'pipeline_build_execute' },
    audit: 'sample.change',
    summary: "Commit a change to the sample's repository and build it",
    params: inTeam,
    data: Sample,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/tenants/:teamId/sample',
    access: { team: 'teamId', permission: 'pipeline_pipeline_delete' },
    audit: 'sample.delete',
    summary: 'Delete everything that the sample made',
    params: inTeam,
    data: z.null(),
  }),
}
