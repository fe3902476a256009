import type { Forge } from '@gantry/contract/pipelines/repository-url'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { tryParseJson } from '../../kernel/json.ts'
import type { Outbound, OutboundRequest } from '../outbound/outbound.ts'

/** A repository at a forge, and the login for it. */
export interface ForgeAccess {
  forge: Forge
  /** The address for cloning over HTTP. */
  repository: string
  username: string
  /** A password, or a token. */
  password: string
}

export interface NewHook {
  url: string
  secret: string
}

/** What a forge shows beside a commit. `name` tells it apart from other statuses of the same commit. */
export interface CommitStatus {
  commit: string
  state: 'pending' | 'running' | 'success' | 'failed' | 'aborted'
  name: string
  description: string
  /** The page that the status links to. */
  url: string
}

/** The part of the forges' APIs that the product uses. */
export interface Forges {
  /** Has the forge call `url` for pushes, tags and merge requests; returns the id of that webhook there. */
  setHook(access: ForgeAccess, hook: NewHook, signal: AbortSignal): Promise<string>
  /** Succeeds also if the webhook no longer exists. */
  removeHook(access: ForgeAccess, id: string, signal: AbortSignal): Promise<void>
  /** Replaces an earlier status of the same name. */
  setStatus(access: ForgeAccess, status: CommitStatus, signal: AbortSignal): Promise<void>
  /** The files that a merge request changes, with both names of renamed ones; null if there are too many. */
  changedFiles(access: ForgeAccess, mergeRequest: number, signal: AbortSignal): Promise<string[] | null>
}

/** Reading stops here, because GitLab's list may omit the files beyond. */
const maxFiles = 1000

interface Dialect {
  /** The address of the repository's webhooks. */
  hooks: (repository: URL) => string
  headers: (access: ForgeAccess) => Record<string, string>
  body: (hook: NewHook) => object
  statuses: (repository: URL, commit: string) => string
  status: (status: CommitStatus) => object
  /** The address of one page of the files that a merge request changes, with the largest page size. */
  files: (repository: URL, mergeRequest: number, page: number) => string
}

/** The path of a repository without the suffix of its clone address. */
const pathOf = ({ pathname }: URL): string => pathname.replace(/^\/+/, '').replace(/(\.git)?\/*$/, '')

/** Splits the address of a forge that may be below a path of its host: the last two parts are owner and name. */
function splitPath(repository: URL): { base: string; name: string } {
  const parts = pathOf(repository).split('/')
  const base = [repository.origin, ...parts.slice(0, -2)].join('/')
  return { base, name: parts.slice(-2).join('/') }
}

const basic = ({ username, password }: ForgeAccess): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** The body of a webhook for Gitea and GitHub. */
const familiar = (kind: object, { url, secret }: NewHook) => ({
  ...kind,
  active: true,
  events: ['push', 'pull_request'],
  config: { url, content_type: 'json', secret },
})

/** Gitea and GitHub have no status for running, and none for aborted. */
const familiarStates = {
  pending: 'pending',
  running: 'pending',
  success: 'success',
  failed: 'failure',
  aborted: 'error',
}

const familiarStatus = ({ state, name, description, url }: CommitStatus) => ({
  state: familiarStates[state],
  context: name,
  description,
  target_url: url,
})

const gitHubApi = (repository: URL): string => {
  const { base, name } = splitPath(repository)
  return `${repository.host === 'github.com' ? 'https://api.github.com' : `${base}/api/v3`}/repos/${name}`
}

const giteaApi = (repository: URL): string => {
  const { base, name } = splitPath(repository)
  return `${base}/api/v1/repos/${name}`
}

const gitLabApi = (repository: URL): string =>
  `${repository.origin}/api/v4/projects/${encodeURIComponent(pathOf(repository))}`

const dialects: Record<Forge, Dialect> = {
  gitea: {
    hooks: (repository) => `${giteaApi(repository)}/hooks`,
    statuses: (repository, commit) => `${giteaApi(repository)}/statuses/${commit}`,
    status: familiarStatus,
    files: (repository, number, page) => `${giteaApi(repository)}/pulls/${number}/files?limit=50&page=${page}`,
    // as with git, a token is the password, and the username is free
    headers: (access) => ({
      authorization: access.username === '' ? `token ${access.password}` : basic(access),
    }),
    body: (hook) => familiar({ type: 'gitea' }, hook),
  },
  github: {
    hooks: (repository) => `${gitHubApi(repository)}/hooks`,
    statuses: (repository, commit) => `${gitHubApi(repository)}/statuses/${commit}`,
    status: familiarStatus,
    files: (repository, number, page) => `${gitHubApi(repository)}/pulls/${number}/files?per_page=100&page=${page}`,
    headers: ({ password }) => ({ authorization: `Bearer ${password}`, accept: 'application/vnd.github+json' }),
    body: (hook) => familiar({ name: 'web' }, hook),
  },
  gitlab: {
    hooks: (repository) => `${gitLabApi(repository)}/hooks`,
    statuses: (repository, commit) => `${gitLabApi(repository)}/statuses/${commit}`,
    status: ({ state, name, description, url }) => ({
      state: state === 'aborted' ? 'canceled' : state,
      name,
      description,
      target_url: url,
    }),
    files: (repository, number, page) =>
      `${gitLabApi(repository)}/merge_requests/${number}/diffs?per_page=100&page=${page}`,
    headers: ({ password }) => ({ 'private-token': password }),
    body: ({ url, secret }) => ({
      url,
      token: secret,
      push_events: true,
      tag_push_events: true,
      merge_requests_events: true,
      enable_ssl_verification: true,
    }),
  },
}

/** Each entry contains the file's name after the change and, if it differs, before. */
const File = z.union([
  z
    .object({ filename: z.string(), previous_filename: z.string().nullish() })
    .transform((file) => [file.filename, file.previous_filename]),
  z.object({ new_path: z.string(), old_path: z.string() }).transform((file) => [file.new_path, file.old_path]),
])
const Files = z.array(File).transform((files) => files.map((names) => names.filter((name) => !!name) as string[]))

const Made = z.object({ id: z.union([z.number(), z.string()]) })

/** Maps a forge's status to a fault for the user who started the action. */
function refuse(status: number, host: string): void {
  if (status >= 200 && status <= 299) return
  if (status === 401 || status === 403) throw new Fault('invalid', 'forge-denied', { host })
  if (status === 404) throw new Fault('invalid', 'forge-not-found', { host })
  if (status === 400 || status === 409 || status === 422) throw new Fault('invalid', 'forge-refused', { host, status })
  throw new Fault('badGateway', 'outbound-status', { host, status })
}

export function createForges(outbound: Outbound): Forges {
  const ask = (access: ForgeAccess, request: Omit<OutboundRequest, 'headers'>) =>
    outbound.requestText({
      timeout: 15_000,
      maxBytes: 1_048_576,
      redirect: 'manual',
      ...request,
      headers: { ...dialects[access.forge].headers(access), 'content-type': 'application/json' },
    })
  return {
    async setHook(access, hook, signal) {
      const repository = new URL(access.repository)
      const { hooks, body } = dialects[access.forge]
      const request = { method: 'POST' as const, url: hooks(repository), body: JSON.stringify(body(hook)), signal }
      const { status, text } = await ask(access, request)
      refuse(status, repository.host)
      const made = Made.safeParse(JSON.parse(text || '{}'))
      if (!made.success) throw new Fault('badGateway', 'outbound-not-json', { host: repository.host })
      return String(made.data.id)
    },
    async removeHook(access, id, signal) {
      const repository = new URL(access.repository)
      const url = `${dialects[access.forge].hooks(repository)}/${encodeURIComponent(id)}`
      const { status } = await ask(access, { method: 'DELETE', url, signal })
      if (status !== 404) refuse(status, repository.host)
    },
    async setStatus(access, status, signal) {
      const repository = new URL(access.repository)
      const { statuses, status: bodyOf } = dialects[access.forge]
      const url = statuses(repository, status.commit)
      const answer = await ask(access, { method: 'POST', url, body: JSON.stringify(bodyOf(status)), signal })
      // GitLab refuses a state that the commit already has
      if (access.forge === 'gitlab' && answer.status === 400 && /Cannot transition status/i.test(answer.text)) return
      refuse(answer.status, repository.host)
    },
    async changedFiles(access, mergeRequest, signal) {
      const repository = new URL(access.repository)
      const { files } = dialects[access.forge]
      const names = new Set<string>()
      let count = 0
      // a forge may return smaller pages than requested, so only an empty page is certainly the last
      for (let page = 1; ; page++) {
        const { status, text } = await ask(access, {
          method: 'GET',
          url: files(repository, mergeRequest, page),
          // each entry contains the diff of its file
          maxBytes: 32 * 1_048_576,
          signal,
        })
        refuse(status, repository.host)
        const read = Files.safeParse(tryParseJson(text))
        if (!read.success) throw new Fault('badGateway', 'outbound-not-json', { host: repository.host })
        if (read.data.length === 0) return [...names]
        count += read.data.length
        if (count >= maxFiles) return null
        for (const name of read.data.flat()) names.add(name)
      }
    },
  }
}
