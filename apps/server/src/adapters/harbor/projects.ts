import { z } from 'zod'
import {
  type AskHarbor,
  type Counted,
  fuzzy,
  type HarborAccess,
  madeId,
  parsed,
  part,
  slice,
  type Slice,
} from './session.ts'

export interface Project {
  id: number
  name: string
  public: boolean
  repositories: number
  createdAt: string | null
  /** The id of the project's retention policy; null if it has none. */
  retentionId: number | null
}

interface Pattern {
  fits: boolean
  pattern: string
}

interface Rule {
  template: string
  count: number | null
  repositories: Pattern[]
  tags: Pattern[]
  disabled: boolean
}

interface Retention {
  rules: Rule[]
  /** A cron expression; empty if there is no schedule. */
  schedule: string
}

interface Listing extends Slice {
  keyword: string
  signal?: AbortSignal | undefined
}

export interface Projects {
  projects(access: HarborAccess, listing: Listing): Promise<Counted<Project>>
  project(access: HarborAccess, id: number, signal?: AbortSignal): Promise<Project>
  /** Figures in bytes; a `limit` of null means unlimited. */
  projectQuota(access: HarborAccess, id: number, signal?: AbortSignal): Promise<{ used: number; limit: number | null }>
  retention(access: HarborAccess, retentionId: number, signal?: AbortSignal): Promise<Retention>
  immutableRules(access: HarborAccess, id: number, signal?: AbortSignal): Promise<Rule[]>
  createProject(access: HarborAccess, project: { name: string; public: boolean }): Promise<number>
  /** Harbor refuses (`harbor-protected`) while the project contains repositories. */
  removeProject(access: HarborAccess, id: number): Promise<void>
  setPublic(access: HarborAccess, id: number, isPublic: boolean): Promise<void>
}

const Wire = z
  .object({
    project_id: z.number().int(),
    name: z.string(),
    repo_count: z.number().int().nullish(),
    creation_time: z.string().nullish(),
    metadata: z.object({ public: z.string().nullish(), retention_id: z.string().nullish() }).nullish(),
  })
  .transform(({ project_id, name, repo_count, creation_time, metadata }): Project => ({
    id: project_id,
    name,
    public: metadata?.public === 'true',
    repositories: repo_count ?? 0,
    createdAt: creation_time ?? null,
    retentionId: /^[1-9]\d*$/.test(metadata?.retention_id ?? '') ? Number(metadata?.retention_id) : null,
  }))

const Selectors = z
  .array(z.object({ decoration: z.string().nullish(), pattern: z.string().nullish() }))
  .nullish()
  .transform((selectors): Pattern[] =>
    (selectors ?? []).map(({ decoration, pattern }) => ({
      fits: !(decoration ?? '').toLowerCase().endsWith('excludes'),
      pattern: pattern ?? '',
    })),
  )
const WireRule = z
  .object({
    disabled: z.boolean().nullish(),
    template: z.string().nullish(),
    params: z.record(z.string(), z.unknown()).nullish(),
    tag_selectors: Selectors,
    scope_selectors: z.record(z.string(), Selectors).nullish(),
  })
  .transform(({ disabled, template, params, tag_selectors, scope_selectors }): Rule => ({
    template: template ?? '',
    count: Object.values(params ?? {}).find((value) => typeof value === 'number') ?? null,
    repositories: scope_selectors?.['repository'] ?? [],
    tags: tag_selectors,
    disabled: disabled === true,
  }))
const WireRetention = z
  .object({
    rules: z.array(WireRule).nullish(),
    trigger: z.object({ settings: z.object({ cron: z.string().nullish() }).nullish() }).nullish(),
  })
  .transform(({ rules, trigger }): Retention => ({ rules: rules ?? [], schedule: trigger?.settings?.cron ?? '' }))
/** More rules than a project usefully has. */
const maxRules = 100
const Amounts = z.record(z.string(), z.number()).nullish()
const Summary = z.object({ quota: z.object({ hard: Amounts, used: Amounts }).nullish() })

/** The path contains the project's number; without this header Harbor takes a number for a name. */
const byNumber = { 'x-is-resource-name': 'false' }

export function harborProjects(ask: AskHarbor): Projects {
  return {
    projects: async (access, { keyword, signal, ...at }) => {
      const q = fuzzy('name', keyword)
      if (q === undefined) return { items: [], total: 0 }
      const query = { with_detail: true, sort: 'name', ...(keyword !== '' && { q }) }
      return slice(ask, access, { path: '/projects', query, signal }, at, Wire)
    },
    project: async (access, id, signal) =>
      parsed(await ask(access, { path: `/projects/${part(id)}`, headers: byNumber, signal }), Wire),
    projectQuota: async (access, id, signal) => {
      const { quota } = parsed(
        await ask(access, { path: `/projects/${part(id)}/summary`, headers: byNumber, signal }),
        Summary,
      )
      const limit = quota?.hard?.['storage'] ?? -1
      return { used: quota?.used?.['storage'] ?? 0, limit: limit < 0 ? null : limit }
    },
    retention: async (access, retentionId, signal) =>
      parsed(await ask(access, { path: `/retentions/${part(retentionId)}`, signal }), WireRetention),
    immutableRules: async (access, id, signal) => {
      const call = { path: `/projects/${part(id)}/immutabletagrules`, headers: byNumber, signal }
      return (await slice(ask, access, call, { offset: 0, limit: maxRules }, WireRule)).items
    },
    createProject: async (access, { name, public: isPublic }) =>
      madeId(
        await ask(access, {
          method: 'POST',
          path: '/projects',
          headers: { 'x-resource-name-in-location': 'false' },
          body: { project_name: name, metadata: { public: String(isPublic) } },
        }),
      ),
    removeProject: async (access, id) => {
      await ask(access, { method: 'DELETE', path: `/projects/${part(id)}`, headers: byNumber })
    },
    setPublic: async (access, id, isPublic) => {
      const body = { metadata: { public: String(isPublic) } }
      await ask(access, { method: 'PUT', path: `/projects/${part(id)}`, headers: byNumber, body })
    },
  }
}
