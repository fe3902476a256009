import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** The stages of a pipeline: problems, versions, a draft that runs unsaved; clones, and the columns of the list. */

stories('definitions', (suite, { language, width }) => {
  const leader = `lead-${language}-${width}`
  let place = ''
  let teamId = 0
  beforeAll(async () => {
    const { admin } = suite().product
    ;({ id: teamId } = await admin.call(teams.create, { body: { name: `definitions-${language}-${width}` } }))
    await newUser(suite().product, leader, { teamId, roleId: 'leader' })
    const { id: appId } = await admin.call(groups.create, { params: { teamId }, body: { name: 'shop' } })
    const made = (run: string) => [{ name: 'only', steps: [{ type: 'script' as const, name: 'make', run }] }]
    const { id } = await admin.call(definitions.create, {
      body: { appId, projectName: 'web', definition: { stages: made('echo one') } },
    })
    const params = { appId, pipelineId: id }
    await admin.call(definitions.set, { params, body: { stages: made('echo two') } })
    place = `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}`
  })

  test('versions are compared; one is opened as a draft, checked, run and saved', async () => {
    const { page, say, press, pick, check } = await suite().enter(leader)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(`${place}/versions`)
    const actions = (revision: number) =>
      button(say('ui-actions-of', { name: say('pipelines-ui-version-number', { revision }) }))
    await actions(2).waitFor()
    await check()
    await pick(actions(2), say('pipelines-ui-version-compare'))
    await page.getByRole('dialog').getByText('definition.stages.only.steps.make.run').waitFor()
    await check()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    await pick(actions(1), say('pipelines-ui-version-restore'))
    await button(say('pipelines-ui-run-draft')).waitFor()
    await check()
    await pick(button(say('pipelines-ui-step-add')), say('pipelines-ui-step-script'))
    await press(button(say('pipelines-ui-undo')))
    for (const type of ['pipelines-ui-step-http', 'pipelines-ui-step-pipeline'] as const) {
      await pick(button(say('pipelines-ui-step-add')), say(type))
      await check()
      await press(button(say('pipelines-ui-undo')))
    }
    await press(button(say('pipelines-ui-job-beside')))
    await check()
    await press(button(say('pipelines-ui-undo')))
    await press(button(say('pipelines-ui-run-draft')))
    const build = page.getByRole('link', { name: say('pipelines-ui-build-number', { number: 1 }) })
    await build.waitFor()
    await check()
    await press(button(say('ui-save')))
    await page.getByText(say('pipelines-ui-saved')).waitFor()
    await page.goto(`${place}/history/1/info`)
    await page.getByText(say('pipelines-ui-draft-not-saved')).waitFor()
    await check()
  })

  test('a key and its value are completed and explained while they are typed', async () => {
    const story = await suite().enter(leader)
    const { page, say, reach, check } = story
    const editor = page.getByRole('textbox', { name: say('pipelines-ui-yaml') })
    const options = page.getByRole('listbox', { name: say('ui-editor-completions') }).getByRole('option')
    await page.goto(`${place}/orch-pipeline?view=yaml`)
    await reach(editor)
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type('  - mo')
    await options.getByText(say('pipelines-ui-mode')).waitFor()
    await page.getByText(say('ui-editor-default', { value: 'auto' })).waitFor()
    await check()
    await page.keyboard.press('Enter')
    await options.getByText(say('pipelines-ui-mode-approve-name')).waitFor()
    await check()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await editor.getByText('mode: approve').waitFor()
    await check()
    await story.end()
  })

  test('a pipeline is cloned from the list, under a new name', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, write, pick, field, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(`/teams/${teamId}/cd`)
    await pick(button(say('ui-actions-of', { name: 'web' })), say('pipelines-ui-clone'))
    const name = field(say('pipelines-ui-clone-name'))
    await expect.poll(() => name.inputValue()).toBe('web-2')
    await check()
    await write(name, 'web')
    await press(button(say('pipelines-ui-clone')))
    await page.getByRole('alert').first().waitFor()
    await check()
    await write(name, 'web-copy')
    await press(button(say('pipelines-ui-clone')))
    await page.getByRole('heading', { level: 1 }).getByText('web-copy').waitFor()
    await check()
    await page.goto(`/teams/${teamId}/cd`)
    await page.getByRole('link', { name: 'web-copy', exact: true }).waitFor()
    await story.end(/\/clone/)
  })

  test('a list keeps the chosen columns after a reload', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, check } = story
    const cells = (title: Parameters<typeof say>[0]) => page.locator(`td[data-label="${say(title)}"]`)
    const entry = (title: Parameters<typeof say>[0]) =>
      page.getByRole('menuitemcheckbox', { name: say(title), exact: true })
    const toggle = async (title: Parameters<typeof say>[0]) => {
      await entry(title).waitFor()
      while (!(await entry(title).evaluate((one) => one === document.activeElement)))
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    await page.goto(`/teams/${teamId}/cd`)
    await cells('pipelines-ui-last-build').first().waitFor()
    expect(await cells('pipelines-ui-branch').count()).toBe(0)
    await press(page.getByRole('button', { name: say('ui-columns'), exact: true }))
    await toggle('pipelines-ui-branch')
    await cells('pipelines-ui-branch').first().waitFor()
    await check()
    await toggle('pipelines-ui-last-build')
    await cells('pipelines-ui-last-build').first().waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await page.reload()
    await cells('pipelines-ui-branch').first().waitFor()
    expect(await cells('pipelines-ui-last-build').count()).toBe(0)
    await check()
    await story.end()
  })
})
