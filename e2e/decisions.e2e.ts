import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { ended } from './builds.ts'
import type { Calls } from './caller.ts'
import { newUser } from './product.ts'
import { stories } from './story.ts'
import { takePicture } from './walk/pictures.ts'

/** Pending decisions reach the people who may decide, on every page. */
stories('what waits for a decision', (suite, look) => {
  const { language } = look
  let teamId = 0
  let id = 0
  let starts: Calls
  const leader = `decides-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `decisions-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    starts = await newUser(product, `starts-${language}`, { teamId, roleId: 'leader' })
    const { id: appId } = await starts.call(groups.create, { params: { teamId }, body: { name: 'harbour' } })
    const approval = { users: [], roles: [], parameters: ['WHERE'] }
    const run = { type: 'script' as const, name: 'run', run: 'echo "shipping to $WHERE"' }
    ;({ id } = await starts.call(definitions.create, {
      body: {
        appId,
        projectName: 'lights',
        definition: { stages: [{ name: 'ship', mode: 'approve', approval, steps: [run] }] },
      },
    }))
    const params = { appId, pipelineId: id }
    const setting = await starts.call(pipelines.setting, { params })
    const where = { name: 'WHERE', kind: 'choice' as const, values: ['quay', 'pier'], required: true }
    await starts.call(pipelines.setSetting, {
      params,
      body: { ...setting, parameters: [{ ...where, description: '', pattern: '', defaultValue: 'quay' }] },
    })
  })

  test('a leader on another page sees a decision appear, reads it and approves by keyboard; the build continues', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, write, choose, check } = story
    await page.goto(`/teams/${teamId}/cd/pipeline-groups`)
    const bell = say('notifications-bell-none')
    await page.getByRole('button', { name: bell, exact: true }).waitFor()
    expect(await page.title()).not.toMatch(/^\(/)

    const { number } = await starts.call(builds.trigger, { params: { id }, body: {} })
    const counted = page.getByRole('button', { name: say('decisions-bell', { bell, count: 1 }), exact: true })
    await counted.waitFor({ timeout: 5000 })
    await expect.poll(() => page.title()).toMatch(/^\(1\) /)

    await press(counted)
    const list = page.getByRole('region', { name: say('decisions-ui-title') })
    await list.getByText(say('decisions-approval', { pipeline: 'lights', number, stage: 'ship' })).waitFor()
    await check()
    await press(list.getByRole('button', { name: say('pipelines-ui-approve') }))
    const dialog = page.getByRole('dialog', { name: say('pipelines-ui-approve-stage-title', { stage: 'ship' }) })
    await choose(dialog.getByLabel('WHERE', { exact: true }), 'pier')
    await write(dialog.getByRole('textbox', { name: say('pipelines-ui-review-reason') }), 'the tide is right')
    await check()
    await press(dialog.getByRole('button', { name: say('pipelines-ui-approve') }))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: bell }).waitFor()
    await expect.poll(() => page.title()).not.toMatch(/^\(/)

    expect(await ended(starts, id, number)).toMatchObject({ state: 'success', parameters: { WHERE: 'pier' } })
    const { stages } = await starts.call(builds.get, { params: { id, number } })
    expect(stages[0]?.gate?.decisions).toMatchObject([
      { name: leader, pass: true, reason: 'the tide is right', parameters: { WHERE: 'pier' } },
    ])
    await story.end()
  })

  test('the dashboard shows it as a card, which disappears when somebody else decides', async () => {
    const { number } = await starts.call(builds.trigger, { params: { id }, body: {} })
    const story = await suite().enter(leader)
    const { page, say, press, check } = story
    const card = page.getByRole('region', { name: say('decisions-ui-title') })
    await card.waitFor()
    await check()
    await takePicture(page, 'what-waits', look)
    await press(card.getByRole('link'))
    await page.getByRole('heading', { name: say('pipelines-ui-build-number', { number }) }).waitFor()
    await page.getByText(say('state-needs-approval')).first().waitFor()
    await check()
    await takePicture(page, 'build-that-waits', look)
    await page.goBack()
    await card.waitFor()
    await starts.call(builds.stop, { params: { id, number } })
    await card.waitFor({ state: 'hidden' })
    await story.end()
  })
})
