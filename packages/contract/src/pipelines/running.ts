import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { text } from '../validators.ts'
import { buildsTopic, buildTopic, pipelinesTopic } from './topics.ts'

/** Which builds wait for each other, if builds do not run concurrently. */
export const Concurrency = z
  .strictObject({
    /** Builds of the pipeline, of its group, or of all the team's pipelines with the same `name` here. */
    scope: z.enum(['pipeline', 'group', 'name']).default('pipeline'),
    name: text(60, 'name-too-long').default(''),
    /** A new build replaces older builds of the same branch or tag that have not begun. */
    newestOnly: z.boolean().default(false),
  })
  .refine(({ scope, name }) => scope !== 'name' || name !== '', { message: 'name-required', path: ['name'] })
export type Concurrency = z.infer<typeof Concurrency>

/** The number of days; 0: as long as the build. */
const days = z.number().int('keep-days').min(0, 'keep-days').max(3650, 'keep-days').default(0)

/** How long a build's data is kept. Pinned builds keep everything; the builds themselves stay in lists and reports. */
export const Retention = z.strictObject({ days, logDays: days, artifactDays: days })
export type Retention = z.infer<typeof Retention>

/** A pause, and who caused it. */
export const Pause = z.object({ by: z.string(), at: z.string(), reason: z.string() })
export type Pause = z.infer<typeof Pause>

export const running = {
  pause: endpoint({
    method: 'PUT',
    path: '/api/v2/pipelines/:id/pause',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_edit' },
    audit: 'pipeline.pause',
    summary: 'Pause a pipeline, so that none of its builds begins, or let them begin again',
    params: z.strictObject({ id: idOrUuid }),
    body: z.strictObject({ paused: z.boolean(), reason: text(200).default('') }),
    data: Pause.nullable(),
    topics: [buildsTopic, pipelinesTopic],
  }),
  pin: endpoint({
    method: 'PUT',
    path: '/api/v2/pipelines/:id/builds/:number/pin',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_execute' },
    audit: 'build.pin',
    summary: 'Pin a build, so that it keeps its logs and files and cannot be deleted, or unpin it',
    params: z.strictObject({ id: idOrUuid, number: id }),
    body: z.strictObject({ pinned: z.boolean() }),
    data: z.null(),
    topics: [buildsTopic, buildTopic],
  }),
}
