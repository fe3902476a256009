import { endpoint } from '@gantry/contract/endpoint'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from './test-app.ts'

const thing = endpoint({
  method: 'POST',
  path: '/api/test/teams/:teamId/things',
  access: { team: 'teamId', permission: 'test_thing_create' },
  audit: 'thing.create',
  summary: 'Make a thing',
  params: z.strictObject({ teamId: z.coerce.number().int().min(1, 'id-invalid') }),
  body: z.strictObject({ name: z.string().min(1) }),
  data: z.object({ name: z.string() }),
})

const app = await testApp({
  onlyDomains: [],
  more: { endpoints: [thing], routes: (route) => route(thing, (_ctx, { body }) => ({ ...body, secret: 'x' })) },
})

test('a leader may, and nothing undeclared leaves', async () => {
  const team = await app.team()
  await expect(team.leader.call(thing, { params: { teamId: team.id }, body: { name: 'a' } })).resolves.toEqual({
    name: 'a',
  })
})
