import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { tryParseJson } from '../../kernel/json.ts'
import { maskEchoes } from '../../kernel/secrets/masking.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { askTracker, type Issue, type Tracker, type Transition } from '../tracker.ts'

export interface TapdAccess {
  /** The address of the open API, without a trailing slash. */
  url: string
  user: string
  password: string
  /** The ids of the workspaces whose items count. */
  workspaces: readonly string[]
}

/** TAPD's open API, as its documentation describes it. Its faults are those of a tracker, and `tapd-login`. */
export interface Tapd {
  /** Verifies the login; returns the API's user. */
  verify(access: TapdAccess, signal?: AbortSignal): Promise<{ version: string; login: string }>
  /** Whether the login sees the workspace. */
  sees(access: TapdAccess, workspace: string, signal?: AbortSignal): Promise<boolean>
  /** The items of its workspaces, by keys such as `story-1001234`. */
  tracker(access: TapdAccess): Tracker
}

const Envelope = z.object({ status: z.coerce.number(), data: z.unknown(), info: z.string().default('') })
const Item = z.object({
  id: z.string(),
  /** A bug has a `title` instead. */
  name: z.string().nullish(),
  title: z.string().nullish(),
  status: z.string().default(''),
})
const Comments = z.array(z.object({ Comment: z.object({ description: z.string().nullish() }) }))
const Names = z.record(z.string(), z.string())

type Kind = 'story' | 'bug' | 'task'
const kinds: Record<Kind, { path: string; entry: string; name: string; page: (id: string) => string }> = {
  story: { path: 'stories', entry: 'stories', name: 'Story', page: (id) => `prong/stories/view/${id}` },
  bug: { path: 'bugs', entry: 'bug', name: 'Bug', page: (id) => `bugtrace/bugs/view/${id}` },
  task: { path: 'tasks', entry: 'tasks', name: 'Task', page: (id) => `prong/tasks/view/${id}` },
}

/** Tasks have no workflow of their own, so their statuses are fixed. */
const statusesOfTasks = { open: '未开始', progressing: '进行中', done: '已完成' }

const categories: Record<string, Issue['category']> = {
  ...Object.fromEntries(['planning', 'new', 'open', 'reopened', 'postponed'].map((name) => [name, 'todo'])),
  ...Object.fromEntries(['developing', 'in_progress', 'progressing', 'assigned'].map((name) => [name, 'doing'])),
  ...Object.fromEntries(['resolved', 'closed', 'verified', 'rejected', 'done'].map((name) => [name, 'done'])),
}

const newestComments = 100
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A whole id is a prefix, the workspace's id and nine digits. A short id is tried with both prefixes of TAPD. */
const wholeIds = (id: string, workspace: string): string[] =>
  id.length > 9 ? [id] : ['11', '10'].map((prefix) => `${prefix}${workspace}${id.padStart(9, '0')}`)

interface Found {
  kind: Kind
  workspace: string
  item: z.infer<typeof Item>
}

export function createTapd(outbound: Outbound): Tapd {
  const encodedLogin = ({ user, password }: TapdAccess): string => Buffer.from(`${user}:${password}`).toString('base64')

  interface Wanted {
    access: TapdAccess
    path: string
    query?: Record<string, string>
    body?: object
    signal?: AbortSignal | undefined
  }

  /** The data of an answer; undefined: there is none. TAPD's answer to a wrong login repeats it, so it is not shown. */
  async function ask<S extends z.ZodType>(wanted: Wanted, schema: S): Promise<z.infer<S> | undefined> {
    const { access, path, query = {}, body, signal } = wanted
    const url = new URL(`${access.url}/${path}`)
    url.search = new URLSearchParams(query).toString()
    const { host } = url
    const login = encodedLogin(access)
    const { status, text } = await askTracker(outbound, {
      url,
      authorization: `Basic ${login}`,
      refused: 'tapd-login',
      ...(body === undefined ? {} : { body }),
      signal,
    })
    const envelope = Envelope.safeParse(tryParseJson(text))
    if (!envelope.success) throw new Fault('badGateway', 'trackers-not-one', { host })
    // the error is in the HTTP status or in the envelope's status
    const code = envelope.data.status === 1 && status < 300 ? 1 : Math.max(status, envelope.data.status)
    if (code === 1) {
      const data = schema.safeParse(envelope.data.data)
      if (!data.success) throw new Fault('badGateway', 'trackers-not-one', { host })
      return data.data
    }
    if (code === 404) return undefined
    const said = maskEchoes(envelope.data.info, [access.password, login]).replaceAll(/\s+/g, ' ').slice(0, 300)
    if (code === 401) throw new Fault('badGateway', 'tapd-login', { host })
    if (code === 403) throw new Fault('badGateway', 'trackers-forbidden', { host, text: said || '–' })
    if (code === 429) throw new Fault('badGateway', 'trackers-busy', { host, seconds: 60 })
    throw new Fault('badGateway', 'trackers-error', { host, status: code, text: said || '–' })
  }

  async function find(access: TapdAccess, key: string, signal?: AbortSignal): Promise<Found | undefined> {
    const [kind, id] = key.split('-') as [Kind, string]
    const { path, name } = kinds[kind]
    for (const workspace of access.workspaces) {
      const ids = wholeIds(id, workspace)
      if (id.length > 9 && id.slice(2, -9) !== workspace) continue
      const query = { workspace_id: workspace, id: ids.join(','), fields: 'id,name,title,status', limit: '2' }
      const rows = await ask({ access, path, query, signal }, z.array(z.record(z.string(), Item)))
      const item = rows?.map((row) => row[name]).find((one) => one !== undefined && ids.includes(one.id))
      if (item) return { kind, workspace, item }
    }
    return undefined
  }

  /** The names of a kind's statuses in a workspace. */
  const namesOf = async (access: TapdAccess, { kind, workspace }: Found, signal?: AbortSignal) =>
    kind === 'task'
      ? statusesOfTasks
      : ((await ask(
          { access, path: 'workflows/status_map', query: { workspace_id: workspace, system: kind }, signal },
          Names,
        )) ?? {})

  const nameIn = (names: Record<string, string>, status: string): string => names[status] ?? status

  return {
    async verify(access, signal) {
      const found = await ask({ access, path: 'quickstart/testauth', signal }, z.unknown())
      if (found === undefined) throw new Fault('badGateway', 'trackers-not-one', { host: new URL(access.url).host })
      return { version: '', login: access.user }
    },

    async sees(access, workspace, signal) {
      const query = { workspace_id: workspace }
      const found = await ask({ access, path: 'workspaces/get_workspace_info', query, signal }, z.unknown()).catch(
        (error: unknown) => {
          if (error instanceof Fault && error.key === 'trackers-forbidden') return undefined
          throw error
        },
      )
      return found !== undefined
    },

    tracker: (access) => ({
      async issue(key, signal) {
        const found = await find(access, key, signal)
        if (!found) return undefined
        const { kind, workspace, item } = found
        const names = await namesOf(access, found, signal)
        return {
          title: (item.name ?? item.title ?? '').slice(0, 300),
          status: nameIn(names, item.status).slice(0, 100),
          category: categories[item.status] ?? 'unknown',
          path: `${workspace}/${kinds[kind].page(item.id)}`,
        }
      },

      async transitions(key, signal) {
        const found = await find(access, key, signal)
        if (!found) return undefined
        const names = await namesOf(access, found, signal)
        return Object.entries(names).map(([id, status]): Transition => ({ id, name: id, status }))
      },

      async hasComment(key, text, signal) {
        const found = await find(access, key, signal)
        if (!found) return undefined
        const query = {
          workspace_id: found.workspace,
          entry_type: kinds[found.kind].entry,
          entry_id: found.item.id,
          order: 'created desc',
          limit: String(newestComments),
        }
        const comments = await ask({ access, path: 'comments', query, signal }, Comments)
        return comments?.some(({ Comment: { description } }) => description?.includes(text))
      },

      async comment(key, text, signal) {
        const found = await find(access, key, signal)
        if (!found) return false
        const body = {
          workspace_id: found.workspace,
          entry_type: kinds[found.kind].entry,
          entry_id: found.item.id,
          author: access.user,
          description: `<p>${text}</p>`,
        }
        return (await ask({ access, path: 'comments', body, signal }, z.unknown())) !== undefined
      },

      async move(key, status, signal) {
        const found = await find(access, key, signal)
        if (!found) return false
        const body = { workspace_id: found.workspace, id: found.item.id, status }
        return (await ask({ access, path: kinds[found.kind].path, body, signal }, z.unknown())) !== undefined
      },

      plain: (text) => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? ''),
    }),
  }
}
