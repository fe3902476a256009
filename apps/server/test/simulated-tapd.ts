import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Told {
  status: number
  body: unknown
}

interface SimulatedItem {
  id: string
  workspace: string
  name: string
  status: string
  comments: string[]
}

const statusMaps: Record<string, Record<string, string>> = {
  story: { planning: '规划中', developing: '实现中', resolved: '已实现', rejected: '已拒绝' },
  bug: { new: '新', in_progress: '接受/处理', resolved: '已解决', closed: '已关闭' },
}
const kinds = { stories: 'Story', bugs: 'Bug', tasks: 'Task' } as const
type Path = keyof typeof kinds
const isPath = (path: string): path is Path => path in kinds
const pathOfEntry: Record<string, Path> = { stories: 'stories', bug: 'bugs', tasks: 'tasks' }

/**
 * The calls of TAPD's open API that the product makes, in memory, with answers as documented. They were never compared
 * with a real one.
 */
export async function simulatedTapd() {
  const workspace = '20375571'
  const tapd = {
    url: '',
    user: 'api-robot',
    password: 'tapd-secret-word',
    workspace,
    items: { stories: new Map<string, SimulatedItem>(), bugs: new Map(), tasks: new Map() } as Record<
      Path,
      Map<string, SimulatedItem>
    >,
    /** Answers every call before anything else. */
    instead: undefined as ((path: string, method: string) => Told | undefined) | undefined,
    /** `GET stories` of each call. */
    calls: [] as string[],
    /** The credentials of each call. */
    seen: [] as string[],
    add(path: Path, short: string, name: string, status: string): SimulatedItem {
      const id = `11${workspace}${short.padStart(9, '0')}`
      const item = { id, workspace, name, status, comments: [] }
      tapd.items[path].set(id, item)
      return item
    },
    close: () => server.close(),
  }
  const ok = (data: unknown): Told => ({ status: 200, body: { status: 1, data, info: 'success' } })
  const problem = (status: number, info: string): Told => ({ status, body: { status, data: '', info } })

  const shown = (path: Path, { id, workspace: of, name, status }: SimulatedItem) => ({
    [kinds[path]]: { id, workspace_id: of, [path === 'bugs' ? 'title' : 'name']: name, status },
  })

  function comments(method: string, given: Record<string, string>): Told {
    const path = pathOfEntry[given['entry_type'] ?? '']
    const item = path && tapd.items[path].get(given['entry_id'] ?? '')
    if (!item) return problem(404, 'entry not found')
    if (method === 'POST') {
      if (!given['author']) return problem(422, 'author is required')
      item.comments.push(given['description'] ?? '')
      return ok({ Comment: { id: '1', description: given['description'], author: given['author'] } })
    }
    return ok(item.comments.map((description, index) => ({ Comment: { id: String(index), description } })).toReversed())
  }

  function answer(path: string, method: string, given: Record<string, string>): Told {
    if (path === 'quickstart/testauth') return ok({ api_user: tapd.user, api_password: tapd.password })
    if (given['workspace_id'] !== workspace) return problem(404, `workspace ${given['workspace_id']} not existed`)
    if (path === 'workspaces/get_workspace_info') return ok({ Workspace: { id: workspace, name: 'Shop' } })
    if (path === 'workflows/status_map') return ok(statusMaps[given['system'] ?? ''] ?? {})
    if (path === 'comments') return comments(method, given)
    if (!isPath(path)) return problem(404, 'not found')
    const ids = (given['id'] ?? '').split(',')
    const found = ids.flatMap((id) => tapd.items[path].get(id) ?? [])
    if (method === 'GET') return ok(found.map((item) => shown(path, item)))
    const [item] = found
    if (!item) return problem(404, 'not found')
    item.status = given['status'] ?? item.status
    return ok(shown(path, item))
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', tapd.url)
    const { method = 'GET' } = request
    const path = url.pathname.slice(1)
    tapd.calls.push(`${method} ${path}`)
    const { authorization = '' } = request.headers
    tapd.seen.push(authorization)
    void text(request).then((body) => {
      const given = { ...Object.fromEntries(url.searchParams), ...(body === '' ? {} : (JSON.parse(body) as object)) }
      const basic = `Basic ${Buffer.from(`${tapd.user}:${tapd.password}`).toString('base64')}`
      const told =
        tapd.instead?.(path, method) ??
        (authorization === basic
          ? answer(path, method, given)
          : problem(401, `invalid api_user or api_password: ${authorization}`))
      response
        .writeHead(told.status, { 'content-type': 'application/json' })
        .end(typeof told.body === 'string' ? told.body : JSON.stringify(told.body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  tapd.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return tapd
}
