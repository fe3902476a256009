import { Definition } from '@gantry/contract/pipelines/definition'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { completionsAt, keyAt, type Schema } from './schema-completion.ts'

/** As the server publishes it. */
const schema = z.toJSONSchema(Definition, { io: 'input', unrepresentable: 'any' }) as Schema

/** `|` is the cursor. */
function at(text: string): [string, number] {
  const offset = text.indexOf('|')
  return [text.slice(0, offset) + text.slice(offset + 1), offset]
}
const labels = (text: string): string[] => completionsAt(...at(text), schema)?.options.map(({ label }) => label) ?? []

/** The text with the completion of that label. */
function complete(text: string, label: string): string {
  const [whole, offset] = at(text)
  const found = completionsAt(whole, offset, schema)
  const option = found?.options.find((one) => one.label === label)
  if (!found || !option) throw new Error(`no ${label} in ${labels(text).join(', ')}`)
  return `${whole.slice(0, found.from)}${option.text}|${whole.slice(found.to)}`
}

const stageKeys = ['name', 'mode', 'approval', 'when', 'steps', 'jobs', 'handsOn', 'keepsWorkspace']
const without = (...taken: string[]): string[] => stageKeys.filter((key) => !taken.includes(key))
const conditions = ['branches', 'tags', 'paths', 'result', 'parameter', 'output']
const everyStep = ['name', 'always', 'when', 'type']
const checkout = ['always', 'when', 'depth', 'submodules']

describe('completions at the cursor', () => {
  test.each<[string, string, string[]]>([
    ['an empty text', '|', ['stages']],
    ['the first item of a list', 'stages:\n  - |', stageKeys],
    ['a list that is not indented', 'stages:\n- |', stageKeys],
    ['a half-typed key', 'stages:\n  - name: a\n    mo|', without('name')],
    ['a key with a value', 'stages:\n  - name: a\n    mo|de: auto', without('name')],
    ['a key above others', 'stages:\n  - |\n    name: a\n    steps: []', without('name', 'steps')],
    ['a key between others', 'stages:\n  - name: a\n    |\n    steps:\n      - type: script', without('name', 'steps')],
    [
      'a key of the second item',
      'stages:\n  - name: a\n    mode: auto\n  - name: b\n    |\n  - name: c',
      without('name'),
    ],
    ['values of a key', 'stages:\n  - name: a\n    mode: |', ['auto', 'manual', 'approve']],
    ['a half-typed value', 'stages:\n  - mode: ma|', ['auto', 'manual', 'approve']],
    ['a value in quotes', 'stages:\n  - mode: "ma|"', ['auto', 'manual', 'approve']],
    ['a value on a line of its own', 'stages:\n  - mode:\n      |', ['auto', 'manual', 'approve']],
    ['a value before a comment', 'stages:\n  - mode: | # how it starts', ['auto', 'manual', 'approve']],
    ['a yes or no', 'stages:\n  - keepsWorkspace: |', ['true', 'false']],
    ['a text of any kind', 'stages:\n  - name: |', []],
    ['keys of a map', 'stages:\n  - when:\n      |', conditions],
    [
      'keys of a map in braces',
      'stages:\n  - when: { result: failed, | }',
      conditions.filter((key) => key !== 'result'),
    ],
    ['braces that are not closed', 'stages:\n  - when: { re|', conditions],
    ['a value in braces', 'stages:\n  - when: { result: |, tags: [v1] }', ['success', 'failed', 'always']],
    ['a step of no type yet', 'stages:\n  - steps:\n      - |', everyStep],
    [
      'a step whose type comes later',
      'stages:\n  - steps:\n      - |\n        name: a\n        type: checkout',
      checkout,
    ],
    ['a step of a type', 'stages:\n  - steps:\n      - type: checkout\n        name: a\n        |', checkout],
    [
      'the step before one of another type',
      'stages:\n  - steps:\n      - type: checkout\n        name: a\n        |\n      - type: script\n        run: x',
      checkout,
    ],
    ['a value of a type', 'stages:\n  - steps:\n      - type: script\n        shell: |', ['sh', 'bash']],
    ['a key of another type', 'stages:\n  - steps:\n      - type: checkout\n        shell: |', []],
    [
      'a job',
      'stages:\n  - jobs:\n      - name: a\n        os|',
      [
        'labels',
        'osType',
        'executor',
        'image',
        'services',
        'matrix',
        'timeoutMinutes',
        'retries',
        'handsOn',
        'keepsWorkspace',
        'when',
        'steps',
      ],
    ],
    [
      'a step of a job',
      'stages:\n  - jobs:\n      - steps:\n          - type: checkout\n            name: a\n            |',
      checkout,
    ],
    ['a matrix', 'stages:\n  - jobs:\n      - matrix:\n          |', ['axes', 'exclude']],
    ['an axis, which has any name', 'stages:\n  - jobs:\n      - matrix:\n          axes:\n            |', []],
    [
      'a list of a union without types',
      'stages:\n  - steps:\n      - type: image\n        dockerfile:\n          |',
      ['id', 'path'],
    ],
    [
      'an item of a list in a step',
      'stages:\n  - steps:\n      - type: image\n        copy:\n          - from: a\n            |',
      ['to'],
    ],
    ['a comment', 'stages:\n  - name: a # m|', []],
    ['a comment of its own', 'stages:\n  # m|\n  - name: a', []],
    ['a script', 'stages:\n  - steps:\n      - type: script\n        run: >-\n          mo|', []],
    ['beyond what the schema knows', 'other:\n  |', []],
    ['below an unknown key', 'stages:\n  - other:\n      |', []],
  ])('%s', (_, text, expected) => expect(labels(text)).toEqual(expected))
})

describe('YAML with an error elsewhere', () => {
  test.each<[string, string]>([
    ['a word without colon above', 'stages:\n  - name: a\n    mode\n    |'],
    ['a word without colon below', 'stages:\n  - name: a\n    |\n    mode'],
    ['a bracket that is not closed', 'stages:\n  - name: a\n    handsOn: [x, y\n    |'],
    ['two colons', 'stages:\n  - name: b: c\n  - name: a\n    |'],
    ['an alias of nothing', 'stages:\n  - name: *a\n    |'],
    ['a wrong indent below', 'stages:\n  - name: a\n    |\n   mode: auto'],
  ])('%s', (_, text) => expect(labels(text)).toEqual(expect.arrayContaining(['approval', 'steps', 'jobs'])))
})

test.each<[string, string, string]>([
  ['stages:\n  - na|', 'name', 'stages:\n  - name: |'],
  ['stages:\n  - na|: a', 'name', 'stages:\n  - name|: a'],
  ['stages:\n  - name: a\n    st|', 'steps', 'stages:\n  - name: a\n    steps:\n      - |'],
  ['stages:\n  - name: a\n    |', 'when', 'stages:\n  - name: a\n    when:\n      |'],
  ['stages:\n  - when: { br| }', 'branches', 'stages:\n  - when: { branches: | }'],
  ['stages:\n  - mode: a|uto', 'approve', 'stages:\n  - mode: approve|'],
  ['stages:\n  - mode:\n      m|', 'manual', 'stages:\n  - mode:\n      manual|'],
  [
    'stages:\n  - jobs:\n      - matrix:\n          ax|',
    'axes',
    'stages:\n  - jobs:\n      - matrix:\n          axes:\n            |',
  ],
])('completes %j with %s', (text, label, expected) => expect(complete(text, label)).toBe(expected))

describe('the key under the pointer', () => {
  const steps = 'stages:\n  - name: a\n    steps:\n      - type: script\n        run: echo\n        shell: sh\n'
  test.each<[string, string, string | undefined]>([
    ['a stage', steps.replace('name', 'na|me'), 'stages.name'],
    ['its list', steps.replace('steps', 'st|eps'), 'stages.steps'],
    ['a step of a type', steps.replace('shell', 'sh|ell'), 'stages.steps.script.shell'],
    ['a value', steps.replace('echo', 'ec|ho'), undefined],
    ['an unknown key', steps.replace('shell', 'sh|all'), undefined],
  ])('%s', (_, text, path) => expect(keyAt(...at(text), schema)?.path).toBe(path))

  test('has its place, whether it is required, and its values', () => {
    expect(keyAt(...at(steps.replace('shell', 'sh|ell')), schema)).toMatchObject({
      from: steps.indexOf('shell'),
      to: steps.indexOf('shell') + 5,
      required: false,
      values: ['sh', 'bash'],
      schema: { default: 'sh' },
    })
    expect(keyAt(...at(steps.replace('run', 'r|un')), schema)).toMatchObject({ required: true, values: [] })
  })
})
