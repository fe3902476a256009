import { Definition, type StageInput, type StepInput } from '@gantry/contract/pipelines/definition'
import { describe, expect, test } from 'vitest'
import { type Facts, holdsFor } from './conditions.ts'
import { planOf } from './plan.ts'

const step = (name: string): StepInput => ({ name, type: 'script', run: 'true' })
const planned = (...stages: StageInput[]) =>
  planOf(Definition.parse({ stages })).map(({ leg, name, matrix, firstStep, steps }) => [
    leg,
    [name, ...Object.values(matrix)].join(' '),
    firstStep,
    steps.map(({ stage, step: { name: own } }) => `${stage}/${own}`).join(' '),
  ])

describe('the jobs of a definition', () => {
  test('consecutive stages with steps are one job', () => {
    expect(planned({ name: 'A', steps: [step('a'), step('b')] }, { name: 'B', steps: [step('c')] })).toEqual([
      [0, '', 0, 'A/a A/b B/c'],
    ])
  })

  test('each job of a stage is a job, a matrix one for each combination, and stages with steps after them are a new job', () => {
    const matrix = { axes: { OS: ['old', 'new'], V: [1, 2] }, exclude: [{ OS: 'old', V: 2 }] }
    expect(
      planned(
        { name: 'A', steps: [step('a')] },
        {
          name: 'B',
          jobs: [
            { name: 'x', steps: [step('b')] },
            { name: 'y', matrix, steps: [step('b'), step('c')] },
          ],
        },
        { name: 'C', steps: [step('d')] },
        { name: 'D', steps: [step('e')] },
      ),
    ).toEqual([
      [0, '', 0, 'A/a'],
      [1, 'x', 1, 'B/b'],
      [1, 'y old 1', 2, 'B/b B/c'],
      [1, 'y new 1', 4, 'B/b B/c'],
      [1, 'y new 2', 6, 'B/b B/c'],
      [2, '', 8, 'C/d D/e'],
    ])
  })
})

test.each([
  [undefined, true],
  [{}, true],
  [{ branches: ['main'] }, true],
  [{ branches: ['next'] }, false],
  [{ tags: ['*'] }, false],
  [{ branches: ['main'], tags: ['v*'] }, true],
  [{ paths: ['docs/**'] }, false],
  [{ paths: ['docs/**', 'src/*.ts'] }, true],
  [{ parameter: { name: 'P', in: ['a', 'b'] } }, true],
  [{ parameter: { name: 'P', in: ['b'] } }, false],
  [{ parameter: { name: 'Q', in: ['b'] } }, false],
  [{ branches: ['main'], parameter: { name: 'P', in: ['b'] } }, false],
])('a condition %j holds for main: %s', (when, expected) => {
  const facts: Facts = {
    branch: 'main',
    tag: '',
    changedPaths: ['src/a.ts'],
    parameters: { P: 'a' },
    fork: false,
    outputs: new Map(),
  }
  expect(holdsFor(when, facts)).toBe(expected)
  expect(holdsFor({ paths: ['nowhere'] }, { ...facts, changedPaths: null })).toBe(true)
})
