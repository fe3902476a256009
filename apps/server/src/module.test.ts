import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defineModule, findModules } from './module.ts'

test('a manifest with an unknown name or of a wrong shape is a type error', () => {
  // @ts-expect-error rooms declare no such thing
  defineModule({ sweeps: [] })
  // @ts-expect-error a job is a value with a schedule, not a function
  defineModule({ jobs: [() => Promise.resolve()] })
  // @ts-expect-error the refusal of a team's deletion is a phrase
  defineModule({ onTeamDelete: { phrase: 'no such phrase', count: () => Promise.resolve(0) } })
  expect(defineModule({ jobs: [] })).toEqual({ jobs: [] })
})

test('a manifest file that exports nothing stops the start and is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-modules-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'sheds/tools'), { recursive: true })
  await writeFile(join(folder, 'sheds/tools/tools.module.ts'), 'export const room = {}\n')
  await expect(findModules(undefined, folder)).rejects.toThrow('sheds/tools/tools.module.ts does not export module')
})
