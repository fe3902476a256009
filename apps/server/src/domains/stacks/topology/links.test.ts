import { ServiceSpec, type ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { expect, test } from 'vitest'
import { hostsIn, linksOf } from './links.ts'

test.for([
  ['API', 'http://api:8080/v1', ['api']],
  ['DSN', 'postgres://shop:word@db:5432/shop', ['db']],
  ['JDBC', 'jdbc:postgresql://db/shop?ssl=true', ['db']],
  ['DB_HOST', 'db', ['db']],
  ['CACHE', 'cache:6379', ['cache']],
  ['KAFKA', 'kafka-0.kafka:9092, kafka-1.kafka:9092', ['kafka']],
  ['API', 'https://api.team-shop.svc.cluster.local', ['api']],
  ['API', 'api.team-shop:80', ['api']],
  ['ROLE', 'web', []],
  ['WORDS', 'the web is wide', []],
  ['API', 'https://api.example.org', []],
  ['API', 'http://api.team-other.svc', []],
  ['EMAIL', 'shop@example.org', []],
  ['NAME', 'http://', []],
] as const)('%s=%s names %j', ([variable, value, hosts]) => {
  expect(hostsIn(variable, value, 'team-shop')).toEqual(hosts)
})

test('a long value is parsed quickly', () => {
  for (const part of ['a', 'a-', ',a', '://', '@a.', 'a.b:1'])
    expect(hostsIn('A', part.repeat(10_000), 'n').length).toBeLessThan(2)
})

const linked = (given: Partial<ServiceSpecInput>, requires: string[] = []) =>
  linksOf(
    { name: 'web', requires, spec: ServiceSpec.parse({ image: 'x', ...given }) },
    new Set(['web', 'api', 'db']),
    'team-shop',
  ).map(({ kind, to, by }) => `${kind} ${to} ${by}`)

test('each link is listed once, and only to what the stack has', () => {
  const environment = [
    { name: 'API', value: 'http://api' },
    { name: 'API_TOO', value: 'http://api:81' },
    { name: 'SELF', value: 'http://web' },
    { name: 'GONE', value: 'http://gone' },
    { name: 'PASSWORD', value: 'http://db', secret: true },
  ]
  expect(linked({ environment }, ['db', 'gone'])).toEqual(['requires db ', 'calls api API'])
})

test('variables of other containers count too, and volumes are claims', () => {
  const volumes = [
    { name: 'data', path: '/data', type: 'claim', size: '1Gi' },
    { name: 'old', path: '/old', type: 'existing', claim: 'left-behind' },
    { name: 'tmp', path: '/tmp', type: 'empty' },
  ] as const
  const beside = { name: 'proxy', role: 'side' as const, image: 'p', environment: [{ name: 'UP', value: 'db:1' }] }
  expect(linked({ volumes: [...volumes], containers: [beside] })).toEqual([
    'calls db UP',
    'mounts web.data /data',
    'mounts left-behind /old',
  ])
  expect(linked({ volumes: [volumes[0]], workload: 'statefulset' })).toEqual(['mounts data-web-* /data'])
})
