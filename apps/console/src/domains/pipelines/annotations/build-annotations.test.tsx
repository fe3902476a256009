import type { Annotation } from '@gantry/contract/pipelines/findings/annotations'
import type { Build } from '@gantry/contract/pipelines/builds'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openPage, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { BuildAnnotations } from './build-annotations.tsx'

useConsole()

const annotation = (more: Partial<Annotation>): Annotation => ({
  id: 1,
  level: 'error',
  file: 'src/a.c',
  line: 3,
  column: 5,
  message: "expected ';'",
  step: 2,
  stepName: 'Compile',
  logLine: 40,
  ...more,
})
const list = 'GET /api/v2/pipelines/4/builds/12/annotations'
const build = { pipelineId: 4, number: 12, state: 'failed' } as Build
const answer = (items: Annotation[]) => ({ items, requestPage: 1, pageSize: 50, totalSize: items.length })

test('a problem shows its place, and opens its line of the log', async () => {
  signedIn()
  server({ [list]: answer([annotation({}), annotation({ id: 2, column: null, file: 'b.py', logLine: null })]) })
  const show = vi.fn()
  await openPage(() => <BuildAnnotations build={build} show={show} />)
  await screen.findByText('src/a.c:3:5')
  screen.getByText('b.py:3')
  const [first, second] = screen.getAllByRole('button', { name: 'Compile' })
  if (first) fireEvent.click(first)
  if (second) fireEvent.click(second)
  expect(show.mock.calls).toEqual([
    [2, 41],
    [2, null],
  ])
})

test('while a build runs, the list says that problems may still appear', async () => {
  signedIn()
  server({ [list]: answer([]) })
  await openPage(() => <BuildAnnotations build={{ ...build, state: 'building' }} show={() => undefined} />)
  await screen.findByText('Logs are searched for errors and warnings once the build has ended')
})
