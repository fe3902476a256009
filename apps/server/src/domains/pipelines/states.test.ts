import { BuildState, StepState, isEnded } from '@gantry/contract/pipelines/states'
import { describe, expect, test } from 'vitest'
import { type BuildEvent, nextBuildState, stageState, stepMayBecome } from './states.ts'

describe('build', () => {
  test.for<[BuildState, BuildEvent, BuildState | undefined]>([
    ['queued', 'claim', 'building'],
    ['queued', 'abort', 'aborted'],
    ['queued', 'succeed', undefined],
    ['building', 'claim', undefined],
    ['building', 'succeed', 'success'],
    ['building', 'fail', 'failed'],
    ['building', 'abort', 'aborted'],
    ['building', 'lose', 'queued'],
    ['queued', 'lose', undefined],
  ])('%s + %s → %s', ([from, event, to]) => {
    expect(nextBuildState(from, event)).toBe(to)
  })

  test('an ended build never changes', () => {
    for (const state of BuildState.options.filter(isEnded))
      for (const event of ['claim', 'succeed', 'fail', 'abort', 'lose'] as const)
        expect(nextBuildState(state, event)).toBeUndefined()
  })
})

describe('step', () => {
  test('an ended step never changes', () => {
    for (const from of StepState.options.filter(isEnded))
      for (const to of StepState.options) expect(stepMayBecome(from, to)).toBe(false)
  })

  test.for<[StepState[], StepState]>([
    [['pending', 'pending'], 'pending'],
    [['success', 'pending'], 'building'],
    [['success', 'building'], 'building'],
    [['success', 'success'], 'success'],
    [['success', 'failed', 'not_built'], 'failed'],
    [['failed', 'building'], 'building'],
    [['failed', 'pending'], 'building'],
    [['aborted', 'not_built'], 'aborted'],
    [['not_built', 'not_built'], 'not_built'],
    [['success', 'not_built'], 'success'],
  ])('a stage of %j is %s', ([states, expected]) => {
    expect(stageState(states)).toBe(expected)
  })
})
