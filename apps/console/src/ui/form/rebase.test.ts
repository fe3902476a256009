import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { describe, expect, test } from 'vitest'
import { rebase } from './rebase.ts'

const before = ServiceSpec.parse({ image: 'web:1', replicas: 2, ports: [{ port: 80 }] })

test("an edit keeps a colleague's change of another field", () => {
  const scaled = { ...before, replicas: 5 }
  expect(rebase({ ...before, image: 'web:2' }, before, scaled)).toEqual({ ...before, image: 'web:2', replicas: 5 })
})

test('if both changed a field, the edit wins', () => {
  const theirs = { ...before, image: 'web:3', ports: [] }
  const mine = ServiceSpec.parse({ ...before, image: 'web:2' })
  expect(rebase(mine, before, theirs)).toEqual({ ...theirs, image: 'web:2' })
})

test('an edit without changes keeps the present values', () => {
  const now = { ...before, replicas: 7, image: 'web:9' }
  expect(rebase(before, before, now)).toEqual(now)
})

test('another order of keys is not a change', () => {
  const [one, other] = [{ value: { a: 1, b: 2 } }, { value: { b: 2, a: 1 } }]
  const now = { value: { a: 3, b: 4 } }
  expect(rebase(one, other, now)).toEqual(now)
})

describe('named items', () => {
  const step = (name: string, more: object = {}) => ({ type: 'script', name, run: 'true', ...more })
  const stages = (...steps: object[]) => ({ stages: [{ name: 'a', steps }] })
  const base = stages(step('one'), step('two'), step('three'))

  test('are merged one by one, and so are their fields', () => {
    const mine = stages(step('one', { run: 'mine' }), step('two', { run: 'mine' }), step('three'))
    const theirs = stages(step('one'), step('two', { timeoutMinutes: 5 }), step('three', { run: 'theirs' }))
    expect(rebase(mine, base, theirs)).toEqual(
      stages(
        step('one', { run: 'mine' }),
        step('two', { run: 'mine', timeoutMinutes: 5 }),
        step('three', { run: 'theirs' }),
      ),
    )
  })

  test('that either side added stay at their positions', () => {
    const mine = stages(step('one'), step('mine'), step('two'), step('three'))
    const theirs = stages(step('first'), step('one'), step('two'), step('theirs'), step('three'))
    expect(rebase(mine, base, theirs)).toEqual(
      stages(step('first'), step('one'), step('mine'), step('two'), step('theirs'), step('three')),
    )
  })

  test('that either side removed are removed, unless the edit changed them', () => {
    const mine = stages(step('two', { run: 'mine' }), step('three'))
    expect(rebase(mine, base, stages(step('one'), step('three')))).toEqual(
      stages(step('two', { run: 'mine' }), step('three')),
    )
    expect(
      rebase(
        stages(step('one'), step('two')),
        base,
        stages(step('one'), step('two', { run: 'theirs' }), step('three')),
      ),
    ).toEqual(stages(step('one'), step('two', { run: 'theirs' })))
  })

  test("that the edit moved have its order, with the others' changes", () => {
    const mine = stages(step('three'), step('one'), step('two'))
    const theirs = stages(step('one', { run: 'theirs' }), step('two'), step('three'), step('theirs'))
    expect(rebase(mine, base, theirs)).toEqual(
      stages(step('three'), step('theirs'), step('one', { run: 'theirs' }), step('two')),
    )
  })

  test('are as in the edit if one changed its type', () => {
    const other = { type: 'artifact', name: 'two', files: '**' }
    const mine = stages(step('one'), step('two', { run: 'mine' }), step('three'))
    expect(rebase(mine, base, stages(step('one'), other, step('three')))).toEqual(mine)
  })

  test('keep everything that either side added, however many', () => {
    const variables = (...names: string[]) => ({ variables: names.map((name) => ({ name, value: `of ${name}` })) })
    expect(rebase(variables('A', 'MINE'), variables('A'), variables('A', 'B', 'C'))).toEqual(
      variables('A', 'MINE', 'B', 'C'),
    )
  })
})
