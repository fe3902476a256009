import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request as http } from 'node:http'
import { request as https } from 'node:https'
import type { OutwardInput } from '@gantry/contract/stacks/outward'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { services } from '@gantry/contract/stacks/services'
import { ways } from '@gantry/contract/stacks/ways'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificates } from '../../../../test/certificates.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { labApp } from '../../../../test/lab-app.ts'
import { labCluster, nameByDigest, startGateway } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import { kubectlOf } from '../../../../test/kubectl.ts'
import { refusalOf } from '../../../../test/test-app.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import type { Resource } from '../../../adapters/kube/resources.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { groupFor } from './entrance.service.ts'

const lab = labCluster()
const image = 'localhost/busybox:1'
const resources = { cpu: '0.1', memory: '32Mi' }

/** The lab's GatewayClass. */
async function gatewayOf(kubeconfig: string): Promise<string> {
  const port = openKube({ admit: admitLocal })
  try {
    const { way, group } = await groupFor(port.cluster('look', parseKubeconfig(kubeconfig)).kube, undefined)
    if (way !== 'gateway') throw new Error(`the lab's cluster is told by ${way}`)
    return group
  } finally {
    await port.close()
  }
}
const kubeconfig = lab === undefined ? '' : readFileSync(lab.kubeconfig, 'utf8')
if (lab) startGateway()
const group = lab && (await gatewayOf(kubeconfig))

interface Answer {
  status: number
  body: string
}

/** A request to an address for a host, as a browser sends it whose DNS knows the host. */
const ask = (scheme: 'http' | 'https', address: string, host: string, path = '/'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const [hostname = '', port] = address.split(':')
    const options = {
      host: hostname,
      ...(port === undefined ? {} : { port: Number(port) }),
      path,
      headers: { host },
      servername: host,
      rejectUnauthorized: false,
      agent: false as const,
      timeout: 5000,
    }
    const sent = (scheme === 'http' ? http : https)(options, (answer) => {
      let body = ''
      answer.on('data', (part: Buffer) => (body += part.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: body.trim() }))
    })
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error('it took too long')))
    sent.end()
  })

describe.skipIf(!lab)('ways in on a real cluster (needs the lab’s kube)', async () => {
  const { app, kube, join, runJobs, stack } = await labApp()
  const name = `ways-${randomBytes(3).toString('hex')}`
  const host = (prefix: string) => `${prefix}.${name}.gantry.test`
  let team: Awaited<ReturnType<typeof app.team>>
  let envId = ''
  let stackId = 0
  let namespace = ''

  beforeAll(async () => {
    nameByDigest(lab?.kubeconfig ?? '', image)
    team = await app.team(name)
    envId = await join(team)
    await runJobs()
    ;({ id: stackId, namespace } = await stack(team, envId))
    for (const word of ['one', 'two'])
      await made(word, {
        image,
        resources,
        ports: [{ port: 8080 }],
        command: [
          'sh',
          '-c',
          `mkdir -p /tmp/www/api && echo ${word} | tee /tmp/www/api/index.html > /tmp/www/index.html && exec httpd -f -p 8080 -h /tmp/www`,
        ],
      })
  })
  afterAll(async () => {
    await kube().remove(kinds.namespaces, { name: namespace })
  })

  const one = (id: number) => ({ params: { teamId: team.id, envId, id } })
  const read = (id: number) => team.leader.call(services.get, one(id))
  async function made(serviceName: string, body: ServiceSpecInput) {
    const { id } = await create(serviceName, body)
    await until(`${serviceName} is stable`, async () => (await read(id)).state === 'stable', 90)
    return read(id)
  }
  const create = (serviceName: string, body: ServiceSpecInput) =>
    team.leader.call(services.create, { params: { teamId: team.id, stackId, serviceName }, body })
  const addressOf = ({ addresses }: { addresses: { url: string; external: boolean }[] }) =>
    addresses.find(({ external }) => !external)?.url ?? ''
  /** A host opens a port a moment after it is assigned. */
  const tried = (address: string, at: string) =>
    ask('http', address, at).then(
      ({ body }) => body,
      () => '',
    )
  const to = (service: string, weight = 1) => ({ service, port: 8080, weight })

  test('an ingress is reached by HTTP and by HTTPS with its certificate, path by path', async () => {
    const [tls] = certificates
    // the certificate covers only one level below the domain
    const secure = `${name}.gantry.test`
    const service = await made('front', {
      outward: {
        type: 'ingress',
        group: group ?? '',
        hosts: [
          {
            host: host('plain'),
            paths: [
              { path: '/', service: 'one', port: 8080 },
              { path: '/api', service: 'two', port: 8080 },
            ],
          },
          { host: secure, tls, paths: [{ service: 'two', port: 8080 }] },
        ],
      },
    })
    const address = addressOf(service)
    expect(address).not.toBe('')
    const answers = (scheme: 'http' | 'https', at: string, path: string) => async () => {
      const { status, body } = await ask(scheme, address, at, path)
      return status === 200 ? body : String(status)
    }
    await until('its root leads to one', async () => (await answers('http', host('plain'), '/')()) === 'one')
    expect(await answers('http', host('plain'), '/api/')()).toBe('two')
    await until('its certificate serves', async () => (await answers('https', secure, '/')()) === 'two')
    expect(await answers('http', host('unknown'), '/')()).toBe('404')
    expect(await team.leader.call(ways.check, one(service.id))).toMatchObject({
      ok: true,
      way: 'gateway',
      problems: [],
    })
    const { items } = await team.leader.call(ways.detail, { ...one(service.id), query: { pageSize: -1 } })
    expect(items.map(({ state, ready }) => [state, ready])).toEqual([
      ['open', 1],
      ['open', 1],
      ['open', 1],
    ])
    // the lab's controller runs on its host, so that the cluster has no log of it
    expect(await team.leader.call(ways.accessLog, { ...one(service.id), query: {} })).toMatchObject({
      items: [],
      why: expect.stringContaining('No running pod of traefik.io/gateway-controller'),
    })
  })

  test('a load balancer divides requests by weight', async () => {
    const service = await made('balance', {
      outward: {
        type: 'lb',
        rules: [{ name: 'web', port: 80, host: host('lb'), targets: [to('one', 9), to('two', 1)] }],
      },
    })
    const address = addressOf(service)
    await until('it answers', async () => (await ask('http', address, host('lb'))).status === 200)
    const bodies: string[] = []
    for (let n = 0; n < 100; n += 1) bodies.push((await ask('http', address, host('lb'))).body)
    const ones = bodies.filter((body) => body === 'one').length
    expect(ones).toBeGreaterThan(75)
    expect(ones).toBeLessThan(100)
  })

  test('a TCP rule uses a port of the hosts if the cluster has no load balancers', async () => {
    const service = await made('raw', {
      outward: { type: 'lb', rules: [{ name: 'raw', protocol: 'TCP', port: 9000, targets: [to('two')] }] },
    })
    expect(addressOf(service)).toMatch(/:\d+$/)
    await until('it answers', async () => (await tried(addressOf(service), 'any')) === 'two')
  })

  test('a port that the controller does not listen on is reported, and the rules can be corrected', async () => {
    const rule = { name: 'web', host: host('odd'), targets: [to('one')] }
    const { id } = await create('odd', { outward: { type: 'lb', rules: [{ ...rule, port: 8123 }] } })
    await until('the refusal is told', async () => (await read(id)).message.includes('8123'), 90)
    const [first] = (await team.leader.call(ways.detail, { ...one(id), query: {} })).items
    expect(first).toMatchObject({ state: 'refused' })
    const body = { rules: [{ ...rule, port: 80 }] }
    await team.leader.call(ways.setLb, { ...one(id), body })
    await until('it is open', async () => (await read(id)).state === 'stable', 90)
    const address = addressOf(await read(id))
    await until('it answers', async () => (await ask('http', address, host('odd'))).body === 'one')
  })

  test('a service stays with its class while the controller refuses it, and nothing new is opened there', async () => {
    const own = `${name}-own`
    const kubectl = kubectlOf(lab ?? { bin: '', kubeconfig: '' })
    const accept = (status: 'True' | 'False') => {
      const now = new Date().toISOString()
      const condition = { type: 'Accepted', status, reason: 'Told', message: '', lastTransitionTime: now }
      const patch = JSON.stringify({ status: { conditions: [condition] } })
      return kubectl(['patch', 'gatewayclass', own, '--subresource=status', '--type=merge', '-p', patch])
    }
    // nobody else controls it
    const spec = { controllerName: 'gantry.test/nobody' }
    const apiVersion = 'gateway.networking.k8s.io/v1'
    await kubectl(['apply', '-f', '-'], { apiVersion, kind: 'GatewayClass', metadata: { name: own }, spec })
    try {
      await accept('True')
      const rule = { name: 'web', port: 80, host: host('own'), targets: [to('one')] }
      const outward: OutwardInput = { type: 'lb', group: own, rules: [rule] }
      const { id } = await create('own', { outward })
      const gatewaysOf = async () =>
        (await kube().list(kinds.gateways, { namespace, labels: `gantry.dev/service=${id}` })).items
      await until('it has a Gateway', async () => (await gatewaysOf()).length > 0, 90)
      await accept('False')
      expect(await groupFor(kube(), own, { namespace, id })).toMatchObject({ way: 'gateway', group: own })
      expect(await groupFor(kube(), own)).toMatchObject({ way: 'none' })
      expect(await refusalOf(create('other', { outward }))).toMatchObject({ key: 'outward-group-refused' })
      const elsewhere = await groupFor(kube(), undefined, { namespace, id: id + 1 })
      expect(elsewhere.group).not.toBe(own)
    } finally {
      await kubectl(['delete', 'gatewayclass', own])
    }
  })

  test('deleted services no longer answer and leave nothing in the namespace', async () => {
    const service = await made('short', {
      outward: { type: 'lb', rules: [{ name: 'web', port: 80, host: host('short'), targets: [to('one')] }] },
    })
    const address = addressOf(service)
    await until('it answers', async () => (await ask('http', address, host('short'))).status === 200)
    await team.leader.call(services.remove, {
      params: { teamId: team.id, envId, idAndType: `${service.id}_lb` },
      query: { confirm: 'short' },
    })
    await until('it is gone', async () => (await ask('http', address, host('short'))).status === 404)
    await until('the service is forgotten', () =>
      read(service.id).then(
        () => false,
        () => true,
      ),
    )
    const all: Resource[] = [kinds.gateways, kinds.httpRoutes, kinds.networkPolicies]
    for (const kind of all)
      expect((await kube().list(kind, { namespace, labels: `gantry.dev/service=${service.id}` })).items).toEqual([])
  })

  test('an external service leads outside, and never to the networks of the cluster', async () => {
    const api = await kube().get(kinds.services, { name: 'kubernetes', namespace: 'default' })
    const [pod] = (await kube().list(kinds.pods, { namespace })).items
    const [node] = (await kube().list(kinds.nodes)).items
    const inside = [
      api.spec?.clusterIP,
      pod?.status?.podIP,
      node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address,
    ]
    for (const address of inside) {
      const outward: OutwardInput = { type: 'external', addresses: [address ?? ''], ports: [{ port: 443 }] }
      const refusal = await refusalOf(create('inside', { outward }))
      expect(refusal.key).toBe('external-address-of-cluster')
    }
    await made('db', { outward: { type: 'external', addresses: ['192.0.2.10'], ports: [{ port: 5432 }] } })
    expect((await kube().get(kinds.endpointSlices, { name: 'db', namespace })).endpoints).toMatchObject([
      { addresses: ['192.0.2.10'] },
    ])
  })
})
