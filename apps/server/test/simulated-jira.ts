import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Told {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

interface SimulatedIssue {
  summary: string
  status: string
  comments: string[]
}

const statuses = [
  { name: 'To Do', category: 'new' },
  { name: 'In Progress', category: 'indeterminate' },
  { name: 'Done', category: 'done' },
]
/** By name; each leads to its status from any other. */
const transitions = [
  { id: '11', name: 'Start work', to: 'In Progress' },
  { id: '31', name: 'Finish', to: 'Done' },
]

const loginPage = '<!DOCTYPE html><html><head><title>Log in - Jira</title></head><body>Log in</body></html>'

/**
 * The calls of a Jira that the product makes, in memory, with answers as documented for version 2 of its REST API. They
 * were never compared with a real one.
 */
export async function simulatedJira() {
  const jira = {
    url: '',
    version: '1001.0.0',
    /** E-mail address for Jira Cloud. */
    email: 'robot@example.test',
    token: 'jira-secret-token',
    projects: ['SHOP', 'PAY'].map((key, index) => ({ id: String(10_000 + index), key, name: `The ${key} project` })),
    issues: new Map<string, SimulatedIssue>(),
    /** Answers every call, or those whose path it handles, before anything else. */
    instead: undefined as ((path: string, method: string) => Told | undefined) | undefined,
    /** Carries out this one call, but answers with an error. */
    loseAnswerTo: '',
    /** `GET issue/SHOP-1` of each call. */
    calls: [] as string[],
    /** The credentials of each call. */
    seen: [] as string[],
    issue(key: string, summary: string, status = 'To Do'): SimulatedIssue {
      const issue = { summary, status, comments: [] }
      jira.issues.set(key, issue)
      return issue
    },
    page: (status: number): Told => ({ status, body: loginPage, headers: { 'content-type': 'text/html' } }),
    close: () => server.close(),
  }

  const problem = (status: number, message: string): Told => ({
    status,
    body: { errorMessages: [message], errors: {} },
  })
  const ok = (body: unknown): Told => ({ status: 200, body })
  const statusOf = (name: string) => {
    const { category } = statuses.find((one) => one.name === name) ?? { category: 'undefined' }
    return { id: name, name, statusCategory: { id: 1, key: category, name: category, colorName: 'blue-gray' } }
  }

  function ofIssue(key: string, rest: string | undefined, method: string, body: unknown): Told {
    const issue = jira.issues.get(key)
    if (!issue) return problem(404, 'Issue does not exist or you do not have permission to see it.')
    if (rest === undefined)
      return ok({ id: '1', key, fields: { summary: issue.summary, status: statusOf(issue.status) } })
    if (rest === 'transitions' && method === 'GET')
      return ok({
        expand: 'transitions',
        transitions: transitions
          .filter(({ to }) => to !== issue.status)
          .map(({ id, name, to }) => ({ id, name, to: statusOf(to), hasScreen: false })),
      })
    if (rest === 'transitions') {
      const { id } = (body as { transition: { id: string } }).transition
      const chosen = transitions.find((one) => one.id === id && one.to !== issue.status)
      if (!chosen)
        return problem(400, `It seems that you have tried to perform a workflow operation (${id}) that is not valid`)
      issue.status = chosen.to
      return { status: 204 }
    }
    if (method === 'GET') {
      const comments = issue.comments.map((one, index) => ({ id: String(index), body: one })).toReversed()
      return ok({ startAt: 0, maxResults: 100, total: comments.length, comments })
    }
    issue.comments.push((body as { body: string }).body)
    return { status: 201, body: { id: String(issue.comments.length), body: issue.comments.at(-1) } }
  }

  function answer(path: string, method: string, query: URLSearchParams, body: unknown): Told {
    const [first, second, third] = path.split('/')
    switch (first) {
      case 'serverInfo':
        return ok({ baseUrl: jira.url, version: jira.version, deploymentType: 'Cloud', serverTitle: 'Jira' })
      case 'myself':
        return ok({ self: jira.url, emailAddress: jira.email, displayName: 'Build robot', active: true })
      case 'project': {
        if (second === undefined) return ok(jira.projects)
        if (second !== 'search') {
          return jira.projects.some(({ key }) => key === second)
            ? ok([{ id: '1', name: 'Task', subtask: false, statuses: statuses.map(({ name }) => statusOf(name)) }])
            : problem(404, `No project could be found with key '${second}'.`)
        }
        const startAt = Number(query.get('startAt'))
        const values = jira.projects.slice(startAt, startAt + Number(query.get('maxResults')))
        const total = jira.projects.length
        return ok({ startAt, maxResults: values.length, total, isLast: startAt + values.length >= total, values })
      }
      case 'issue':
        return ofIssue(second ?? '', third, method, body)
      default:
        return problem(404, 'null for uri')
    }
  }

  function send(
    response: ServerResponse,
    { status, body, headers = { 'content-type': 'application/json' } }: Told,
  ): void {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : body && JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', jira.url)
    const { method = 'GET' } = request
    const path = url.pathname.replace(/^\/rest\/api\/2\//, '')
    jira.calls.push(`${method} ${path}`)
    const { authorization = '' } = request.headers
    jira.seen.push(authorization)
    void text(request).then((body) => {
      const basic = `Basic ${Buffer.from(`${jira.email}:${jira.token}`).toString('base64')}`
      const known = authorization === basic || authorization === `Bearer ${jira.token}`
      const told =
        jira.instead?.(path, method) ??
        (path === url.pathname
          ? jira.page(404)
          : known || path === 'serverInfo'
            ? answer(path, method, url.searchParams, body === '' ? undefined : JSON.parse(body))
            : { status: 401, body: 'Client must be authenticated to access this resource.' })
      const lost = jira.loseAnswerTo === `${method} ${path}`
      if (lost) jira.loseAnswerTo = ''
      send(response, lost ? jira.page(503) : told)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  jira.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return jira
}
