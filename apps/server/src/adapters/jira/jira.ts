import type { JiraKind, JiraProject, JiraTransition } from '@gantry/contract/trackers/jira'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { tryParseJson } from '../../kernel/json.ts'
import { maskEchoes } from '../../kernel/secrets/masking.ts'
import { parseJson } from '../outbound/body.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { type Answer, askTracker, type Issue } from '../tracker.ts'

export interface JiraAccess {
  /** Without a trailing slash. */
  url: string
  kind: JiraKind
  email: string
  token: string
}

/**
 * Version 2 of the REST API, which Jira Cloud and Jira Data Center both have. Faults name the cause: `trackers-silent`,
 * `trackers-token`, `trackers-forbidden`, `trackers-busy` (its `seconds` say when to ask again), `trackers-not-one`,
 * `trackers-error`, and `outbound-refused`.
 */
export interface Jira {
  /** Verifies that this is a Jira; returns its version and the token's user. */
  verify(access: JiraAccess, signal?: AbortSignal): Promise<{ version: string; login: string }>
  /** The first 1,000 projects that the token sees, sorted by key. */
  projects(access: JiraAccess, signal?: AbortSignal): Promise<JiraProject[]>
  /** The statuses of all types of issues in a project, each once. Undefined: there is no such project. */
  statuses(access: JiraAccess, projectKey: string, signal?: AbortSignal): Promise<string[] | undefined>
  /** The transitions that the issue can make now. Undefined here and below: there is no such issue. */
  transitions(access: JiraAccess, key: string, signal?: AbortSignal): Promise<JiraTransition[] | undefined>
  issue(access: JiraAccess, key: string, signal?: AbortSignal): Promise<Issue | undefined>
  /** Whether one of the newest comments contains the text. */
  hasComment(access: JiraAccess, key: string, text: string, signal?: AbortSignal): Promise<boolean | undefined>
  /** False: there is no such issue. */
  comment(access: JiraAccess, key: string, text: string, signal?: AbortSignal): Promise<boolean>
  move(access: JiraAccess, key: string, transitionId: string, signal?: AbortSignal): Promise<boolean>
}

const maxProjects = 1000
const projectsOfPage = 50
const newestComments = 100

const Problems = z.object({
  errorMessages: z.array(z.string()).default([]),
  errors: z.record(z.string(), z.string()).default({}),
  /** For errors that occur before the API itself, such as a wrong token at Jira Cloud. */
  message: z.string().optional(),
})
const ServerInfo = z.object({ version: z.string(), baseUrl: z.string() })
const Myself = z.object({ displayName: z.string(), emailAddress: z.string().default('') })
const Project = z.object({ id: z.string(), key: z.string(), name: z.string() })
const ProjectPage = z.object({ values: z.array(Project), isLast: z.boolean() })
const TypesOfIssues = z.array(z.object({ statuses: z.array(z.object({ name: z.string() })) }))
const Transitions = z.object({
  transitions: z.array(z.object({ id: z.string(), name: z.string(), to: z.object({ name: z.string() }) })),
})
const IssueAnswer = z.object({
  fields: z.object({
    summary: z.string().nullable(),
    status: z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }).optional() }),
  }),
})
const Comments = z.object({ comments: z.array(z.object({ body: z.string().default('') })) })

const categories: Record<string, Issue['category']> = { new: 'todo', indeterminate: 'doing', done: 'done' }

interface RequestOptions {
  access: JiraAccess
  path: string
  query?: Record<string, string>
  /** Sent by POST. */
  body?: object
  signal?: AbortSignal | undefined
}
const credentials = ({ kind, email, token }: JiraAccess): string =>
  kind === 'cloud' ? `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}` : `Bearer ${token}`

export function createJira(outbound: Outbound): Jira {
  function ask({ access, path, query = {}, body, signal }: RequestOptions): Promise<Answer> {
    const url = new URL(`${access.url}/rest/api/2/${path}`)
    url.search = new URLSearchParams(query).toString()
    const authorization = credentials(access)
    return askTracker(outbound, {
      url,
      authorization,
      refused: 'trackers-token',
      ...(body === undefined ? {} : { body }),
      signal,
    })
  }

  /** Jira's message on one line, with credentials masked; undefined if it is not Jira's, such as a web page. */
  function problemIn(access: JiraAccess, text: string): string | undefined {
    const problems = Problems.safeParse(tryParseJson(text))
    if (!problems.success) return undefined
    const { errorMessages, errors, message } = problems.data
    const said = [...errorMessages, ...Object.values(errors), ...(message === undefined ? [] : [message])].join('; ')
    const [, basic = ''] = credentials(access).split(' ')
    return maskEchoes(said, [access.token, basic]).replaceAll(/\s+/g, ' ').slice(0, 300)
  }

  function refusal(access: JiraAccess, { status, text }: Answer): Fault {
    const { host } = new URL(access.url)
    const said = problemIn(access, text)
    if (status === 403) return new Fault('badGateway', 'trackers-forbidden', { host, text: said || '–' })
    if (said === undefined) return new Fault('badGateway', 'trackers-not-one', { host })
    return new Fault('badGateway', 'trackers-error', { host, status, text: said || '–' })
  }

  /** Undefined: Jira answers that the object does not exist. */
  async function done(wanted: RequestOptions): Promise<Answer | undefined> {
    const answer = await ask(wanted)
    if (answer.status >= 200 && answer.status <= 299) return answer
    if (answer.status === 404 && problemIn(wanted.access, answer.text) !== undefined) return undefined
    throw refusal(wanted.access, answer)
  }

  async function find<S extends z.ZodType>(wanted: RequestOptions, schema: S): Promise<z.infer<S> | undefined> {
    const answer = await done(wanted)
    if (answer === undefined) return undefined
    const { host } = new URL(wanted.access.url)
    try {
      return parseJson(answer.text, schema, host)
    } catch {
      throw new Fault('badGateway', 'trackers-not-one', { host })
    }
  }

  async function read<S extends z.ZodType>(wanted: RequestOptions, schema: S): Promise<z.infer<S>> {
    const found = await find(wanted, schema)
    if (found === undefined)
      throw new Fault('badGateway', 'trackers-not-one', { host: new URL(wanted.access.url).host })
    return found
  }

  async function pagedProjects(access: JiraAccess, signal?: AbortSignal): Promise<JiraProject[]> {
    const found: JiraProject[] = []
    for (;;) {
      const query = { startAt: String(found.length), maxResults: String(projectsOfPage), orderBy: 'key' }
      const { values, isLast } = await read({ access, path: 'project/search', query, signal }, ProjectPage)
      found.push(...values)
      if (isLast || values.length === 0 || found.length >= maxProjects) return found
    }
  }

  return {
    async verify(access, signal) {
      const { version } = await read({ access, path: 'serverInfo', signal }, ServerInfo)
      const { displayName, emailAddress } = await read({ access, path: 'myself', signal }, Myself)
      return { version, login: displayName || emailAddress }
    },

    async projects(access, signal) {
      const found =
        access.kind === 'cloud'
          ? await pagedProjects(access, signal)
          : await read({ access, path: 'project', signal }, z.array(Project))
      return found.toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, maxProjects)
    },

    async statuses(access, project, signal) {
      const types = await find(
        { access, path: `project/${encodeURIComponent(project)}/statuses`, signal },
        TypesOfIssues,
      )
      return types && [...new Set(types.flatMap(({ statuses }) => statuses.map(({ name }) => name)))]
    },

    async transitions(access, key, signal) {
      const found = await find({ access, path: `${issuePath(key)}/transitions`, signal }, Transitions)
      return found?.transitions.map(({ id, name, to }) => ({ id, name, status: to.name }))
    },

    async issue(access, key, signal) {
      const query = { fields: 'summary,status' }
      const found = await find({ access, path: issuePath(key), query, signal }, IssueAnswer)
      if (found === undefined) return undefined
      const { summary, status } = found.fields
      return {
        title: (summary ?? '').slice(0, 300),
        status: status.name.slice(0, 100),
        category: categories[status.statusCategory?.key ?? ''] ?? 'unknown',
        path: '',
      }
    },

    async hasComment(access, key, text, signal) {
      const query = { orderBy: '-created', maxResults: String(newestComments) }
      const found = await find({ access, path: `${issuePath(key)}/comment`, query, signal }, Comments)
      return found?.comments.some(({ body }) => body.includes(text))
    },

    async comment(access, key, text, signal) {
      return (await done({ access, path: `${issuePath(key)}/comment`, body: { body: text }, signal })) !== undefined
    },

    async move(access, key, id, signal) {
      const body = { transition: { id } }
      return (await done({ access, path: `${issuePath(key)}/transitions`, body, signal })) !== undefined
    },
  }
}

const issuePath = (key: string): string => `issue/${encodeURIComponent(key)}`
