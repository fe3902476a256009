import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { Parameter } from '@gantry/contract/pipelines/parameters'
import { type Pipeline, Repository } from '@gantry/contract/pipelines/pipelines'
import { openApp, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { pipeline } from '../../../../test/pipelines.ts'
import { permissions } from '../../../api/permissions.ts'
import { routes } from '../routes.tsx'

useConsole()

const at = '2026-01-01T00:00:00Z'
const repository = Repository.parse({ url: 'https://git.example.org/a.git', branch: 'main' })
type LastBuild = NonNullable<Pipeline['lastBuild']>
const listedPipeline = (id: number, projectName: string, last: Omit<LastBuild, 'cause' | 'userCause'> | null) =>
  pipeline({ id, projectName, repository, lastBuild: last && { cause: 'manual', userCause: 'ada', ...last } })
const listed = <T,>(items: T[], totalSize = items.length) => ({ items, requestPage: 1, pageSize: 10, totalSize })
const may = (...names: string[]) =>
  permissions.set(['pipeline_pipeline_view', ...names].map((name) => ({ name, enable: true })))
const setting = (parameters: z.input<typeof Parameter>[]) => ({
  parameters: parameters.map((one) => Parameter.parse(one)),
  repository: { branch: 'main' },
})
const trigger = (path: string) => sent.find((call) => call.method === 'POST' && call.path.endsWith(path))

/** In tests antd gives every dialog the same id, so a dialog is found by its text. */
async function theDialog(title: string): Promise<HTMLElement> {
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(title)
  return dialog
}

beforeEach(() => {
  signedIn()
  may('pipeline_build_execute', 'pipeline_build_delete', 'pipeline_pipeline_delete', 'pipeline_pipeline_create')
  server({
    'POST /api/tickets': refusal(404, 'resource-missing', 'no push here'),
    'GET /api/tenants/1/pipelines': listed([
      listedPipeline(4, 'lights', { number: 9, state: 'success', startedAt: at, endedAt: at }),
      listedPipeline(5, 'tide', { number: 3, state: 'building', startedAt: at, endedAt: null }),
    ]),
    'GET /api/projects/2/pipelines/4/setting': setting([]),
    'POST /api/v2/pipelines/4/trigger/manual': { number: 10, queueId: 1 },
    'POST /api/v2/pipelines/4/paramsTrigger': { number: 11, queueId: 2 },
  })
})

describe('the list of pipelines', () => {
  test('runs a pipeline and opens its build', async () => {
    const { at } = await openApp('/teams/1/cd', routes)
    fireEvent.click(await screen.findByRole('button', { name: 'Run lights' }))
    await waitFor(() => expect(at()).toContain('/pipeline_id/4/history/10/info'))
  })

  test('asks for parameters first, and sends an emptied one as empty', async () => {
    server({
      'GET /api/projects/2/pipelines/4/setting': setting([
        { name: 'TARGET', description: 'Where to', defaultValue: 'quay' },
        { name: 'NOTE', description: '', defaultValue: 'x' },
      ]),
    })
    const { at } = await openApp('/teams/1/cd', routes)
    fireEvent.click(await screen.findByRole('button', { name: 'Run lights' }))
    const dialog = await theDialog('Run lights')
    fireEvent.change(within(dialog).getByLabelText('TARGET'), { target: { value: 'dock' } })
    fireEvent.change(within(dialog).getByLabelText('NOTE'), { target: { value: '' } })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Run' }))
    await waitFor(() => expect(at()).toContain('/history/11/info'))
    expect(trigger('/paramsTrigger')?.body).toMatchObject({ branch: 'main', parameters: { TARGET: 'dock', NOTE: '' } })
  })

  test('opens no options dialog for a pipeline without options, and says so', async () => {
    server({ 'GET /api/projects/2/pipelines/4/setting': { parameters: [], repository: null } })
    await openApp('/teams/1/cd', routes)
    fireEvent.click(await screen.findByRole('button', { name: 'Actions for lights' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Run with options…' }))
    await screen.findByText(/^lights has neither a branch nor parameters to choose/)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('offers to stop a running build, and not to run another', async () => {
    await openApp('/teams/1/cd', routes)
    await screen.findByRole('button', { name: 'Stop the build of tide' })
    expect(screen.queryByRole('button', { name: 'Run tide' })).toBeNull()
  })

  test('names what is deleted with a pipeline before it is deleted', async () => {
    server({ 'GET /api/v2/pipelines/4/builds': listed([], 41) })
    await openApp('/teams/1/cd', routes)
    fireEvent.click(await screen.findByRole('button', { name: 'Actions for lights' }))
    fireEvent.click(await screen.findByText('Delete'))
    const dialog = await theDialog('Delete the pipeline lights?')
    expect(dialog.textContent).toContain('(41)')
    expect(within(dialog).getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true')
  })

  test('sends the query in the address to the server', async () => {
    await openApp('/teams/1/cd?state=failed&groupId=2&keyword=li&page=3', routes)
    await screen.findByText('lights')
    const query = sent.find((call) => call.path === '/api/tenants/1/pipelines')?.query
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      state: 'failed',
      groupId: '2',
      keyword: 'li',
      requestPage: '3',
    })
  })

  test('without a pipeline offers the first step, and says who may take it', async () => {
    server({ 'GET /api/tenants/1/pipelines': listed([]) })
    may()
    await openApp('/teams/1/cd', routes)
    await screen.findByRole('heading', { name: 'No pipelines yet' })
    for (const button of screen.getAllByRole('button', { name: 'Create pipeline' }))
      expect(button.getAttribute('aria-disabled')).toBe('true')
  })
})
