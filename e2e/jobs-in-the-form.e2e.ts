import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { newUser } from './product.ts'
import { stories } from './story.ts'
import { takePicture } from './walk/pictures.ts'

/** Parallel jobs, a matrix, a condition and an approval: first in the form alone, then as text of the same document. */

stories('jobs in the form', (suite, look) => {
  const { language } = look
  const leader = `jobs-${language}`
  let teamId = 0
  let appId = 0
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `jobs-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    ;({ id: appId } = await product.admin.call(groups.create, { params: { teamId }, body: { name: 'forms' } }))
  })
  const empty = async (projectName: string) => {
    const { admin } = suite().product
    const { id } = await admin.call(definitions.create, { body: { appId, projectName, definition: { stages: [] } } })
    return { params: { appId, pipelineId: id }, at: `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}` }
  }

  test('jobs entered field by field give the document that a user would have written', async () => {
    const { admin } = suite().product
    const [formed, written] = [await empty('formed'), await empty('written')]
    const story = await suite().enter(leader)
    const { page, say, press, write, pick, choose, reach, check } = story
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const field = (key: Parameters<typeof say>[0]) => page.getByLabel(new RegExp(`^${say(key)}`)).last()
    const type = async (texts: string[]) => {
      for (const text of texts) {
        await page.keyboard.insertText(text)
        await page.keyboard.press('Enter')
      }
    }
    const addScript = async () => {
      await pick(button(say('pipelines-ui-step-add')).last(), say('pipelines-ui-step-script'))
      await reach(page.getByRole('textbox', { name: say('pipelines-ui-script') }).last())
      await page.keyboard.insertText('true')
      // Tab belongs to the editor until Escape
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
    }
    const save = async ({ params }: { params: { appId: number; pipelineId: number } }) => {
      await press(button(say('ui-save')))
      await expect.poll(async () => (await admin.call(definitions.get, { params })).stages.length).toBe(2)
    }

    await page.goto(`${formed.at}/orch-pipeline`)
    await press(button(say('pipelines-ui-stage-add')))
    await write(page.getByLabel(say('pipelines-ui-stage-name', { number: 1 })), 'test')
    await press(button(say('pipelines-ui-job-add')))
    await write(page.getByLabel(say('pipelines-ui-name'), { exact: true }).last(), 'unit')
    await press(button(say('pipelines-ui-matrix-axis-add')))
    await write(page.getByLabel(say('pipelines-ui-matrix-axis', { number: 1 })), 'RUNTIME')
    await reach(page.getByLabel(say('pipelines-ui-matrix-values', { axis: 'RUNTIME' })))
    await type(['v22', 'v24'])
    await pick(button(say('pipelines-ui-when-add')), say('pipelines-ui-when-branches'))
    await reach(field('pipelines-ui-when-branches'))
    await type(['main'])
    await check()
    await takePicture(page, 'jobs-in-the-form', look)
    await addScript()
    await press(button(say('pipelines-ui-job-add')))
    await write(page.getByLabel(say('pipelines-ui-name'), { exact: true }).last(), 'lint')
    await addScript()
    await press(button(say('pipelines-ui-stage-add')))
    await write(page.getByLabel(say('pipelines-ui-stage-name', { number: 2 })), 'ship')
    await press(button(say('pipelines-ui-stage-settings', { name: 'ship' })))
    await choose(field('pipelines-ui-mode'), say('pipelines-ui-mode-approve-name'))
    await addScript()
    await check()
    await save(formed)

    const script = say('pipelines-ui-step-script')
    const text = `stages:
  - name: test
    jobs:
      - name: unit
        matrix:
          axes:
            RUNTIME:
              - v22
              - v24
        when:
          branches:
            - main
        steps:
          - type: script
            name: ${script}
            run: "true"
      - name: lint
        steps:
          - type: script
            name: ${script}
            run: "true"
  - name: ship
    mode: approve
    steps:
      - type: script
        name: ${script}
        run: "true"`
    const editor = page.getByRole('textbox', { name: say('pipelines-ui-yaml') })
    const openText = async (at: string) => {
      await page.goto(`${at}/orch-pipeline?view=yaml`)
      await editor.waitFor()
    }
    const lines = async () => (await editor.locator('.cm-line').allInnerTexts()).join('\n').trimEnd()

    await openText(written.at)
    await reach(editor)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(text)
    // the first Escape closes the completion of the last word
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await press(button(say('ui-yaml-review')))
    await save(written)
    const [one, other] = await Promise.all(
      [formed, written].map(({ params }) => admin.call(definitions.get, { params })),
    )
    expect(one?.stages).toEqual(other?.stages)
    await openText(formed.at)
    // the text has the order of the schema, and includes defaults
    for (const part of [/RUNTIME:\s+- v22\s+- v24/, /branches:\s+- main/, /mode: approve/])
      expect(await lines()).toMatch(part)
    await story.end()
  })
})
