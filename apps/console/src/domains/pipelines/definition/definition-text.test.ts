import type { StageInput } from '@gantry/contract/pipelines/definition'
import { Definition } from '@gantry/contract/pipelines/definition'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useConsole } from '../../../../test/app.tsx'
import { textWith } from './definition-text.ts'
import { fromYaml } from './definition-yaml.ts'

useConsole()

const text = `# what everybody should know
stages:
  # first the tests
  - name: Test
    steps:
      - name: Get
        type: checkout
        depth: 1 # as the forge likes it

      # slow, but thorough
      - { name: Run, type: script, run: 'make test' }
  - name: Ship # on Fridays too
    steps:
      - type: artifact
        name: Keep
        files: "out/**"
`

const stagesOf = (yaml: string): StageInput[] => {
  const read = fromYaml(yaml)
  if (!('stages' in read)) throw new Error('does not parse')
  return read.stages
}

/** As the server answers it: with every default. */
const whole = (): StageInput[] => Definition.parse({ stages: stagesOf(text) }).stages

describe('the text of a definition', () => {
  test('stays as it was written while it means the same', () => {
    expect(textWith(text, stagesOf(text))).toBe(text)
    expect(textWith(text, whole())).toBe(text)
  })

  test('changes only where the form changed something: comments, quotes, order and explicit defaults stay', () => {
    const stages = whole()
    const [, run] = stages[0]?.steps ?? []
    if (run?.type === 'script') run.run = 'make all'
    expect(textWith(text, stages)).toBe(text.replace('make test', 'make all'))
  })

  test('moves comments with their stage, job or step', () => {
    const next = textWith(text, whole().toReversed())
    expect(next.indexOf('on Fridays too')).toBeLessThan(next.indexOf('slow, but thorough'))
    expect(next).toContain('- name: Ship # on Fridays too')
    expect(next).toContain('# slow, but thorough\n')
  })

  test('keeps the values of aliases when their anchor changes, is removed, or moves behind them', () => {
    const aliased = `stages:
  - name: Test
    steps: &common # for everybody
      - { name: Get, type: script, run: 'make' }
  - name: Ship
    jobs:
      - { name: one, steps: *common }
      - { name: two, steps: *common }
`
    const given = Definition.parse({ stages: stagesOf(aliased) }).stages
    expect(textWith(aliased, given)).toBe(aliased)
    const changed = structuredClone(given)
    const step = changed[0]?.steps[0]
    if (step?.type === 'script') step.run = 'make all'
    for (const stages of [changed, given.slice(1), given.toReversed()])
      expect(Definition.parse({ stages: stagesOf(textWith(aliased, stages)) }).stages).toEqual(stages)
    expect(textWith(aliased, given.toReversed())).toContain('# for everybody')
  })

  test('loses the comments of removed parts, and no others', () => {
    const [first, ship] = whole()
    const next = textWith(text, [
      { ...first, name: 'Test', steps: first?.steps?.slice(0, 1) ?? [] },
      ship as StageInput,
    ])
    expect(next).not.toContain('slow, but thorough')
    expect(next).toContain('# as the forge likes it')
    expect(next).toContain('# what everybody should know')
  })

  test('keeps the comments of renamed parts', () => {
    const [first, ship] = whole()
    const next = textWith(text, [{ ...first, name: 'Check' }, ship as StageInput])
    expect(next).toContain('# first the tests\n  - name: Check')
    expect(next).toContain('# as the forge likes it')
  })

  test('is rewritten if it does not parse', () => {
    expect(stagesOf(textWith('stages: [', whole()))).toHaveLength(2)
  })

  const name = fc.constantFrom('a', 'b', 'c', 'd')
  const step = (one: string) =>
    fc.oneof(
      fc.record({ type: fc.constant('checkout' as const), name: fc.constant(one), depth: fc.nat(2) }),
      fc.record({
        type: fc.constant('script' as const),
        name: fc.constant(one),
        run: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
        when: fc.record({ branches: fc.uniqueArray(name, { minLength: 1 }) }),
      }),
    )
  const steps = fc.uniqueArray(name, { minLength: 1 }).chain((all) => fc.tuple(...all.map(step)))
  const stages: fc.Arbitrary<StageInput[]> = fc
    .uniqueArray(fc.constantFrom('w', 'x', 'y', 'z'), { minLength: 1 })
    .chain((all) =>
      fc.tuple(...all.map((one) => steps.map((list) => ({ name: one, jobs: [{ name: `job ${one}`, steps: list }] })))),
    )

  test('means the stages, whatever it said before', () => {
    fc.assert(
      fc.property(stages, stages, (before, after) => {
        fc.pre(Definition.safeParse({ stages: before }).success && Definition.safeParse({ stages: after }).success)
        const next = textWith(textWith('', before), after)
        expect(Definition.parse({ stages: stagesOf(next) })).toEqual(Definition.parse({ stages: after }))
        expect(textWith(next, after)).toBe(next)
      }),
      { numRuns: 200 },
    )
  })
})
