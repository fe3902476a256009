import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { displayName, text } from '../validators.ts'
import { dockerfilesTopic } from './topics.ts'

/** A Dockerfile of a team, for the image steps of its pipelines. */
export const DockerfileRow = z.object({
  id: z.number().int(),
  teamId: z.number().int(),
  name: z.string(),
  description: z.string(),
  /** Counts from 1; a change names the revision on which it is based. */
  revision: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string(),
  /** The number of pipelines that use it. */
  pipelineNum: z.number().int(),
})
export type DockerfileRow = z.infer<typeof DockerfileRow>

export const Dockerfile = DockerfileRow.extend({ content: z.string() })
export type Dockerfile = z.infer<typeof Dockerfile>

const body = z.strictObject({
  name: displayName(255, 'dockerfile-name-too-long'),
  description: text(1000, 'description-too-long').default(''),
  content: z
    .string()
    .min(1, 'dockerfile-content-required')
    .max(100_000, 'dockerfile-too-long')
    .refine((content) => !content.includes('\0'), 'text-hidden-characters'),
})
export type DockerfileInput = z.infer<typeof body>

const inTeam = z.strictObject({ teamId: id })
const one = z.strictObject({ teamId: id, dockerfileId: id })

export const dockerfiles = {
  list: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/dockerfile',
    access: { team: 'teamId', permission: 'pipeline_dockerfile_view' },
    summary: "A team's Dockerfiles, without their content",
    params: inTeam,
    query: listQuery({ pageSize: 10 }),
    data: listOf(DockerfileRow),
    topics: [dockerfilesTopic],
  }),
  /** Not in the specification: the list does not contain the contents. */
  get: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/dockerfile/:dockerfileId',
    access: { team: 'teamId', permission: 'pipeline_dockerfile_view' },
    summary: 'One Dockerfile with its content',
    params: one,
    data: Dockerfile,
    topics: [dockerfilesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/teams/:teamId/dockerfile',
    access: { team: 'teamId', permission: 'pipeline_dockerfile_create' },
    audit: 'dockerfile.create',
    summary: 'Create a Dockerfile',
    params: inTeam,
    body,
    data: Dockerfile,
    topics: [dockerfilesTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/teams/:teamId/dockerfile',
    access: { team: 'teamId', permission: 'pipeline_dockerfile_edit' },
    audit: 'dockerfile.update',
    summary: 'Change a Dockerfile; refused when someone else saved since `revision`',
    params: inTeam,
    body: body.extend({ id, revision: z.number().int().min(1, 'revision-invalid').optional() }),
    data: Dockerfile,
    topics: [dockerfilesTopic],
  }),
  clone: endpoint({
    method: 'POST',
    path: '/api/teams/:teamId/dockerfile/:dockerfileId/clone',
    access: { team: 'teamId', permission: 'pipeline_dockerfile_create' },
    audit: 'dockerfile.clone',
    summary: 'Copy a Dockerfile, under the given name or under the first free one',
    params: one,
    body: z.strictObject({ name: displayName(255, 'dockerfile-name-too-long').optional() }),
    data: Dockerfile,
    topics: [dockerfilesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/teams/:teamId/dockerfile/:dockerfileId',
    access: { team: 'teamId', permission: 'pipeline_dockerfile_delete' },
    audit: 'dockerfile.delete',
    summary: 'Delete a Dockerfile that no pipeline builds by',
    params: one,
    data: z.null(),
    topics: [dockerfilesTopic],
  }),
}
