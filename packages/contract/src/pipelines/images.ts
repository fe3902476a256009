import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { dictionary, refName } from '../validators.ts'
import { buildsTopic } from './topics.ts'

/** An image that a build pushed, as something to start a build with. */
export const ImageVersion = z.object({
  imageId: z.number().int(),
  /** Without tag: `registry.example.org/shop/web`. */
  image: z.string(),
  imageTag: z.string(),
  /** As `trigger/image` takes it: with the tag. */
  version: z.string(),
  digest: z.string(),
  buildNumber: z.number().int(),
  createdAt: z.string(),
})
export type ImageVersion = z.infer<typeof ImageVersion>

/** Where an image runs. */
export const Release = z.object({
  envId: z.string(),
  stackId: z.number().int(),
  stackUuid: z.string(),
  stackName: z.string(),
  serviceId: z.number().int(),
  serviceName: z.string(),
  /** As the service names it. */
  image: z.string(),
  /** What runs of it; empty where it is not known yet. */
  digest: z.string(),
  state: z.string(),
})
export type Release = z.infer<typeof Release>

/** With a tag or a digest. */
const image = z.string().trim().min(1, 'image-required').max(500, 'image-format')

export const images = {
  versions: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/image/version',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' },
    summary: 'The image versions that the pipeline made, newest first, to start a build with one',
    params: z.strictObject({ id: idOrUuid }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(ImageVersion),
    topics: [buildsTopic],
  }),
  trigger: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:uuid/trigger/image',
    access: { owner: 'pipeline', by: 'uuid', permission: 'pipeline_build_execute' },
    audit: 'build.trigger',
    summary: 'Start a build for an image version that a build of the team made: its deploy steps deploy that image',
    params: z.strictObject({ uuid: idOrUuid }),
    body: z
      .strictObject({
        image,
        branch: z.union([z.literal(''), refName('branch')]).optional(),
        tag: refName('tag').optional(),
        commit: z
          .string()
          .max(64)
          .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'commit-invalid')
          .optional(),
        parameters: dictionary(z.string().max(253), z.string().max(4096, 'value-too-long'), 50).optional(),
        idempotencyKey: z.string().min(1).max(200).optional(),
      })
      .refine(({ branch, tag }) => !branch || !tag, { message: 'branch-or-tag', path: ['tag'] }),
    data: z.object({ number: z.number().int(), queueId: z.number().int() }),
    topics: [buildsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v2/pipelines/:id/images/:imageId',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_delete' },
    audit: 'build.delete-image',
    summary: "Take an image off the pipeline's list; it stays in its registry",
    params: z.strictObject({ id: idOrUuid, imageId: id }),
    data: z.null(),
    topics: [buildsTopic],
  }),
  release: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/environments/release',
    access: { team: 'teamId', permission: ['pipeline_build_view', 'stack_service_view'] },
    summary: "Which of the team's services run an image: with a tag or digest that version, without one any",
    params: z.strictObject({ teamId: id }),
    query: z.strictObject({ image }),
    data: z.array(Release),
  }),
}
