import { newSteps } from '@gantry/agent-protocol/protocol'
import type { Condition } from '@gantry/contract/pipelines/conditions'
import type { Definition, Job, Step } from '@gantry/contract/pipelines/definition'
import { dockerfileOf } from '@gantry/contract/pipelines/steps/image'
import { combinations } from '@gantry/contract/pipelines/steps/matrix'
import type { Vars } from '../../../kernel/fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { jobTitle } from '../jobs/title.ts'
import { asStored } from '../pipelines/key-order.ts'

/** The objects that references of a definition are looked up in. */
export interface Surroundings {
  /** Every agent that takes jobs of the team, online or not. */
  agents: readonly {
    labels: readonly string[]
    osType: string
    executors: readonly string[]
    protocol: string
    /** The uuid of the cluster where its Kubernetes jobs run. */
    environment: string | null
  }[]
  /** The labels that every job of the pipeline requires. */
  agentLabels: readonly string[]
  parameters: readonly string[]
  registries: ReadonlySet<number>
  chartRepositories: ReadonlySet<number>
  blueprints: ReadonlySet<number>
  /** The user names of members that emails can be sent to. */
  members: ReadonlySet<string>
  dockerfiles: ReadonlySet<number>
  /** Each with the clusters that it is limited to; empty means all. */
  buildImages: ReadonlyMap<number, { name: string; clusters: readonly { uuid: string; name: string }[] }>
  codeQuality: boolean
  /** The team's stacks that the definition names, with the names of their services. */
  stacks: ReadonlyMap<string, { name: string; services: ReadonlySet<string> }>
  /** The team's pipelines that steps start, each with the names of the pipelines on a cycle back to this one. */
  pipelines: ReadonlyMap<number, readonly string[]>
}

export interface LintFinding {
  path: string
  key: PhraseKey
  vars: Vars
  fatal: boolean
}

type Tell = (path: string, key: PhraseKey, vars: Vars, fatal?: boolean) => void

/** Steps that can set outputs. */
const tellsOutputs = ({ type }: Step): boolean =>
  ['script', 'http', 'pipeline', 'cache', 'coverage', 'scan', 'image', 'copy'].includes(type)

/** A text may refer to an output thousands of times, so warnings are limited; fatal findings are not. */
const maxWarnings = 500

/** What could not run, in the order of the definition. */
export function lintDefinition({ stages }: Definition, around: Surroundings): LintFinding[] {
  const findings: LintFinding[] = []
  let doubts = 0
  const tell: Tell = (path, key, vars, fatal = false) => {
    if (fatal || doubts++ < maxWarnings) findings.push({ path, key, vars, fatal })
  }
  /** The names that jobs of earlier stages define. */
  const before: Seen = { outputs: names(), several: new Map(), images: names(), created: names() }
  let plainJudged = false
  for (const [at, stage] of stages.entries()) {
    const path = `stages.${at}`
    lintCondition(tell, `${path}.when`, stage.when, around, before)
    for (const [row, name] of (stage.approval?.parameters ?? []).entries())
      if (!around.parameters.includes(name))
        tell(`${path}.approval.parameters.${row}`, 'pipelines-lint-parameter', { name })
    if (stage.jobs.length === 0) {
      // the labels of plain stages are those of the settings: report them once
      const tellOnce: Tell = plainJudged ? () => undefined : tell
      const able = lintAgents(tellOnce, () => path, { labels: [], osType: 'linux', executor: undefined }, around)
      plainJudged = true
      lintAge(tell, path, stage.steps, able)
      const own = onTopOf(before)
      lintSteps(tell, path, stage.steps, around, own)
      keep(own, before)
      for (const name of own.outputs.own) before.several.delete(name)
      continue
    }
    const after = stage.jobs.map((job, row) => {
      const inside = `${path}.jobs.${row}`
      lintCondition(tell, `${inside}.when`, job.when, around, before)
      const able = lintAgents(tell, (field) => `${inside}.${field}`, job, around)
      lintAge(tell, inside, job.steps, able)
      lintImages(tell, inside, job, around, able)
      const own = onTopOf(before)
      lintSteps(tell, inside, job.steps, around, own)
      return own
    })
    for (const left of after) keep(left, before)
    seeJobs(stage.jobs, before)
  }
  return findings
}

/** Adds the outputs of a stage's jobs under their long names, and notes which short names several jobs share. */
function seeJobs(jobs: readonly Job[], { outputs, several }: Seen): void {
  const byStep = new Map<string, string[]>()
  for (const { name, matrix, steps } of jobs)
    for (const values of matrix ? combinations(matrix) : [{}]) {
      const title = jobTitle({ name, matrix: asStored(values) })
      for (const step of steps.filter(tellsOutputs)) {
        const long = `${title}.${step.name}`
        const longs = byStep.get(step.name)
        if (longs) longs.push(long)
        else byStep.set(step.name, [long])
      }
    }
  for (const [step, longs] of byStep) {
    for (const long of longs) outputs.add(long)
    if (longs.length > 1) several.set(step, longs[0] ?? '')
    else several.delete(step)
  }
}

interface Names {
  own: ReadonlySet<string>
  has: (name: string) => boolean
  add: (name: string) => void
}

/** Names on top of others, which are not copied: hundreds of jobs each see the names of thousands of steps. */
function names(below?: Names): Names {
  const own = new Set<string>()
  return {
    own,
    has: (name) => own.has(name) || below?.has(name) === true,
    add: (name) => void own.add(name),
  }
}

/** Names that earlier steps of a build define. */
interface Seen {
  outputs: Names
  /** For step names that several jobs of a stage share: the long name in one of the jobs. */
  several: Map<string, string>
  images: Names
  /** `stack/service` of steps that create the service. */
  created: Names
}

const kinds = ['outputs', 'images', 'created'] as const

const onTopOf = ({ outputs, several, images, created }: Seen): Seen => ({
  outputs: names(outputs),
  several,
  images: names(images),
  created: names(created),
})

function keep(left: Seen, before: Seen): void {
  for (const kind of kinds) for (const name of left[kind].own) before[kind].add(name)
}

function lintCondition(
  tell: Tell,
  path: string,
  when: Condition | undefined,
  { parameters }: Surroundings,
  seen: Seen,
): void {
  const parameter = when?.parameter?.name
  if (parameter !== undefined && !parameters.includes(parameter))
    tell(`${path}.parameter.name`, 'pipelines-lint-parameter', { name: parameter })
  const output = when?.output?.name
  if (output !== undefined) lintOutput(tell, `${path}.output.name`, output, seen)
}

function lintOutput(tell: Tell, path: string, name: string, { outputs, several }: Seen): void {
  const step = stepOf(name)
  // a step of that name in the job itself takes precedence
  const long = outputs.own.has(step) ? undefined : several.get(step)
  if (!outputs.has(step)) tell(path, 'pipelines-lint-output', { name, step })
  else if (long !== undefined)
    tell(path, 'pipelines-lint-output-several', { name, long: `${long}${name.slice(step.length)}` })
}

/** The part before the key, which contains no dot: the name of a step, or of a job and its step. */
const stepOf = (output: string): string => output.slice(0, output.lastIndexOf('.'))

/** Reports the first requirement that no agent meets along with those before. Returns the agents that meet them all. */
function lintAgents(
  tell: Tell,
  at: (field: 'labels' | 'osType' | 'executor') => string,
  job: Pick<Job, 'labels' | 'osType' | 'executor'>,
  { agents, agentLabels }: Surroundings,
): Surroundings['agents'] {
  const { osType, executor } = job
  const labels = [...agentLabels, ...job.labels]
  const ofOs = agents.filter((agent) => agent.osType === osType)
  // an agent that has never connected has reported no executors, and may be able to run processes
  const offering = ofOs.filter(({ executors }) =>
    executor === undefined ? executors.length === 0 || executors.includes('process') : executors.includes(executor),
  )
  const able = offering.filter((agent) => labels.every((label) => agent.labels.includes(label)))
  if (agents.length === 0) tell(at('labels'), 'pipelines-lint-no-agent', {})
  else if (ofOs.length === 0) tell(at('osType'), 'pipelines-lint-agent-os', { os: osType })
  else if (offering.length === 0)
    tell(at('executor'), 'pipelines-lint-agent-executor', { os: osType, executor: executor ?? 'process' })
  else if (able.length === 0) tell(at('labels'), 'pipelines-lint-agent-labels', { labels: labels.join(', ') })
  return able
}

/** Reports steps that are newer than every agent that could run them. */
function lintAge(tell: Tell, path: string, steps: readonly Step[], able: Surroundings['agents']): void {
  if (able.length === 0 || able.some(({ protocol }) => protocol !== newSteps.unknownTo)) return
  for (const [row, { name, type }] of steps.entries())
    if (newSteps.types.includes(type)) tell(`${path}.steps.${row}`, 'pipelines-lint-agent-old', { step: name })
}

function lintImages(
  tell: Tell,
  path: string,
  { name, executor, image, services }: Job,
  { buildImages }: Surroundings,
  able: Surroundings['agents'],
): void {
  const inContainers = executor !== undefined && executor !== 'process'
  if (image === undefined && inContainers) tell(`${path}.image`, 'pipelines-lint-job-image', { job: name }, true)
  if (image !== undefined && !buildImages.has(image))
    tell(`${path}.image`, 'pipelines-build-image-unknown', { job: name }, true)
  for (const [row, service] of services.entries())
    if (!buildImages.has(service.image))
      tell(`${path}.services.${row}.image`, 'pipelines-lint-job-service', { job: name, service: service.name }, true)
  if (executor !== 'kubernetes') return
  const named = [
    { image, at: 'image' },
    ...services.map((one, row) => ({ image: one.image, at: `services.${row}.image` })),
  ]
  let inside = able
  for (const { image: id, at } of named) {
    const limited = id === undefined ? undefined : buildImages.get(id)
    if (!limited || limited.clusters.length === 0 || inside.length === 0) continue
    inside = inside.filter(({ environment }) => limited.clusters.some(({ uuid }) => uuid === environment))
    const clusters = limited.clusters.map((cluster) => cluster.name).join(', ')
    if (inside.length === 0) tell(`${path}.${at}`, 'pipelines-lint-agent-image', { image: limited.name, clusters })
  }
}

function lintSteps(tell: Tell, path: string, steps: readonly Step[], around: Surroundings, seen: Seen): void {
  const cached = new Set<string>()
  for (const [row, step] of steps.entries()) {
    const at = `${path}.steps.${row}`
    lintCondition(tell, `${at}.when`, step.when, around, seen)
    const { when: _, ...rest } = step
    for (const [where, text] of textsOf(rest, at))
      for (const [, name = ''] of text.matchAll(/\$\{outputs\.([^{}]+)\}/g)) lintOutput(tell, where, name, seen)
    lintStep(tell, at, step, around, seen)
    if (step.type === 'cache') {
      if (cached.has(step.key)) tell(`${at}.key`, 'pipelines-lint-cache-twice', { step: step.name })
      cached.add(step.key)
    }
    if (tellsOutputs(step)) seen.outputs.add(step.name)
    if (step.type === 'image' || step.type === 'copy') seen.images.add(step.name)
    if (step.type === 'deploy' && step.create) seen.created.add(`${step.stackUuid}/${step.service}`)
  }
}

function lintStep(tell: Tell, path: string, step: Step, around: Surroundings, seen: Seen): void {
  if (step.type === 'image') {
    if (!around.registries.has(step.registryId))
      tell(`${path}.registryId`, 'pipelines-lint-registry', { step: step.name }, true)
    const dockerfile = dockerfileOf(step)
    if (dockerfile !== undefined && !around.dockerfiles.has(dockerfile))
      tell(`${path}.dockerfile`, 'pipelines-dockerfile-unknown', { step: step.name }, true)
  }
  if (step.type === 'copy')
    for (const field of ['fromRegistryId', 'registryId'] as const)
      if (!around.registries.has(step[field]))
        tell(`${path}.${field}`, 'pipelines-lint-registry', { step: step.name }, true)
  if (step.type === 'mail')
    for (const [row, name] of step.to.entries())
      if (!name.includes('@') && !around.members.has(name))
        tell(`${path}.to.${row}`, 'pipelines-lint-mail-recipient', { step: step.name, name })
  if (step.type === 'pipeline') {
    const way = around.pipelines.get(step.pipelineId)
    if (!way) tell(`${path}.pipelineId`, 'pipelines-lint-pipeline', { step: step.name }, true)
    else if (way.length > 0)
      tell(`${path}.pipelineId`, 'pipelines-lint-circle', { step: step.name, way: way.join(' → ') }, true)
  }
  if (step.type === 'code-quality' && !around.codeQuality) tell(path, 'code-quality-none', {})
  if ('stackUuid' in step && !around.stacks.has(step.stackUuid))
    tell(`${path}.stackUuid`, 'pipelines-lint-stack', { step: step.name }, true)
  if (step.type === 'helm' && !around.chartRepositories.has(step.repositoryId))
    tell(`${path}.repositoryId`, 'pipelines-lint-chart-repository', { step: step.name }, true)
  if (step.type === 'blueprint' && !around.blueprints.has(step.blueprintId))
    tell(`${path}.blueprintId`, 'pipelines-lint-blueprint', { step: step.name }, true)
  if (step.type === 'deploy') {
    const { stackUuid, service, imageFrom, name } = step
    const stack = around.stacks.get(stackUuid)
    if (stack && !step.create && !stack.services.has(service) && !seen.created.has(`${stackUuid}/${service}`))
      tell(`${path}.service`, 'pipelines-lint-service', { step: name, service, stack: stack.name })
    if (imageFrom !== undefined && !seen.images.has(imageFrom))
      tell(`${path}.imageFrom`, 'pipelines-lint-image-step', { step: name, image: imageFrom })
  }
}

function* textsOf(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value === 'string') yield [path, value]
  else if (value !== null && typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) yield* textsOf(inner, `${path}.${key}`)
}
