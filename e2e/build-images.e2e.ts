import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { expect, test } from 'vitest'
import { stories } from './story.ts'

/** An administrator adds a build image for a team, a job uses it, and it is published to all teams. */
stories(
  'build images',
  (suite, { language }) => {
    const name = `tools-${language}`

    test('an image is added, used by a job, published, and cannot be deleted while it is used', async () => {
      const { product } = suite()
      const { id: teamId } = await product.admin.call(teams.create, { body: { name: `build-${language}` } })
      const { id: appId } = await product.admin.call(groups.create, { params: { teamId }, body: { name: 'builds' } })
      const steps = [{ type: 'script' as const, name: 'run', run: 'true' }]
      const jobs = [{ name: 'job', executor: 'container' as const, steps }]
      const { id } = await product.admin.call(definitions.create, {
        body: { appId, projectName: 'contained', definition: { stages: [{ name: 'only', jobs }] } },
      })
      const story = await suite().enter('admin')
      const { page, say, press, pick, choose, find, write, field, check } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const dialog = page.getByRole('dialog')
      const inDialog = (text: string) => dialog.getByRole('button', { name: text, exact: true })
      const menu = button(say('ui-actions-of', { name }))

      await page.goto('/sysconfig/build/internal')
      await page.getByText('alpine:3').first().waitFor()
      await check()

      await page.goto('/sysconfig/build/customer')
      await press(button(say('build-images-ui-add')).first())
      await write(field(say('build-images-ui-name')), name)
      await write(field(say('build-images-ui-image')), 'registry.example.org/tools/java:21')
      await find(field(say('build-images-ui-team')), `build-${language}`)
      await check()
      await press(inDialog(say('build-images-ui-add')))
      await menu.waitFor()
      await pick(menu, say('build-images-ui-clusters-choose'))
      await field(say('build-images-ui-clusters')).waitFor()
      await check()
      await press(inDialog(say('ui-cancel')))

      await page.goto(`/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}/orch-pipeline`)
      await press(page.getByRole('button', { name: `job ${say('pipelines-ui-job')}` }))
      await choose(page.getByLabel(say('pipelines-ui-job-image')), `${name} · registry.example.org/tools/java:21`)
      await check()
      await press(button(say('ui-save')))
      await page.getByText(say('pipelines-ui-saved')).waitFor()

      await page.goto('/sysconfig/build/customer')
      await pick(menu, say('build-images-ui-publish'))
      await check()
      await press(inDialog(say('build-images-ui-publish')))
      await expect.poll(() => page.getByText(name, { exact: true }).count()).toBe(0)
      await page.goto(`/sysconfig/build/internal?keyword=${name}`)
      await pick(menu, say('ui-delete'))
      await press(inDialog(say('ui-delete')))
      await page.getByText(say('build-images-in-use', { name, count: 1, pipelines: 'contained' })).waitFor()
      await check()
      await story.end(/\/api\/build-images\/\d+$/)
    })
  },
  { GANTRY_SANDBOX: 'off', GANTRY_EMBEDDED_AGENT: 'off' },
)
