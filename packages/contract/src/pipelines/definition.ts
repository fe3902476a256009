import { z } from 'zod'
import { dictionary, displayName, envKey, isSound, takes } from '../validators.ts'
import { uuid } from '../ids.ts'
import { ServiceDocument } from '../stacks/spec.ts'
import { rulesOf } from '../stacks/spec-rules.ts'
import { Condition } from './conditions.ts'
import { countCombinations, matrixLimits } from './steps/matrix.ts'
import { CacheStep } from './steps/cache.ts'
import { CodeQualityStep } from './steps/code-quality.ts'
import { common, environment, files } from './steps/common.ts'
import { CopyStep, ImageStep } from './steps/image.ts'
import { CoverageStep, ScanStep } from './steps/reports.ts'
import { jobServices } from './steps/job-services.ts'
import { BlueprintStep, HelmStep } from './steps/releases.ts'
import { HttpStep, MailStep, PipelineStep } from './steps/served.ts'

/**
 * A pipeline's definition: stages in order, each with steps in order, or with jobs that run in parallel. A failed step
 * ends its build; later steps are 'not_built', except those with `always` or a condition that allows it.
 */

/** Clones the pipeline's repository into the workspace, at the build's commit. */
export const CheckoutStep = z.strictObject({
  ...common,
  type: z.literal('checkout'),
  /** The number of commits; 0: all. */
  depth: z.number().int().min(0).max(100_000).default(1),
  /** The submodules to clone: none, those of the repository, or also those of its submodules. */
  submodules: z.enum(['none', 'direct', 'recursive']).default('direct'),
})

export const ScriptStep = z.strictObject({
  ...common,
  type: z.literal('script'),
  run: z.string().min(1, 'script-required').max(100_000, 'script-too-long'),
  shell: z.enum(['sh', 'bash']).default('sh'),
  environment: environment.default([]),
  timeoutMinutes: z.number().int().min(1, 'timeout-range').max(10_080, 'timeout-range').optional(),
})

/** Publishes JUnit XML files. A failed test fails the step unless `failOnFailure` is off. */
export const ReportStep = z.strictObject({
  ...common,
  type: z.literal('report'),
  files,
  failOnFailure: z.boolean().default(true),
})

export const ArtifactStep = z.strictObject({
  ...common,
  type: z.literal('artifact'),
  files,
})

/** Deploys the image of an earlier step of this build to a service and waits until it is ready. */
export const DeployStep = z.strictObject({
  ...common,
  type: z.literal('deploy'),
  stackUuid: uuid,
  service: z.string().min(1, 'service-required').max(63, 'name-too-long'),
  /** The name of the image step; by default the last image of the build. */
  imageFrom: z.string().max(30).optional(),
  /** Whether the upgrade is confirmed as soon as it is ready, or waits for a user. */
  confirm: z.boolean().default(true),
  timeoutMinutes: z.number().int().min(1, 'timeout-range').max(1440, 'timeout-range').default(10),
  /** The specification for a new service if the stack has none of that name; absent: the step then fails. */
  create: ServiceDocument.omit({ image: true, registryId: true }).superRefine(rulesOf).optional(),
})

export const Step = z.discriminatedUnion('type', [
  CheckoutStep,
  ScriptStep,
  ReportStep,
  ArtifactStep,
  ImageStep,
  DeployStep,
  HelmStep,
  BlueprintStep,
  CacheStep,
  CoverageStep,
  ScanStep,
  CodeQualityStep,
  CopyStep,
  HttpStep,
  MailStep,
  PipelineStep,
])
export type Step = z.infer<typeof Step>
export type StepInput = z.input<typeof Step>

/** The steps that change running services. */
export const deployTypes = ['deploy', 'helm', 'blueprint'] as const satisfies readonly Step['type'][]

const unique = (names: string[]): boolean => new Set(names).size === names.length

const steps = z.array(Step).max(50, 'list-too-long')

export const OsType = z.enum(['linux', 'windows', 'darwin'])
export type OsType = z.infer<typeof OsType>

export const ExecutorName = z.enum(['process', 'container', 'kubernetes'])
export type ExecutorName = z.infer<typeof ExecutorName>

const maxAxes = 10
const valueLength = 255
const matrixValue = z.union([z.string().max(valueLength, 'value-too-long'), z.number(), z.boolean()]).transform(String)

type Exclusion = Record<string, string | number | boolean>

const isText = (value: unknown): value is string => typeof value === 'string'

function isExclusion(given: unknown): given is Exclusion {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false
  const values = Object.values(given)
  return (
    values.length <= maxAxes &&
    values.every((value) =>
      isText(value) ? value.length <= valueLength : typeof value === 'boolean' || Number.isFinite(value),
    )
  )
}

const areTexts = (one: Exclusion): one is Record<string, string> => Object.values(one).every(isText)

const asTexts = (one: Exclusion): Record<string, string> =>
  areTexts(one) ? one : Object.fromEntries(Object.entries(one).map(([axis, value]) => [axis, String(value)]))

/**
 * A combination to exclude, or the part that all excluded combinations share. A single check instead of zod's
 * dictionary, which takes ten times as long: a definition may have 45,000 exclusions.
 */
const Exclusion = z.custom<Exclusion>(isExclusion, 'matrix-exclusion').meta({
  type: 'object',
  maxProperties: maxAxes,
  additionalProperties: {
    anyOf: [{ type: 'string', maxLength: valueLength }, { type: 'number' }, { type: 'boolean' }],
  },
})
takes.set(Exclusion, dictionary(envKey, matrixValue, maxAxes))

/** One job for each combination of the axes' values, which its steps get as environment variables. */
export const Matrix = z
  .strictObject({
    axes: dictionary(envKey, z.array(matrixValue).min(1, 'list-empty').max(100, 'list-too-long'), maxAxes),
    exclude: z
      .array(Exclusion)
      .max(100, 'list-too-long')
      .transform((all) => all.map(asTexts))
      .default([]),
  })
  .refine((matrix) => Object.values(matrix.axes).every(unique), { message: 'matrix-values-unique', path: ['axes'] })
  .refine(({ axes, exclude }) => exclude.every((one) => Object.keys(one).every((axis) => Object.hasOwn(axes, axis))), {
    message: 'matrix-axis-unknown',
    path: ['exclude'],
  })
  .refine(
    (matrix) => {
      const jobs = countCombinations(matrix)
      return jobs > 0 && jobs <= matrixLimits.jobs
    },
    { message: 'matrix-too-large', path: ['axes'], when: isSound },
  )
export type Matrix = z.infer<typeof Matrix>

const handsOn = z.array(files).max(50, 'list-too-long').default([])

/** Steps that an agent runs in a workspace of their own, in parallel with the other jobs of the stage. */
export const Job = z
  .strictObject({
    name: displayName(30, 'job-name-too-long'),
    /** Labels that the agent must have, in addition to those in the pipeline's settings. */
    labels: z.array(z.string().min(1).max(63)).max(20, 'list-too-long').default([]),
    osType: OsType.default('linux'),
    /** Absent: any agent runs the job, as a process on its machine. */
    executor: ExecutorName.optional(),
    /** The image in which its steps run, for executors with containers. */
    image: z.number().int().min(1, 'build-images-unknown').optional(),
    services: jobServices,
    matrix: Matrix.optional(),
    /** Absent: the pipeline's limit. */
    timeoutMinutes: z.number().int().min(1, 'timeout-range').max(10_080, 'timeout-range').optional(),
    /** How often a failed job is repeated; with `exitCodes` only if the failed step exited with one of them. */
    retries: z
      .strictObject({
        count: z.number().int().min(0, 'retries-range').max(5, 'retries-range'),
        exitCodes: z.array(z.number().int().min(1).max(255)).max(50, 'list-too-long').optional(),
      })
      .optional(),
    /** Files of the workspace with which every later job begins. */
    handsOn,
    /** A retry on the same agent begins with the failed attempt's workspace; on another agent with an empty one. */
    keepsWorkspace: z.boolean().optional(),
    when: Condition.optional(),
    steps: steps
      .min(1, 'job-without-steps')
      .refine((some) => unique(some.map(({ name }) => name)), 'step-names-unique'),
  })
  .refine((job) => job.osType !== 'windows' || job.steps.every(({ type }) => type !== 'code-quality'), {
    message: 'code-quality-windows',
    path: ['osType'],
  })
  .refine((job) => job.image === undefined || (job.executor !== undefined && job.executor !== 'process'), {
    message: 'build-images-process',
    path: ['image'],
  })
  .refine((job) => job.services.length === 0 || (job.executor !== undefined && job.executor !== 'process'), {
    message: 'job-services-process',
    path: ['services'],
  })
export type Job = z.infer<typeof Job>
export type JobInput = z.input<typeof Job>

const names = z.array(z.string().min(1).max(255)).max(50, 'list-too-long').default([])

/** Who may let a stage begin, and which parameters they set. */
export const Approval = z.strictObject({
  /** User names and names of the team's roles; both empty: everyone with the permission. */
  users: names,
  roles: names,
  /** The number of approvals that are needed; a single rejection ends the build. */
  count: z.number().int().min(1, 'approval-count').max(10, 'approval-count').default(1),
  /** After this number of hours without a decision the build ends. */
  hours: z.number().int().min(1, 'approval-hours').max(720, 'approval-hours').optional(),
  /** Parameters of the pipeline that are set with the decision. */
  parameters: names,
})
export type Approval = z.infer<typeof Approval>

export const Stage = z
  .strictObject({
    name: displayName(30, 'stage-name-too-long'),
    /**
     * `manual`: a user who may start builds starts the stage. `approve`: a user who may approve, other than the one who
     * started the build, approves it.
     */
    mode: z.enum(['auto', 'manual', 'approve']).default('auto'),
    approval: Approval.optional(),
    when: Condition.optional(),
    /** Consecutive stages with steps share one workspace. */
    steps: steps.default([]),
    jobs: z.array(Job).max(50, 'list-too-long').default([]),
    /** For a stage with steps: files of the workspace with which the jobs of later stages begin. */
    handsOn,
    /** For a stage with steps, and so for all stages that share its workspace: like the field of a job. */
    keepsWorkspace: z.boolean().optional(),
  })
  .refine((stage) => stage.steps.length > 0 || stage.jobs.length > 0, {
    message: 'stage-without-steps',
    path: ['steps'],
  })
  .refine((stage) => stage.steps.length === 0 || stage.jobs.length === 0, {
    message: 'stage-steps-or-jobs',
    path: ['jobs'],
  })
  .refine((stage) => stage.mode !== 'auto' || stage.approval === undefined, {
    message: 'stage-approval-auto',
    path: ['approval'],
  })
  .refine((stage) => stage.jobs.length === 0 || stage.handsOn.length === 0, {
    message: 'stage-hands-on-jobs',
    path: ['handsOn'],
  })
  .refine((stage) => stage.jobs.length === 0 || stage.keepsWorkspace === undefined, {
    message: 'stage-keeps-workspace-jobs',
    path: ['keepsWorkspace'],
  })
export type Stage = z.infer<typeof Stage>
export type StageInput = z.input<typeof Stage>

/** The most jobs and steps of one build. */
export const buildLimits = { jobs: 500, steps: 5000 }

const size = ({ jobs, steps }: Stage): { jobs: number; steps: number } =>
  jobs.reduce(
    (sum, job) => {
      const times = job.matrix ? countCombinations(job.matrix) : 1
      return { jobs: sum.jobs + times, steps: sum.steps + times * job.steps.length }
    },
    { jobs: jobs.length === 0 ? 1 : 0, steps: steps.length },
  )

/**
 * Stage names and job names are unique in a pipeline, and step names in a job, because logs and results are found by
 * them. The steps of all stages without jobs count as those of one job.
 */
export const Definition = z
  .strictObject({ stages: z.array(Stage).max(50, 'list-too-long') })
  .refine((d) => unique(d.stages.map((s) => s.name)), { message: 'stage-names-unique', path: ['stages'] })
  .refine((d) => unique(d.stages.flatMap((s) => s.steps.map((step) => step.name))), {
    message: 'step-names-unique',
    path: ['stages'],
  })
  .refine((d) => unique(d.stages.flatMap((s) => s.jobs.map((job) => job.name))), {
    message: 'job-names-unique',
    path: ['stages'],
  })
  .refine(
    (d) => {
      const sizes = d.stages.map(size)
      return (
        sizes.reduce((sum, { jobs }) => sum + jobs, 0) <= buildLimits.jobs &&
        sizes.reduce((sum, { steps }) => sum + steps, 0) <= buildLimits.steps
      )
    },
    { message: 'build-too-large', path: ['stages'], when: isSound },
  )
export type Definition = z.infer<typeof Definition>

/** Every step of a definition, including those in jobs. */
export const stepsOfDefinition = ({ stages }: Pick<Definition, 'stages'>): Step[] =>
  stages.flatMap(({ steps, jobs }) => [...steps, ...jobs.flatMap((job) => job.steps)])

/** The images of a definition's jobs and of their services. */
export const buildImagesOf = ({ stages }: Pick<Definition, 'stages'>): number[] => [
  ...new Set(
    stages.flatMap(({ jobs }) =>
      jobs.flatMap(({ image, services }) => [
        ...(image === undefined ? [] : [image]),
        ...services.map((service) => service.image),
      ]),
    ),
  ),
]
