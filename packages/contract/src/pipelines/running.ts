import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { text } from '../validators.ts'
import { buildsTopic, buildTopic, pipelinesTopic } from './topics.ts'

/** Which builds wait for one another where a pipeline's builds do not run at the same time. */
export const Concurrency = z
  .strictObject({
    /** Those of the pipeline, of its group, or of all the team's pipelines that have the same name here. */
    scope: z.enum(['pipeline', 'group', 'name']).default('pipeline'),
    name: text(60, 'name-too-long').default(''),
    /** A new build takes the place of older ones of the same branch or tag that have not begun. */
    newestOnly: z.boolean().default(false),
  })
  .refine(({ scope, name }) => scope !== 'name' || name !== '', { message: 'name-required', path: ['name'] })
export type Concurrency = z.infer<typeof Concurrency>

/** For so many days; 0: as long as the build. */
const days = z.number().int('keep-days').min(0, 'keep-days').max(3650, 'keep-days').default(0)

/** How long what a build has is kept. Pinned builds keep all; the builds themselves stay in lists and reports. */
export const Retention = z.strictObject({ days, logDays: days, artifactDays: days })
export type Retention = z.infer<typeof Retention>

/** A pause, and who is responsible for it. */
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
