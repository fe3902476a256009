import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { displayName, line, text } from '../validators.ts'
import { buildImagesTopic } from './topics.ts'

/** `internal`: of the platform, for every team. `customer`: added by an administrator, for one team or for all. */
export const BuildImageKind = z.enum(['internal', 'customer'])
export type BuildImageKind = z.infer<typeof BuildImageKind>

/** `BUILD`: an image for jobs. `LB`: the image of a load balancer. */
export const BuildImageType = z.enum(['BUILD', 'LB'])
export type BuildImageType = z.infer<typeof BuildImageType>

/** An image as registries name it: `[host[:port]/]path[:tag][@digest]`. */
const reference = z
  .string()
  .trim()
  .max(500, { error: 'build-images-reference', abort: true })
  .regex(
    /^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?\/)?[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@sha256:[0-9a-f]{64})?$/,
    'build-images-reference',
  )

export const BuildImageInput = z.strictObject({
  name: displayName(64),
  image: reference,
  description: text(1000).default(''),
  /** A keyword to find it by, such as a language; may be empty. */
  catalog: line(30).default(''),
  type: BuildImageType.default('BUILD'),
  /** The team that owns it; null: available to every team. */
  teamId: id.nullable().default(null),
})
export type BuildImageInput = z.infer<typeof BuildImageInput>

export const BuildImage = BuildImageInput.extend({
  id: z.number().int(),
  kind: BuildImageKind,
  teamName: z.string(),
  /** The clusters that it is limited to, within the teams that the caller can see. */
  environments: z.array(z.object({ teamId: z.number().int(), uuid, name: z.string() })),
  /** The number of pipelines whose jobs use it. */
  pipelineNum: z.number().int(),
  revision: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type BuildImage = z.infer<typeof BuildImage>

const one = z.strictObject({ id })
const path = '/api/build-images'

export const buildImages = {
  list: endpoint({
    method: 'GET',
    path,
    access: 'user',
    summary: 'Build images: those of the platform and those of the teams that the caller sees',
    query: listQuery({ pageSize: 10 }).extend({
      kind: BuildImageKind.optional(),
      type: BuildImageType.optional(),
      catalog: z.string().max(30).optional(),
      /** Only images that this team can choose. */
      teamId: id.optional(),
    }),
    data: listOf(BuildImage),
    topics: [buildImagesTopic],
  }),
  catalogs: endpoint({
    method: 'GET',
    path: '/api/build-images/catalogs',
    access: 'user',
    summary: 'The catalogs of the build images of a type, with how many images each has',
    query: z.strictObject({ type: BuildImageType.optional() }),
    data: z.array(z.object({ name: z.string(), count: z.number().int() })),
    topics: [buildImagesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: 'admin',
    audit: 'build-image.create',
    summary: 'Add a build image of the customer',
    body: BuildImageInput,
    data: BuildImage,
    topics: [buildImagesTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/build-images/:id',
    access: 'admin',
    audit: 'build-image.update',
    summary: 'Change a build image; it stays with the platform or with its team where pipelines of others use it',
    params: one,
    body: BuildImageInput.extend({ revision: z.number().int().optional() }),
    data: BuildImage,
    topics: [buildImagesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/build-images/:id',
    access: 'admin',
    audit: 'build-image.delete',
    summary: 'Delete a build image in which no job runs',
    params: one,
    data: z.null(),
    topics: [buildImagesTopic],
  }),
  assign: endpoint({
    method: 'POST',
    path: '/api/teams/:t/environments/image',
    access: 'admin',
    audit: 'build-image.assign',
    summary: "Limit a build image to some of a team's clusters; an empty list lifts the limit",
    params: z.strictObject({ t: id }),
    body: z.strictObject({ imageId: id, environments: z.array(uuid).max(100, 'list-too-long') }),
    data: BuildImage,
    topics: [buildImagesTopic],
  }),
  publish: endpoint({
    method: 'POST',
    path: '/api/tenants/:t/publish-internal',
    access: 'admin',
    audit: 'build-image.publish-internal',
    summary: "Make a team's build image one of the platform: every team can choose it, and its pipelines keep it",
    params: z.strictObject({ t: id }),
    body: z.strictObject({ imageId: id }),
    data: BuildImage,
    topics: [buildImagesTopic],
  }),
}
