import { alarmChannels } from '@gantry/contract/alarms/channels'
import { notificationRules } from '@gantry/contract/notifications/rules'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { runBuild } from './builds.ts'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** A team's credentials and Dockerfiles, notifications of builds, and the retention of builds' data. */
stories('what surrounds pipelines', (suite, { language }) => {
  let teamId = 0
  let appId = 0
  let id = 0
  const leader = `tools-lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `tools-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    ;({ id: appId } = await product.admin.call(groups.create, { params: { teamId }, body: { name: 'harbour' } }))
    const run = { type: 'script' as const, name: 'run', run: 'mkdir -p dist && echo ok > dist/app.txt' }
    const keep = { type: 'artifact' as const, name: 'keep', files: 'dist/*' }
    ;({ id } = await product.admin.call(definitions.create, {
      body: { appId, projectName: 'lights', definition: { stages: [{ name: 'all', steps: [run, keep] }] } },
    }))
  })

  test('a credential and a Dockerfile are stored, changed, cloned and deleted', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, write, pick, choose, field, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const gone = () => dialog.waitFor({ state: 'hidden' })
    const menu = (name: string) => button(say('ui-actions-of', { name }))

    await page.goto(`/teams/${teamId}/cd/credentials`)
    await page.getByRole('heading', { name: say('pipelines-ui-no-credentials') }).waitFor()
    await check()
    await press(button(say('pipelines-ui-credential-create')).first())
    await write(field(say('pipelines-ui-name')), 'forge')
    await choose(field(say('pipelines-ui-credential-kind')), say('pipelines-ui-credential-token'))
    await write(dialog.getByLabel(say('pipelines-ui-credential-host')), 'git.example.org')
    await write(dialog.getByLabel(say('pipelines-ui-credential-secret'), { exact: true }), 'open sesame')
    await check()
    await press(dialog.getByRole('button', { name: say('pipelines-ui-credential-create') }))
    await gone()
    await page.getByText('git.example.org').waitFor()
    await check()
    await pick(menu('forge'), say('ui-delete'))
    await press(dialog.getByRole('button', { name: say('ui-delete') }))
    await page.getByRole('heading', { name: say('pipelines-ui-no-credentials') }).waitFor()

    await page.goto(`/teams/${teamId}/dockerfile`)
    await press(button(say('dockerfiles-ui-create')).first())
    await write(field(say('dockerfiles-ui-name')), 'service')
    await press(dialog.locator('.cm-content'))
    await page.keyboard.insertText('FROM node\nCMD ["node"]\n')
    // Tab indents in the editor; Escape leaves it
    await page.keyboard.press('Escape')
    await press(dialog.getByRole('button', { name: say('dockerfiles-ui-create') }))
    await gone()
    await pick(menu('service'), say('dockerfiles-ui-open'))
    await dialog.getByText(say('dockerfiles-lint-latest', { image: 'node' })).waitFor()
    await check()
    await page.keyboard.press('Escape')
    await gone()
    await pick(menu('service'), say('dockerfiles-ui-clone'))
    await check()
    await press(dialog.getByRole('button', { name: say('dockerfiles-ui-clone') }))
    await gone()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    await story.end()
  })

  test('a rule notifies of a failed build; one without recipients is refused at its field', async () => {
    const { product } = suite()
    const chat = { name: 'harbour', kind: 'slack' as const, url: 'https://8.8.8.8/harbour' }
    await product.admin.call(alarmChannels.save, { params: { team_id: teamId }, body: chat })
    const story = await suite().enter(leader)
    const { page, say, press, write, choose, tick, pick, field, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    await page.goto(`/teams/${teamId}/cd/pipeline-groups`)
    await press(button(say('route-cd-notification-rules')))
    await page.getByRole('heading', { name: say('notifications-ui-rules-none') }).waitFor()
    await check()
    await press(button(say('notifications-ui-rule-add')).first())
    await write(field(say('notifications-ui-name')), 'broken')
    const [starter, decider] = [say('notifications-ui-triggerer'), say('notifications-ui-deciders')]
    for (const name of [starter, decider]) await tick(dialog.getByRole('switch', { name }))
    await check()
    await press(dialog.getByRole('button', { name: say('ui-save') }))
    await dialog.getByText(say('notification-rule-nobody')).first().waitFor()
    await check()
    await tick(dialog.getByRole('switch', { name: starter }))
    await choose(dialog.getByLabel(say('notifications-ui-methods')), chat.name)
    await check()
    await press(dialog.getByRole('button', { name: say('ui-save') }))
    await dialog.waitFor({ state: 'hidden' })
    const summary = say('notifications-ui-methods-count', { count: 1 })
    await page.getByRole('cell', { name: `${starter}, ${summary}` }).waitFor()
    await check()
    const { items } = await product.admin.call(notificationRules.list, { params: { teamId } })
    expect(items).toMatchObject([{ name: 'broken', triggerer: true, deciders: false, channels: ['mail'] }])
    await pick(button(say('ui-actions-of', { name: 'broken' })), say('ui-delete'))
    await press(dialog.getByRole('button', { name: say('ui-delete') }))
    await page.getByRole('heading', { name: say('notifications-ui-rules-none') }).waitFor()
    // the refusal is an answer of the server
    await story.end(/notification-rules/)
  })

  test('a webhook to an internal address is refused with the reason, and no input is lost', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, write, field, check } = story
    await page.goto('/sysconfig/continuous-delivery/WebHook/WebHookMain')
    await press(page.getByRole('button', { name: say('webhooks-ui-add') }).first())
    await write(field(say('webhooks-ui-name')), 'chat')
    await write(field(say('webhooks-ui-url')), 'http://169.254.169.254/hook')
    await write(field(say('webhooks-ui-secret')), 'a secret')
    await check()
    await press(page.getByRole('button', { name: say('ui-save') }))
    await page.getByText(say('outbound-refused')).waitFor()
    await check()
    expect(await field(say('webhooks-ui-name')).inputValue()).toBe('chat')
    await story.end(/webhook/)
  })

  test('a pipeline is paused and resumed; a build is pinned, its file is found, and the report counts it', async () => {
    const { product } = suite()
    const build = await runBuild(product.admin, id)
    expect(build.state).toBe('success')
    const story = await suite().enter(leader)
    const { page, say, press, write, pick, field, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const at = `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}`

    await page.goto(`${at}/history`)
    await pick(button(say('ui-actions-of', { name: 'lights' })), say('pipelines-ui-pause'))
    await write(field(say('pipelines-ui-pause-reason')), 'lamps are out')
    await check()
    await press(dialog.getByRole('button', { name: say('pipelines-ui-pause') }))
    await dialog.waitFor({ state: 'hidden' })
    const { number } = await product.admin.call(builds.trigger, { params: { id }, body: {} })
    await page.goto(`${at}/history/${number}/info`)
    await page.getByText('lamps are out').first().waitFor()
    await check()
    await page.goto(`${at}/history`)
    await pick(button(say('ui-actions-of', { name: 'lights' })), say('pipelines-ui-resume'))
    await expect
      .poll(async () => (await product.admin.call(builds.get, { params: { id, number } })).state, { timeout: 60_000 })
      .toBe('success')
    await pick(
      button(say('ui-actions-of', { name: say('pipelines-ui-build-number', { number: 1 }) })),
      say('pipelines-ui-pin'),
    )
    await page.getByLabel(say('pipelines-ui-pinned')).waitFor()
    await check()

    await page.goto(`${at}/history/1/artifacts`)
    await press(page.getByText('dist').first())
    await page.getByText('app.txt').waitFor()
    await check()
    await page.goto(`${at}/report-index`)
    await page.locator('h1').waitFor()
    await check()
    await story.end()
  })
})
