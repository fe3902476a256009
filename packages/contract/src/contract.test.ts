import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { callOf, type Endpoint, isEndpoint, permissionsOf } from './endpoint.ts'
import { longestJson } from './shape.ts'
import { dictionary } from './validators.ts'

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => pathToFileURL(join(import.meta.dirname, name)).href)

async function endpointsOf(file: string): Promise<Endpoint[]> {
  const exported = Object.values((await import(file)) as Record<string, unknown>)
  return exported.flatMap((value) => (isEndpoint(value) ? [value] : Object.values(value ?? {}).filter(isEndpoint)))
}
const endpoints = (await Promise.all(files.map(endpointsOf))).flat()
const named = endpoints.map((e) => [callOf(e), e] as const)

test('declares each call once', () => {
  const calls = named.map(([call]) => call)
  expect(calls.filter((call, at) => calls.indexOf(call) !== at)).toEqual([])
})

describe.for(named)('%s', ([, e]) => {
  test('declares what the reference, the audit log and the sweep need', () => {
    expect(e.summary).toMatch(/^\S.*[^.\s]$/)
    expect(e.path).toMatch(/^(\/[A-Za-z0-9._-]+|\/:\w+)+$/)
    expect(e.audit ?? 'none.given').toMatch(/^[a-z][a-z-]*\.[a-z][a-z-]*$/)
    expect(e.method === 'GET' || e.audit !== undefined).toBe(true)
  })

  test('names a permission as <area>_<thing>_<verb>', () => {
    for (const key of permissionsOf(e.access))
      expect(key).toMatch(/^[a-z-]+_[a-z-]+_(view|create|edit|operate|delete|execute)$/)
  })

  test('does one thing: actions of one path are separate endpoints', () => {
    const { action } = (e.query as z.ZodObject).shape
    expect(action === undefined || (e.action === undefined && action.safeParse(undefined).success)).toBe(true)
  })

  test('accepts no unknown key', () => {
    const objects = [e.params, e.query, e.body].filter((schema) => schema instanceof z.ZodObject)
    expect(objects.filter((schema) => !(schema.def.catchall instanceof z.ZodNever))).toEqual([])
  })

  test('accepts no unbounded text, list or dictionary, and at most 4 kB from a visitor', () => {
    expect(longestJson(e.body)).toBeLessThanOrEqual(e.access === 'public' ? 4096 : Number.MAX_SAFE_INTEGER)
  })
})

test.for([
  ['a text', z.string()],
  ['a list', z.strictObject({ ids: z.array(z.number()) })],
  ['a list of lists', z.array(z.array(z.boolean())).max(2)],
  ['a dictionary', z.record(z.string().max(1), z.null())],
  ['anything', z.unknown()],
  ['one of two', z.union([z.null(), z.string().optional()])],
  ['one that is made of another', z.string().transform(Number).pipe(z.number())],
] as const)('finds that %s has no bound', ([, schema]) => {
  expect(longestJson(schema)).toBe(Infinity)
})

test('computes the exact length of the longest JSON of a bounded schema', () => {
  const schema = z.strictObject({
    name: z.string().trim().max(10).default(''),
    kind: z.enum(['a', 'bcd']).optional(),
    list: z.array(z.literal(7)).max(3),
    more: dictionary(z.string().max(1), z.boolean(), 2),
  })
  const escaped = '\\u0001'
  const longest = `{"name":"${escaped.repeat(10)}","kind":"bcd","list":[7,7,7],"more":{"a":false,"b":false}}`
  expect(schema.safeParse(JSON.parse(longest)).success).toBe(true)
  expect(longestJson(schema)).toBeGreaterThanOrEqual(longest.length)
  expect(longestJson(schema)).toBeLessThan(2 * longest.length)
  expect(schema.safeParse({ list: [], more: { a: true, b: true, c: true } }).error?.issues[0]?.message).toBe(
    'list-too-long',
  )
})
