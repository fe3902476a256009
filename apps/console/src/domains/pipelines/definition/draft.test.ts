import { describe, expect, test } from 'vitest'
import { addStage, addStep, canMoveStep, draftOf, freeName, moveStage, moveStep, newStep, removeStep } from './draft.ts'
import type { Draft } from './draft.ts'

const draft = (): Draft =>
  draftOf([
    {
      name: 'Test',
      steps: [
        { type: 'checkout', name: 'a' },
        { type: 'checkout', name: 'b' },
      ],
    },
    { name: 'Ship', steps: [{ type: 'checkout', name: 'c' }] },
    { name: 'Rest', steps: [] },
  ])

const shape = (stages: Draft): string =>
  stages.map((stage) => `${stage.name}[${stage.steps.map(({ step }) => step.name).join(' ')}]`).join(' ')

describe('a definition while it is edited', () => {
  test.each([
    ['down within its stage', 0, 0, 1, 'Test[b a] Ship[c] Rest[]'],
    ['up within its stage', 0, 1, -1, 'Test[b a] Ship[c] Rest[]'],
    ["down over its stage's end", 0, 1, 1, 'Test[a] Ship[b c] Rest[]'],
    ["up over its stage's beginning", 1, 0, -1, 'Test[a b c] Ship[] Rest[]'],
    ['into an empty stage', 1, 0, 1, 'Test[a b] Ship[] Rest[c]'],
    ['not beyond the first', 0, 0, -1, 'Test[a b] Ship[c] Rest[]'],
  ] as const)('a step moves %s', (_, stage, row, by, after) => {
    expect(shape(moveStep(draft(), stage, row, by))).toBe(after)
  })

  test('a step that cannot go on says so', () => {
    expect(canMoveStep(draft(), 0, 0, -1)).toBe(false)
    expect(canMoveStep(draft(), 0, 0, 1)).toBe(true)
    expect(canMoveStep(draft(), 1, 0, 1)).toBe(true)
  })

  test('a moved row keeps its key, so that its open form stays with it', () => {
    const before = draft()
    const key = before[0]?.steps[1]?.key
    expect(moveStep(before, 0, 1, 1)[1]?.steps[0]?.key).toBe(key)
  })

  test('stages move, and stay where there is no further', () => {
    expect(shape(moveStage(draft(), 1, -1))).toBe('Ship[c] Test[a b] Rest[]')
    expect(shape(moveStage(draft(), 2, 1))).toBe(shape(draft()))
  })

  test('what is added has a name of its own in the whole pipeline', () => {
    const named = addStep(draft(), 1, newStep('script', 'a'))
    expect(shape(named.draft)).toBe('Test[a b] Ship[c a 2] Rest[]')
    expect(named.draft[1]?.steps[1]?.key).toBe(named.key)
    expect(addStage(draft(), 'Test').map((stage) => stage.name)).toEqual(['Test', 'Ship', 'Rest', 'Test 2'])
    expect(freeName('a', ['a', 'a 2', 'a 3'])).toBe('a 4')
  })

  test('a removed step leaves its stage', () => {
    expect(shape(removeStep(draft(), 0, 0))).toBe('Test[b] Ship[c] Rest[]')
  })
})
