import { describe, expect, test } from 'vitest'
import { useConsole } from '../../../../test/app.tsx'
import { draftOf, newStep, stepTypes } from './draft.ts'
import { isWrong, problemsOfDraft } from './draft-problems.ts'

useConsole()

describe('the problems of a draft', () => {
  test('are reported at their fields, as texts', () => {
    const draft = draftOf([{ name: '', steps: [newStep('image', 'Image'), newStep('deploy', 'Deploy')] }])
    const problems = problemsOfDraft(draft)
    expect([...problems.keys()].toSorted()).toEqual([
      'stages.0.name',
      'stages.0.steps.0.registryId',
      'stages.0.steps.0.repository',
      'stages.0.steps.1.service',
      'stages.0.steps.1.stackUuid',
    ])
    expect(problems.get('stages.0.steps.1.stackUuid')).toBe('This field is required')
    expect(isWrong(problems, 'stages.0.steps.1')).toBe(true)
    expect(isWrong(problems, 'stages.0.steps.10')).toBe(false)
  })
  test('a new step of any type requires its necessary fields, and no others', () => {
    const required = (type: (typeof stepTypes)[number]) =>
      [...problemsOfDraft(draftOf([{ name: 'S', steps: [newStep(type, 'x')] }])).keys()].map((path) =>
        path.split('.').at(-1),
      )
    expect(Object.fromEntries(stepTypes.map((type) => [type, required(type)]))).toEqual({
      checkout: [],
      script: ['run'],
      report: [],
      coverage: [],
      scan: ['files'],
      cache: ['key', 'paths'],
      'code-quality': [],
      artifact: ['files'],
      image: ['repository', 'registryId'],
      copy: ['from', 'repository', 'registryId', 'fromRegistryId'],
      deploy: ['stackUuid', 'service'],
      helm: ['stackUuid', 'release', 'repositoryId', 'chart', 'version'],
      blueprint: ['stackUuid', 'blueprintId'],
      http: ['url'],
      mail: ['to', 'subject', 'text'],
      pipeline: ['pipelineId'],
    })
  })
})
