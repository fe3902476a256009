import { services } from '@gantry/contract/stacks/services'
import { expect, test } from 'vitest'
import { findEndpoints } from '../../kernel/find.ts'
import { samples, sampleCalls } from '../../../test/samples.ts'
import { testApp } from '../../../test/test-app.ts'
import { openapiOf } from './openapi.ts'

type Json = Record<string, unknown>

/** Checks the references and required fields of every operation of OpenAPI 3.1. */
function faultsOf(description: Json): string[] {
  const faults: string[] = []
  const ids = new Set<string>()
  for (const [path, item] of Object.entries(description['paths'] as Record<string, Record<string, Json>>)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const [method, operation] of Object.entries(item)) {
      const at = `${method} ${path}`
      if (ids.has(String(operation['operationId']))) faults.push(`${at}: operationId is taken`)
      ids.add(String(operation['operationId']))
      const parameters = operation['parameters'] as { name: string; in: string; required: boolean; schema: Json }[]
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
      if (inPath.toSorted().join() !== names.toSorted().join())
        faults.push(`${at}: path parameters ${inPath} for ${names}`)
      if (new Set(parameters.map((p) => `${p.in} ${p.name}`)).size !== parameters.length)
        faults.push(`${at}: a parameter twice`)
      if (!('200' in (operation['responses'] as Json))) faults.push(`${at}: no answer`)
      if (!operation['summary']) faults.push(`${at}: no summary`)
    }
  }
  return faults
}

test('the description of the whole contract is well-formed and complete', async () => {
  const endpoints = (await findEndpoints()).map(({ value }) => value)
  const description = await openapiOf(endpoints, { name: 'Gantry', version: '1.2.3' })
  expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
  expect(faultsOf(description)).toEqual([])
  const operations = Object.values(description['paths'] as Json).flatMap((item) => Object.keys(item as Json))
  expect(operations).toHaveLength(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size)
  expect(JSON.stringify(description)).not.toContain('"$schema"')
})

test('actions that share a path are one operation, which describes the access and body of each', async () => {
  const description = await openapiOf([services.upgrade, services.confirm, services.scale], {
    name: 'Gantry',
    version: '1',
  })
  const [item] = Object.values(description['paths'] as Record<string, { post: Json }>)
  const parameters = item?.post['parameters'] as { name: string; required: boolean; schema: Json }[]
  expect(parameters.find(({ name }) => name === 'action')).toMatchObject({
    required: true,
    schema: { enum: ['upgrade', 'confirm', 'scale'] },
  })
  expect(parameters.find(({ name }) => name === 'replicas')).toMatchObject({ required: false })
  const actions = item?.post['x-actions'] as Record<string, { description: string; requestBody?: unknown }>
  expect(Object.entries(actions).map(([name, one]) => [name, one.description, one.requestBody !== undefined])).toEqual([
    ['upgrade', expect.stringContaining('stack_service_edit'), true],
    ['confirm', expect.stringContaining('stack_service_operate'), false],
    ['scale', expect.stringContaining('stack_service_operate'), false],
  ])
})

test('the description and its page are public, and the page runs no script', async () => {
  const app = await testApp({ onlyDomains: [], more: sampleCalls })
  const description = (await app.anonymous.raw({ method: 'GET', url: '/api/openapi.json' })).json<{ paths: Json }>()
  expect(Object.keys(description.paths)).toContain('/api/sample/teams/{teamId}/things')
  expect(description.paths).toMatchObject({
    '/msghub/api/ws_notify': { get: { parameters: [{ name: 'authorization', in: 'query' }] } },
  })
  expect(JSON.stringify(description.paths['/msghub/api/ws_notify'])).toMatch(/"resume".+"seq".+"pong"/)
  const page = await app.anonymous.raw({ method: 'GET', url: '/api/docs' })
  expect(page.body).toContain(samples.inTeam.path)
  expect(page.body).not.toMatch(/<script|onclick|style="/)
  expect(page.headers['content-security-policy']).toMatch(/nonce-/)
})
