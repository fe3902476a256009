import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** Triggers of builds, and copies of pipelines. */

stories('triggers', (suite, { language }) => {
  let teamId = 0
  let appId = 0
  const leader = `triggers-lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `triggers-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    ;({ id: appId } = await product.admin.call(groups.create, { params: { teamId }, body: { name: 'harbour' } }))
  })

  test('a schedule and a webhook are added, and a reported push starts a build', async () => {
    const { product } = suite()
    const script = { type: 'script' as const, name: 'run', run: 'echo "$TARGET"' }
    const { id, uuid } = await product.admin.call(definitions.create, {
      body: { appId, projectName: 'lights', definition: { stages: [{ name: 'all', steps: [script] }] } },
    })
    const story = await suite().enter(leader)
    const { page, say, press, write, reach, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const at = `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}`

    await page.goto(`${at}/setting`)
    await press(button(say('pipelines-ui-parameter-add')))
    await check()
    await page.goto(`${at}/setting?tab=triggers`)
    await page.getByRole('heading', { name: say('pipelines-ui-trigger-none') }).waitFor()
    await check()

    await press(button(say('pipelines-ui-trigger-add')).first())
    await dialog.getByRole('radio').first().waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('ui-save') }))
    await page.getByText(/^whsec_/).waitFor()
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? ''
    await check()
    await press(button(say('ui-secret-kept')))

    await press(button(say('pipelines-ui-trigger-add')).first())
    await reach(dialog.getByRole('radio').first())
    await page.keyboard.press('ArrowRight')
    const cron = dialog.getByLabel(say('pipelines-ui-trigger-cron'), { exact: true })
    await write(cron, '0 0 31 2 *')
    await dialog.getByText('0 0 31 2 *').waitFor()
    await check()
    await write(cron, '0 3 * * *')
    await expect.poll(() => dialog.getByRole('status').textContent()).toContain(':00:00')
    await check()
    await press(dialog.getByRole('button', { name: say('ui-save') }))
    await page.getByText('0 3 * * *').waitFor()

    const answer = await fetch(`${product.url}/api/v2/pipelines/${uuid}/trigger`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret.trim() },
      body: JSON.stringify({ ref: 'refs/heads/main', after: 'a'.repeat(40), commits: [], total_commits_count: 0 }),
    })
    expect(answer.status).toBe(200)
    await page.getByRole('link', { name: say('pipelines-ui-trigger-started', { number: 1 }) }).waitFor()
    await check()
    await story.end(/pipeline-schedules/)
  })

  test('a pipeline and its group are cloned, and an administrator sees the groups of all teams', async () => {
    const { product } = suite()
    const { id } = await product.admin.call(definitions.create, { body: { appId, projectName: 'tide' } })
    const story = await suite().enter(leader)
    const { page, say, press, write, check } = story
    await page.goto(`/teams/${teamId}/cd/clone?pipelineId=${id}`)
    const name = page.getByLabel(say('pipelines-ui-clone-name'), { exact: true })
    await expect.poll(() => name.inputValue()).toBe('tide-2')
    await check()
    await press(page.getByRole('button', { name: say('pipelines-ui-clone'), exact: true }))
    await page.getByRole('heading', { level: 1, name: 'tide-2' }).waitFor()

    await page.goto(`/teams/${teamId}/cd/clone?what=group&pipelineId=${id}`)
    await write(page.getByLabel(say('pipelines-ui-clone-name'), { exact: true }), 'harbour again')
    await write(page.getByLabel(new RegExp(`^${say('pipelines-ui-clone-suffix')}`)), '-3')
    await check()
    await press(page.getByRole('button', { name: say('pipelines-ui-clone'), exact: true }))
    await page.getByText('tide-2-3').waitFor()
    await story.end()

    const admin = await suite().enter('admin')
    await admin.page.goto('/sysconfig/continuous-delivery/project?keyword=harbour')
    await admin.page.getByText('harbour again').first().waitFor()
    await admin.check()
    await admin.end()
  })

  test('a build waits until another user has approved its trigger, two clicks away', async () => {
    const { product } = suite()
    const script = { type: 'script' as const, name: 'run', run: 'true' }
    const { id } = await product.admin.call(definitions.create, {
      body: { appId, projectName: 'gate', definition: { stages: [{ name: 'all', steps: [script] }] } },
    })
    const at = `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}`
    const story = await suite().enter(leader)
    const { page, say, press, tick, write, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')

    await page.goto(`${at}/examine-history`)
    await page.getByRole('heading', { name: say('pipelines-ui-reviews-none') }).waitFor()
    await check()
    await press(button(say('pipelines-ui-review-set')))
    await tick(dialog.getByRole('switch'))
    await dialog.getByLabel(say('pipelines-ui-review-count'), { exact: true }).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('ui-save') }))
    await dialog.waitFor({ state: 'hidden' })

    await product.admin.call(builds.trigger, { params: { id }, body: {} })
    await page.goto(`${at}/history/1/info`)
    await page.getByText(say('pipelines-ui-review-waits', { passed: 0, needed: 1 })).waitFor()
    await check()
    await press(button(say('pipelines-ui-approve')))
    await write(dialog.getByRole('textbox'), 'OK')
    await check()
    await press(dialog.getByRole('button', { name: say('pipelines-ui-approve') }))
    await page.getByText(say('pipelines-ui-review-waits', { passed: 0, needed: 1 })).waitFor({ state: 'hidden' })
    await page.goto(`${at}/examine-history`)
    await page.getByText(say('pipelines-ui-review-passed-by', { name: leader })).waitFor()
    await check()
    await story.end()
  })
})
