import type { OutwardInput } from '@gantry/contract/stacks/outward'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { mask } from '@gantry/contract/validators'
import { ways } from '@gantry/contract/stacks/ways'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, describe, expect, test } from 'vitest'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { certificates } from '../../../../test/certificates.ts'

const { app, direct, newEnvironment } = await sandboxApp()

type Team = Awaited<ReturnType<typeof app.team>>
let envId = ''
let team: Team
let other: Team
beforeAll(async () => {
  team = await app.team()
  other = await app.team()
  envId = (await newEnvironment('sandbox', team, other)).uuid
})

let made = 0
const newStack = async (of = team) => {
  const body = { name: `stack-${++made}`, envId }
  const { id } = await of.leader.call(stacks.create, { params: { teamId: of.id }, body })
  return of.leader.call(stacks.get, { params: { teamId: of.id, envId, stackId: id } })
}
const one = (id: number, of = team) => ({ params: { teamId: of.id, envId, id } })
const add = (stackId: number, outward: OutwardInput, serviceName = 'out', of = team) =>
  of.leader.call(services.create, { params: { teamId: of.id, stackId, serviceName }, body: { outward } })
const web = (stackId: number, of = team, serviceName = 'web') =>
  of.leader.call(services.create, {
    params: { teamId: of.id, stackId, serviceName },
    body: {
      image: 'registry.example.test/web:1',
      resources: { cpu: '0.1', memory: '32Mi' },
      ports: [{ port: 8080 }],
      labels: [{ key: 'tier', value: 'front' }],
    },
  })
const upgrade = (id: number, outward: OutwardInput) =>
  team.leader.call(services.upgrade, { ...one(id), body: { outward } })

const settled = (id: number, of = team, wanted = 'stable') =>
  eventually(
    async () => {
      await app.reconcile()
      return of.leader.call(services.get, one(id, of))
    },
    (service) => service.state === wanted,
  )
const refused = async (outward: OutwardInput, key: string, stackId: number, of = team) =>
  expect(await add(stackId, outward, 'refused', of).catch((error: unknown) => error)).toMatchObject({ key })

describe('an external service', () => {
  test('gives addresses outside the cluster a name within it', async () => {
    const stack = await newStack()
    const addresses = ['192.0.2.10', '198.51.100.7']
    const { id } = await add(stack.id, { type: 'external', addresses, ports: [{ port: 5432 }] }, 'db')
    const service = await settled(id)
    const ref = { name: 'db', namespace: stack.namespace }
    const made = await direct.get(kinds.services, ref)
    expect(made.spec).toMatchObject({ type: 'ClusterIP', ports: [{ name: 'tcp-5432', port: 5432 }] })
    expect(made.spec?.selector).toBeUndefined()
    const slice = await direct.get(kinds.endpointSlices, ref)
    expect(slice.metadata?.labels?.['kubernetes.io/service-name']).toBe('db')
    expect(slice.endpoints).toMatchObject([{ addresses }])
    expect(service).toMatchObject({ type: 'external', takes: { cpu: 0, memory: 0 }, replicas: 0 })
    expect(service.addresses).toEqual([{ name: 'tcp-5432', url: `db.${stack.namespace}.svc:5432`, external: false }])
  })

  test('can be changed to a DNS name, and keeps no address', async () => {
    const stack = await newStack()
    const { id } = await add(stack.id, { type: 'external', addresses: ['192.0.2.10'], ports: [{ port: 80 }] }, 'db')
    await settled(id)
    await upgrade(id, { type: 'external', dns: 'db.example.com' })
    await settled(id)
    const ref = { name: 'db', namespace: stack.namespace }
    expect((await direct.get(kinds.services, ref)).spec).toMatchObject({
      type: 'ExternalName',
      externalName: 'db.example.com',
    })
    expect(await direct.find(kinds.endpointSlices, ref)).toBeUndefined()
  })

  test('is deleted with its objects in the cluster', async () => {
    const stack = await newStack()
    const { id } = await add(stack.id, { type: 'external', addresses: ['192.0.2.10'], ports: [{ port: 80 }] }, 'db')
    await settled(id)
    const params = { teamId: team.id, envId, idAndType: `${id}_external` }
    await team.leader.call(services.remove, { params, query: { confirm: 'db' } })
    const ref = { name: 'db', namespace: stack.namespace }
    await eventually(async () => {
      await app.reconcile()
      expect(await direct.find(kinds.services, ref)).toBeUndefined()
    })
    expect(await direct.find(kinds.endpointSlices, ref)).toBeUndefined()
  })

  test('never leads to the cluster itself, this host or another team', async () => {
    const stack = await newStack()
    const theirs = await newStack(other)
    const nodes = (await direct.list(kinds.nodes)).items
    const host = nodes.flatMap(({ status }) => status?.addresses ?? []).find(({ type }) => type === 'InternalIP')
    const to = (address: string): OutwardInput => ({ type: 'external', addresses: [address], ports: [{ port: 80 }] })
    for (const address of ['10.244.1.7', host?.address ?? ''])
      await refused(to(address), 'external-address-of-cluster', stack.id)
    for (const address of ['127.0.0.1', '169.254.169.254', '0.0.0.0', '224.0.0.1', '255.255.255.255'])
      expect(await add(stack.id, to(address)).catch((error: unknown) => error)).toMatchObject({
        problems: [{ key: 'external-address-refused' }],
      })
    const named = (dns: string): OutwardInput => ({ type: 'external', dns })
    for (const dns of [
      `web.${theirs.namespace}.svc.cluster.local`,
      `web.${theirs.namespace}.svc`,
      'kubernetes.default.svc',
      'a.localhost',
      'x.cluster.local',
    ])
      await refused(named(dns), 'external-name-refused', stack.id)
    const { state } = await add(stack.id, named(`web.${stack.namespace}.svc`), 'own')
    expect(state).toBe('deploying')
  })

  test('cannot change its type or be scaled', async () => {
    const stack = await newStack()
    const { id } = await add(stack.id, { type: 'external', dns: 'db.example.com' }, 'db')
    await settled(id)
    const error = (call: Promise<unknown>) => call.catch((caught: unknown) => caught)
    expect(await error(team.leader.call(services.upgrade, { ...one(id), body: { image: 'web:1' } }))).toMatchObject({
      key: 'outward-type-fixed',
    })
    expect(await error(team.leader.call(services.scale, { ...one(id), query: { replicas: 2 } }))).toMatchObject({
      key: 'outward-not-scaled',
    })
    expect(
      await error(
        team.leader.call(services.create, {
          params: { teamId: team.id, stackId: stack.id, serviceName: 'both' },
          body: { image: 'web:1', outward: { type: 'external', dns: 'db.example.com' } },
        }),
      ),
    ).toMatchObject({ problems: [{ path: 'image', key: 'outward-alone' }] })
  })
})

describe('a load balancer', () => {
  const rule = { name: 'web', port: 80, host: 'lb.example.com', targets: [{ service: 'web', port: 8080 }] }

  test('is an Ingress if the cluster has no Gateway API, and lets only its controller reach its port', async () => {
    const stack = await newStack()
    await web(stack.id)
    const { id } = await add(stack.id, { type: 'lb', rules: [{ ...rule, labels: 'tier=front' }] })
    const service = await settled(id)
    const ref = { name: 'out', namespace: stack.namespace }
    const ingress = await direct.get(kinds.ingresses, ref)
    expect(ingress.spec?.ingressClassName).toBe('sandbox')
    expect(ingress.spec?.rules?.[0]).toMatchObject({
      host: 'lb.example.com',
      http: { paths: [{ path: '/', backend: { service: { name: `gantry-${id}-0-0`, port: { number: 8080 } } } }] },
    })
    const backend = await direct.get(kinds.services, { ...ref, name: `gantry-${id}-0-0` })
    expect(backend.spec?.selector).toMatchObject({ tier: 'front', [labels.name]: 'web' })
    const policy = await direct.get(kinds.networkPolicies, { ...ref, name: `gantry-outward-${id}-web` })
    expect(policy.spec?.podSelector?.matchLabels).toMatchObject({ [labels.name]: 'web' })
    expect(policy.spec?.ingress).toHaveLength(1)
    expect(policy.spec?.ingress?.[0]?.ports).toEqual([{ port: 8080, protocol: 'TCP' }])
    const from = JSON.stringify((policy.spec?.ingress?.[0] as { from?: unknown } | undefined)?.from)
    expect(from).toContain('/32')
    expect(service.addresses[0]).toEqual({
      name: 'http://lb.example.com/',
      url: 'http://lb.example.com/',
      external: true,
    })
    const read = await team.leader.call(ways.lb, one(id))
    expect(read.addresses).toHaveLength(1)
    expect(read.rules[0]).toMatchObject({ name: 'web', labels: 'tier=front' })
  })

  test('opens a separate port for TCP, and closes it with the rule', async () => {
    const stack = await newStack()
    await web(stack.id)
    const tcp = { name: 'raw', protocol: 'TCP' as const, port: 9000, targets: [{ service: 'web', port: 8080 }] }
    const { id } = await add(stack.id, { type: 'lb', rules: [tcp] })
    const service = await settled(id)
    const ref = { name: `gantry-${id}-port-9000`, namespace: stack.namespace }
    expect((await direct.get(kinds.services, ref)).spec).toMatchObject({
      type: 'LoadBalancer',
      ports: [{ port: 9000, targetPort: 8080 }],
    })
    expect(service.addresses[0]?.url).toMatch(/^\d+\.\d+\.\d+\.\d+:3\d{4}$/)
    await team.leader.call(ways.setLb, {
      ...one(id),
      query: { revision: service.revision },
      body: { rules: [{ ...tcp, port: 9001 }] },
    })
    await settled(id)
    expect(await direct.find(kinds.services, ref)).toBeUndefined()
    expect(
      await team.leader
        .call(ways.setLb, { ...one(id), query: { revision: 1 }, body: { rules: [tcp] } })
        .catch((error: unknown) => error),
    ).toMatchObject({ key: 'stacks-changed-since' })
  })

  test('is refused if it leads nowhere or its cluster does not support it', async () => {
    const stack = await newStack()
    await web(stack.id)
    const lb = (more: object): OutwardInput => ({ type: 'lb', rules: [{ ...rule, ...more }] })
    await refused(lb({ targets: [{ service: 'nobody', port: 80 }] }), 'outward-target-unknown', stack.id)
    await refused(lb({ targets: [{ service: 'web', port: 81 }] }), 'outward-target-port', stack.id)
    await refused(lb({ port: 8081 }), 'outward-port-unsupported', stack.id)
    await refused({ ...lb({}), group: 'nothing' } as OutwardInput, 'outward-group-unknown', stack.id)
    await web(stack.id, team, 'web2')
    const both = [
      { service: 'web', port: 8080, weight: 9 },
      { service: 'web2', port: 8080, weight: 1 },
    ]
    await refused(lb({ targets: both }), 'outward-weights-unsupported', stack.id)
  })
})

describe('a claimed way in of a cluster', () => {
  const tcp = (port: number): OutwardInput => ({
    type: 'lb',
    rules: [{ name: 'raw', protocol: 'TCP', port, targets: [{ service: 'web', port: 8080 }] }],
  })
  const http = (host: string, path = '/'): OutwardInput => ({
    type: 'lb',
    rules: [{ name: 'web', port: 80, host, path, targets: [{ service: 'web', port: 8080 }] }],
  })

  test('names its holder, but not that of another team', async () => {
    const [mine, theirs] = [await newStack(), await newStack(other)]
    await web(mine.id)
    await web(theirs.id, other)
    await add(mine.id, http('shop.example.com'))
    const said = async (call: Promise<unknown>) => ((await call.catch((error: unknown) => error)) as Error).message
    expect(await said(add(mine.id, http('shop.example.com'), 'again'))).toContain(`${mine.name}/out`)
    const elsewhere = await said(add(theirs.id, http('shop.example.com'), 'again', other))
    expect(elsewhere).toContain('Another team')
    expect(elsewhere).not.toContain(mine.name)
    await add(theirs.id, http('shop.example.com', '/other'), 'beside', other)
    const claimed = (query: object, of = team) =>
      of.leader.call(ways.claimed, { params: { t: of.id, e: envId }, query: { port: 80, ...query } })
    expect(await claimed({ host: 'shop.example.com' })).toMatchObject({ free: false })
    expect(await claimed({ host: 'free.example.com' })).toEqual({ free: true, message: '' })
    expect(await claimed({ protocol: 'TCP' })).toMatchObject({ free: false })
    expect((await claimed({ host: 'shop.example.com' }, other)).message).not.toContain(mine.name)
  })

  test('is given to only one of many concurrent claims', async () => {
    const [mine, theirs] = [await newStack(), await newStack(other)]
    await web(mine.id)
    await web(theirs.id, other)
    const asking = Array.from({ length: 8 }, (_, at) =>
      at % 2 === 0 ? add(mine.id, tcp(7000), `lb-${at}`) : add(theirs.id, tcp(7000), `lb-${at}`, other),
    )
    const ended = await Promise.allSettled(asking)
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const keys = ended.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { key: string }).key] : []))
    expect(keys.every((key) => key.startsWith('outward-place-taken'))).toBe(true)
  })

  test('is free again once the service is gone, for another protocol too', async () => {
    const stack = await newStack()
    await web(stack.id)
    const { id } = await add(stack.id, tcp(7100))
    await settled(id)
    const http7100: OutwardInput = {
      type: 'lb',
      rules: [{ name: 'web', port: 7100, targets: [{ service: 'web', port: 8080 }] }],
    }
    await refused(http7100, 'outward-port-taken', stack.id)
    const params = { teamId: team.id, envId, idAndType: `${id}_lb` }
    await team.leader.call(services.remove, { params, query: { confirm: 'out' } })
    const ref = { name: `gantry-${id}-port-7100`, namespace: stack.namespace }
    await eventually(async () => {
      await app.reconcile()
      expect(await direct.find(kinds.services, ref)).toBeUndefined()
      await expect(team.leader.call(services.brief, one(id))).rejects.toMatchObject({ status: 404 })
    })
    expect(await add(stack.id, http7100, 'next')).toMatchObject({ type: 'lb' })
  })
})

describe('an ingress', () => {
  const [certified, another] = certificates
  const secure: OutwardInput = {
    type: 'ingress',
    group: 'sandbox',
    hosts: [
      { host: 'plain.example.com', paths: [{ service: 'web', port: 8080 }] },
      {
        host: 'secure.example.com',
        tls: certified,
        paths: [
          { path: '/', service: 'web', port: 8080 },
          { path: '/api', service: 'web', port: 8080 },
        ],
      },
    ],
  }

  test('serves hosts with certificates, whose keys nobody can read again', async () => {
    const stack = await newStack()
    await web(stack.id)
    const { id } = await add(stack.id, secure)
    const service = await settled(id)
    const ref = { name: 'out', namespace: stack.namespace }
    const ingress = await direct.get(kinds.ingresses, ref)
    expect(ingress.spec?.tls).toEqual([{ hosts: ['secure.example.com'], secretName: 'out.tls.secure.example.com' }])
    const secret = await direct.get(kinds.secrets, { ...ref, name: 'out.tls.secure.example.com' })
    expect(Buffer.from(secret.data?.['tls.key'] ?? '', 'base64').toString()).toBe(certified.key)
    expect(JSON.stringify(service)).not.toContain(certified.key.slice(40, 80))
    const { outward } = service.spec
    const key = outward?.type === 'ingress' ? outward.hosts[1]?.tls?.key : undefined
    expect(key).toBe(mask)
    if (outward) await upgrade(id, outward)
    await settled(id)
    const kept = await direct.get(kinds.secrets, { ...ref, name: 'out.tls.secure.example.com' })
    expect(Buffer.from(kept.data?.['tls.key'] ?? '', 'base64').toString()).toBe(certified.key)
  })

  test('shows where each way in leads and whether it is open', async () => {
    const stack = await newStack()
    const { id: webId } = await web(stack.id)
    const group = 'sandbox'
    const hosts = ['a', 'b', 'c'].map((one) => ({
      host: `${one}.detail.example.com`,
      paths: [{ service: 'web', port: 8080 }],
    }))
    const { id } = await add(stack.id, { type: 'ingress', group, hosts })
    await settled(webId)
    await settled(id)
    const detail = (query: object) => team.leader.call(ways.detail, { ...one(id), query })
    const all = await detail({ currentPage: 1, pageSize: 2, group_name: 'sandbox' })
    expect(all).toMatchObject({ totalSize: 3, items: [{ state: 'open', ready: 1, group: 'sandbox' }, {}] })
    expect((await detail({ keyword: 'b.detail' })).items).toMatchObject([{ url: 'http://b.detail.example.com/' }])
    expect((await detail({ group_name: 'another' })).items).toEqual([])
    expect(await team.leader.call(ways.check, one(id))).toMatchObject({ ok: true, way: 'ingress', problems: [] })
    await team.leader.call(services.remove, {
      params: { teamId: team.id, envId, idAndType: `${webId}_business` },
      query: { confirm: 'web' },
    })
    await eventually(async () => {
      await app.reconcile()
      const { problems } = await team.leader.call(ways.check, one(id))
      expect(problems.map(({ key }) => key)).toContain('outward-target-unknown')
    })
    expect((await detail({})).items).toMatchObject([{ state: 'refused' }, { state: 'refused' }, { state: 'refused' }])
  })

  test('refuses an invalid certificate, one for another host, and one with another key', async () => {
    const stack = await newStack()
    await web(stack.id)
    const host = (tls: object, name = 'x.example.com'): OutwardInput => ({
      type: 'ingress',
      group: 'sandbox',
      hosts: [{ host: name, tls: tls as never, paths: [{ service: 'web', port: 8080 }] }],
    })
    await refused(host({ certificate: 'x', key: 'y' }), 'outward-certificate-format', stack.id)
    await refused(host(certified, 'x.example.org'), 'outward-certificate-host', stack.id)
    await refused(host({ ...certified, key: another.key }), 'outward-certificate-key', stack.id)
    const slow: OutwardInput = {
      type: 'ingress',
      group: 'sandbox',
      timeoutSeconds: 30,
      hosts: [{ host: 'slow.example.com', paths: [{ service: 'web', port: 8080 }] }],
    }
    await refused(slow, 'outward-timeout-unsupported', stack.id)
  })

  test('is visible to its own team only', async () => {
    const stack = await newStack()
    await web(stack.id)
    const { id } = await add(stack.id, {
      ...secure,
      hosts: [{ host: 'own.example.com', paths: [{ service: 'web', port: 8080 }] }],
    } as OutwardInput)
    for (const call of [ways.check, ways.detail, ways.lb] as const)
      expect(await other.leader.call(call, one(id, other)).catch((error: unknown) => error)).toMatchObject({
        key: 'resource-missing',
      })
  })
})
