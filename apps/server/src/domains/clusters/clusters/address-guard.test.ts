import type { ServerResponse } from 'node:http'
import { clusters } from '@gantry/contract/clusters/clusters'
import { afterAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { admitLocal, certificate, fakeApi, reply } from '../../../../test/kube-api.ts'
import { Refused, testApp } from '../../../../test/test-app.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'

const inside = await fakeApi((_, response) => reply(response, { gitVersion: 'v1.34.0' }))
const { port } = new URL(inside.address.server)
const outbound = createOutbound({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
const kube = openKube({ admit: outbound.admit })
const app = await testApp({ onlyDomains: ['clusters'], ports: { kube } })
afterAll(async () => {
  await kube.close()
  await outbound.close()
  await inside[Symbol.asyncDispose]()
})

const kubeconfigOf = (server: string) =>
  stringify({
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: { token: 'abc' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  })
const refusalOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

test('a forbidden address is refused with the same text in every call, and nothing connects', async () => {
  const texts = new Set<string>()
  for (const server of [
    `http://127.0.0.1:${port}`,
    `https://127.0.0.1:${port}`,
    `https://[::1]:${port}`,
    `https://[::ffff:127.0.0.1]:${port}`,
    `https://0x7f.1:${port}`,
    `https://2130706433:${port}`,
    `https://localhost:${port}`,
    `https://rebind.example:${port}`,
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]',
    'https://0.0.0.0',
  ]) {
    const ways = [
      { server, token: 'abc' },
      ...(server.startsWith('https') ? [{ kubeconfig: kubeconfigOf(server) }] : []),
    ]
    const refusals = await Promise.all(
      ways
        .flatMap((given) => [
          app.admin.call(clusters.check, { body: given }),
          app.admin.call(clusters.create, { body: { name: 'inside', ...given } }),
        ])
        .map(refusalOf),
    )
    for (const refused of refusals)
      texts.add(
        refused instanceof Refused ? `${refused.status} ${refused.key} ${refused.message}` : `${server} is let in`,
      )
  }
  expect([...texts]).toEqual([expect.stringMatching(/^400 outbound-refused /)])
  expect(inside.seen).toEqual([])
})

test.each([
  'file:///etc/passwd',
  'gopher://127.0.0.1',
  'https://a:b@cluster.test',
  'cluster.test:6443',
  'https://x/?a=1',
])('%s is refused as the address of an API server', async (server) => {
  const refused = await refusalOf(app.admin.call(clusters.check, { body: { server, token: 'abc' } }))
  expect(refused).toMatchObject({ status: 400, key: 'kube-config-server-invalid' })
})

test('an API server that redirects is refused: the token does not follow', async () => {
  const tls = { cert: certificate('server'), key: certificate('server-key') }
  const away = await fakeApi((_, response) => response.writeHead(302, { location: inside.address.server }).end(), tls)
  const open = openKube({ admit: admitLocal })
  const other = await testApp({ onlyDomains: ['clusters'], ports: { kube: open } })
  const body = { server: away.address.server, token: 'abc', ca: certificate('ca') }
  expect(await refusalOf(other.admin.call(clusters.check, { body }))).toMatchObject({ key: 'kube-protocol' })
  expect(inside.seen).toEqual([])
  await open.close()
  await away[Symbol.asyncDispose]()
})

test.for([
  ['never answers', 'kube-timeout', () => undefined],
  [
    'dribbles',
    'kube-timeout',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drop = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(drop))
    },
  ],
  [
    'never ends',
    'kube-too-large',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => response.write(' '.repeat(65_536), () => !response.destroyed && setImmediate(more))
      response.on('error', () => undefined)
      more()
    },
  ],
] as const)('an API server that %s is given up, and nothing is kept', async ([, key, misbehave]) => {
  const bad = await fakeApi((_, response) => misbehave(response))
  const open = openKube({ admit: admitLocal })
  const other = await testApp({ onlyDomains: ['clusters'], ports: { kube: open } })
  const body = { name: 'bad', server: bad.address.server, token: 'abc' }
  expect(await refusalOf(other.admin.call(clusters.create, { body }))).toMatchObject({ key })
  expect((await other.admin.call(clusters.list)).items).toEqual([])
  await open.close()
  await bad[Symbol.asyncDispose]()
})
