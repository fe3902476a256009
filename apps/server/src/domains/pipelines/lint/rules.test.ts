import { newSteps, protocolVersion } from '@gantry/agent-protocol/protocol'
import { Definition, type StageInput } from '@gantry/contract/pipelines/definition'
import { beforeAll, describe, expect, test } from 'vitest'
import { lintDefinition, type Surroundings } from './rules.ts'

const stackUuid = '11111111-1111-4111-8111-111111111111'
const around: Surroundings = {
  agents: [
    { labels: ['arm', 'fast'], osType: 'linux', executors: ['process'], protocol: protocolVersion, environment: null },
    {
      labels: ['gpu'],
      osType: 'linux',
      executors: ['process', 'container'],
      protocol: protocolVersion,
      environment: null,
    },
  ],
  agentLabels: [],
  parameters: ['TARGET'],
  registries: new Set([1]),
  chartRepositories: new Set([1]),
  blueprints: new Set([1]),
  members: new Set(['robin']),
  dockerfiles: new Set([7]),
  pipelines: new Map([
    [3, []],
    [4, ['shop', 'web']],
  ]),
  buildImages: new Map([[8, { name: 'node', clusters: [] }]]),
  codeQuality: false,
  stacks: new Map([[stackUuid, { name: 'shop', services: new Set(['web']) }]]),
}
/** An agent that only runs jobs in Kubernetes. */
const inCluster = (clusterId: string | null) => ({
  labels: [],
  osType: 'linux',
  executors: ['kubernetes'],
  protocol: protocolVersion,
  environment: clusterId,
})
const found = (stages: StageInput[], more: Partial<Surroundings> = {}) =>
  lintDefinition(Definition.parse({ stages }), { ...around, ...more }).map(({ path, key, fatal }) => [path, key, fatal])

const script = { type: 'script', name: 'make', run: 'true' } as const
const image = { type: 'image', name: 'push', registryId: 1, repository: 'web' } as const
const deploy = { type: 'deploy', name: 'ship', stackUuid, service: 'web' } as const
const helm = {
  type: 'helm',
  name: 'ship',
  stackUuid,
  release: 'web',
  repositoryId: 1,
  chart: 'web',
  version: '1.0.0',
} as const
const blueprint = { type: 'blueprint', name: 'ship', stackUuid, blueprintId: 1 } as const
const gone = '22222222-2222-4222-8222-222222222222'
const plain = (...steps: NonNullable<StageInput['steps']>): StageInput[] => [{ name: 'only', steps }]
const jobs = (...some: NonNullable<StageInput['jobs']>): StageInput[] => [{ name: 'only', jobs: some }]

test('warnings are limited in number, fatal findings are not', () => {
  const run = '${outputs.none.X} '.repeat(2_000)
  const findings = found(plain({ ...script, run }, { ...image, registryId: 2 }))
  expect(findings.map(([, key]) => key)).toEqual([
    ...Array.from({ length: 500 }, () => 'pipelines-lint-output'),
    'pipelines-lint-registry',
  ])
})

test('a job sees the steps of earlier stages’ jobs, and not those of jobs of its own stage', () => {
  const asking = (name: string, output: string) => ({
    name,
    steps: [{ ...script, name: `ask ${name}`, run: `echo \${outputs.${output}.X}` }],
  })
  const [making, later] = [{ name: 'make', steps: [script] }, 'later']
  expect(
    found([
      { name: 'first', jobs: [making, asking('beside', 'make')] },
      { name: later, jobs: [asking('after', 'make'), asking('wrong', 'none')] },
    ]).map(([path]) => path),
  ).toEqual(['stages.0.jobs.1.steps.0.run', 'stages.1.jobs.1.steps.0.run'])
})

describe('a reference of a definition', () => {
  test.for<[string, StageInput[], [string, string, boolean][]]>([
    ['all of it there', plain(script, image, { ...deploy, imageFrom: 'push' }), []],
    ['a chart and a blueprint', plain(helm, { ...blueprint, name: 'all' }), []],
    [
      'a chart’s stack and repository',
      plain({ ...helm, stackUuid: gone, repositoryId: 2 }),
      [
        ['stages.0.steps.0.stackUuid', 'pipelines-lint-stack', true],
        ['stages.0.steps.0.repositoryId', 'pipelines-lint-chart-repository', true],
      ],
    ],
    [
      'a blueprint and its stack',
      plain({ ...blueprint, stackUuid: gone, blueprintId: 2 }),
      [
        ['stages.0.steps.0.stackUuid', 'pipelines-lint-stack', true],
        ['stages.0.steps.0.blueprintId', 'pipelines-lint-blueprint', true],
      ],
    ],
    [
      'a registry',
      plain({ ...image, registryId: 2 }),
      [['stages.0.steps.0.registryId', 'pipelines-lint-registry', true]],
    ],
    [
      'a Dockerfile',
      plain({ ...image, method: 'dockerfile', dockerfile: { id: 8 } }),
      [['stages.0.steps.0.dockerfile', 'pipelines-dockerfile-unknown', true]],
    ],
    [
      'a stack',
      plain({ ...deploy, stackUuid: '22222222-2222-4222-8222-222222222222' }),
      [['stages.0.steps.0.stackUuid', 'pipelines-lint-stack', true]],
    ],
    [
      'a pipeline',
      plain({ type: 'pipeline', name: 'next', pipelineId: 3 }, { type: 'pipeline', name: 'gone', pipelineId: 5 }),
      [['stages.0.steps.1.pipelineId', 'pipelines-lint-pipeline', true]],
    ],
    [
      'a pipeline that leads back to this one',
      plain({ type: 'pipeline', name: 'next', pipelineId: 4 }),
      [['stages.0.steps.0.pipelineId', 'pipelines-lint-circle', true]],
    ],
    [
      'registries of a copy',
      plain({ type: 'copy', name: 'copy', fromRegistryId: 2, from: 'a:1', registryId: 1, repository: 'b' }),
      [['stages.0.steps.0.fromRegistryId', 'pipelines-lint-registry', true]],
    ],
    [
      'a recipient',
      plain({ type: 'mail', name: 'tell', to: ['robin', 'gone', 'a@example.org'], subject: 'a', text: 'b' }),
      [['stages.0.steps.0.to.1', 'pipelines-lint-mail-recipient', false]],
    ],
    [
      'a key that another cache step of the job has',
      plain(
        { type: 'cache', name: 'npm', key: 'npm', paths: ['.npm'] },
        { type: 'cache', name: 'maven', key: 'npm', paths: ['.m2'] },
      ),
      [['stages.0.steps.1.key', 'pipelines-lint-cache-twice', false]],
    ],
    ['a service', plain({ ...deploy, service: 'db' }), [['stages.0.steps.0.service', 'pipelines-lint-service', false]]],
    ['a service that its step creates', plain({ ...deploy, service: 'db', create: {} }), []],
    [
      'a service that an earlier step creates',
      plain({ ...deploy, service: 'db', create: {} }, { ...deploy, name: 'again', service: 'db' }),
      [],
    ],
    [
      'an image step that comes later',
      plain({ ...deploy, imageFrom: 'push' }, image),
      [['stages.0.steps.0.imageFrom', 'pipelines-lint-image-step', false]],
    ],
    [
      'a parameter',
      plain({ ...script, when: { parameter: { name: 'PLACE', in: ['x'] } } }),
      [['stages.0.steps.0.when.parameter.name', 'pipelines-lint-parameter', false]],
    ],
    [
      'a parameter of an approval',
      [{ name: 'ask', mode: 'approve', approval: { parameters: ['TARGET', 'PLACE'] }, steps: [script] }],
      [['stages.0.approval.parameters.1', 'pipelines-lint-parameter', false]],
    ],
    [
      'an output of no step',
      plain(script, { ...script, name: 'two', environment: [{ name: 'A', value: '${outputs.gone.KEY}' }] }),
      [['stages.0.steps.1.environment.0.value', 'pipelines-lint-output', false]],
    ],
    [
      'an output of a step before',
      plain(script, { ...script, name: 'two', when: { output: { name: 'make.KEY', in: ['x'] } } }),
      [],
    ],
  ])('%s', ([, stages, expected]) => expect(found(stages)).toEqual(expected))

  test('an output of a job in the same stage does not exist yet, but does for the next stage', () => {
    const uses = { ...script, name: 'use', environment: [{ name: 'A', value: '${outputs.make.KEY}' }] }
    const [beside] = jobs({ name: 'a', steps: [script] }, { name: 'b', steps: [uses] })
    expect(found([beside as StageInput])).toEqual([
      ['stages.0.jobs.1.steps.0.environment.0.value', 'pipelines-lint-output', false],
    ])
    expect(found([...jobs({ name: 'a', steps: [script] }), { name: 'after', steps: [uses] }])).toEqual([])
  })
})

test('an output that several jobs set must be named with its job', () => {
  const uses = (name: string): StageInput => ({
    name: 'after',
    steps: [{ ...script, name: 'use', environment: [{ name: 'A', value: `\${outputs.${name}}` }] }],
  })
  const at = 'stages.1.steps.0.environment.0.value'
  const matrix = { axes: { OS: ['old', 'new'], V: ['1'] } }
  const made = jobs({ name: 'a', matrix, steps: [script] })
  expect(found([...made, uses('make.KEY')])).toEqual([[at, 'pipelines-lint-output-several', false]])
  expect(found([...made, uses('a (1, old).make.KEY')])).toEqual([])
  expect(found([...made, uses('a.make.KEY')])).toEqual([[at, 'pipelines-lint-output', false]])
  expect(found([...jobs({ name: 'a', steps: [script] }), uses('a.make.KEY')])).toEqual([])
})

describe('the agents that could run a job', () => {
  test('there is no agent at all', () => {
    expect(found(plain(script), { agents: [] })).toEqual([['stages.0', 'pipelines-lint-no-agent', false]])
  })
  test('no agent has all labels of the job and the settings together', () => {
    expect(found(jobs({ name: 'a', labels: ['arm'], steps: [script] }), { agentLabels: ['gpu'] })).toEqual([
      ['stages.0.jobs.0.labels', 'pipelines-lint-agent-labels', false],
    ])
    expect(found(plain(script), { agentLabels: ['gone'] })).toEqual([
      ['stages.0', 'pipelines-lint-agent-labels', false],
    ])
  })
  test('no agent has that system or that executor', () => {
    expect(found(jobs({ name: 'a', osType: 'darwin', steps: [script] }))).toEqual([
      ['stages.0.jobs.0.osType', 'pipelines-lint-agent-os', false],
    ])
    expect(found(jobs({ name: 'a', executor: 'kubernetes', image: 8, steps: [script] }))).toEqual([
      ['stages.0.jobs.0.executor', 'pipelines-lint-agent-executor', false],
    ])
    // an agent in a cluster takes no job whose executor is a process
    expect(
      found(plain(script), {
        agents: [inCluster(null)],
      }),
    ).toEqual([['stages.0', 'pipelines-lint-agent-executor', false]])
    expect(
      found(jobs({ name: 'a', executor: 'container', services: [{ name: 'db', image: 9 }], steps: [script] })),
    ).toEqual([
      ['stages.0.jobs.0.image', 'pipelines-lint-job-image', true],
      ['stages.0.jobs.0.services.0.image', 'pipelines-lint-job-service', true],
    ])
    // one agent has the label, another the executor
    expect(found(jobs({ name: 'a', executor: 'container', image: 8, labels: ['arm'], steps: [script] }))).toEqual([
      ['stages.0.jobs.0.labels', 'pipelines-lint-agent-labels', false],
    ])
  })
})

describe('images that are limited to clusters', () => {
  const images = (...clusters: string[][]) =>
    new Map(clusters.map((names, at) => [at + 1, { name: 'x', clusters: names.map((name) => ({ uuid: name, name })) }]))
  const beside = (executor: 'container' | 'kubernetes') =>
    jobs({ name: 'a', executor, image: 1, services: [{ name: 'db', image: 2 }], steps: [script] })
  const agents = [inCluster('a'), inCluster('b'), inCluster(null)]

  test.for<[string, ReturnType<typeof images>, string[]]>([
    ['not at all', images([], []), []],
    ['to one where an agent is', images(['a'], []), []],
    ['to one where no agent is', images(['c'], []), ['image']],
    ['that of a service alone', images([], ['c', 'd']), ['services.0.image']],
    ['both to the same', images(['a', 'b'], ['b']), []],
    ['to clusters of which none is common', images(['a'], ['b']), ['services.0.image']],
  ])('%s', ([, buildImages, where]) => {
    expect(found(beside('kubernetes'), { agents, buildImages })).toEqual(
      where.map((at) => [`stages.0.jobs.0.${at}`, 'pipelines-lint-agent-image', false]),
    )
  })

  test('run in containers of any machine', () => {
    const machine = { ...inCluster(null), executors: ['container'] }
    expect(found(beside('container'), { agents: [machine], buildImages: images(['c'], []) })).toEqual([])
  })
})

describe('steps that are newer than agents', () => {
  // the previous version knows every type, so pretend that it does not know this one
  beforeAll(() => void newSteps.types.push('http'))
  const agent = (label: string, protocol: string) => ({
    labels: [label],
    osType: 'linux',
    executors: ['process'],
    protocol,
    environment: null,
  })
  const http = { type: 'http', name: 'tell', url: 'https://example.org' } as const

  test('are reported if all agents that could run them are too old, for each job', () => {
    const agents = [agent('old', newSteps.unknownTo), agent('new', protocolVersion)]
    const stages = jobs(
      { name: 'one', labels: ['old'], steps: [script, http] },
      { name: 'two', labels: ['new'], steps: [http] },
      { name: 'three', steps: [http] },
    )
    expect(found(stages, { agents })).toEqual([['stages.0.jobs.0.steps.1', 'pipelines-lint-agent-old', false]])
  })

  test('are reported in every stage of plain steps', () => {
    const agents = [agent('old', newSteps.unknownTo)]
    expect(
      found([...plain(script, http), { name: 'next', steps: [{ ...http, name: 'tell again' }] }], { agents }),
    ).toEqual([
      ['stages.0.steps.1', 'pipelines-lint-agent-old', false],
      ['stages.1.steps.0', 'pipelines-lint-agent-old', false],
    ])
  })
})
