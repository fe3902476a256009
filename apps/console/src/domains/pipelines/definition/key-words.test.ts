import { Definition } from '@gantry/contract/pipelines/definition'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { useConsole } from '../../../../test/app.tsx'
import { completionsAt, keyAt, type Schema } from '../../../ui/editor/schema-completion.ts'
import { stepTypes } from './draft.ts'
import { wordsOfKey } from './key-words.ts'

useConsole()

const schema = z.toJSONSchema(Definition, { io: 'input', unrepresentable: 'any' }) as Schema

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ['stages', undefined, 'Stages', undefined],
  ['stages.mode', undefined, 'Begins', undefined],
  [
    'stages.mode',
    'approve',
    'After approval',
    'When enough people have agreed; whoever started the build does not count',
  ],
  [
    'stages.jobs.matrix',
    undefined,
    'Matrix',
    'One job for each combination of the values. Its steps have them in their environment.',
  ],
  ['stages.jobs.when.result', 'failed', 'Only if something has failed', undefined],
  ['stages.steps.type', 'checkout', 'Check out', undefined],
  ['stages.steps.checkout.type', 'script', 'Script', undefined],
  ['stages.jobs.steps.checkout.depth', undefined, 'Commits to fetch', expect.any(String)],
  [
    'stages.steps.report.files',
    undefined,
    'Files',
    'JUnit XML files in the workspace: * matches within a name, ** across folders',
  ],
  ['stages.name', undefined, 'Name', undefined],
  ['stages.steps.script.name', undefined, 'Name', undefined],
  ['stages.jobs.services.environment', undefined, 'Environment variables', undefined],
  ['stages.steps.script.environment', undefined, 'Environment variables', expect.stringContaining('this step')],
  ['stages.steps.deploy.stackUuid', undefined, 'Stack', 'The stack that the service runs in'],
  ['stages.steps.copy.registryId', undefined, expect.any(String), expect.any(String)],
  ['stages.steps.image.ports', undefined, 'Ports', undefined],
  ['stages.steps.image.tag', undefined, 'Tag', undefined],
  ['stages.steps.scan.limits.high', undefined, expect.any(String), undefined],
  ['stages.steps.script.when.branches', undefined, 'Branches', expect.stringContaining('patterns')],
  ['stages.steps.deploy.create.volumes', undefined, undefined, undefined],
  ['stages.other', 'name', undefined, undefined],
])('%s %s', (path, value, name, help) => expect(wordsOfKey(path, value)).toEqual({ name, help }))

test('all fields of every type of step have the texts of their form', () => {
  const wordless = stepTypes.flatMap((type) => {
    const text = `stages:\n  - steps:\n      - type: ${type}\n        `
    const { options = [] } = completionsAt(text, text.length, schema) ?? {}
    expect(options.length).toBeGreaterThan(0)
    return options.filter(({ path }) => wordsOfKey(path).name === undefined).map(({ path }) => path)
  })
  expect(wordless).toEqual([])
})

test('the key under the pointer is shown with its label', () => {
  const text = 'stages:\n  - jobs:\n      - executor: container\n'
  expect(wordsOfKey(keyAt(text, text.indexOf('executor'), schema)?.path ?? '')).toEqual({
    name: 'Executor',
    help: 'How the agent runs the steps',
  })
})
