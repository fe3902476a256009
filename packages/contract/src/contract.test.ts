import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, isEndpoint, permissionOf } from './endpoint.ts'

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => pathToFileURL(join(import.meta.dirname, name)).href)

async function endpointsOf(file: string): Promise<Endpoint[]> {
  const exported = Object.values((await import(file)) as Record<string, unknown>)
  return exported.flatMap((value) => (isEndpoint(value) ? [value] : Object.values(value ?? {}).filter(isEndpoint)))
}
const endpoints = (await Promise.all(files.map(endpointsOf))).flat()
const named = endpoints.map((e) => [`${e.method} ${e.path}`, e] as const)

test('a call is declared once', () => {
  const calls = named.map(([call]) => call)
  expect(calls.filter((call, at) => calls.indexOf(call) !== at)).toEqual([])
})

describe.for(named)('%s', ([, e]) => {
  test('says what the reference, the trail and the sweep need', () => {
    expect(e.summary).toMatch(/^\S.*[^.\s]$/)
    expect(e.path).toMatch(/^(\/[A-Za-z0-9._-]+|\/:\w+)+$/)
    expect(e.audit ?? 'none.given').toMatch(/^[a-z][a-z-]*\.[a-z][a-z-]*$/)
    expect(e.method === 'GET' || e.audit !== undefined).toBe(true)
  })

  test('names a permission as <area>_<thing>_<verb>', () => {
    expect(permissionOf(e.access) ?? 'a_b_view').toMatch(/^[a-z-]+_[a-z-]+_(view|create|edit|operate|delete|execute)$/)
  })

  test('takes no unknown key', () => {
    const objects = [e.params, e.query, e.body].filter((schema) => schema instanceof z.ZodObject)
    expect(objects.filter((schema) => !(schema.def.catchall instanceof z.ZodNever))).toEqual([])
  })
})
