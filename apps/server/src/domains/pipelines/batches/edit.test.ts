import { Change, type ChangeInput } from '@gantry/contract/batch-edits/changes'
import { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { edit } from './edit.ts'

const script = (name: string, run = 'make') => ({ type: 'script' as const, name, run })
const document = (given: object = {}) =>
  PipelineDocument.parse({
    appId: 1,
    projectName: 'shop',
    repository: { url: 'https://git.example.test/old/shop.git', branch: 'main' },
    variables: [{ name: 'REGION', value: 'eu' }],
    agentLabels: ['linux'],
    definition: {
      stages: [
        { name: 'test', steps: [script('unit'), script('lint', 'make lint')] },
        {
          name: 'ship',
          jobs: [
            { name: 'image', steps: [script('pack', 'make pack')] },
            { name: 'docs', steps: [script('site')] },
          ],
        },
      ],
    },
    ...given,
  })
const changes = (...given: ChangeInput[]) => given.map((one) => Change.parse(one))
const apply = (given: PipelineDocument, ...some: ChangeInput[]) => {
  const { document: after, issue, matched } = edit(given, changes(...some))
  return { after, issue, matched }
}
const runs = (after: PipelineDocument | undefined) =>
  after?.definition.stages.flatMap(({ steps, jobs }) =>
    [...steps, ...jobs.flatMap((job) => job.steps)].map(
      (step) => `${step.name}: ${step.type === 'script' ? step.run : ''}`,
    ),
  )
const first = (after: PipelineDocument | undefined) => after?.definition.stages[0]?.steps[0]

describe('changes of settings', () => {
  test('set fields, also of the repository if there is one', () => {
    const { after, matched } = apply(
      document(),
      { type: 'set', field: 'keepBuilds', value: 5 },
      { type: 'set', field: 'repository.branch', value: 'next' },
    )
    expect(after).toMatchObject({ keepBuilds: 5, repository: { branch: 'next' } })
    expect(matched).toEqual([true, true])
    expect(
      apply(document({ repository: null }), { type: 'set', field: 'repository.branch', value: 'next' }).matched,
    ).toEqual([false])
  })

  test('set and remove variables and parameters by name', () => {
    const variable = { name: 'REGION', value: 'us' }
    expect(apply(document(), { type: 'set-variable', variable }).after?.variables).toEqual([
      { ...variable, secret: false },
    ])
    expect(apply(document(), { type: 'remove-variable', name: 'REGION' })).toMatchObject({
      after: { variables: [] },
      matched: [true],
    })
    expect(apply(document(), { type: 'remove-variable', name: 'NONE' }).matched).toEqual([false])
    const parameter = { name: 'TARGET', defaultValue: 'a' }
    expect(apply(document(), { type: 'set-parameter', parameter, existing: true }).matched).toEqual([false])
    const { after } = apply(
      document(),
      { type: 'set-parameter', parameter },
      { type: 'remove-parameter', name: 'TARGET' },
    )
    expect(after?.parameters).toEqual([])
  })

  test('add and remove labels without repeating them', () => {
    const { after } = apply(
      document(),
      { type: 'add-labels', labels: ['linux', 'large'] },
      { type: 'remove-labels', labels: ['linux'] },
    )
    expect(after?.agentLabels).toEqual(['large'])
  })
})

describe('changes of steps', () => {
  test('apply to the stages, jobs and steps whose names match', () => {
    const everywhere = apply(document(), { type: 'set-step', step: 'script', field: 'run', value: 'true' })
    expect(runs(everywhere.after)).toEqual(['unit: true', 'lint: true', 'pack: true', 'site: true'])
    const some = apply(document(), {
      type: 'set-step',
      step: 'script',
      field: 'run',
      value: 'true',
      where: { stage: 's*', job: 'im?ge' },
    })
    expect(runs(some.after)).toEqual(['unit: make', 'lint: make lint', 'pack: true', 'site: make'])
    expect(apply(document(), { type: 'set-step', step: 'deploy', field: 'confirm', value: true }).matched).toEqual([
      false,
    ])
  })

  test('set fields of steps, jobs and stages, and remove them with null', () => {
    const set = apply(document(), { type: 'set-step', step: 'script', field: 'timeoutMinutes', value: 9 })
    expect(first(set.after)).toMatchObject({ timeoutMinutes: 9 })
    const away = apply(set.after ?? document(), {
      type: 'set-step',
      step: 'script',
      field: 'timeoutMinutes',
      value: null,
    })
    expect(away.after).toEqual(document())
    const job = apply(
      document(),
      { type: 'set-job', field: 'retries', value: { count: 2 } },
      { type: 'set-stage', where: { stage: 'ship' }, field: 'mode', value: 'manual' },
    )
    expect(job.after?.definition.stages[1]).toMatchObject({
      mode: 'manual',
      jobs: [{ retries: { count: 2 } }, { retries: { count: 2 } }],
    })
  })

  test('add a step first, last, or beside another, and remove steps', () => {
    const added = (at: 'first' | 'last' | 'before' | 'after', beside = '') =>
      runs(
        apply(document(), { type: 'add-step', where: { stage: 'test' }, at, beside, step: script('new', 'x') }).after,
      )?.slice(0, 3)
    expect(added('first')).toEqual(['new: x', 'unit: make', 'lint: make lint'])
    expect(added('last')).toEqual(['unit: make', 'lint: make lint', 'new: x'])
    expect(added('before', 'lint')).toEqual(['unit: make', 'new: x', 'lint: make lint'])
    expect(added('after', 'unit')).toEqual(['unit: make', 'new: x', 'lint: make lint'])
    expect(apply(document(), { type: 'add-step', at: 'after', beside: 'none', step: script('new') }).matched).toEqual([
      false,
    ])
    expect(runs(apply(document(), { type: 'remove-step', where: { step: 'lint' } }).after)).toHaveLength(3)
  })

  test('set and remove variables of steps', () => {
    const { after } = apply(document(), { type: 'set-step-variable', where: { step: 'unit' }, name: 'A', value: '1' })
    expect(first(after)).toMatchObject({ environment: [{ name: 'A', value: '1' }] })
    expect(apply(after ?? document(), { type: 'remove-step-variable', name: 'A' }).after).toEqual(document())
  })

  test('replace literal text, in scripts only or in all texts of steps', () => {
    expect(
      runs(apply(document(), { type: 'replace-text', in: 'scripts', find: 'make', replacement: '$& $1' }).after)?.[1],
    ).toBe('lint: $& $1 lint')
    const all = apply(document(), { type: 'replace-text', in: 'steps', find: 'lint', replacement: 'check' })
    expect(runs(all.after)?.[1]).toBe('check: make check')
    expect(
      apply(document(), { type: 'replace-text', in: 'repository.url', find: '/old/', replacement: '/new/' }).after
        ?.repository?.url,
    ).toBe('https://git.example.test/new/shop.git')
  })

  test.each<[string, ChangeInput, string]>([
    [
      'two steps of one name',
      { type: 'add-step', where: { stage: 'test' }, step: script('unit') },
      'definition.stages',
    ],
    ['a stage without steps', { type: 'remove-step', where: { stage: 'test' } }, 'definition.stages.0.steps'],
    [
      'a name that is too long',
      { type: 'replace-text', in: 'projectName', find: 'shop', replacement: 'x'.repeat(31) },
      'projectName',
    ],
    ['an empty branch', { type: 'replace-text', in: 'repository.branch', find: 'main' }, 'repository.branch'],
  ])('refuse a document with %s, and say where', (_, change, path) => {
    expect(apply(document(), change)).toMatchObject({ after: undefined, issue: { path } })
  })
})

const name = fc.constantFrom('unit', 'lint', 'pack', 'site', 'REGION', 'test', 'ship', '*', 's*', '')
const where = fc.record({ stage: name, job: name, step: name })
const change: fc.Arbitrary<ChangeInput> = fc.oneof(
  fc.nat(10_000).map((value) => ({ type: 'set' as const, field: 'timeoutMinutes' as const, value })),
  fc.constantFrom('a', 'b', '').map((value) => ({ type: 'set' as const, field: 'description' as const, value })),
  fc.record({
    type: fc.constant('set-variable' as const),
    variable: fc.record({
      name: fc.constantFrom('REGION', 'B'),
      value: fc.string({ maxLength: 5 }),
      secret: fc.boolean(),
    }),
    existing: fc.boolean(),
  }),
  fc.record({ type: fc.constant('remove-variable' as const), name: fc.constantFrom('REGION', 'B') }),
  fc.record({
    type: fc.constant('replace-text' as const),
    in: fc.constantFrom('projectName' as const, 'scripts' as const, 'steps' as const),
    where,
    find: fc.constantFrom('make', 'i', 'shop'),
    replacement: fc.constantFrom('', 'x', 'make make'),
  }),
  fc.record({
    type: fc.constant('add-step' as const),
    where: fc.record({ stage: name, job: name }),
    at: fc.constantFrom('first' as const, 'last' as const, 'before' as const, 'after' as const),
    beside: name,
    step: fc.constantFrom('unit', 'extra').map((one) => script(one)),
  }),
  fc.record({ type: fc.constant('remove-step' as const), where }),
  fc.record({
    type: fc.constant('set-step' as const),
    step: fc.constant('script' as const),
    where,
    field: fc.constant('shell'),
    value: fc.constantFrom('sh', 'bash'),
  }),
)

test('replacements that enlarge each other’s results are refused before they fill the memory', () => {
  const grown = { type: 'replace-text' as const, find: 'a', replacement: 'a'.repeat(700) }
  for (const place of ['scripts', 'steps', 'description'] as const) {
    const { after, issue } = apply(
      document({ description: 'a', definition: { stages: [{ name: 'test', steps: [script('unit', 'a')] }] } }),
      ...Array.from({ length: 20 }, () => ({ ...grown, in: place })),
    )
    expect(after).toBeUndefined()
    expect(issue).toEqual({ key: 'text-too-long', path: '' })
  }
})

test('any changes result in a valid document or none, keep the original as it was, and are deterministic', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (some) => {
      const before = document()
      const { after, issue } = apply(before, ...some)
      expect(before).toEqual(document())
      expect(after === undefined).toBe(issue !== undefined)
      if (after) expect(PipelineDocument.parse(after)).toEqual(after)
      expect(apply(document(), ...some).after).toEqual(after)
    }),
  )
})
