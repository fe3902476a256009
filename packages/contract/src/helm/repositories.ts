import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { secret } from '../secret.ts'
import { displayName } from '../validators.ts'
import { repositoriesTopic } from './topics.ts'

/** The source of charts: an HTTP index of archives, or a registry with charts as OCI artifacts. */
export const RepositoryKind = z.enum(['index', 'oci'])
export type RepositoryKind = z.infer<typeof RepositoryKind>

export const HelmRepository = z.object({
  id: z.number().int(),
  name: z.string(),
  url: z.string(),
  kind: RepositoryKind,
  username: z.string(),
  /** Always the mask, or empty if there is none; so is the authority. */
  password: z.string(),
  ca: z.string(),
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
  charts: z.number().int(),
  versions: z.number().int(),
  /** `failed`: the last read failed. The charts of the read before are still offered. */
  state: z.enum(['ready', 'failed']),
  problem: z.string(),
  readAt: z.string().nullable(),
  /** Counts from 1; a change names the revision on which it is based. */
  revision: z.number().int(),
})
export type HelmRepository = z.infer<typeof HelmRepository>

/** For users who deploy: without address and credentials. */
export const UsableRepository = HelmRepository.pick({
  id: true,
  name: true,
  kind: true,
  charts: true,
  state: true,
  readAt: true,
})
export type UsableRepository = z.infer<typeof UsableRepository>

/** http, https or oci with a host; no user, no query. */
const repositoryUrl = z
  .string()
  .trim()
  .max(2000, 'helm-url-format')
  .refine((given) => {
    if (!/^(https?|oci|oci\+http):\/\/[^\s/?#@\\]+(\/[^\s?#]*)?$/.test(given)) return false
    return URL.canParse(given.replace(/^oci(\+http)?:/, 'https:'))
  }, 'helm-url-format')

const body = z.strictObject({
  name: displayName(60),
  url: repositoryUrl,
  username: z.string().max(255, 'text-too-long').default(''),
  password: secret(z.string().max(4096, 'text-too-long')).default(''),
  /** PEM of an authority that signed the repository's certificate. */
  ca: z.string().max(65_536, 'text-too-long').default(''),
})
export type HelmRepositoryInput = z.infer<typeof body>

export const helmRepositories = {
  readAll: endpoint({
    method: 'PUT',
    path: '/helm/api/repositories/update',
    access: 'admin',
    audit: 'helm-repository.read-all',
    summary: 'Read all repositories again; answers for each whether it could be read',
    data: z.array(HelmRepository.pick({ id: true, name: true, state: true, problem: true })),
    topics: [repositoriesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/helm/api/repositories',
    access: 'admin',
    audit: 'helm-repository.create',
    summary: 'Add a chart repository; it is read before it is saved',
    body,
    data: HelmRepository,
    topics: [repositoriesTopic],
  }),
  list: endpoint({
    method: 'GET',
    path: '/helm/api/repositories',
    access: 'admin',
    summary: 'Chart repositories',
    query: listQuery({ pageSize: 10 }),
    data: listOf(HelmRepository),
    topics: [repositoriesTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/helm/api/repositories',
    access: 'admin',
    audit: 'helm-repository.update',
    summary: 'Change a chart repository; a masked password or authority is kept only while the host is the same',
    body: body.extend({ id, revision: z.number().int().min(1, 'revision-invalid').optional() }),
    data: HelmRepository,
    topics: [repositoriesTopic],
  }),
  assign: endpoint({
    method: 'POST',
    path: '/helm/api/repositories/:helmId',
    access: 'admin',
    audit: 'helm-repository.assign',
    summary: 'Set the teams that deploy from a repository',
    params: z.strictObject({ helmId: id }),
    body: z.strictObject({ teams: z.array(id).max(1000, 'list-too-long') }),
    data: HelmRepository,
    topics: [repositoriesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/helm/api/repositories/:id',
    access: 'admin',
    audit: 'helm-repository.delete',
    summary: 'Remove a repository that no release came from',
    params: z.strictObject({ id }),
    data: z.null(),
    topics: [repositoriesTopic],
  }),
  all: endpoint({
    method: 'GET',
    path: '/helm/api/repositories/all',
    access: 'user',
    asks: ['helm_chart_view'],
    summary: 'The repositories that a team deploys from',
    query: z.strictObject({ tenantId: id }),
    data: z.array(UsableRepository),
    topics: [repositoriesTopic],
  }),
}
