import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { buildsTopic, pipelinesTopic } from './topics.ts'

/** An image that a build pushed, and that can start a build. */
export const ImageVersion = z.object({
  imageId: z.number().int(),
  /** Without the tag: `registry.example.org/shop/web`. */
  image: z.string(),
  imageTag: z.string(),
  /** With the tag, as a build is started with it. */
  version: z.string(),
  digest: z.string(),
  buildNumber: z.number().int(),
  createdAt: z.string(),
})
export type ImageVersion = z.infer<typeof ImageVersion>

/** A service that runs an image. */
export const Release = z.object({
  envId: z.string(),
  stackId: z.number().int(),
  stackUuid: z.string(),
  stackName: z.string(),
  serviceId: z.number().int(),
  serviceName: z.string(),
  /** As the service names it. */
  image: z.string(),
  /** The digest that runs; empty while it is unknown. */
  digest: z.string(),
  state: z.string(),
})
export type Release = z.infer<typeof Release>

export const images = {
  versions: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/image/version',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' },
    summary: 'The image versions that the pipeline made, newest first, to start a build with one',
    params: z.strictObject({ id: idOrUuid }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(ImageVersion),
    topics: [buildsTopic, pipelinesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v2/pipelines/:id/images/:imageId',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_delete' },
    audit: 'build.delete-image',
    summary: "Take an image off the pipeline's list; it stays in its registry",
    params: z.strictObject({ id: idOrUuid, imageId: id }),
    data: z.null(),
    topics: [pipelinesTopic],
  }),
  release: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/environments/release',
    access: { team: 'teamId', permission: ['pipeline_build_view', 'stack_service_view'] },
    summary: "Which of the team's services run an image: with a tag or digest that version, without one any",
    params: z.strictObject({ teamId: id }),
    query: z.strictObject({ image: z.string().trim().min(1, 'image-required').max(500, 'image-format') }),
    data: z.array(Release),
  }),
}
