/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { eventually, must, type Case, type CaseContext } from './trial/trial.ts'

const api = 'gateway.networking.k8s.io/v1'

/** A class that its controller accepts. */
const accepted = ({ kube }: CaseContext): Promise<string> =>
  eventually(async () => {
    const { items } = must(await kube.call('GET', `/apis/${api}/gatewayclasses`), 200)
    const found = items.find(({ status }: Json) => conditions(status)['Accepted'] === 'True')
    expect(found).toBeDefined()
    return found.metadata.name
  })

/** The state of each condition, by its type. */
const conditions = (of: Json): Record<string, string> =>
  Object.fromEntries((of?.conditions ?? []).map(({ type, status }: Json) => [type, status]))

/** A Gateway of one listener, and a route of a host to a service. */
async function opened(trial: CaseContext, listener: object = {}) {
  const { kube, at } = trial
  const [name, service] = [trial.name('gateway'), trial.name('behind')]
  const listeners = [{ name: 'web', port: 80, protocol: 'HTTP', ...listener }]
  const gateway = {
    apiVersion: api,
    kind: 'Gateway',
    metadata: { name },
    spec: { gatewayClassName: await accepted(trial), listeners },
  }
  must(await kube.call('POST', at(api, 'gateways'), { body: gateway }), 201)
  const route = {
    apiVersion: api,
    kind: 'HTTPRoute',
    metadata: { name },
    spec: {
      parentRefs: [{ name, sectionName: 'web' }],
      hostnames: [`${name}.contract.example`],
      rules: [{ backendRefs: [{ name: service, port: 80 }] }],
    },
  }
  const object = must(await kube.call('POST', at(api, 'httproutes'), { body: route }), 201)
  const parents = async () => must(await kube.call('GET', at(api, 'httproutes', name)), 200).status?.parents ?? []
  return { name, service, object, parents }
}

export const gatewayCases: Case[] = [
  {
    title: 'fields that a route leaves out are filled in',
    async run(trial) {
      const { object } = await opened(trial)
      expect(object.spec.parentRefs).toEqual([
        { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: expect.any(String), sectionName: 'web' },
      ])
      expect(object.spec.rules).toEqual([
        {
          backendRefs: [{ group: '', kind: 'Service', name: expect.any(String), port: 80, weight: 1 }],
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        },
      ])
    },
  },
  {
    title: 'a Gateway of an accepted class is programmed, has an address, and counts its routes',
    async run(trial) {
      const { kube, at } = trial
      const { name } = await opened(trial)
      await eventually(async () => {
        const { status } = must(await kube.call('GET', at(api, 'gateways', name)), 200)
        expect(conditions(status)).toMatchObject({ Accepted: 'True', Programmed: 'True' })
        expect(status.addresses.length).toBeGreaterThan(0)
        expect(status.listeners).toMatchObject([{ name: 'web', attachedRoutes: 1 }])
      })
    },
  },
  {
    title: 'a route tells that its service does not exist, until it does',
    async run(trial) {
      const { kube, at } = trial
      const { service, parents } = await opened(trial)
      const told = () => parents().then((all: Json[]) => all.map(conditions))
      await eventually(async () => expect(await told()).toEqual([{ Accepted: 'True', ResolvedRefs: 'False' }]))
      const body = { metadata: { name: service }, spec: { ports: [{ port: 80 }], selector: { app: service } } }
      must(await kube.call('POST', at('v1', 'services'), { body }), 201)
      await eventually(async () => expect(await told()).toEqual([{ Accepted: 'True', ResolvedRefs: 'True' }]))
    },
  },
  {
    title: 'a class whose controller nobody is stays as it is',
    async run(trial) {
      const { kube } = trial
      const metadata = { name: trial.name('nobody') }
      const path = `/apis/${api}/gatewayclasses`
      const spec = { controllerName: 'contract.example/none' }
      const body = { apiVersion: api, kind: 'GatewayClass', metadata, spec }
      const made = must(await kube.call('POST', path, { body }), 201)
      expect(conditions(made.status)).toEqual({ Accepted: 'Unknown' })
      must(await kube.call('DELETE', `${path}/${metadata.name}`), 200)
    },
  },
]
