import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differences } from './difference.ts'

const step = (name: string, run: string) => ({ type: 'script', name, run })

describe('two documents', () => {
  test('that are equal differ in nothing', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => differences(value, structuredClone(value)).length === 0))
  })
  test('that are not equal differ in something, and the other way round in the same places', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b))
        const paths = differences(a, b).map(({ path }) => path)
        expect(paths.length).toBeGreaterThan(0)
        expect(
          differences(b, a)
            .map(({ path }) => path)
            .toSorted(),
        ).toEqual(paths.toSorted())
      }),
    )
  })
  test('are compared by the names of things, wherever they stand', () => {
    const before = { stages: [{ name: 'a', steps: [step('one', 'x'), step('two', 'y')] }], keepBuilds: 3 }
    const after = { stages: [{ name: 'a', steps: [step('two', 'z'), step('three', 'x')] }], keepBuilds: 3 }
    expect(differences(before, after)).toEqual([
      { path: 'stages.a.steps.one', before: '{"type":"script","run":"x"}', after: null },
      { path: 'stages.a.steps.two.run', before: 'y', after: 'z' },
      { path: 'stages.a.steps.three', before: null, after: '{"type":"script","run":"x"}' },
    ])
  })
  test('say where only the order is another', () => {
    const [one, two] = [step('one', 'x'), step('two', 'y')]
    expect(differences({ steps: [one, two] }, { steps: [two, one] })).toEqual([
      { path: 'steps', before: 'one, two', after: 'two, one' },
    ])
  })
})
