import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { tapd as calls } from '@gantry/contract/trackers/tapd'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { simulatedJira } from '../apps/server/test/simulated-jira.ts'
import { simulatedTapd } from '../apps/server/test/simulated-tapd.ts'
import { ended } from './builds.ts'
import { stories } from './story.ts'

/** An administrator connects a Jira, and a simulated TAPD; a build shows the issue it names, and comments on it. */
stories(
  'issue trackers',
  (suite, { language }) => {
    let jira: Awaited<ReturnType<typeof simulatedJira>>
    beforeAll(async () => {
      jira = await simulatedJira()
    })
    afterAll(() => jira.close())

    test('a Jira is tested and connected, and a build comments on its issue', async () => {
      const { product } = suite()
      const { id: teamId } = await product.admin.call(teams.create, { body: { name: `trackers-${language}` } })
      const { id: appId } = await product.admin.call(groups.create, { params: { teamId }, body: { name: 'shop' } })
      const pipeline = await product.admin.call(definitions.create, {
        body: {
          appId,
          projectName: 'web',
          definition: { stages: [{ name: 'all', steps: [{ type: 'script', name: 'hello', run: 'echo hello' }] }] },
        },
      })
      const name = `jira-${language}`
      const issue = jira.issue('SHOP-1', 'Baskets lose their content')
      const story = await suite().enter('admin')
      const { page, say, press, pick, write, field, check, reach } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const dialog = page.getByRole('dialog')
      const inDialog = (text: string) => dialog.getByRole('button', { name: text, exact: true })

      await page.goto('/sysconfig/continuous-delivery/jira')
      await press(button(say('trackers-ui-add')).first())
      await write(field(say('trackers-ui-name')), name)
      await write(field(say('trackers-ui-url')), jira.url)
      await write(field(say('trackers-ui-email')), jira.email)
      await write(field(say('trackers-ui-token')), 'wrong')
      await press(inDialog(say('trackers-ui-verify')))
      await dialog.getByText(say('trackers-token', { host: new URL(jira.url).host })).waitFor()
      await check()
      await write(field(say('trackers-ui-token')), jira.token)
      await press(inDialog(say('trackers-ui-verify')))
      await dialog.getByText(say('trackers-ui-info', { version: jira.version, login: 'Build robot' })).waitFor()
      await reach(field(say('trackers-ui-projects')))
      await page.keyboard.type('SHOP ')
      await reach(field(say('trackers-ui-comment')))
      await page.keyboard.press('Space')
      await write(field(say('trackers-ui-transition')), 'Done')
      await check()
      await press(inDialog(say('trackers-ui-add')))
      await dialog.waitFor({ state: 'hidden' })
      const menu = button(say('ui-actions-of', { name }))
      await menu.waitFor()
      await page.getByText(say('trackers-ui-reached'), { exact: true }).waitFor()
      await check()

      const body = { branch: 'feature/SHOP-1-baskets' }
      const { number } = await product.admin.call(builds.trigger, { params: { id: pipeline.id }, body })
      const build = await ended(product.admin, pipeline.id, number)
      expect(build.state).toBe('success')
      await expect.poll(() => issue.comments.length, { timeout: 60_000 }).toBe(1)
      await expect.poll(() => issue.status).toBe('Done')
      await page.goto(`/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${pipeline.id}/history/1/info`)
      await page.getByText(issue.summary).waitFor()
      await page.getByText(say('trackers-ui-told-done')).waitFor()
      await check()

      await page.goto('/sysconfig/continuous-delivery/jira')
      await pick(menu, say('ui-delete'))
      await dialog.getByText(say('trackers-ui-goes')).waitFor()
      await press(inDialog(say('ui-delete')))
      await expect.poll(() => page.getByText(name, { exact: true }).count()).toBe(0)
      await story.end(/\/api\/jira\//)
    })

    test('TAPD is tested and connected, and a build shows the story that its commit names', async () => {
      const { product } = suite()
      const { admin } = product
      const tapd = await simulatedTapd()
      onTestFinished(() => void tapd.close())
      const item = tapd.add('stories', '1001234', 'Baskets lose their content', 'developing')
      const { id: teamId } = await admin.call(teams.create, { body: { name: `trackers-tapd-${language}` } })
      const { id: appId } = await admin.call(groups.create, { params: { teamId }, body: { name: 'shop' } })
      const pipeline = await admin.call(definitions.create, {
        body: {
          appId,
          projectName: 'web',
          definition: { stages: [{ name: 'all', steps: [{ type: 'script', name: 'hello', run: 'echo hello' }] }] },
        },
      })
      const story = await suite().enter('admin')
      const { page, say, press, write, field, check, reach } = story
      const form = page.locator('form').filter({ hasText: say('tapd-ui-enabled') })
      const save = form.getByRole('button', { name: say('ui-save'), exact: true })

      await page.goto('/sysconfig/continuous-delivery/cd/common')
      await write(field(say('tapd-ui-url')), tapd.url)
      await write(field(say('tapd-ui-user')), tapd.user)
      await write(field(say('tapd-ui-password')), 'wrong')
      await reach(field(say('tapd-ui-workspaces')))
      await page.keyboard.type(`${tapd.workspace} `)
      await write(field(say('tapd-ui-status')), 'resolved')
      await press(save)
      await page.getByText(say('tapd-login', { host: new URL(tapd.url).host })).waitFor()
      await check()
      await write(field(say('tapd-ui-password')), tapd.password)
      await press(save)
      await expect.poll(async () => (await admin.call(calls.get))?.enabled).toBe(true)
      await check()

      const body = { branch: '--story=1001234' }
      const { number } = await admin.call(builds.trigger, { params: { id: pipeline.id }, body })
      expect((await ended(admin, pipeline.id, number)).state).toBe('success')
      await expect.poll(() => item.comments.length, { timeout: 60_000 }).toBe(1)
      await expect.poll(() => item.status).toBe('resolved')
      await page.goto(`/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${pipeline.id}/history/1/info`)
      await page.getByText(item.name).waitFor()
      await page.getByText(say('trackers-ui-told-done')).waitFor()
      await check()
      await story.end(/\/api\/tapd\//)
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off' },
)
