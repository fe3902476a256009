import { session } from '@gantry/contract/auth/session'
import { clusters } from '@gantry/contract/clusters/clusters'
import type { Endpoint } from '@gantry/contract/endpoint'
import { hosts } from '@gantry/contract/clusters/hosts'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { stacks } from '@gantry/contract/stacks/stacks'
import { expect, test } from 'vitest'
import { testApp } from '../../test/test-app.ts'

const app = await testApp()
const team = await app.team()
const env = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
/** One more than PostgreSQL's int4 holds. */
const beyond = 2_147_483_648

test.for<[string, Endpoint, { params?: object; body: object }]>([
  ['a team of a new cluster', clusters.create, { body: { name: 'far', agent: true, teamIds: [beyond] } }],
  ['the team of a host', hosts.dedicated, { params: { env, host: 'n-1' }, body: { teamId: beyond } }],
  ['the group of a pipeline', definitions.create, { body: { appId: beyond, projectName: 'p' } }],
  [
    'the product of a stack',
    stacks.create,
    { params: { teamId: team.id }, body: { name: 'shop', envId: env, productId: beyond } },
  ],
])('an id beyond the range of ids is refused at its field: %s', async ([, endpoint, input]) => {
  const answer = await app.admin.request(endpoint, input)
  const { code, data } = answer.json<{ code: number; data: { key: string }[] }>()
  expect([code, data.map(({ key }) => key)]).toEqual([400, ['id-invalid']])
})

test('a number that the database cannot hold is the caller’s error even if no field limits it', async () => {
  const input = { params: { teamId: team.id }, body: { roleId: beyond } }
  await expect(team.leader.call(session.viewAs, input)).rejects.toMatchObject({
    status: 400,
    key: 'request-number-too-large',
  })
})
