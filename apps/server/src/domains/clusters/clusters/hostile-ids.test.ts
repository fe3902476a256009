import type { Endpoint } from '@gantry/contract/endpoint'
import { hosts } from '@gantry/contract/clusters/hosts'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { isFull } from '../../../../test/full.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import type { KubeObject } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

/**
 * The general test of all calls uses clusters that do not exist, and so ends at authorization. Here the cluster exists,
 * so that hostile ids and queries reach the rest of the call.
 */
const { app, direct, newEnvironment } = await sandboxApp()
const team = await app.team()
const { uuid: env } = await newEnvironment('there', team)
const [host = ''] = (await direct.list(kinds.nodes)).items.map(({ metadata }) => metadata?.name ?? '')

const shapeOf = (schema: z.ZodType) => Object.entries('shape' in schema ? (schema as z.ZodObject).shape : {})
const ofCluster = ({ path }: Endpoint) => /\/(environments|env)\/:/.test(path) && !path.includes('/tenants/:teamId$')
const calls = app.server.endpoints
  .filter((e) => app.fastify.hasRoute({ method: e.method, url: e.path }) && ofCluster(e))
  .map((e) => [`${e.method} ${e.path}`, e] as const)

const isCluster = (name: string, path: string) =>
  /^(env|envId|envUuid|e)$/.test(name) || (name === 'uuid' && path.includes('/environments/:uuid'))
const isTeam = (name: string) => /^(teamId|tenant|t)$/.test(name)
const someUuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const known: Record<string, string> = { host, metrics: 'cluster_cpu_usage', expression: 'cluster_cpu_usage' }

function paramsOf({ params, path }: Endpoint): Record<string, unknown> {
  return Object.fromEntries(
    shapeOf(params).map(([name, schema]) => {
      if (isCluster(name, path)) return [name, env]
      if (isTeam(name)) return [name, team.id]
      const fitting = [known[name], '2147483000', someUuid, 'x1'].find(
        (value) => (schema as z.ZodType).safeParse(value).success,
      )
      return [name, fitting]
    }),
  )
}

/** Valid bodies, so that a call with a hostile id is refused for the id. */
const bodies: Record<string, object> = {
  cordon: { enable: true },
  maintenance: { enable: true },
  ingress: { enable: true },
  dedicated: { teamId: null },
  taints: { taints: [] },
}
const bodyOf = ({ path }: Endpoint) => bodies[path.split('/').at(-1) ?? '']

const hostile = [
  '0',
  '-1',
  'NaN',
  '1e309',
  '1;--',
  '../1',
  '..',
  'a/../../b',
  '%2e%2e',
  `{${someUuid}}`,
  someUuid.replaceAll('-', ''),
  someUuid,
  '\u0000',
  'a\r\nX-Remote-User: admin',
  '\u202egnp.exe',
  "' or 1=1 --",
  'x"} or vector(1)',
  '__proto__',
  'constructor',
  '*',
  'x'.repeat(10_000),
]

/** Everything that must stay unchanged in the cluster. */
const whole = async () => {
  const of = ({ metadata }: KubeObject) => [metadata?.name, metadata?.labels, metadata?.annotations]
  const nodes = (await direct.list(kinds.nodes)).items.map((node) => [...of(node), node.spec])
  const others = await Promise.all([
    direct.list<KubeObject>(kinds.namespaces),
    direct.list<KubeObject>(kinds.storageClasses),
  ])
  return [nodes, others.map(({ items }) => items.map(of))]
}

const otherIds = (e: Endpoint) =>
  shapeOf(e.params).flatMap(([name]) => (isCluster(name, e.path) || isTeam(name) ? [] : [name]))
/** only every third call unless the full suite runs, because ids are validated in one place */
const sampled = calls.filter((_, at) => isFull || at % 3 === 0)
const withIds = sampled.filter(([, e]) => otherIds(e).length > 0)
const withQuery = sampled.filter(([, e]) => e.method === 'GET' && shapeOf(e.query).length > 0)

test('there are calls to test', () => {
  expect(withIds.length).toBeGreaterThan(isFull ? 25 : 8)
  expect(withQuery.length).toBeGreaterThan(isFull ? 10 : 3)
})

test.for(withIds)('%s refuses hostile ids, and does not fail', async ([, e]) => {
  const [before, body] = [await whole(), bodyOf(e)]
  const wrong: unknown[] = []
  const tried = async (name: string, id: string) => {
    const params = { ...paramsOf(e), [name]: id }
    const answer = await app.admin.request(e, { params, ...(body && { body }) })
    // a host's events outlive it: a host that never existed has none
    const none = e === hosts.events && answer.json<{ data: { items?: unknown[] } | null }>().data?.items?.length === 0
    if (![400, 404].includes(answer.statusCode) && !none) wrong.push([name, id.slice(0, 40), answer.statusCode])
  }
  for (const name of otherIds(e)) await Promise.all(hostile.map((id) => tried(name, id)))
  expect(wrong).toEqual([])
  expect(await whole()).toEqual(before)
})

test.for(withQuery)('%s does not fail on a hostile query', async ([, e]) => {
  const wrong: unknown[] = []
  const tried = async (name: string, value: string) => {
    const { statusCode } = await app.admin.request(e, { params: paramsOf(e), query: { [name]: value } })
    if (statusCode >= 500) wrong.push([name, value.slice(0, 40), statusCode])
  }
  const values = [...hostile, '1 or 1', '1e18', '9'.repeat(16), '[object Object]']
  for (const [name] of shapeOf(e.query)) await Promise.all(values.map((value) => tried(name, value)))
  expect(wrong).toEqual([])
})
