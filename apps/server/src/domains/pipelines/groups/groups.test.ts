import { groups } from '@gantry/contract/pipelines/groups'
import { expect, test } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()

test('a group says who changed it or its variables last', async () => {
  const team = await app.team()
  const made = await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'shop' } })
  expect(made.updatedBy).toBe(team.leader.name)
  const of = { params: { id: made.id } }
  const lastChange = async () =>
    (await team.leader.call(groups.get, { params: { teamId: team.id, pipelineGroupId: made.id } })).updatedBy
  await app.admin.call(groups.update, { ...of, body: { name: 'shop', description: 'ours' } })
  expect(await lastChange()).toBe(app.admin.name)
  await team.leader.call(groups.setVariables, { ...of, body: { variables: [] } })
  expect(await lastChange()).toBe(team.leader.name)
})
