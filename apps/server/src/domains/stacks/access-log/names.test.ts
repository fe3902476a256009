import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HttpRoute } from '../../../adapters/kube/gateway.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import { contestedBy, namesOf, ownOf } from './names.ts'
import type { Access } from './parse.ts'

const access = (more: Partial<Access>): Access => ({
  method: 'GET',
  host: '',
  path: '/',
  status: 200,
  duration: 1,
  client: '192.0.2.1',
  router: '',
  namespace: '',
  upstream: '',
  answered: more.upstream ?? '',
  address: '',
  ...more,
})
const ingress = (namespace: string, host: string, { path = '/', service = 'web', annotations = {} } = {}) => ({
  metadata: { name: 'front', namespace, annotations },
  spec: {
    rules: [
      {
        host,
        http: {
          paths: [{ path, pathType: 'Prefix', backend: { service: { name: service, port: { number: 8080 } } } }],
        },
      },
    ],
  },
})
const route = (host: string): Wire<HttpRoute> => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'front-0' },
  spec: {
    parentRefs: [{ name: 'front', sectionName: 'http-80' }],
    hostnames: [host],
    rules: [
      {
        matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        backendRefs: [
          { name: 'web', port: 8080, weight: 80 },
          { name: 'web-next', port: 8080, weight: 20 },
        ],
      },
    ],
  },
})
const hash = '0123456789abcdef0123'
const router = `httproute-shop-front-0-gw-shop-front-ep-web-0-${hash}`

describe('a request belongs to a service', () => {
  const names = namesOf('shop', [ingress('shop', 'a.example.com')], [route('g.example.com')])

  test.for<[what: string, access: Partial<Access>, own: { host: string; service: string } | undefined]>([
    ['by nginx’s upstream', { upstream: 'shop-web-8080', path: '/x' }, { host: 'a.example.com', service: 'web' }],
    ['by no other upstream', { upstream: 'shop-web-80' }, undefined],
    ['by the default upstream', { upstream: 'upstream-default-backend' }, undefined],
    [
      'by Traefik’s router',
      { router: 'shop-front-a-example-com@kubernetes', host: 'a.example.com', answered: 'shop-web-8080@kubernetes' },
      { host: 'a.example.com', service: 'web' },
    ],
    [
      'by no router of an Ingress in another namespace',
      { router: 'shop-front-a-example-com@kubernetes', host: 'a.example.com', namespace: 'shop-front' },
      undefined,
    ],
    [
      'by it with its entry point',
      { router: 'public-shop-front-a-example-com@kubernetes', host: 'a.example.com' },
      { host: 'a.example.com', service: '' },
    ],
    ['by no other entry point without a host', { router: 'public-shop-front-a-example-com@kubernetes' }, undefined],
    [
      'by the usual one without',
      { router: 'web-shop-front-a-example-com@kubernetes' },
      { host: 'a.example.com', service: '' },
    ],
    [
      'by no router of another host',
      { router: 'shop-front-a-example-com@kubernetes', host: 'front.a.example.com' },
      undefined,
    ],
    ['by no router of another provider', { router: 'shop-front-a-example-com@file', host: 'a.example.com' }, undefined],
    ['not by its host', { host: 'a.example.com', router: 'other-front-a-example-com@kubernetes' }, undefined],
    [
      'by the router of an HTTPRoute',
      {
        router: `${router}@kubernetesgateway`,
        host: 'g.example.com',
        answered: `${router}-svc-shop-web-next-1@kubernetesgateway`,
      },
      { host: 'g.example.com', service: 'web-next' },
    ],
    [
      'by no longer route',
      { router: `httproute-shop-front-0-gw-shop-front-2-ep-web-0-${hash}@kubernetesgateway` },
      undefined,
    ],
  ])('%s', ([, more, own]) => {
    expect(ownOf(access(more), names)).toEqual(own)
  })

  test('under its path only', () => {
    const api = namesOf('shop', [ingress('shop', 'a.example.com', { path: '/api' })], [])
    const own = (path: string) => ownOf(access({ upstream: 'shop-web-8080', path }), api) !== undefined
    expect([own('/api'), own('/api/x'), own('/api?x=y'), own('/apis'), own('/')]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('by the path of a canary’s service, and the canary is what answered', () => {
    const annotations = { 'nginx.ingress.kubernetes.io/canary': 'true' }
    const both = namesOf(
      'shop',
      [ingress('shop', 'a.example.com'), ingress('shop', 'a.example.com', { service: 'web-next', annotations })],
      [],
    )
    expect(ownOf(access({ upstream: 'shop-web-8080', answered: 'shop-web-next-8080' }), both)?.service).toBe('web-next')
    expect(ownOf(access({ upstream: 'shop-web-next-8080' }), both)).toBeUndefined()
  })
})

test('a name that can be read as another namespace’s object is contested, however the hyphens fall', () => {
  const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)
  fc.assert(
    fc.property(label, label, label, (mine, theirs, service) => {
      fc.pre(mine !== theirs)
      const host = 'a.example.com'
      const names = namesOf(mine, [ingress(mine, host, { service })], [])
      // every line that the other namespace's objects can make
      for (const name of [`${theirs}-${service}-8080`, `${theirs}-front-a-example-com@kubernetes`]) {
        const line = access(name.includes('@') ? { router: name } : { upstream: name })
        if (ownOf(line, names)) expect(contestedBy([theirs])(name)).toBe(true)
      }
    }),
  )
  expect(contestedBy(['shop'])('shop-prod-web-8080')).toBe(true)
  expect(contestedBy(['shop-prod'])('shop-prod-web-8080')).toBe(true)
  expect(contestedBy(['shop-production', 'sho'])('shop-prod-web-8080')).toBe(false)
  expect(contestedBy(['shop'])('httproute-shop-prod-front-0-gw-shop-prod-front-ep-web-0-0')).toBe(true)
})
