import { describe, expect, test } from 'vitest'
import type { BuildStage, BuildStep } from '@gantry/contract/pipelines/builds'
import { chosenStep } from './chosen-step.ts'

describe('the step whose log is shown', () => {
  const step = (index: number, state: BuildStep['state']): BuildStep => ({
    index,
    job: 0,
    name: `s${index}`,
    type: 'script',
    state,
    exitCode: null,
    message: '',
    startedAt: state === 'pending' || state === 'not_built' ? null : '2026-01-01T00:00:00Z',
    endedAt: null,
    logLines: 0,
    passedIn: null,
  })
  const stages = (...states: BuildStep['state'][]): BuildStage[] => [
    {
      name: 'one',
      state: 'building',
      gate: null,
      jobs: [],
      steps: states.slice(0, 2).map((state, at) => step(at, state)),
    },
    {
      name: 'two',
      state: 'pending',
      gate: null,
      jobs: [],
      steps: states.slice(2).map((state, at) => step(at + 2, state)),
    },
  ]
  test.each([
    ['the one in the address', stages('success', 'failed', 'not_built'), '0', 0],
    ['the failed one', stages('success', 'failed', 'success'), '', 1],
    ['the running one', stages('success', 'success', 'building'), '', 2],
    ['the last that ran', stages('success', 'success', 'pending'), '', 1],
    ['the first of a build that waits', stages('pending', 'pending', 'pending'), '', 0],
    ['not one that is not there', stages('success', 'building', 'pending'), '99', 1],
  ])('%s', (_, of, wanted, index) => {
    expect(chosenStep(of, wanted)?.index).toBe(index)
  })
  test('is undefined without steps', () => {
    expect(chosenStep([], '')).toBeUndefined()
  })
  test('has its stage, by which its log is requested', () => {
    expect(chosenStep(stages('success', 'success', 'building'), '')?.stage).toBe('two')
  })
})
