import { currentCompletions, startCompletion } from '@codemirror/autocomplete'
import { EditorView } from '@codemirror/view'
import { Definition } from '@gantry/contract/pipelines/definition'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openApp, press, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { pipeline } from '../../../../test/pipelines.ts'
import { permissions } from '../../../api/permissions.ts'
import { keepYamlDraft, yamlDraft } from '../../../ui/editor/yaml-draft.ts'
import { routes } from '../routes.tsx'

useConsole()

const stored = {
  stages: [
    {
      name: 'Test',
      steps: [
        { type: 'checkout', name: 'Get', depth: 1, submodules: 'direct' },
        { type: 'report', name: 'Publish', files: '**/*.xml', failOnFailure: true, always: true },
      ],
    },
    { name: 'Ship', steps: [{ type: 'artifact', name: 'Keep', files: 'out/**' }] },
  ],
  revision: 5,
  text: '',
}
const path = '/api/projects/2/pipelines/4/orchestration'
const open = () => openApp('/teams/1/cd/pipeline_group_id/2/pipeline_id/4/orch-pipeline', routes)
async function editorOf(): Promise<EditorView> {
  const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'Stages and steps as YAML' }))
  if (!view) throw new Error('no editor')
  return view
}
const put = () => sent.findLast((call) => call.method === 'PUT')?.body

beforeEach(() => {
  signedIn()
  permissions.set(['pipeline_pipeline_view', 'pipeline_pipeline_edit'].map((name) => ({ name, enable: true })))
  server({
    'GET /api/v2/pipelines/4': pipeline(),
    [`GET ${path}`]: stored,
    'GET /api/projects/2/pipelines/4/setting': { parameters: [{ name: 'TARGET' }] },
    'GET /api/v2/pipelines/4/lint': [],
    'POST /api/v2/pipelines/4/lint': [],
    [`PUT ${path}`]: ({ body }: { body: unknown }) => ({ ...(body as object), revision: 6 }),
  })
})

describe('stages and steps', () => {
  test('move by buttons, across stages too, and are saved with their original revision', async () => {
    await open()
    fireEvent.click(await screen.findByRole('button', { name: 'Move Publish down' }))
    press('Save')
    await waitFor(() => expect(put()).toBeDefined())
    expect(put()).toMatchObject({
      revision: 5,
      stages: [{ steps: [{ name: 'Get' }] }, { steps: [{ name: 'Publish' }, { name: 'Keep' }] }],
    })
    await screen.findByText('All changes saved')
  })

  test('are not sent while there are problems, which are shown at their fields', async () => {
    await open()
    fireEvent.click(await screen.findByRole('button', { name: /^Keep/ }))
    fireEvent.change(screen.getByLabelText('Files'), { target: { value: '/etc/passwd' } })
    press('Save')
    await screen.findByText('Problems to fix: 1')
    expect(screen.getByLabelText('Files').getAttribute('aria-invalid')).toBe('true')
    expect(put()).toBeUndefined()
  })

  test('cause a message if somebody else saved meanwhile, and no input is lost', async () => {
    server({ [`PUT ${path}`]: refusal(409, 'pipelines-changed-since', 'Someone else has saved the pipeline') })
    await open()
    fireEvent.click(await screen.findByRole('button', { name: 'Move Get down' }))
    press('Save')
    const note = await screen.findByRole('alert')
    within(note).getByRole('button', { name: 'Copy my version as YAML' })
    screen.getByText('Unsaved changes')
    server({ [`GET ${path}`]: { stages: [{ name: 'Theirs', steps: stored.stages[1]?.steps }], revision: 9, text: '' } })
    fireEvent.click(within(note).getByRole('button', { name: 'Load the saved version' }))
    await screen.findByDisplayValue('Theirs')
    screen.getByText('All changes saved')
  })

  test('are rebased if somebody else changed them meanwhile, and shown for review first', async () => {
    server({ [`PUT ${path}`]: refusal(409, 'pipelines-changed-since', 'revision 9 by now') })
    await open()
    fireEvent.click(await screen.findByRole('button', { name: /^Keep/ }))
    fireEvent.change(screen.getByLabelText('Files'), { target: { value: 'mine/**' } })
    press('Save')
    const note = await screen.findByRole('alert')
    const theirs = {
      ...stored.stages[0],
      steps: [{ type: 'script', name: 'Theirs', run: 'true', shell: 'sh', environment: [] }],
    }
    server({
      [`GET ${path}`]: { stages: [theirs, stored.stages[1]], revision: 9, text: '' },
      [`PUT ${path}`]: ({ body }: { body: unknown }) => ({ ...(body as object), revision: 10 }),
    })
    fireEvent.click(within(note).getByRole('button', { name: 'Apply to the current revision' }))
    const dialog = await screen.findByRole('dialog', { name: 'Your changes to lights' })
    within(dialog).getByText(/based on revision 9/)
    await within(dialog).findByRole('group', { name: /Changes: old/ })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(put()).toMatchObject({
        revision: 9,
        stages: [{ name: 'Test', steps: [{ name: 'Theirs' }] }, { steps: [{ name: 'Keep', files: 'mine/**' }] }],
      }),
    )
    await screen.findByText('All changes saved')
  })

  test('ask before unsaved changes are left', async () => {
    const { at } = await open()
    fireEvent.click(await screen.findByRole('button', { name: 'Move Get down' }))
    fireEvent.click(screen.getByRole('link', { name: 'Settings' }))
    const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
    expect(at()).toContain('orch-pipeline')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(at()).toContain('setting'))
  })

  test('are shown with a mark for a draft in the YAML, which can be discarded', async () => {
    keepYamlDraft('definition-4', 'stages: []')
    const { at } = await open()
    await screen.findByText(/^The YAML has a draft of .+ that is not applied and not shown here/)
    press('Open the YAML')
    await waitFor(() => expect(at()).toContain('view=yaml'))
    fireEvent.click(screen.getByRole('tab', { name: 'Form' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Discard draft' }))
    expect(screen.queryByText(/^The YAML has a draft/)).toBeNull()
    expect(yamlDraft('definition-4')).toBeUndefined()
  })

  test('are read-only without the permission', async () => {
    permissions.set([{ name: 'pipeline_pipeline_view', enable: true }])
    await open()
    fireEvent.click(await screen.findByRole('button', { name: /^Keep/ }))
    expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull()
    expect((screen.getByLabelText('Files') as HTMLInputElement).disabled).toBe(true)
  })

  test('can be restored after removal', async () => {
    await open()
    fireEvent.click(await screen.findByRole('button', { name: 'Remove Ship' }))
    expect(screen.queryByDisplayValue('Ship')).toBeNull()
    press('Bring it back')
    await screen.findByDisplayValue('Ship')
    screen.getByText('All changes saved')
  })

  test('become parallel jobs when another one is added', async () => {
    await open()
    fireEvent.click((await screen.findAllByRole('button', { name: 'Run another job beside it' }))[1] as HTMLElement)
    press('Save')
    await screen.findByText('Problems to fix: 1')
    expect(put()).toBeUndefined()
    fireEvent.click(screen.getByRole('button', { name: 'Move Publish down' }))
    fireEvent.click(screen.getByRole('button', { name: 'Move Keep down' }))
    press('Save')
    await waitFor(() =>
      expect(put()).toMatchObject({
        stages: [
          { steps: [{ name: 'Get' }] },
          {
            jobs: [
              { name: 'Ship', steps: [{ name: 'Publish' }] },
              { name: 'Job', steps: [{ name: 'Keep' }] },
            ],
          },
        ],
      }),
    )
  })

  test('keep their workspace for a retry if that is enabled', async () => {
    await open()
    fireEvent.click(await screen.findByRole('button', { name: 'Settings of Test' }))
    fireEvent.click(await screen.findByRole('switch', { name: 'Keep workspace for a retry' }))
    press('Save')
    await waitFor(() => expect(put()).toMatchObject({ stages: [{ name: 'Test', keepsWorkspace: true }, {}] }))
  })

  test('keep the axes of a matrix in the order in which they were written', async () => {
    const matrix = { axes: { zeta: ['1'], b: ['2'], alpha: ['3'] }, exclude: [] }
    const steps = [{ type: 'artifact', name: 'Keep', files: 'out/**' }]
    server({
      [`GET ${path}`]: { stages: [{ name: 'Test', jobs: [{ name: 'All', matrix, steps }] }], text: '', revision: 5 },
    })
    await open()
    fireEvent.click(await screen.findByRole('button', { name: /^All/ }))
    const axes = await screen.findAllByRole<HTMLInputElement>('textbox', { name: /^Axis \d$/ })
    expect(axes.map(({ value }) => value)).toEqual(['zeta', 'b', 'alpha'])
    fireEvent.change(axes[1] as HTMLElement, { target: { value: 'beta' } })
    press('Save')
    await waitFor(() => expect(put()).toBeDefined())
    const { stages, text } = put() as { stages: { jobs: { matrix: typeof matrix }[] }[]; text: string }
    expect(Object.keys(stages[0]?.jobs[0]?.matrix.axes ?? {})).toEqual(['zeta', 'beta', 'alpha'])
    expect(text).toMatch(/zeta:[^]*beta:[^]*alpha:/)
  })

  test('are completed from the public schema in the YAML, with the texts of the form', async () => {
    keepYamlDraft('definition-4', 'stages:\n  - mo')
    const schema = z.toJSONSchema(Definition, { io: 'input', unrepresentable: 'any' })
    server({ 'GET /api/pipelines/schema.json': Response.json(schema) })
    await open()
    fireEvent.click(await screen.findByRole('tab', { name: 'YAML' }))
    const view = await editorOf()
    view.dispatch({ selection: { anchor: view.state.doc.length } })
    startCompletion(view)
    await expect
      .poll(() => currentCompletions(view.state).map(({ label, detail }) => [label, detail]))
      .toContainEqual(['mode', 'Begins'])
  })

  test('name the pipeline and the blueprint to which they refer', async () => {
    const steps = [
      { type: 'pipeline', name: 'Call', pipelineId: 9 },
      { type: 'blueprint', name: 'Upgrade', stackUuid: '', blueprintId: 7 },
      { type: 'blueprint', name: 'Gone', stackUuid: '', blueprintId: 8 },
    ]
    server({
      [`GET ${path}`]: { stages: [{ name: 'Test', steps }], text: '', revision: 5 },
      'GET /api/v2/pipelines/9': pipeline({ id: 9, projectName: 'engines' }),
      'GET /orchestration/api/1/blueprint/7': { id: 7, productName: 'Shop', version: '1.2' },
      'GET /orchestration/api/1/blueprint/8': refusal(404, 'resource-missing', 'There is no such thing'),
    })
    await open()
    fireEvent.click(await screen.findByRole('button', { name: /^Call/ }))
    await screen.findByText('engines')
    fireEvent.click(screen.getByRole('button', { name: /^Upgrade/ }))
    await screen.findByText('Shop 1.2')
    fireEvent.click(screen.getByRole('button', { name: /^Gone/ }))
    await screen.findByText('8')
  })

  test('stay in the YAML while its text cannot be parsed', async () => {
    await open()
    fireEvent.click(await screen.findByRole('tab', { name: 'YAML' }))
    const view = await editorOf()
    const type = (insert: string) => act(() => view.dispatch({ changes: { from: view.state.doc.length, insert } }))
    type('# a comment\n')
    type('  - mo')
    await waitFor(() => expect(yamlDraft('definition-4')?.text).toMatch(/# a comment\n {2}- mo$/))
    expect(view.dom.isConnected).toBe(true)
    type('de')
    await waitFor(() => expect(yamlDraft('definition-4')?.text).toMatch(/mode$/))
  })

  test('are saved with the comments in the YAML', async () => {
    const text = `stages:\n  # thorough\n  - name: Test\n    steps:\n      - { name: Get, type: checkout }\n`
    const stages = [{ name: 'Test', steps: [{ type: 'checkout', name: 'Get', depth: 1 }] }]
    server({ [`GET ${path}`]: { stages, text, revision: 5 } })
    await open()
    fireEvent.change(await screen.findByDisplayValue('Test'), { target: { value: 'Check' } })
    press('Save')
    await waitFor(() => expect(put()).toMatchObject({ text: text.replace('Test', 'Check') }))
  })

  test('that cannot run are marked at their place, in the form and in the text, and are saved', async () => {
    const gone = { path: 'stages.1.steps.0.files', key: 'x', text: 'Keep is in vain', fatal: false }
    const words = (text: string) => [{ ...gone, text }]
    server({
      'GET /api/v2/pipelines/4/lint': words('Keep is in vain'),
      'POST /api/v2/pipelines/4/lint': words('Keep is still in vain'),
    })
    await open()
    const card = async () => within(await screen.findByRole('region', { name: 'Ship' }))
    await (await card()).findByText('Keep is in vain')
    screen.getByText('1 thing that cannot run yet')
    fireEvent.click(screen.getByRole('button', { name: 'Move Get down' }))
    await (await card()).findByText('Keep is still in vain')
    fireEvent.click(screen.getByRole('tab', { name: 'YAML' }))
    await screen.findByRole('button', { name: 'Line 14, column 16: Keep is still in vain' })
    fireEvent.click(screen.getByRole('tab', { name: 'Form' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Save' }))
    await waitFor(() => expect(put()).toBeDefined())
  })
})
