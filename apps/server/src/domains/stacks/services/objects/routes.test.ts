import { Outward, type OutwardInput } from '@gantry/contract/stacks/outward'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { describe, expect, test } from 'vitest'
import { labels } from '../../../../adapters/kube/labels.ts'
import type { Gateway, HttpRoute } from '../../../../adapters/kube/gateway.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { noEntrance } from '../../outward/entrance.service.ts'
import { routeObjects } from './routes.ts'
import type { ServiceOf } from './service-objects.ts'

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

function objectsOf(
  outward: OutwardInput,
  resource: (typeof kinds)[keyof typeof kinds],
  divided?: ServiceOf['divided'],
) {
  const spec = { ...ServiceSpec.parse({ image: 'web:1' }), outward: Outward.parse(outward) }
  return routeObjects({ ...of, ...(divided && { divided }) }, spec).filter((one) => one.resource === resource)
}

test('each HTTPS host has its own listener and certificate, however similar the names', () => {
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

test('a port that is reached by TCP and UDP is allowed for both', () => {
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

describe('the requests to a service with a copy', () => {
  const header = { name: 'X-Tester', value: 'yes' }
  const divided = new Map([['web', { only: 1, copy: { name: 'web-next', revision: 2, weight: 30, header } }]])
  const rule = (more: object = {}) => ({
    name: 'front',
    port: 80,
    host: 'shop.example.com',
    targets: [
      { service: 'web', port: 8080, weight: 3 },
      { service: 'other', port: 80, weight: 1 },
    ],
    ...more,
  })
  const rulesOf = (outward: OutwardInput) => {
    const [route] = objectsOf(outward, kinds.httpRoutes, divided)
    return (route?.object as Partial<HttpRoute> | undefined)?.spec?.rules
  }

  test('are divided by weight within its own part of a load balancer, and by header before that', () => {
    const path = { type: 'PathPrefix', value: '/' }
    expect(rulesOf({ type: 'lb', rules: [rule()] })).toEqual([
      {
        matches: [{ path, headers: [{ type: 'Exact', ...header }] }],
        backendRefs: [{ name: 'web-next', port: 8080, weight: 1 }],
      },
      {
        matches: [{ path }],
        backendRefs: [
          { name: 'web', port: 8080, weight: 210 },
          { name: 'web-next', port: 8080, weight: 90 },
          { name: 'other', port: 80, weight: 100 },
        ],
      },
    ])
  })

  test('are divided between separate Services if pods are selected by labels, each of one revision', () => {
    const outward: OutwardInput = { type: 'lb', rules: [rule({ labels: 'tier=front' })] }
    expect(rulesOf(outward)?.[1]?.backendRefs.map(({ name }) => name)).toEqual([
      'gantry-7-0-0',
      'gantry-7-0-0-next',
      'gantry-7-0-1',
    ])
    const revisions = objectsOf(outward, kinds.services, divided).map(({ object }) => {
      const { spec } = object as { spec: { selector: Record<string, string> } }
      return spec.selector[labels.revision]
    })
    expect(revisions).toEqual(['1', '2', undefined])
  })
})
