import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** Many pipelines are changed at once, and restored. */

stories('batch edits', (suite, { language }) => {
  let teamId = 0
  let appId = 0
  const leader = `batches-lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `batches-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    ;({ id: appId } = await product.admin.call(groups.create, { params: { teamId }, body: { name: 'fleet' } }))
  })

  const create = (projectName: string) =>
    suite().product.admin.call(definitions.create, {
      body: {
        appId,
        projectName,
        definition: { stages: [{ name: 'all', steps: [{ type: 'script', name: 'run', run: `make ${projectName}` }] }] },
      },
    })
  const setting = async (pipelineId: number) =>
    suite().product.admin.call(pipelines.setting, { params: { appId, pipelineId } })

  test('pipelines are selected, changed after a preview of each difference, and restored except for later changes', async () => {
    const { product } = suite()
    const [sloop, ketch] = [await create('sloop'), await create('ketch')]
    await create('barge')
    const story = await suite().enter(leader)
    const { page, say, press, write, tick, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })

    await page.goto(`/teams/${teamId}/cd`)
    await tick(page.getByRole('checkbox', { name: say('ui-choose', { name: 'sloop' }) }))
    await tick(page.getByRole('checkbox', { name: say('ui-choose', { name: 'ketch' }) }))
    await press(button(say('batch-edits-ui-bulk')))
    await page.getByText(say('batch-edits-ui-selected', { count: 2 })).waitFor()
    await check()

    await press(button(say('batch-edits-ui-change-add')))
    const value = page.getByLabel(say('batch-edits-ui-value'), { exact: true })
    await write(value, 'all alike')
    await page.getByText(say('batch-edits-ui-preview-counts', { changed: 2, unchanged: 0, refused: 0 })).waitFor()
    await press(button(say('batch-edits-ui-change-add')))
    const what = page.getByLabel(say('batch-edits-ui-what'), { exact: true }).last()
    await what.fill(say('batch-edits-ui-type-replace-text'))
    await what.press('Enter')
    await write(page.getByLabel(say('batch-edits-ui-find'), { exact: true }), 'make sloop')
    await write(page.getByLabel(say('batch-edits-ui-replacement'), { exact: true }), 'make fast')
    await page.getByText(say('batch-edits-ui-matched', { count: 1 })).waitFor()
    await check()
    await press(button(say('batch-edits-ui-difference-of', { name: 'sloop' })))
    await page.getByText('make fast').last().waitFor()
    await check()
    await press(button(say('batch-edits-ui-apply', { count: 2 })))

    await page.getByRole('heading', { level: 1 }).filter({ hasText: '#' }).waitFor()
    await page.getByText(say('state-success'), { exact: true }).first().waitFor()
    await check()
    expect(await setting(sloop.id)).toMatchObject({ description: 'all alike' })
    await product.admin.call(pipelines.setSetting, {
      params: { appId, pipelineId: ketch.id },
      body: { ...(await setting(ketch.id)), description: 'mine' },
    })

    await press(button(say('batch-edits-ui-restore')))
    await page.getByRole('dialog').waitFor()
    await check()
    await press(page.getByRole('dialog').getByRole('button', { name: say('batch-edits-ui-restore') }))
    await page.getByText(say('state-restore-failure'), { exact: true }).first().waitFor()
    await page.getByText(say('batch-edits-ui-outcome-left'), { exact: true }).waitFor()
    await check()
    expect((await setting(sloop.id)).description).toBe('')
    expect((await setting(ketch.id)).description).toBe('mine')
    await story.end(/batch|pipelines/)
  })

  test('the history lists what was changed in batch, with its outcome', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, check } = story
    const id = await create(`yawl-${Date.now() % 1000}`)
    await page.goto(`/teams/${teamId}/cd/batch-edit?name=${id.projectName}`)
    await page.getByText(say('batch-edits-ui-found', { count: 1 })).waitFor()
    await check()
    await page.goto(`/teams/${teamId}/cd/batch-edit/history-list`)
    await page.getByText(say('state-restore-failure'), { exact: true }).first().waitFor()
    await check()
    await press(page.getByRole('link', { name: /^#\d+$/ }).first())
    await page.getByRole('heading', { level: 1 }).filter({ hasText: '#' }).waitFor()
    await check()
    await story.end()
  })
})
