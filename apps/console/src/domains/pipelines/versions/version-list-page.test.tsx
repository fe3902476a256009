import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openApp, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { pipeline } from '../../../../test/pipelines.ts'
import { permissions } from '../../../api/permissions.ts'
import { routes } from '../routes.tsx'

useConsole()

const version = (revision: number, fields: string[]) => ({
  revision,
  by: 'ann',
  at: '2026-11-26T01:00:00Z',
  fields,
  created: revision === 1,
  current: revision === 3,
})
const documentOf = (run: string) => ({
  appId: 2,
  projectName: 'web',
  repository: null,
  definition: { stages: [{ name: 'Test', steps: [{ type: 'script', name: 'make', run }] }] },
  definitionText: '',
})

beforeEach(() => {
  signedIn()
  permissions.set(['pipeline_pipeline_view', 'pipeline_pipeline_edit'].map((name) => ({ name, enable: true })))
  const items = [version(3, ['definition']), version(2, ['variables']), version(1, ['definition'])]
  server({
    'GET /api/v2/pipelines/4': pipeline(),
    'GET /api/v2/pipelines/4/versions': { items, totalSize: 3, requestPage: 1, pageSize: 10 },
    'GET /api/v2/pipelines/4/versions/3/difference': {
      fields: [{ path: 'definition.stages.Test.steps.make.run', before: 'one', after: 'two' }],
      secrets: ['variables'],
      before: documentOf('one'),
      after: documentOf('two'),
    },
    'GET /api/v2/pipelines/4/versions/2': { ...version(2, ['variables']), document: documentOf('old words') },
    'GET /api/projects/2/pipelines/4/orchestration': {
      stages: [{ name: 'Test', steps: [{ type: 'script', name: 'make', run: 'new words' }] }],
      revision: 3,
      text: '',
    },
    'GET /api/projects/2/pipelines/4/setting': { parameters: [] },
    'GET /api/v2/pipelines/4/lint': [],
    'POST /api/v2/pipelines/4/lint': [],
  })
})

const open = () => openApp('/teams/1/cd/pipeline_group_id/2/pipeline_id/4/versions', routes)

async function choose(row: string, action: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Actions for ${row}` }))
  fireEvent.click(await screen.findByRole('menuitem', { name: action }))
}

test('two versions are compared field by field and as text, and a replaced secret is named', async () => {
  await open()
  await choose('Version 3', 'Compare versions')
  const table = within(await screen.findByRole('table', { name: 'Fields that differ' }))
  table.getByText('definition.stages.Test.steps.make.run')
  table.getByText('one')
  table.getByText('two')
  screen.getByText(/: Variables/)
  await screen.findByLabelText('Changes: old on the left, new on the right')
})

test('the stages of an earlier version open in the form as an unsaved draft', async () => {
  const { at } = await open()
  await choose('Version 2', 'Open stages as a draft')
  await screen.findByText(/^The stages of version 2 \(ann, /)
  expect(at()).toContain('version=2')
  await screen.findByText('old words')
  screen.getByText('Unsaved changes')
})
