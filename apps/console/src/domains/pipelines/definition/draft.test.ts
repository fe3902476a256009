import { describe, expect, test } from 'vitest'
import {
  addJob,
  addStage,
  addStep,
  type Draft,
  draftOf,
  freeName,
  moveJobTo,
  moveStage,
  moveStageTo,
  moveStepTo,
  newStep,
  nextForJob,
  nextForStep,
  type StepList,
  removeStep,
  stagesOfDraft,
  unwrapJob,
} from './draft.ts'

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

const names = (steps: readonly { step: { name: string } }[]): string => steps.map(({ step }) => step.name).join(' ')
const shape = (stages: Draft): string =>
  stages
    .map(({ stage, steps, jobs }) =>
      [
        stage.name,
        jobs.length > 0
          ? `{${jobs.map((one) => `${one.job.name}[${names(one.steps)}]`).join(' ')}}`
          : `[${names(steps)}]`,
      ].join(''),
    )
    .join(' ')

const moveStep = (draft: Draft, place: StepList, row: number, by: 1 | -1): Draft => {
  const next = nextForStep(draft, place, row, by)
  return next ? moveStepTo(draft, place, row, next.place, next.at) : draft
}

describe('a definition while it is edited', () => {
  test.each([
    ['down within its stage', 0, 0, 1, 'Test[b a] Ship[c] Rest[]'],
    ['up within its stage', 0, 1, -1, 'Test[b a] Ship[c] Rest[]'],
    ["down over its stage's end", 0, 1, 1, 'Test[a] Ship[b c] Rest[]'],
    ["up over its stage's beginning", 1, 0, -1, 'Test[a b c] Ship[] Rest[]'],
    ['into an empty stage', 1, 0, 1, 'Test[a b] Ship[] Rest[c]'],
    ['not beyond the first', 0, 0, -1, 'Test[a b] Ship[c] Rest[]'],
  ] as const)('a step moves %s', (_, stage, row, by, after) => {
    expect(shape(moveStep(draft(), { stage }, row, by))).toBe(after)
  })

  test('a step that cannot move further reports that', () => {
    expect(nextForStep(draft(), { stage: 0 }, 0, -1)).toBeUndefined()
    expect(nextForStep(draft(), { stage: 0 }, 0, 1)).toBeDefined()
    expect(nextForStep(draft(), { stage: 1 }, 0, 1)).toBeDefined()
  })

  test('a moved row keeps its key, so that its open form stays with it', () => {
    const before = draft()
    const key = before[0]?.steps[1]?.key
    expect(moveStep(before, { stage: 0 }, 1, 1)[1]?.steps[0]?.key).toBe(key)
  })

  test('stages move, but not beyond the ends', () => {
    expect(shape(moveStage(draft(), 1, -1))).toBe('Ship[c] Test[a b] Rest[]')
    expect(shape(moveStage(draft(), 2, 1))).toBe(shape(draft()))
  })

  test('a new step has a name that is unique in the whole pipeline', () => {
    const named = addStep(draft(), { stage: 1 }, newStep('script', 'a'))
    expect(shape(named.draft)).toBe('Test[a b] Ship[c a 2] Rest[]')
    expect(named.draft[1]?.steps[1]?.key).toBe(named.key)
    expect(addStage(draft(), 'Test').map(({ stage }) => stage.name)).toEqual(['Test', 'Ship', 'Rest', 'Test 2'])
    expect(freeName('a', ['a', 'a 2', 'a 3'])).toBe('a 4')
  })

  test('a removed step leaves its stage', () => {
    expect(shape(removeStep(draft(), { stage: 0 }, 0))).toBe('Test[b] Ship[c] Rest[]')
  })

  test('a stage dropped before another takes its place', () => {
    expect(shape(moveStageTo(draft(), 0, 2))).toBe('Ship[c] Test[a b] Rest[]')
    expect(shape(moveStageTo(draft(), 2, 0))).toBe('Rest[] Test[a b] Ship[c]')
  })
})

describe('jobs while they are edited', () => {
  const withJobs = (): Draft =>
    draftOf([
      {
        name: 'Build',
        jobs: [
          { name: 'one', labels: ['gpu'], steps: [{ type: 'checkout', name: 'a' }] },
          { name: 'two', steps: [{ type: 'checkout', name: 'a' }] },
        ],
      },
      { name: 'Test', steps: [{ type: 'checkout', name: 'c' }] },
      { name: 'Ship', jobs: [{ name: 'three', steps: [{ type: 'checkout', name: 'd' }] }] },
    ])

  test('a step moves from job to job, and into the next stage, under a unique name', () => {
    const once = moveStep(withJobs(), { stage: 0, job: 0 }, 0, 1)
    expect(shape(once)).toBe('Build{one[] two[a 2 a]} Test[c] Ship{three[d]}')
    expect(shape(moveStep(withJobs(), { stage: 0, job: 1 }, 0, 1))).toBe('Build{one[a] two[]} Test[a c] Ship{three[d]}')
  })

  test('a job moves within its stage, and past its end over stages with steps', () => {
    const move = (row: number, by: 1 | -1) => {
      const next = nextForJob(withJobs(), 0, row, by)
      return next && shape(moveJobTo(withJobs(), 0, row, next.stage, next.at))
    }
    expect(move(0, 1)).toBe('Build{two[a] one[a]} Test[c] Ship{three[d]}')
    expect(move(1, 1)).toBe('Build{one[a]} Test[c] Ship{two[a] three[d]}')
    expect(move(0, -1)).toBeUndefined()
  })

  test('adding a job to steps turns these into a job, with the files that they pass on', () => {
    const steps = draftOf([{ name: 'Test', handsOn: ['out/**'], steps: [{ type: 'checkout', name: 'c' }] }])
    const made = addJob(steps, 0, 'Job').draft
    expect(stagesOfDraft(made)).toEqual([
      {
        name: 'Test',
        jobs: [
          { name: 'Test', handsOn: ['out/**'], steps: [{ type: 'checkout', name: 'c' }] },
          { name: 'Job', steps: [] },
        ],
      },
    ])
  })

  test('a kept workspace moves with the steps into a job, and back', () => {
    const said = { keepsWorkspace: true, steps: [{ type: 'checkout' as const, name: 'c' }] }
    const [first] = stagesOfDraft(addJob(draftOf([{ name: 'Test', ...said }]), 0, 'Job').draft)
    expect(first?.keepsWorkspace).toBeUndefined()
    expect(first?.jobs?.[0]).toEqual({ name: 'Test', ...said })
    expect(stagesOfDraft(unwrapJob(draftOf([{ name: 'S', jobs: [{ name: 'j', ...said }] }]), 0))).toEqual([
      { name: 'S', ...said },
    ])
  })

  test('the only job of a stage is turned back into steps', () => {
    expect(shape(unwrapJob(withJobs(), 2))).toBe('Build{one[a] two[a]} Test[c] Ship[d]')
  })

  test('keeps fields that the editor does not know', () => {
    const stages = [
      {
        name: 'S',
        mode: 'approve' as const,
        approval: { count: 2 },
        jobs: [{ name: 'j', retries: { count: 2 }, steps: [] }],
      },
    ]
    expect(stagesOfDraft(draftOf(stages))).toEqual(stages)
  })
})
