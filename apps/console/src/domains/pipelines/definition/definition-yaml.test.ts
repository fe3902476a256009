import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Definition, type StepInput } from '@gantry/contract/pipelines/definition'
import { useConsole } from '../../../../test/app.tsx'
import { fromYaml, problemsOfDefinition, toYaml, withoutDefaults } from './definition-yaml.ts'

useConsole()

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,20}[A-Za-z0-9]$/)
const step: fc.Arbitrary<StepInput> = fc.oneof(
  fc.record({
    type: fc.constant('checkout' as const),
    name,
    depth: fc.nat(100),
    submodules: fc.constantFrom('none' as const, 'direct' as const, 'recursive' as const),
  }),
  fc.record({
    type: fc.constant('script' as const),
    name,
    run: text,
    shell: fc.constantFrom('sh' as const, 'bash' as const),
    environment: fc.array(fc.record({ name: fc.constant('KEY'), value: text }), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('report' as const),
    name,
    files: fc.constant('**/*.xml'),
    failOnFailure: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('image' as const),
    name,
    registryId: fc.integer({ min: 1, max: 99 }),
    repository: fc.constant('team/app'),
    tag: fc.constantFrom('${number}', 'v1-${commit}'),
    command: fc.array(text, { maxLength: 3 }),
  }),
)

describe('a definition as YAML', () => {
  test('means the same when it is parsed again, whatever its scripts contain', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
        const stages = [
          { name: 'Only', steps: steps.map((one, at) => ({ ...one, name: `${one.name} ${at}`.slice(-30) })) },
        ]
        const given = Definition.safeParse({ stages })
        fc.pre(given.success)
        const read = fromYaml(toYaml(stages))
        expect(read).toHaveProperty('stages')
        expect(Definition.parse(read)).toEqual(given.data)
      }),
      { numRuns: 200 },
    )
  })

  test('omits defaults', () => {
    const whole = Definition.parse({
      stages: [{ name: 'Test', steps: [{ type: 'script', name: 'Run', run: 'make\nmake test\n' }] }],
    })
    expect(toYaml(whole.stages)).toBe(
      'stages:\n  - name: Test\n    steps:\n      - name: Run\n        type: script\n        run: |\n          make\n          make test\n',
    )
    expect(withoutDefaults({ type: 'checkout', name: 'Get', depth: 0 })).toEqual({
      type: 'checkout',
      name: 'Get',
      depth: 0,
    })
  })

  test.each([
    ['syntax', 'stages:\n  - name: [a\n', 3, 1],
    ['an unknown key', 'stages:\n  - name: A\n    steps:\n      - {name: x, type: checkout}\n    colour: red\n', 5, 5],
    ['an unknown type', 'stages:\n  - name: A\n    steps:\n      - name: x\n        type: dance\n', 5, 15],
    [
      'a value out of range',
      'stages:\n  - name: A\n    steps:\n      - name: x\n        type: checkout\n        depth: -4\n',
      6,
      16,
    ],
    ['something missing', 'stages:\n  - name: A\n    steps:\n      - name: x\n        type: script\n', 4, 9],
    ['nothing at all', '', 1, 1],
  ])('reports %s with line and column', (_, yaml, line, column) => {
    const read = fromYaml(yaml)
    expect('problems' in read && read.problems[0]).toMatchObject({ line, column })
  })

  test('refuses duplicate names with a message', () => {
    const twice = 'stages:\n  - name: A\n    steps: [{name: x, type: checkout}, {name: x, type: checkout}]\n'
    expect(problemsOfDefinition(twice).map((problem) => problem.line)).toEqual([2])
  })

  test('leaves the syntax to the editor, which reports it once', () => {
    expect(problemsOfDefinition('stages: [')).toEqual([])
  })

  test('refuses exponentially expanding aliases', () => {
    const bomb = `a: &a [x, x]\n${Array.from({ length: 12 }, (_, n) => `${String.fromCharCode(98 + n)}: &${String.fromCharCode(98 + n)} [${`*${String.fromCharCode(97 + n)}, `.repeat(9)}]`).join('\n')}\n`
    expect(fromYaml(bomb)).toHaveProperty('problems')
  })
})
