import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differences } from './difference.ts'

const step = (name: string, run: string) => ({ type: 'script', name, run })

describe('two documents', () => {
  test('have no differences if they are equal', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => differences(value, structuredClone(value)).length === 0))
  })
  test('have differences if they are not equal, and the same places the other way round', () => {
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
  test('are compared by the names of list items, in any order', () => {
    const before = { stages: [{ name: 'a', steps: [step('one', 'x'), step('two', 'y')] }], keepBuilds: 3 }
    const after = { stages: [{ name: 'a', steps: [step('two', 'z'), step('three', 'x')] }], keepBuilds: 3 }
    expect(differences(before, after)).toEqual([
      { path: 'stages.a.steps.one', before: '{"type":"script","run":"x"}', after: null },
      { path: 'stages.a.steps.two.run', before: 'y', after: 'z' },
      { path: 'stages.a.steps.three', before: null, after: '{"type":"script","run":"x"}' },
    ])
  })
  test('report it if only the order differs', () => {
    const [one, two] = [step('one', 'x'), step('two', 'y')]
    expect(differences({ steps: [one, two] }, { steps: [two, one] })).toEqual([
      { path: 'steps', before: 'one, two', after: 'two, one' },
    ])
  })
})
