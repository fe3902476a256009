import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { releases } from '@gantry/contract/blueprints/releases'
import { products } from '@gantry/contract/products/products'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { expect, test } from 'vitest'
import { certificates } from '../../../../test/certificates.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const { app, direct, newEnvironment } = await sandboxApp()
const team = await app.team()
const { uuid: envId } = await newEnvironment('sandbox', team)
const params = { teamId: team.id }
const { id: applicationId } = await team.leader.call(products.create, {
  params: { team: team.id },
  body: { name: 'shop' },
})

const [{ certificate, key }] = certificates
const inputs = { KEY: key }
const shop = (path: string) => `tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    DOMAIN: { type: string, default: example.com }
    KEY: { type: secret }
  node_templates:
    balance:
      type: gantry.nodes.LoadBalancer
      properties:
        rules:
          - name: web
            port: 443
            protocol: HTTPS
            host: { concat: [shop., { get_input: DOMAIN }] }
            path: ${path}
            targets: [{ service: web, port: 8080 }]
        certificates:
          - host: { concat: [shop., { get_input: DOMAIN }] }
            key: { get_input: KEY }
            certificate: |
${certificate.replace(/^/gm, ' '.repeat(14))}
      requirements: [{ dependency: web }]
    front:
      type: gantry.nodes.Ingress
      properties:
        group: sandbox
        hosts: [{ host: front.example.com, paths: [{ service: web, port: 8080 }] }]
    db:
      type: gantry.nodes.External
      properties: { addresses: [192.0.2.10], ports: [{ port: 5432 }] }
    web:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/web:1
        resources: { cpu: '0.1', memory: 32Mi }
        ports: [{ port: 8080 }]
      requirements: [{ dependency: db }]
`

let made = 0
const blueprint = async (template: string) =>
  (await team.leader.call(blueprints.create, { params, body: { applicationId, version: `1.${++made}`, template } }))
    .uuid
const servicesIn = async (uuid: string) =>
  (await team.leader.call(services.list, { params: { ...params, envId, uuid }, query: { pageSize: -1 } })).items
const settled = (uuid: string, ...names: string[]) =>
  eventually(
    async () => {
      await app.reconcile()
      return servicesIn(uuid)
    },
    (now) => now.length === names.length && now.every(({ name, state }) => names.includes(name) && state === 'stable'),
  )
const pathOf = async (namespace: string) =>
  (await direct.get(kinds.ingresses, { name: 'balance', namespace })).spec?.rules?.[0]?.http?.paths[0]?.path

test('a blueprint with external services, ingresses and load balancers is deployed, changed, rolled back and saved as one', async () => {
  const body = { blueprintId: await blueprint(shop('/')), envId, stackName: 'front', inputs }
  const plan = await team.leader.call(releases.deployCheck, { params, body })
  expect(plan).toMatchObject({ refusals: [], share: { after: { cpu: 0.2 } } })
  const { id, uuid } = await team.leader.call(releases.deploy, { params, body })
  const all = ['balance', 'db', 'front', 'web']
  const deployed = await settled(uuid, ...all)
  expect(Object.fromEntries(deployed.map(({ name, type }) => [name, type]))).toMatchObject({
    balance: 'lb',
    db: 'external',
    front: 'ingress',
  })
  const { namespace } = await team.leader.call(stacks.get, { params: { ...params, envId, stackId: id } })
  expect((await direct.get(kinds.endpointSlices, { name: 'db', namespace })).endpoints).toMatchObject([
    { addresses: ['192.0.2.10'] },
  ])
  const { spec } = await direct.get(kinds.ingresses, { name: 'balance', namespace })
  expect(spec?.rules).toMatchObject([{ host: 'shop.example.com' }])
  const sealed = await direct.get(kinds.secrets, { name: spec?.tls?.[0]?.secretName ?? '', namespace })
  expect(Buffer.from(sealed.data?.['tls.key'] ?? '', 'base64').toString()).toBe(key)
  expect((await direct.get(kinds.ingresses, { name: 'front', namespace })).spec?.ingressClassName).toBe('sandbox')

  const at = { params: { ...params, envId, stackName: 'front' } }
  const upgraded = { blueprintId: await blueprint(shop('/api')), inputs: {} }
  expect(await team.leader.call(releases.check, { ...at, body: upgraded })).toMatchObject({
    changed: [{ name: 'balance' }],
    removed: [],
    refusals: [],
  })
  await team.leader.call(releases.upgrade, { ...at, body: upgraded })
  await settled(uuid, ...all)
  expect(await pathOf(namespace)).toBe('/api')
  await team.leader.call(releases.rollBack, at)
  await settled(uuid, ...all)
  expect(await pathOf(namespace)).toBe('/')

  const saved = await team.leader.call(blueprints.saveStack, {
    params: { ...params, envId, uuid },
    body: { applicationId, version: 'saved' },
  })
  expect(saved.template).not.toContain(key.slice(40, 80))
  const again = await team.leader.call(releases.check, { ...at, body: { blueprintId: saved.uuid } })
  expect(again).toMatchObject({ made: [], changed: [], removed: [] })
  expect(again.same.toSorted()).toEqual(all)
})

test('a blueprint with a host of another stack is refused before anything is created', async () => {
  const body = { blueprintId: await blueprint(shop('/')), envId, stackName: 'second', inputs }
  expect((await team.leader.call(releases.deployCheck, { params, body })).refusals).toHaveLength(1)
  await expect(team.leader.call(releases.deploy, { params, body })).rejects.toMatchObject({ status: 409 })
  const { items } = await team.leader.call(stacks.list, { params: { ...params, envId } })
  expect(items.map(({ name }) => name)).toEqual(['front'])
})

test('an upgrade asks of a way in what the group that it has can do', async () => {
  const split = `tosca_definitions_version: gantry_1_0_0
topology_template:
  node_templates:
    balance:
      type: gantry.nodes.LoadBalancer
      properties:
        rules:
          - name: web
            port: 80
            host: split.example.com
            targets: [{ service: web, port: 8080 }]
      requirements: [{ dependency: web }]
    web:
      type: gantry.nodes.Service
      properties: { image: registry.example.test/web:1, ports: [{ port: 8080 }] }
`
  const { uuid } = await team.leader.call(releases.deploy, {
    params,
    body: { blueprintId: await blueprint(split), envId, stackName: 'split' },
  })
  await settled(uuid, 'balance', 'web')
  const className = 'releases-test'
  await direct.create(kinds.gatewayClasses, {
    metadata: { name: className },
    spec: { controllerName: 'sandbox.gantry.dev/gateway' },
  })
  try {
    await eventually(
      () => direct.get(kinds.gatewayClasses, { name: className }),
      ({ status }) => status?.conditions?.[0]?.status === 'True',
    )
    const weights = split
      .replace('ports: [{ port: 8080 }] }', 'ports: [{ port: 8080 }, { port: 8081 }] }')
      .replace('targets: [{', 'targets: [{ service: web, port: 8081, weight: 1 }, { weight: 9,')
    // the ingress group that the service is in cannot weigh, although the default group now can
    const at = { params: { ...params, envId, stackName: 'split' }, body: { blueprintId: await blueprint(weights) } }
    await expect(team.leader.call(releases.check, at)).rejects.toMatchObject({ key: 'outward-weights-unsupported' })
    await expect(team.leader.call(releases.upgrade, at)).rejects.toMatchObject({ key: 'outward-weights-unsupported' })
    const named = { blueprintId: await blueprint(weights.replace('rules:', `group: ${className}\n        rules:`)) }
    expect(await team.leader.call(releases.check, { ...at, body: named })).toMatchObject({ refusals: [] })
  } finally {
    await direct.remove(kinds.gatewayClasses, { name: className })
  }
})
