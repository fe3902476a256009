import type { OutwardInput } from '@gantry/contract/stacks/outward'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { ways } from '@gantry/contract/stacks/ways'
import { mask } from '@gantry/contract/validators'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const { app, direct, gateway, newEnvironment } = await sandboxApp()

type Team = Awaited<ReturnType<typeof app.team>>
let envId = ''
let team: Team
let other: Team
beforeAll(async () => {
  // the names of the other's namespaces are longer by a hyphen and a word
  team = await app.team('shop')
  other = await app.team('shop-prod')
  envId = (await newEnvironment('sandbox', team, other)).uuid
  for (const [name, controller] of [
    ['nginx', 'k8s.io/ingress-nginx'],
    ['traefik', 'traefik.io/ingress-controller'],
    ['contour', 'projectcontour.io/contour'],
  ] as const) {
    await direct.apply(kinds.ingressClasses, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name },
      spec: { controller },
    })
    await direct.create(kinds.namespaces, { metadata: { name } })
  }
})

let made = 0
const tiny = { cpu: '10m', memory: '16Mi' }
/** A pod of a controller that has logged these lines. */
async function logged(label: 'ingress-nginx' | 'traefik', lines: readonly string[], namespace?: string) {
  const ref = { name: `controller-${++made}`, namespace: namespace ?? (label === 'traefik' ? 'traefik' : 'nginx') }
  await direct.create(kinds.pods, {
    metadata: { ...ref, labels: { 'app.kubernetes.io/name': label } },
    spec: {
      containers: [
        {
          name: 'controller',
          image: 'registry.example.test/web:1',
          env: [{ name: 'SANDBOX_LOG', value: lines.join('\n') }],
          resources: { requests: tiny, limits: tiny },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            runAsNonRoot: true,
            seccompProfile: { type: 'RuntimeDefault' },
          },
        },
      ],
    },
  })
  await eventually(
    () => direct.get(kinds.pods, ref),
    ({ status }) => status?.phase === 'Running',
  )
  return ref
}
const nginx = (upstream: string, path: string, status = 200, address = '203.0.113.9:8080') =>
  `198.51.100.7 - - [30/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 612 "-" "curl" 78 0.012 [${upstream}] [] ${address} 612 0.012 ${status} f00d`
const traefik = (namespace: string, host: string, more: object = {}) =>
  JSON.stringify({
    ClientHost: '198.51.100.7',
    DownstreamStatus: 200,
    Duration: 5_000_000,
    RequestHost: host,
    RequestMethod: 'GET',
    RequestPath: '/cart?token=s3cr3t',
    RouterName: `web-${namespace}-front-${host.replaceAll('.', '-')}@kubernetes`,
    ServiceName: `${namespace}-web-8080@kubernetes`,
    ServiceAddr: '203.0.113.9:8080',
    ...more,
  })

const web = {
  image: 'registry.example.test/web:1',
  resources: { cpu: '0.1', memory: '32Mi' },
  ports: [{ port: 8080 }],
}

async function front(group: string, stackName: string, of = team) {
  const params = { teamId: of.id }
  const { id: stackId } = await of.leader.call(stacks.create, { params, body: { name: stackName, envId } })
  const { namespace } = await of.leader.call(stacks.get, { params: { teamId: of.id, envId, stackId } })
  const create = (serviceName: string, body: object) =>
    of.leader.call(services.create, { params: { teamId: of.id, stackId, serviceName }, body })
  await create('web', web)
  const host = `${stackName}.example.com`
  const outward: OutwardInput = { type: 'ingress', group, hosts: [{ host, paths: [{ service: 'web', port: 8080 }] }] }
  const { id } = await create('front', { outward })
  await eventually(
    async () => {
      await app.reconcile()
      return direct.find(kinds.ingresses, { name: 'front', namespace })
    },
    (seen) => seen !== undefined,
  )
  const read = (query: object = {}, headers = {}) =>
    of.leader.call(ways.accessLog, { params: { teamId: of.id, envId, id }, query }, headers)
  return { id, namespace, host, create, read }
}

describe('the requests to an ingress', () => {
  test('are those of its own names, newest first, by page, status and text, without values of queries', async () => {
    const { namespace, host, read } = await front('nginx', 'a')
    const own = `${namespace}-web-8080`
    await logged('ingress-nginx', [
      nginx(own, '/first?token=s3cr3t'),
      nginx('elsewhere-web-8080', '/theirs'),
      nginx(own, '/second', 404),
      nginx('upstream-default-backend', '/nobody', 404),
      nginx(own, '/third', 502),
    ])
    const all = await read()
    expect(all).toMatchObject({ totalSize: 3, why: '' })
    expect(all.items.map(({ path, status }) => [path, status])).toEqual([
      ['/third', 502],
      ['/second', 404],
      [`/first?token=${mask}`, 200],
    ])
    expect(all.items[2]).toMatchObject({
      method: 'GET',
      host,
      duration: 12,
      client: '198.51.100.7',
      service: 'web',
    })
    const paths = async (query: object) => (await read(query)).items.map(({ path }) => path)
    expect(await paths({ status: '5xx' })).toEqual(['/third'])
    expect(await paths({ status: '4xx', keyword: 'THIRD' })).toEqual([])
    expect(await paths({ keyword: 'SECOND' })).toEqual(['/second'])
    // a search does not tell what is masked
    expect(await paths({ keyword: 's3cr3t' })).toEqual([])
    expect(await read({ pageSize: 1, currentPage: 2 })).toMatchObject({ totalSize: 3, items: [{ path: '/second' }] })
  })

  test('are never another team’s, whose names can be read as one’s own', async () => {
    const mine = await front('nginx', 'prod')
    const theirs = await front('nginx', 'x', other)
    expect([mine.namespace, theirs.namespace]).toEqual(['shop-prod', 'shop-prod-x'])
    // the line of shop-prod-x/web, as it would be of shop-prod/x-web
    await logged('ingress-nginx', [nginx('shop-prod-x-web-8080', '/secret')])
    await mine.create('x-web', web)
    const hosts = [{ host: 'spy.example.com', paths: [{ service: 'x-web', port: 8080 }] }]
    const { id } = await mine.create('spy', { outward: { type: 'ingress', group: 'nginx', hosts } })
    await eventually(
      async () => {
        await app.reconcile()
        return direct.find(kinds.ingresses, { name: 'spy', namespace: mine.namespace })
      },
      (seen) => seen !== undefined,
    )
    const spied = () => team.leader.call(ways.accessLog, { params: { teamId: team.id, envId, id }, query: {} })
    expect((await spied()).items).toEqual([])
    // what one's own pod has answered is certain
    const [pod] = await eventually(
      async () =>
        (await direct.list(kinds.pods, { namespace: mine.namespace, labels: 'app.kubernetes.io/name=x-web' })).items,
      ([first]) => first?.status?.phase === 'Running' && first.status.podIP !== undefined,
    )
    await logged('ingress-nginx', [nginx('shop-prod-x-web-8080', '/own', 200, `${pod?.status?.podIP}:8080`)])
    expect((await spied()).items.map(({ path }) => path)).toEqual(['/own'])
    expect(
      await other.leader
        .call(ways.accessLog, { params: { teamId: other.id, envId, id }, query: {} })
        .catch((error: unknown) => error),
    ).toMatchObject({ key: 'resource-missing' })
  })

  test('are found by Traefik’s routers, not by a host that a caller chose', async () => {
    const { namespace, host, read } = await front('traefik', 'c')
    expect((await read()).why).toContain('pod')
    const silent = await logged('traefik', ['{"level":"info","message":"Starting"}'])
    expect((await read()).why).toContain('--accesslog')
    await direct.remove(kinds.pods, silent, { grace: 0 })
    const nameless = await logged('traefik', ['192.0.2.1 - - [x] "GET / HTTP/1.1" 200 5 "-" "curl"'])
    expect((await read()).why).toContain('RouterName')
    await direct.remove(kinds.pods, nameless, { grace: 0 })
    await logged('traefik', [
      traefik(namespace, host),
      traefik(namespace, host, { RouterName: 'web-elsewhere-front-c-example-com@kubernetes' }),
      traefik(namespace, host, { RouterName: undefined, DownstreamStatus: 404 }),
    ])
    expect(await read()).toMatchObject({
      why: '',
      items: [{ host, path: `/cart?token=${mask}`, duration: 5, service: 'web' }],
    })
  })

  test('are read of the controller’s pods only, not of pods in a team’s namespace with its label', async () => {
    const { namespace, read } = await front('nginx', 'd')
    await logged('ingress-nginx', [nginx(`${namespace}-web-8080`, '/forged')], namespace)
    expect((await read()).items).toEqual([])
  })

  test('are told to be unknown, with the way out in both languages, where they cannot be read', async () => {
    const contour = await front('contour', 'e')
    expect((await contour.read()).why).toContain('The access log of projectcontour.io/contour is not read')
    const nginx = await front('nginx', 'f')
    gateway.hooks.refuses = (_, path) => /\/pods\/[^/]+\/log\?/.test(path) && 403
    expect((await nginx.read({}, { 'accept-language': 'zh' })).why).toMatch(/不允许.*pods\/log.*。$/)
    gateway.hooks.refuses = undefined
  })
})
