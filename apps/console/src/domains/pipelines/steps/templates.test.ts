import { describe, expect, test } from 'vitest'
import { Definition } from '@gantry/contract/pipelines/definition'
import { useConsole } from '../../../../test/app.tsx'
import { stagesOf } from './templates.ts'

useConsole()

describe('templates', () => {
  const whole = {
    checkout: true,
    registryId: 1,
    image: 'team/app',
    stackUuid: '00000000-0000-4000-8000-000000000000',
    service: 'web',
  }
  const types = (stages: ReturnType<typeof stagesOf>) =>
    stages.flatMap((stage) => (stage.steps ?? []).map((step) => step.type))

  test('are definitions that the contract accepts', () => {
    for (const template of ['test', 'deploy', 'empty'] as const)
      expect(Definition.safeParse({ stages: stagesOf(template, whole) }).error).toBeUndefined()
  })
  test('omit steps for choices that were not made', () => {
    expect(types(stagesOf('deploy', whole))).toEqual(['checkout', 'script', 'image', 'deploy'])
    expect(types(stagesOf('deploy', { ...whole, stackUuid: undefined }))).toEqual(['checkout', 'script', 'image'])
    expect(types(stagesOf('deploy', { checkout: false }))).toEqual(['script'])
    expect(types(stagesOf('test', { checkout: false }))).toEqual(['script', 'report'])
    expect(stagesOf('empty', whole)).toEqual([])
  })
})
