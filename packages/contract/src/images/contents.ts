import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { Digest, RepoId, RepositoryName, TagId, TagName } from './keys.ts'
import { imagesTopic } from './topics.ts'

/* The contents of registries. None of it is stored here: repositories, tags and images are read from their registry. */

/** Why a registry, or a part of it, could not be read. */
const Problem = z.object({
  /** `registry-no-catalogue`: it does not list its repositories, so the user has to enter a name. */
  key: z.string(),
  /** In the caller's language. */
  text: z.string(),
})
export type Problem = z.infer<typeof Problem>

/** The uses of an image by services and Helm releases. For other teams, only their number. */
export const UseCount = z.object({
  /** The first few of the team's services that run it, as `stack/service`. */
  services: z.array(z.string()),
  /** The number of the team's services that run it. */
  running: z.number().int(),
  /** The number of the team's services that do not run it, but may return to it. */
  back: z.number().int(),
  /** The number of other teams' services that run it or may return to it. */
  others: z.number().int(),
})
export type UseCount = z.infer<typeof UseCount>

export const Repository = z.object({
  repoId: z.string(),
  registryId: z.number().int(),
  registryName: z.string(),
  name: z.string(),
  /** The name of its images without a tag: `registry.example.org/shop/web`. */
  image: z.string(),
  uses: UseCount,
})
export type Repository = z.infer<typeof Repository>

const RepositoryList = listOf(Repository).extend({ problem: Problem.nullable() })

export const ImageType = z.enum(['image', 'chart', 'other'])

export const Tag = z.object({
  tagId: z.string(),
  tag: z.string(),
  /** Empty if it could not be read; `problem` says why. */
  digest: z.string(),
  type: ImageType,
  /** Bytes of the compressed layers, for linux/amd64 if available, otherwise for another platform. */
  size: z.number(),
  /** The creation time in the image itself; null if there is none. */
  createdAt: z.string().nullable(),
  /** Such as `linux/amd64`. */
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
  /** The type of the service; `helm`: the id and name are those of a release. */
  type: z.string(),
  stackId: z.number().int(),
  stackUuid: z.string(),
  stackName: z.string(),
  envId: z.string(),
  teamId: z.number().int(),
  /** As the service names it. */
  image: z.string(),
}

/** The uses of an image: in detail as far as the caller may see them, and the number of the other teams'. */
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

/** One image with its layers and its uses. */
export const Image = Tag.omit({ uses: true, layers: true, platforms: true, problem: true }).extend({
  repository: z.string(),
  registryName: z.string(),
  /** The whole name, with tag and digest. */
  image: z.string(),
  /** In an image for several platforms, each has its own digest. */
  platforms: z.array(z.object({ name: z.string(), digest: z.string() })),
  /** The platform of the size and the layers; empty if unknown. */
  platform: z.string(),
  /** In the order of their creation. `digest` is empty for a layer that changed no file. */
  layers: z.array(z.object({ digest: z.string(), size: z.number(), createdBy: z.string() })),
  uses: Uses,
})
export type Image = z.infer<typeof Image>

/** A tag, and its digest when the deletion was confirmed. */
const confirmed = z.strictObject({ tag: TagName, digest: Digest })
export const Deletion = z.object({
  tag: z.string(),
  digest: z.string(),
  /** Whether it was deleted; for a dry run, whether it would be. */
  done: z.boolean(),
  /** All tags that are deleted with the image. */
  goes: z.array(z.string()),
  problem: Problem.nullable(),
})
export type Deletion = z.infer<typeof Deletion>

const deletions = z.strictObject({
  tags: z.array(confirmed).min(1, 'images-tags-required').max(1000, 'list-too-long'),
})

/** The confirmed digest, and the other tags whose deletion was confirmed with it. */
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
      /** The digest of one platform; by default linux/amd64, otherwise the first. */
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
          /** When it was last created, pushed by a build or deployed. */
          usedAt: z.string(),
        }),
      ),
      /** The number of examined tags, which are those of this page. */
      looked: z.number().int(),
      /** Of these, the tags of unknown age: they are never offered for deletion. */
      ageless: z.number().int(),
      requestPage: z.number().int(),
      pageSize: z.number().int(),
      totalSize: z.number().int(),
    }),
    topics: [imagesTopic],
  }),
}
