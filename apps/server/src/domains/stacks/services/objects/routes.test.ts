import { Outward, type OutwardInput } from '@gantry/contract/stacks/outward'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { expect, test } from 'vitest'
import type { Gateway } from '../../../../adapters/kube/gateway.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { noEntrance } from '../../outward/entrance.service.ts'
import { routeObjects } from './routes.ts'

const of = {
  id: 7,
  name: 'out',
  teamId: 1,
  stackUuid: 'ac1f4ed0-6f0c-4a6b-8c9e-1d5b7f0a2e34',
  namespace: 'shop',
  podRevision: 1,
  podDigest: '',
  pins: null,
  restartedAt: null,
  podDedicated: true,
  entrance: { ...noEntrance, way: 'gateway', group: 'lab' },
} as const

function objectsOf(outward: OutwardInput, resource: (typeof kinds)[keyof typeof kinds]) {
  const spec = { ...ServiceSpec.parse({ image: 'web:1' }), outward: Outward.parse(outward) }
  return routeObjects(of, spec).filter((one) => one.resource === resource)
}

test('hosts by HTTPS have a listener and a certificate each, however alike their names are', () => {
  const hosts = ['shop.api.example.com', 'shop-api.example.com', 'any.example.com', '*.example.com'].map((host) => ({
    host,
    tls: { certificate: host, key: 'key' },
    paths: [{ service: 'web', port: 8080 }],
  }))
  const ingress = { type: 'ingress' as const, group: 'lab', hosts }
  const [gateway] = objectsOf(ingress, kinds.gateways)
  const { listeners = [] } = (gateway?.object as Partial<Gateway> | undefined)?.spec ?? {}
  expect(listeners.map(({ hostname }) => hostname)).toEqual(hosts.map(({ host }) => host))
  expect(new Set(listeners.map(({ name }) => name)).size).toBe(4)
  expect(new Set(objectsOf(ingress, kinds.secrets).map(({ name }) => name)).size).toBe(4)
})

test('a port that is reached by TCP and by UDP is let in by both', () => {
  const rule = (protocol: 'TCP' | 'UDP', port: number) => ({
    name: protocol,
    protocol,
    port,
    targets: [{ service: 'dns', port: 53 }],
  })
  const [policy] = objectsOf({ type: 'lb', rules: [rule('TCP', 53), rule('UDP', 5353)] }, kinds.networkPolicies)
  expect(policy?.object).toMatchObject({
    spec: {
      ingress: [
        {
          ports: [
            { port: 53, protocol: 'TCP' },
            { port: 53, protocol: 'UDP' },
          ],
        },
      ],
    },
  })
})
