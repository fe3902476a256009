import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { Digest, RepoId, RepositoryName, TagId, TagName } from './keys.ts'
import { imagesTopic } from './topics.ts'

/*
 * What registries hold. Nothing of it is stored here: repositories, tags and images are read from their registry.
 */

/** Why a registry, or a part of it, could not be read. */
const Problem = z.object({
  /** `registry-no-catalogue`: it lists no repositories, so that a name has to be entered. */
  key: z.string(),
  /** In the caller's language. */
  text: z.string(),
})
export type Problem = z.infer<typeof Problem>

/** What uses an image: services, and Helm releases. Of other teams only how many there are. */
export const UseCount = z.object({
  /** Services of the team that run it, as `stack/service`: the first few. */
  services: z.array(z.string()),
  /** How many of the team's services run it. */
  running: z.number().int(),
  /** How many of the team's services do not run it, but may return to it. */
  back: z.number().int(),
  /** Services of other teams that run it or may return to it. */
  others: z.number().int(),
})
export type UseCount = z.infer<typeof UseCount>

export const Repository = z.object({
  repoId: z.string(),
  registryId: z.number().int(),
  registryName: z.string(),
  name: z.string(),
  /** How an image of it is named, without a tag: `registry.example.org/shop/web`. */
  image: z.string(),
  uses: UseCount,
})
export type Repository = z.infer<typeof Repository>

const RepositoryList = listOf(Repository).extend({ problem: Problem.nullable() })

export const ImageType = z.enum(['image', 'chart', 'other'])

export const Tag = z.object({
  tagId: z.string(),
  tag: z.string(),
  /** Empty where it could not be read; `problem` says why. */
  digest: z.string(),
  type: ImageType,
  /** Bytes of the compressed layers: of the platform that is described, which is linux/amd64 where there is one. */
  size: z.number(),
  /** When the image was made, by its own account; null where it does not say. */
  createdAt: z.string().nullable(),
  /** As `linux/amd64`. */
  platforms: z.array(z.string()),
  layers: z.number().int(),
  uses: UseCount,
  problem: Problem.nullable(),
})
export type Tag = z.infer<typeof Tag>

const TagList = listOf(Tag).extend({ problem: Problem.nullable(), registryName: z.string(), image: z.string() })

const service = {
  serviceId: z.number().int(),
  serviceName: z.string(),
  /** Of the service; `helm`: it is a release, whose number and name these are. */
  type: z.string(),
  stackId: z.number().int(),
  stackUuid: z.string(),
  stackName: z.string(),
  envId: z.string(),
  teamId: z.number().int(),
  /** As the service names it. */
  image: z.string(),
}

/** Who uses an image: what the caller may see of the team, and how much there is of others. */
export const Uses = z.object({
  services: z.array(z.object(service)),
  /** Revisions that a service may return to. */
  revisions: z.array(z.object({ ...service, revision: z.number().int() })),
  /** Pipelines whose image steps push to the repository. */
  pipelines: z.array(
    z.object({ id: z.number().int(), groupId: z.number().int(), name: z.string(), teamId: z.number().int() }),
  ),
  /** Builds that pushed this image. */
  builds: z.array(
    z.object({
      pipelineId: z.number().int(),
      groupId: z.number().int(),
      pipeline: z.string(),
      number: z.number().int(),
      teamId: z.number().int(),
      createdAt: z.string(),
    }),
  ),
  others: z.number().int(),
})
export type Uses = z.infer<typeof Uses>

/** One image with its layers, and who uses it. */
export const Image = Tag.omit({ uses: true, layers: true, platforms: true, problem: true }).extend({
  repository: z.string(),
  registryName: z.string(),
  /** The whole name, with tag and digest. */
  image: z.string(),
  /** Of an image for several platforms each has a digest of its own. */
  platforms: z.array(z.object({ name: z.string(), digest: z.string() })),
  /** The platform whose size and layers these are; empty where it does not say. */
  platform: z.string(),
  /** In the order in which they were made. `digest` is empty for what changed no file. */
  layers: z.array(z.object({ digest: z.string(), size: z.number(), createdBy: z.string() })),
  uses: Uses,
})
export type Image = z.infer<typeof Image>

/** A tag, and the digest that it named when the deletion was confirmed. */
const confirmed = z.strictObject({ tag: TagName, digest: Digest })
export const Deletion = z.object({
  tag: z.string(),
  digest: z.string(),
  /** Whether it was deleted; of a dry run, whether it would be. */
  done: z.boolean(),
  /** All tags that go with the image. */
  goes: z.array(z.string()),
  problem: Problem.nullable(),
})
export type Deletion = z.infer<typeof Deletion>

const deletions = z.strictObject({
  tags: z.array(confirmed).min(1, 'images-tags-required').max(1000, 'list-too-long'),
})

/** The digest that was confirmed, and the other tags that were named as going with it. */
const confirmation = z.strictObject({
  digest: Digest,
  tags: z
    .string()
    .max(20_000, 'list-too-long')
    .regex(/^\w[\w.-]{0,127}(,\w[\w.-]{0,127})*$/, 'images-tag-invalid')
    .optional(),
})
const Gone = z.object({ tags: z.array(z.string()) })

const viewed = { owner: 'registry-contents', by: 'id', permission: 'image_registry_view' } as const
const inRepository = { owner: 'image-repository', by: 'repoId' } as const

export const contents = {
  repositories: endpoint({
    method: 'GET',
    path: '/api/v2/docker-repos/:id/repos',
    access: viewed,
    summary: 'Repositories of a registry; where it lists none or is silent, `problem` says so',
    params: z.strictObject({ id }),
    query: listQuery({ pageSize: 10 }),
    data: RepositoryList,
    topics: [imagesTopic],
  }),
  tags: endpoint({
    method: 'GET',
    path: '/api/v2/docker-repos/:id/tags',
    access: viewed,
    summary: 'Tags of a repository with digest, size, age, platforms and what uses them',
    params: z.strictObject({ id }),
    query: listQuery({ pageSize: 10 }).extend({ repo: RepositoryName }),
    data: TagList,
    topics: [imagesTopic],
  }),
  external: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/repos/external',
    access: { team: 'teamId', permission: 'image_registry_view' },
    summary: 'Repositories of all registries that a team may use; a silent one is named and costs five seconds',
    params: z.strictObject({ teamId: id }),
    query: listQuery({ pageSize: 10 }).extend({ registryId: id.optional() }),
    data: listOf(Repository).extend({
      registries: z.array(
        z.object({
          id: z.number().int(),
          name: z.string(),
          sandbox: z.boolean(),
          problem: Problem.nullable(),
        }),
      ),
    }),
    topics: [imagesTopic],
  }),
  image: endpoint({
    method: 'GET',
    path: '/api/v2/docker-repos/:repoId/tags/:tagId',
    access: { ...inRepository, permission: 'image_registry_view' },
    summary: 'One image: its platforms, its layers and what made each, and who uses it',
    params: z.strictObject({ repoId: RepoId, tagId: TagId }),
    query: z.strictObject({
      /** Of one of its platforms; default linux/amd64, else the first. */
      platform: Digest.optional(),
    }),
    data: Image,
    asks: ['stack_service_view', 'pipeline_pipeline_view', 'pipeline_build_view'],
    topics: [imagesTopic],
  }),
  removeTag: endpoint({
    method: 'DELETE',
    path: '/api/v2/docker-repos/:repoId/tags/:tagId',
    access: { ...inRepository, permission: 'image_tag_delete' },
    audit: 'image-tag.delete',
    summary: 'Delete the image that a tag names, by the digest that was confirmed, with all its tags',
    params: z.strictObject({ repoId: RepoId, tagId: TagId }),
    query: confirmation,
    data: Gone,
    topics: [imagesTopic],
  }),
  removeTeamTag: endpoint({
    method: 'DELETE',
    path: '/api/tenants/:teamId/repos/:tagId',
    access: { team: 'teamId', permission: 'image_tag_delete' },
    audit: 'image-tag.delete',
    summary: 'Delete an image of a registry that the team may use, by the digest that was confirmed',
    params: z.strictObject({ teamId: id, tagId: TagId }),
    query: confirmation,
    data: Gone,
    topics: [imagesTopic],
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/v2/docker-repos/:repoId/tags/check',
    access: { ...inRepository, permission: 'image_tag_delete' },
    audit: 'image-tag.check',
    summary: 'What deleting these tags would take with it, and what stays and why; nothing is deleted',
    params: z.strictObject({ repoId: RepoId }),
    body: deletions,
    data: z.array(Deletion),
    topics: [],
  }),
  removeTags: endpoint({
    method: 'POST',
    path: '/api/v2/docker-repos/:repoId/tags/delete',
    access: { ...inRepository, permission: 'image_tag_delete' },
    audit: 'image-tag.delete-many',
    summary: 'Delete several images of a repository; each tag that goes is among them, with its digest',
    params: z.strictObject({ repoId: RepoId }),
    body: deletions,
    data: z.array(Deletion),
    topics: [imagesTopic],
  }),
  unused: endpoint({
    method: 'GET',
    path: '/api/v2/docker-repos/:repoId/unused',
    access: { ...inRepository, permission: 'image_registry_view' },
    summary: 'Tags that nothing uses, and nothing has used for some days: of one page of the tags by name',
    params: z.strictObject({ repoId: RepoId }),
    query: z.strictObject({
      ...listQuery({ pageSize: 200 }).shape,
      days: z.coerce
        .number('images-days-range')
        .int('images-days-range')
        .min(1, 'images-days-range')
        .max(3650, 'images-days-range'),
    }),
    data: z.object({
      items: z.array(
        z.object({
          tagId: z.string(),
          tag: z.string(),
          digest: z.string(),
          size: z.number(),
          /** When it was made, pushed by a build or deployed for the last time. */
          usedAt: z.string(),
        }),
      ),
      /** Tags that were looked at: this page of them. */
      looked: z.number().int(),
      /** Those of them whose age nothing tells: they are never offered. */
      ageless: z.number().int(),
      requestPage: z.number().int(),
      pageSize: z.number().int(),
      totalSize: z.number().int(),
    }),
    topics: [imagesTopic],
  }),
}
