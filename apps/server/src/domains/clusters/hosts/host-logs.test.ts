import { hosts } from '@gantry/contract/clusters/hosts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { admitLocal, type Answer, fakeApi, refuse, reply } from '../../../../test/kube-api.ts'
import { testApp } from '../../../../test/test-app.ts'

/** A kubelet behind an API server, with and without the log query. */
const offered: Answer = ({ query }, response) => {
  const lines = (query.get('query') === 'kubelet' ? journal : []).slice(-Number(query.get('tailLines')))
  response.writeHead(200, { 'content-type': 'text/plain' }).end(lines.map((line) => `${line}\n`).join(''))
}
const journal = Array.from({ length: 25 }, (_, at) => `Nov 21 10:00:${10 + at}.000000 n1 kubelet[1]: line ${at + 1}`)

const api = await fakeApi(offered)
const kube = openKube({ admit: admitLocal })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
  await kube.close()
  await api[Symbol.asyncDispose]()
})

const { uuid } = await app.db
  .insertInto('environment')
  .values({ name: 'east', server: api.address.server, address: seal(app.ctx(), JSON.stringify(api.address)) })
  .returning('uuid')
  .executeTakeFirstOrThrow()
const team = await app.team()
await app.db.insertInto('environment_team').values({ environment: uuid, team_id: team.id }).execute()

const logs = (query: object = {}, host = 'n1', who = team.leader) =>
  who.call(hosts.logs, { params: { env: uuid, host }, query })

beforeEach(() => {
  api.answer(offered)
  api.seen.length = 0
})

describe('the log of a host', () => {
  test('comes in pages, the latest first, each in chronological order', async () => {
    const page = async (number: number) => {
      const { lines, more } = await logs({ size: 10, page: number })
      return [lines[0]?.text, lines.at(-1)?.text, lines.length, more]
    }
    expect(await page(1)).toEqual(['kubelet[1]: line 16', 'kubelet[1]: line 25', 10, true])
    expect(await page(2)).toEqual(['kubelet[1]: line 6', 'kubelet[1]: line 15', 10, true])
    expect(await page(3)).toEqual(['kubelet[1]: line 1', 'kubelet[1]: line 5', 5, false])
    expect(await page(4)).toEqual([undefined, undefined, 0, false])
  })

  test('is requested by service and time', async () => {
    await logs({ type: 'containerd', from: 1_700_000_000_000, to: 1_700_000_060_000 })
    const [seen] = api.seen
    expect(seen?.path).toBe('/api/v1/nodes/n1/proxy/logs/')
    // kubelets refuse requests for JSON
    expect(seen?.headers.accept).toBe('*/*')
    expect(Object.fromEntries(seen?.query ?? [])).toEqual({
      query: 'containerd',
      sinceTime: '2023-11-14T22:13:20.000Z',
      untilTime: '2023-11-14T22:14:20.000Z',
      tailLines: '101',
    })
  })

  test('of the system has two possible names', async () => {
    expect(await logs({ type: 'system' })).toEqual({ lines: [], more: false })
    expect(api.seen.map(({ query }) => query.get('query'))).toEqual(['syslog', 'messages'])
  })

  test.each<[string, Answer]>([
    [
      'serves its folder',
      (_, response) => void response.writeHead(200).end('<!doctype html>\n<pre>\n<a href="x">x</a>'),
    ],
    ['serves its folder, as older ones write it', (_, response) => void response.writeHead(200).end('<pre>\n<a href')],
    ['has its logs switched off', (_, response) => void response.writeHead(405).end('logs endpoint is disabled.\n')],
    ['is none, but the API server’s own', (_, response) => refuse(response, 404, 'NotFound', 'no such resource')],
    ['has no such path', (_, response) => void response.writeHead(404).end('404 page not found\n')],
  ])('names the missing setting if the kubelet %s', async (_, answer) => {
    api.answer(answer)
    await expect(logs()).rejects.toMatchObject({
      status: 409,
      key: 'hosts-log-off',
      message: expect.stringMatching(/enableSystemLogQuery.*NodeLogQuery/),
    })
  })

  test('with few lines that report failures is shown; the kubelet’s own messages are not', async () => {
    const lines = ['Nov 21 10:00:10.000000 n1 kubelet[1]: failed to pull', 'Nov 21 10:00:11.000000 n1 x: not found']
    api.answer((_, response) => void response.writeHead(200).end(`${lines.join('\n')}\n`))
    expect((await logs()).lines.map(({ text }) => text)).toEqual(['kubelet[1]: failed to pull', 'x: not found'])
    api.answer(
      (_, response) => void response.writeHead(200).end('\nopen /var/log/kubelet: no such file or directory\n'),
    )
    expect((await logs()).lines).toEqual([])
  })

  test('of a host that is down is refused as such, without marking the cluster as unreachable', async () => {
    const words = 'error trying to reach service: dial tcp 10.0.0.9:10250: connect: no route to host'
    api.answer((seen, response) =>
      seen.path.includes('/proxy/') ? refuse(response, 503, 'ServiceUnavailable', words) : reply(response, {}),
    )
    for (let look = 0; look < 4; look++)
      await expect(logs()).rejects.toMatchObject({ status: 503, key: 'hosts-log-away' })
    await expect(kube.cluster(uuid, api.address).kube.version()).resolves.toEqual({})
  })

  test('of an unknown host is a 404', async () => {
    const status = {
      kind: 'Status',
      code: 404,
      reason: 'NotFound',
      message: 'no',
      details: { name: 'n9', kind: 'nodes' },
    }
    api.answer((_, response) => reply(response, status, 404))
    await expect(logs({}, 'n9')).rejects.toMatchObject({ status: 404, key: 'hosts-missing' })
  })
})

describe('an invalid request for a host’s log is refused', () => {
  test.each(['../../', '..', '.', 'a/b', '%2e%2e', 'n1?x=1', 'n1#', 'N1', '', 'a'.repeat(300)])(
    'the host %j is refused before the cluster is called',
    async (host) => {
      const refused = await team.leader.raw({
        method: 'GET',
        url: `/log/api/environments/${uuid}/hosts/${encodeURIComponent(host)}`,
      })
      expect([400, 404]).toContain(refused.statusCode)
      expect(api.seen).toEqual([])
    },
  )

  test.each([
    { size: 1_000_000_000 },
    { size: 0 },
    { size: -1 },
    { page: 0 },
    { size: 1000, page: 21 },
    { from: 2000, to: 1000 },
    { from: -1 },
    { from: 'yesterday' },
    { type: 'shadow' },
    { type: '/../etc/shadow' },
    { colour: 'red' },
  ])('%j is refused before the cluster is called', async (query) => {
    await expect(logs(query)).rejects.toMatchObject({ status: 400 })
    expect(api.seen).toEqual([])
  })

  test('a user who shares the cluster or lacks the permission reads no log', async () => {
    const blind = await team.member(['resource_host_view'])
    await expect(logs({}, 'n1', blind)).rejects.toMatchObject({ status: 403 })
    const other = await app.team()
    await expect(logs({}, 'n1', other.leader)).rejects.toMatchObject({ status: 404 })
    await app.db.insertInto('environment_team').values({ environment: uuid, team_id: other.id }).execute()
    await expect(logs({}, 'n1', other.leader)).rejects.toMatchObject({ status: 403, key: 'clusters-shared' })
    expect(api.seen).toEqual([])
  })
})
