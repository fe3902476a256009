import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Task {
  componentKey: string
  status: string
  submittedAt: string
  analysisId: string
  errorMessage?: string
}

/** The calls of SonarQube that the product makes, in memory. `*.services.test.ts` uses a real one. */
export async function fakeSonar() {
  const sonar = {
    url: '',
    version: '9.9.0',
    token: 'squ_user',
    permissions: ['provisioning', 'scan'],
    /** If set, every call is answered with this status, like by a failing server. */
    ill: undefined as number | undefined,
    projects: new Map<string, string>(),
    /** Issued tokens by name. */
    tokens: new Map<
      string,
      { token: string; type: string; projectKey: string | null; expirationDate: string | null }
    >(),
    tasks: new Map<string, Task>(),
    /** By analysis. */
    measures: new Map<string, Record<string, string>>(),
    calls: [] as string[],
    /** The credentials of each call. */
    seen: [] as string[],
    /** Adds a finished analysis; returns the id of its task. */
    analysed(projectKey: string, measures: Record<string, string>, more: Partial<Task> = {}): string {
      const id = `task-${sonar.tasks.size + 1}`
      const analysisId = `analysis-${sonar.tasks.size + 1}`
      sonar.measures.set(analysisId, measures)
      const submittedAt = new Date().toISOString()
      sonar.tasks.set(id, { componentKey: projectKey, status: 'SUCCESS', submittedAt, analysisId, ...more })
      return id
    },
    close: () => server.close(),
  }

  const dateOf = (analysis: string): string => `2026-01-01T00:00:${analysis.replace(/\D/g, '').padStart(2, '0')}+0000`

  function answer(path: string, given: URLSearchParams): unknown {
    const value = (name: string): string => given.get(name) ?? ''
    switch (path) {
      case 'users/current':
        return { isLoggedIn: true, login: 'gantry', permissions: { global: sonar.permissions } }
      case 'user_tokens/generate': {
        if (!sonar.permissions.includes('scan')) return 403
        const token = `sqp_${sonar.tokens.size}-${value('name')}`
        const { type = '', projectKey = null, expirationDate = null } = Object.fromEntries(given)
        sonar.tokens.set(value('name'), { token, type, projectKey, expirationDate })
        // a second earlier, because SonarQube's clock counts whole seconds
        return { token, createdAt: new Date(Date.now() - 1000).toISOString() }
      }
      case 'user_tokens/revoke':
        sonar.tokens.delete(value('name'))
        return {}
      case 'components/show':
        return sonar.projects.has(value('component')) ? { component: { key: value('component') } } : 404
      case 'projects/create':
        sonar.projects.set(value('project'), value('name'))
        return { project: { key: value('project') } }
      case 'ce/task': {
        const task = sonar.tasks.get(value('id'))
        return task === undefined ? 404 : { task }
      }
      case 'project_analyses/search':
        return {
          paging: { total: sonar.measures.size },
          analyses: [...sonar.measures.keys()].map((key) => ({ key, date: dateOf(key) })),
        }
      case 'measures/search_history':
        return {
          measures: value('metrics')
            .split(',')
            .map((metric) => ({
              metric,
              history: [...sonar.measures]
                .filter(([analysis]) => dateOf(analysis) === value('from'))
                .map(([analysis, found]) => ({ date: dateOf(analysis), value: found[metric] })),
            })),
        }
      default:
        return 404
    }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', sonar.url)
    const path = url.pathname.replace(/^\/api\//, '')
    sonar.calls.push(path)
    const { authorization = '' } = request.headers
    sonar.seen.push(authorization)
    void text(request).then((body) => {
      const given = request.method === 'POST' ? new URLSearchParams(body) : url.searchParams
      const known = authorization === `Basic ${btoa(`${sonar.token}:`)}`
      const told =
        sonar.ill ??
        (path === 'system/status' ? { version: sonar.version, status: 'UP' } : known ? answer(path, given) : 401)
      const status = typeof told === 'number' ? told : 200
      const content = typeof told === 'number' ? { errors: [{ msg: `no: ${authorization}` }] } : told
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  sonar.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return sonar
}
