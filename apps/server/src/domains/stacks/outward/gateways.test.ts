import { randomBytes } from 'node:crypto'
import type { OutwardInput } from '@gantry/contract/stacks/outward'
import { copies } from '@gantry/contract/stacks/copies/copies'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { ways } from '@gantry/contract/stacks/ways'
import { eventually } from '@gantry/waiting/eventually'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const { app, direct, newEnvironment } = await sandboxApp()
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('sandbox', team)).uuid
})

const className = 'gateways-test'
/** A class of the sandbox's controller, which it accepts. */
async function newClass() {
  await direct.create(kinds.gatewayClasses, {
    metadata: { name: className },
    spec: { controllerName: 'sandbox.gantry.dev/gateway' },
  })
  await eventually(async () => {
    const { status } = await direct.get(kinds.gatewayClasses, { name: className })
    expect(status?.conditions).toMatchObject([{ type: 'Accepted', status: 'True' }])
  })
}
afterEach(async () => {
  await direct.remove(kinds.gatewayClasses, { name: className })
})

let made = 0
async function newStack() {
  const teamId = team.id
  const body = { name: `stack-${++made}`, envId }
  const { id } = await team.leader.call(stacks.create, { params: { teamId }, body })
  const stack = await team.leader.call(stacks.get, { params: { teamId, envId, stackId: id } })
  const web = { image: 'registry.example.test/web:1', ports: [{ port: 8080 }] }
  const { id: webId } = await team.leader.call(services.create, {
    params: { teamId, stackId: id, serviceName: 'web' },
    body: web,
  })
  return { ...stack, webId }
}
const one = (id: number) => ({ params: { teamId: team.id, envId, id } })
const rulesOf = (host: string) => [{ name: 'web', port: 80, host, targets: [{ service: 'web', port: 8080 }] }]
const lb = (host: string, group?: string): OutwardInput => ({
  type: 'lb',
  rules: rulesOf(host),
  ...(group !== undefined && { group }),
})
const add = (stackId: number, outward: OutwardInput) =>
  team.leader.call(services.create, { params: { teamId: team.id, stackId, serviceName: 'out' }, body: { outward } })
const settled = (id: number) =>
  eventually(
    async () => {
      await app.reconcile()
      return team.leader.call(services.get, one(id))
    },
    ({ state }) => state === 'stable',
  )
const newHost = () => `${randomBytes(4).toString('hex')}.example.com`

describe('in a cluster with the Gateway API', () => {
  test('a way in without a group is a Gateway with a route', async () => {
    await newClass()
    const { id: stackId, namespace } = await newStack()
    const host = newHost()
    const { id } = await add(stackId, lb(host))
    const { addresses } = await settled(id)
    expect(addresses.map(({ url }) => url)).toContain(`http://${host}/`)
    const gateway = await direct.get(kinds.gateways, { name: 'out', namespace })
    expect(gateway.spec).toMatchObject({ gatewayClassName: className, listeners: [{ name: 'http-80', port: 80 }] })
    const { items } = await direct.list(kinds.httpRoutes, { namespace })
    expect(items.map(({ spec }) => spec.hostnames)).toEqual([[host]])
    expect(await team.leader.call(ways.check, one(id))).toMatchObject({ ok: true, way: 'gateway', problems: [] })
  })

  test('its requests can be divided between a service and its copy', async () => {
    await newClass()
    const { id: stackId, webId } = await newStack()
    const { id } = await add(stackId, lb(newHost()))
    await settled(id)
    expect(await team.leader.call(copies.grayWays, one(webId))).toMatchObject({ ways: ['out'], why: '' })
  })
})

describe('a way in that stands', () => {
  test('stays an Ingress when the cluster gets the Gateway API, and a new one is a Gateway', async () => {
    const { id: stackId, namespace } = await newStack()
    const { id } = await add(stackId, lb(newHost()))
    await settled(id)
    await newClass()
    const host = newHost()
    await team.leader.call(ways.setLb, { ...one(id), body: { rules: rulesOf(host) } })
    await settled(id)
    const ingress = await direct.get(kinds.ingresses, { name: 'out', namespace })
    expect(ingress.spec).toMatchObject({ ingressClassName: 'sandbox', rules: [{ host }] })
    expect((await direct.list(kinds.gateways, { namespace })).items).toEqual([])
    const other = await newStack()
    await settled((await add(other.id, lb(newHost()))).id)
    expect((await direct.list(kinds.gateways, { namespace: other.namespace })).items).toHaveLength(1)
  })

  test('moves to another group when that is named', async () => {
    const { id: stackId, namespace } = await newStack()
    const { id } = await add(stackId, lb(newHost()))
    await settled(id)
    await newClass()
    await team.leader.call(services.upgrade, { ...one(id), body: { outward: lb(newHost(), className) } })
    await settled(id)
    expect((await direct.list(kinds.gateways, { namespace })).items).toHaveLength(1)
    expect((await direct.list(kinds.ingresses, { namespace })).items).toEqual([])
  })
})
