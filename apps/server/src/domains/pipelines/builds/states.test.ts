import { BuildState, StepState, isEnded } from '@gantry/contract/pipelines/states'
import { describe, expect, test } from 'vitest'
import { buildStatesBefore, stageState, stepMayBecome } from './states.ts'

describe('build', () => {
  test.for<[BuildState, BuildState[]]>([
    ['queued', ['building', 'waiting']],
    ['building', ['queued', 'waiting']],
    ['waiting', ['queued', 'building']],
    ['success', ['queued', 'building', 'waiting']],
    ['failed', ['queued', 'building', 'waiting']],
    ['aborted', ['queued', 'building', 'waiting']],
  ])('becomes %s from %j', ([to, from]) => {
    expect(buildStatesBefore(to)).toEqual(from)
  })

  test('an ended build never changes', () => {
    for (const to of BuildState.options) expect(buildStatesBefore(to).filter(isEnded)).toEqual([])
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
