import { codeQuality } from '@gantry/contract/code-quality/results'
import { sonarqubes } from '@gantry/contract/code-quality/sonarqube'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeSonar } from '../apps/server/test/fake-sonar.ts'
import { runBuild } from './builds.ts'
import { stories } from './story.ts'

/** An administrator configures the code quality server; a pipeline uses it, and fails beyond its limits. */
stories(
  'code quality',
  (suite, { language }) => {
    let sonar: Awaited<ReturnType<typeof fakeSonar>>
    beforeAll(async () => {
      sonar = await fakeSonar()
    })
    afterAll(() => sonar.close())

    test('a server is configured, a step is added, and its results are shown', async () => {
      const { product } = suite()
      const { id: teamId } = await product.admin.call(teams.create, { body: { name: `quality-${language}` } })
      const { id: appId } = await product.admin.call(groups.create, { params: { teamId }, body: { name: 'checks' } })
      const pipeline = await product.admin.call(definitions.create, {
        body: { appId, projectName: 'checked', definition: { stages: [] } },
      })
      const story = await suite().enter('admin')
      const { page, say, press, write, pick, field, check, reach } = story
      const button = (name: string) => page.getByRole('button', { name, exact: true })

      await page.goto('/sysconfig/continuous-delivery/cd/common')
      await write(field(say('code-quality-ui-url')), sonar.url)
      await write(field(say('code-quality-ui-token')), 'squ_wrong')
      await press(button(say('ui-save')).first())
      await page.getByText(say('code-quality-token', { host: new URL(sonar.url).host })).waitFor()
      await check()
      await write(field(say('code-quality-ui-token')), sonar.token)
      await press(button(say('ui-save')).first())
      await page.getByText(say('code-quality-ui-version', { version: sonar.version })).waitFor()
      await check()

      const { projectKey } = await product.admin.call(codeQuality.projectKey, { params: { uuid: pipeline.uuid } })
      const found = { bugs: '3', vulnerabilities: '0', code_smells: '7', duplicated_lines_density: '0.5' }
      const task = sonar.analysed(projectKey, found, { submittedAt: '2999-01-01T00:00:00+0000' })
      const at = `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${pipeline.id}`
      await page.goto(`${at}/orch-pipeline`)
      await press(button(say('pipelines-ui-stage-add')))
      await write(field(say('pipelines-ui-stage-name', { number: 1 })), 'check')
      await pick(button(say('pipelines-ui-step-add')), say('pipelines-ui-step-code-quality'))
      // the way back to the limits leads through the editor, which Tab leaves only after Escape
      await reach(page.getByRole('textbox', { name: say('code-quality-ui-run') }))
      await page.keyboard.press('Escape')
      await write(page.getByLabel(say('code-quality-ui-limit-bugs')), '2')
      await write(page.getByLabel(say('code-quality-ui-limit-coverage')), '80')
      await reach(page.getByRole('textbox', { name: say('code-quality-ui-run') }))
      await page.keyboard.insertText(`echo ceTaskId=${task} > "$HOME/.gantry-analysis-0"`)
      await page.keyboard.press('Escape')
      await check()
      await press(button(say('ui-save')).first())
      await page.getByText(say('pipelines-ui-saved')).waitFor()

      const build = await runBuild(product.admin, pipeline.id)
      expect(build.state).toBe('failed')
      await page.goto(`${at}/history/${build.number}/info?tab=code-quality`)
      await page.getByText(say('code-quality-ui-refused'), { exact: true }).waitFor()
      await page.getByText(say('code-quality-ui-at-least', { limit: '80%' })).waitFor()
      await page.getByText(say('code-quality-ui-unmeasured')).waitFor()
      await check()
      // the story in the other look uses its own server
      await product.admin.call(sonarqubes.set, { body: { url: '', token: '' } })
      await story.end(/\/api\/sonarqubes$/)
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off' },
)
