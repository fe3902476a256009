import { endpoint } from '@gantry/contract/endpoint'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type samples, sampleCalls } from '../test/samples.ts'
import { testApp } from '../test/test-app.ts'
import type { AppOptions } from './app.ts'
import { StartError } from './kernel/fault.ts'

const start = (more: Partial<NonNullable<AppOptions['more']>>) =>
  testApp({ onlyDomains: [], more: { endpoints: [], routes: () => undefined, ...more } })
const sound = {
  method: 'POST',
  path: '/api/sample/new',
  access: 'user',
  audit: 'new.make',
  summary: 'New',
  data: z.null(),
  topics: [],
} as const

test.for([
  ['lacks access', { access: undefined }],
  ['lacks its audit name', { audit: undefined }],
  ['lacks its audit name', { method: 'DELETE', audit: '' }],
  ['lacks the shape of its answer', { data: undefined }],
  ['does not declare the parameter id', { path: '/api/sample/new/:id' }],
  ['asks for access by teamId, which its path does not have', { access: { team: 'teamId' } }],
  [
    'asks for access by the owner of a unicorn, for which no room declares the owner',
    { path: '/api/sample/new/:id', params: z.strictObject({ id: z.string() }), access: { owner: 'unicorn', by: 'id' } },
  ],
] as const)('an endpoint that %s stops the start', async ([why, change]) => {
  const broken = { ...endpoint(sound), ...change } as unknown as typeof samples.bodiless
  const starting = start({ endpoints: [broken], routes: (route) => route(broken, () => null) })
  await expect(starting).rejects.toThrow(StartError)
  await expect(starting).rejects.toThrow(`${broken.path} ${why}`)
})

test('an endpoint that is bound twice stops the start', async () => {
  const again = start({ ...sampleCalls, routes: (route) => (sampleCalls.routes(route), sampleCalls.routes(route)) })
  await expect(again).rejects.toThrow(/is bound twice: in more and in more$/)
})

test('two owners of one kind stop the start', async () => {
  const owner = { kind: 'thing', teamOf: async () => undefined }
  await expect(start({ owners: [owner, owner] })).rejects.toThrow('told twice')
})

test('an endpoint that is not bound yet does not stop the start', async () => {
  const app = await start({ endpoints: [endpoint(sound)] })
  expect((await app.admin.raw({ method: 'POST', url: sound.path })).statusCode).toBe(404)
})
