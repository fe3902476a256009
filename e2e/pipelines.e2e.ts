import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { gitServer, type GitServer } from '../apps/agent/test/git-server.ts'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** A pipeline from its repository to a build, its log and its results; and a list of many pipelines. */

const slow = `for n in $(seq 1 40)
do
  echo "line $n"
  sleep 0.05
done
echo done > report.txt
# the first build ends, the next one is there to be stopped
[ "$GANTRY_BUILD_NUMBER" = 1 ] || sleep 600
`

let git: GitServer
beforeAll(async () => {
  git = await gitServer()
  await git.commit('main', { 'readme.md': 'words\n' }, 'First words')
})
afterAll(() => git?.close())

stories(
  'pipelines',
  (suite, { language, width }) => {
    let teamId = 0
    const leader = `lead-${language}`
    beforeAll(async () => {
      const { product } = suite()
      ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `team-${language}` } }))
      await newUser(product, leader, { teamId, roleId: 'leader' })
    })

    test('a pipeline is created, edited, run, followed, searched and stopped', async () => {
      const story = await suite().enter(leader)
      const { page, say, press, write, pick, choose, reach, check } = story
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const field = (name: string) => page.getByLabel(name, { exact: true })
      const dialog = page.getByRole('dialog')

      await page.goto(`/teams/${teamId}/cd`)
      await page.getByRole('heading', { name: say('pipelines-ui-none') }).waitFor()
      await check()
      await press(button(say('pipelines-ui-create')).first())
      await reach(page.getByRole('radio', { name: say('pipelines-onboard-way-repository') }))
      await page.keyboard.press('ArrowDown')
      await write(field(say('pipelines-ui-name')), 'walk')
      await press(button(say('pipelines-ui-group-new')))
      await write(dialog.getByLabel(say('pipelines-ui-name')), 'walks')
      await check()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })

      await write(field(say('pipelines-ui-url')), `${git.url}/smart/nothing.git`)
      await press(button(say('pipelines-ui-check')))
      await page.getByRole('alert').waitFor()
      await check()
      await write(field(say('pipelines-ui-url')), `${git.url}/smart/hello.git`)
      await press(button(say('pipelines-ui-check')))
      await page.getByText(say('pipelines-ui-reached', { count: 1 })).waitFor()
      await reach(page.getByRole('radio', { name: say('pipelines-ui-template-test-name') }))
      await page.keyboard.press('ArrowUp')
      expect(await page.getByRole('radio', { name: say('pipelines-ui-template-empty-name') }).isChecked()).toBe(true)
      await check()
      await press(button(say('pipelines-ui-create')))

      await press(button(say('pipelines-ui-stage-add')))
      await write(field(say('pipelines-ui-stage-name', { number: 1 })), 'walking')
      const add = async (type: string) => pick(button(say('pipelines-ui-step-add')), type)
      await add(say('pipelines-ui-step-checkout'))
      await add(say('pipelines-ui-step-script'))
      await reach(page.getByRole('textbox', { name: say('pipelines-ui-script') }).last())
      await page.keyboard.insertText(slow)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      await add(say('pipelines-ui-step-artifact'))
      await write(page.getByLabel(say('pipelines-ui-files')).last(), 'report.txt')
      await page.keyboard.press('Enter')
      await check()
      await press(button(say('ui-save')))
      await page.getByText(say('pipelines-ui-saved')).waitFor()
      await reach(page.getByRole('tab', { name: say('pipelines-ui-view-form') }))
      await page.keyboard.press('ArrowRight')
      await page.getByRole('textbox', { name: say('pipelines-ui-yaml') }).waitFor()
      await check()

      await press(button(say('pipelines-ui-run')))
      const log = page.getByRole('region', {
        name: say('pipelines-ui-log-of', { step: say('pipelines-ui-step-script') }),
      })
      await log.getByText('line 3', { exact: true }).waitFor()
      // Selected, so that it stays open when the next step begins.
      await press(
        page
          .getByRole('list', { name: say('pipelines-ui-stages') })
          .getByRole('button')
          .nth(1),
      )
      await check()
      await log.getByText('line 40', { exact: true }).waitFor()
      await write(page.getByPlaceholder(say('pipelines-ui-log-search')), 'line 17')
      await page.keyboard.press('Enter')
      await page.getByText(say('ui-log-hits', { at: 1, count: 1 })).waitFor()
      await check()
      await page.getByRole('heading', { level: 1 }).getByText(say('state-success')).waitFor()
      await reach(page.getByRole('tab', { name: say('ui-log'), exact: true }))
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await page.getByText('report.txt').waitFor()
      const download = page.waitForEvent('download')
      await press(button(say('pipelines-ui-download-of', { name: 'report.txt' })))
      expect((await download).suggestedFilename()).toBe('report.txt')
      await check()

      await press(button(say('pipelines-ui-run-again')))
      await page.waitForURL('**/history/2/info**')
      await press(button(say('pipelines-ui-stop')))
      await dialog.getByText(say('pipelines-ui-stop-text')).waitFor()
      await check()
      await press(dialog.getByRole('button', { name: say('pipelines-ui-stop') }))
      await page.getByRole('heading', { level: 1 }).getByText(say('state-aborted')).waitFor()
      await check()

      // A figure on the dashboard opens the list that it counts.
      await page.goto(`/teams/${teamId}/dashboard`)
      await press(page.getByRole('link', { name: say('dashboard-builds-day') }).first())
      await page.waitForURL('**/cd/builds?**')
      const builds = page.getByRole('row').filter({ hasText: 'walk' })
      await expect.poll(() => builds.count()).toBe(2)
      await check()
      await choose(page.getByRole('combobox', { name: say('pipelines-ui-state') }), say('state-success'))
      await expect.poll(() => builds.count()).toBe(1)
      await press(builds.getByRole('link').last())
      await page.waitForURL('**/pipeline_id/**')
      await story.end(/repositories\/check/)
    })

    test('many pipelines: search, state, group, order and page are in the address, and survive a reload and going back', async () => {
      const { product, enter } = suite()
      const { id: appId } = await product.admin.call(groups.create, { params: { teamId }, body: { name: 'many' } })
      for (let n = 10; n < 36; n += 1)
        await product.admin.call(definitions.create, {
          body: { appId, projectName: `many-${n}`, definition: { stages: [] } },
        })
      const story = await enter(leader)
      const { page, say, press, write, choose, check } = story
      const rows = () => page.getByRole('row').filter({ has: page.getByRole('link', { name: /^many-/ }) })
      const visible = () =>
        rows()
          .getByRole('link', { name: /^many-/ })
          .allInnerTexts()
      const names = (from: number) => Array.from({ length: 5 }, (_, at) => `many-${from + at}`)
      await page.goto(`/teams/${teamId}/cd`)
      await write(page.getByRole('searchbox'), 'many')
      await page.keyboard.press('Enter')
      await expect.poll(() => rows().count()).toBe(5)
      await choose(page.getByRole('combobox', { name: say('pipelines-ui-group') }), 'many')
      await choose(page.getByRole('combobox', { name: say('pipelines-ui-state') }), say('pipelines-ui-state-never'))
      if (width > 600) {
        await press(page.getByRole('button', { name: say('pipelines-ui-name'), exact: true }))
        await expect.poll(visible).toEqual(names(10))
      }
      await press(page.getByRole('button', { name: say('ui-page-next') }))
      const second = names(15)
      await expect.poll(visible).toEqual(second)
      await check()
      const address = page.url()
      expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({
        page: '2',
        keyword: 'many',
        state: 'never',
        groupId: String(appId),
        ...(width > 600 ? { sort: 'projectName' } : {}),
      })
      await page.reload()
      await expect.poll(visible).toEqual(second)
      await press(rows().first().getByRole('link').first())
      await page.waitForURL('**/history')
      // The address changes before the screen does.
      await page.getByRole('heading', { level: 1, name: second[0] ?? '' }).waitFor()
      await check()
      await page.goBack()
      await expect.poll(visible).toEqual(second)
      expect(page.url()).toBe(address)
      await write(page.getByRole('searchbox'), 'many-3')
      await page.keyboard.press('Enter')
      await expect.poll(visible).toEqual(names(30))
      await write(page.getByRole('searchbox'), 'none such')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: say('ui-nothing-matches') }).waitFor()
      await check()
      await story.end()
    })

    test('its stages move into the repository, fail there with line and column, and are moved back', async () => {
      const { product } = suite()
      // a separate repository, because other stories check the branches of the shared one
      const git = await gitServer()
      onTestFinished(() => git.close())
      const branch = `stages-${language}`
      const file = (step: string) =>
        `# of the repository\nstages:\n  - name: Sail\n    steps:\n      - name: ${step}\n        type: script\n        run: echo ${step}\n`
      await git.commit(branch, { '.gantry.yaml': file('ashore') }, 'The stages')
      const { id: appId } = await product.admin.call(groups.create, { params: { teamId }, body: { name: 'harbour' } })
      const { id } = await product.admin.call(definitions.create, {
        body: {
          appId,
          projectName: 'sails',
          repository: { url: `${git.url}/smart/hello.git`, branch },
          definition: { stages: [{ name: 'Here', steps: [{ type: 'script', name: 'here', run: 'true' }] }] },
        },
      })
      const place = `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}`
      const story = await suite().enter(leader)
      const { page, say, press, reach, check } = story
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const dialog = page.getByRole('dialog')

      await page.goto(`${place}/orch-pipeline`)
      await press(button(say('pipelines-ui-file-export')))
      await dialog.getByText('# yaml-language-server').waitFor()
      await check()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })

      await page.goto(`${place}/setting`)
      await reach(page.getByRole('radio', { name: say('pipelines-ui-definition-console') }))
      await page.keyboard.press('ArrowDown')
      await story.field(say('pipelines-ui-definition-path')).waitFor()
      await check()
      await press(button(say('ui-save')))
      await page
        .getByText(say('save-success', { object: 'sails' }))
        .first()
        .waitFor()

      await page.goto(`${place}/orch-pipeline`)
      await page.getByText('name: ashore').waitFor()
      await check()
      await press(button(say('pipelines-ui-run')))
      await page.getByRole('heading', { level: 1 }).getByText(say('state-success')).waitFor()
      await page.getByText(say('pipelines-ui-build-definition-at', { path: '.gantry.yaml' })).waitFor()
      await check()

      await git.commit(branch, { '.gantry.yaml': file('adrift').replace('run:', 'runs:') }, 'Broken')
      await page.goto(`${place}/orch-pipeline`)
      await page
        .getByText(say('pipelines-ui-file-problems', { count: 2 }))
        .first()
        .waitFor()
      await page.getByText('runs: echo adrift').waitFor()
      await check()
      await press(button(say('pipelines-ui-run')))
      await page.getByRole('heading', { level: 1 }).getByText(say('state-failed')).waitFor()
      await page.getByText(say('pipelines-ui-file-place', { line: 7, column: 9 }), { exact: true }).waitFor()
      await check()

      await git.commit(branch, { '.gantry.yaml': file('home') }, 'Mended')
      await page.goto(`${place}/versions`)
      await page.getByText(say('pipelines-ui-versions-file', { path: '.gantry.yaml' })).waitFor()
      await check()
      await page.goto(`${place}/orch-pipeline`)
      await page.getByText('name: home').waitFor()
      await press(button(say('pipelines-ui-file-take-over')))
      await check()
      await press(dialog.getByRole('button', { name: say('pipelines-ui-file-take-over') }))
      await page.getByText('Sail').first().waitFor()
      await button(say('pipelines-ui-file-export')).waitFor()
      await check()
      await story.end()
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8' },
)
