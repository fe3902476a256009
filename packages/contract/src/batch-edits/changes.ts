import { z } from 'zod'
import { id } from '../ids.ts'
import {
  ArtifactStep,
  CheckoutStep,
  DeployStep,
  Job,
  ReportStep,
  ScriptStep,
  Stage,
  Step,
} from '../pipelines/definition.ts'
import { Parameter, Variable } from '../pipelines/parameters.ts'
import { Repository, Setting } from '../pipelines/pipelines.ts'
import { CacheStep } from '../pipelines/steps/cache.ts'
import { CodeQualityStep } from '../pipelines/steps/code-quality.ts'
import { CopyStep, ImageStep } from '../pipelines/steps/image.ts'
import { BlueprintStep, HelmStep } from '../pipelines/steps/releases.ts'
import { CoverageStep, ScanStep } from '../pipelines/steps/reports.ts'
import { HttpStep, MailStep, PipelineStep } from '../pipelines/steps/served.ts'
import { PrivateKey } from '../pipelines/credentials.ts'
import { envKey } from '../validators.ts'

/**
 * A change of many pipelines. It names its targets in each of them: a setting, or every stage, job or step that
 * matches. A value follows the rules of its field, so that a wrong one is refused before any pipeline is read.
 */

/** A name pattern, with `*` for any characters and `?` for one; empty: every name. */
const pattern = z.string().trim().max(60, 'name-too-long').default('')

const inStages = z.strictObject({ stage: pattern })
const inJobs = z.strictObject({ stage: pattern, job: pattern })
const inSteps = z.strictObject({ stage: pattern, job: pattern, step: pattern })
const anywhere = { stage: '', job: '', step: '' }

const settings = Setting.shape
const repository = Repository.shape

const set = <F extends string, V extends z.ZodType>(field: F, value: V) =>
  z.strictObject({ type: z.literal('set'), field: z.literal(field), value })

/** Carries `secret: true`, as a variable does, to mark its value as secret. */
const setSecret = <F extends string, V extends z.ZodType>(field: F, value: V) =>
  set(field, value).extend({ secret: z.literal(true) })

/** Sets one setting. Those of a repository apply only to pipelines with one. */
const SetSetting = z.discriminatedUnion('field', [
  set('description', settings.description.unwrap()),
  set('appId', id),
  set('timeoutMinutes', settings.timeoutMinutes.unwrap()),
  set('keepBuilds', settings.keepBuilds.unwrap()),
  set('retention', settings.retention.unwrap()),
  set('concurrent', settings.concurrent.unwrap()),
  set('concurrency', settings.concurrency.unwrap()),
  set('commitStatus', settings.commitStatus.unwrap()),
  set('agentLabels', settings.agentLabels.unwrap()),
  set('review', settings.review.unwrap()),
  set('repository.url', repository.url),
  set('repository.branch', repository.branch),
  set('repository.username', repository.username.unwrap()),
  setSecret('repository.password', z.string().max(4096)),
  setSecret(
    'repository.privateKey',
    z
      .string()
      .max(16_384, 'private-key-format')
      .refine((key) => PrivateKey.safeParse(key).success, 'private-key-format'),
  ),
  set('repository.knownHosts', repository.knownHosts.unwrap()),
  set('repository.credentialId', repository.credentialId.unwrap()),
])

/** The schemas of the fields for a change: without defaults, and null removes an optional field. */
const withoutDefaults = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodDefault) return withoutDefaults(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType).nullable() : schema
}

const fieldsOf = (shape: Record<string, z.ZodType>, but: readonly string[]) =>
  Object.entries(shape)
    .filter(([field]) => !but.includes(field))
    .map(([field, schema]) => [field, withoutDefaults(schema)] as const)

/** A change as it is written: missing fields of `where` match everything. */
type Written<T extends { where: object }> = Omit<T, 'where'> & { where?: Partial<T['where']> | undefined }
type OneOf<T extends { where: object }> = z.ZodType<T, Written<T>> & z.core.$ZodTypeDiscriminable

/** A union with one member for each field that a change may set, with the rules of its value. */
const oneOf = <T extends { where: object }>(members: z.ZodObject[]): OneOf<T> =>
  z.discriminatedUnion('field', members as [z.ZodObject, ...z.ZodObject[]]) as never

interface SetField {
  field: string
  value: unknown
}
export type StepPlace = z.output<typeof inSteps>

const setStage = oneOf<SetField & { type: 'set-stage'; where: z.output<typeof inStages> }>(
  fieldsOf(Stage.shape, ['name', 'steps', 'jobs']).map(([field, value]) =>
    z.strictObject({
      type: z.literal('set-stage'),
      where: inStages.default({ stage: '' }),
      field: z.literal(field),
      value,
    }),
  ),
)

const setJob = oneOf<SetField & { type: 'set-job'; where: z.output<typeof inJobs> }>(
  fieldsOf(Job.shape, ['name', 'steps']).map(([field, value]) =>
    z.strictObject({
      type: z.literal('set-job'),
      where: inJobs.default({ stage: '', job: '' }),
      field: z.literal(field),
      value,
    }),
  ),
)

const stepShapes = {
  checkout: CheckoutStep.shape,
  script: ScriptStep.shape,
  report: ReportStep.shape,
  artifact: ArtifactStep.shape,
  image: ImageStep.shape,
  deploy: DeployStep.shape,
  helm: HelmStep.shape,
  blueprint: BlueprintStep.shape,
  cache: CacheStep.shape,
  coverage: CoverageStep.shape,
  scan: ScanStep.shape,
  'code-quality': CodeQualityStep.shape,
  copy: CopyStep.shape,
  http: HttpStep.shape,
  mail: MailStep.shape,
  pipeline: PipelineStep.shape,
} satisfies Record<Step['type'], Record<string, z.ZodType>>

export const StepType = z.enum([
  'checkout',
  'script',
  'report',
  'artifact',
  'image',
  'deploy',
  'helm',
  'blueprint',
  'cache',
  'coverage',
  'scan',
  'code-quality',
  'copy',
  'http',
  'mail',
  'pipeline',
])
export type StepType = z.infer<typeof StepType>

type SetStep = SetField & { type: 'set-step'; step: StepType; where: StepPlace }

/** Sets one field of the steps of a type. */
const setStep = z.discriminatedUnion(
  'step',
  StepType.options.map((step) =>
    oneOf<SetStep>(
      fieldsOf(stepShapes[step], ['type']).map(([field, value]) =>
        z.strictObject({
          type: z.literal('set-step'),
          step: z.literal(step),
          where: inSteps.default(anywhere),
          field: z.literal(field),
          value,
        }),
      ),
    ),
  ) as never,
) as unknown as OneOf<SetStep>

/** The rules of fields by type of change and field; those of steps under `set-step.<type>`. Forms use them. */
export const fieldSchemas: Readonly<Record<string, readonly (readonly [field: string, schema: z.ZodType])[]>> = {
  set: SetSetting.options.map(({ shape }) => [shape.field.value, shape.value] as const),
  'set-stage': fieldsOf(Stage.shape, ['name', 'steps', 'jobs']),
  'set-job': fieldsOf(Job.shape, ['name', 'steps']),
  ...Object.fromEntries(StepType.options.map((step) => [`set-step.${step}`, fieldsOf(stepShapes[step], ['type'])])),
}

const labels = settings.agentLabels.unwrap().min(1, 'list-empty')
const searchedText = z.string().min(1, 'field-required').max(1000, 'text-too-long')

/** Where text is replaced: in settings, in the scripts of steps, or in every text of steps. */
export const TextPlace = z.enum([
  'projectName',
  'description',
  'repository.url',
  'repository.branch',
  'scripts',
  'steps',
])
export type TextPlace = z.infer<typeof TextPlace>

export const Change = z.discriminatedUnion('type', [
  SetSetting,
  z.strictObject({
    type: z.literal('set-variable'),
    variable: Variable,
    /** Only if a variable of that name exists. */
    existing: z.boolean().default(false),
  }),
  z.strictObject({ type: z.literal('remove-variable'), name: envKey }),
  z.strictObject({ type: z.literal('set-parameter'), parameter: Parameter, existing: z.boolean().default(false) }),
  z.strictObject({ type: z.literal('remove-parameter'), name: envKey }),
  z.strictObject({ type: z.literal('add-labels'), labels }),
  z.strictObject({ type: z.literal('remove-labels'), labels }),
  z.strictObject({
    type: z.literal('replace-text'),
    in: TextPlace,
    where: inSteps.default(anywhere),
    find: searchedText,
    replacement: z.string().max(1000, 'text-too-long').default(''),
  }),
  setStage,
  setJob,
  setStep,
  z.strictObject({
    type: z.literal('set-step-variable'),
    where: inSteps.default(anywhere),
    name: envKey,
    value: z.string().max(32_768, 'value-too-long'),
    existing: z.boolean().default(false),
  }),
  z.strictObject({ type: z.literal('remove-step-variable'), where: inSteps.default(anywhere), name: envKey }),
  z.strictObject({
    type: z.literal('add-step'),
    where: inJobs.default({ stage: '', job: '' }),
    /** `before` and `after` refer to the first step that `beside` matches; without a match, nothing is added. */
    at: z.enum(['first', 'last', 'before', 'after']).default('last'),
    beside: pattern,
    step: Step,
  }),
  z.strictObject({
    type: z.literal('remove-step'),
    step: z.union([StepType, z.literal('any')]).default('any'),
    where: inSteps.default(anywhere),
  }),
])
export type Change = z.output<typeof Change>
export type ChangeInput = z.input<typeof Change>

export const Changes = z.array(Change).min(1, 'batch-edits-changes-none').max(20, 'list-too-long')

/** The same changes, with `map` applied to each secret. */
export const mapSecrets = (changes: readonly Change[], map: (secret: string) => string): Change[] =>
  changes.map((change) => {
    if (change.type === 'set-variable' && change.variable.secret)
      return { ...change, variable: { ...change.variable, value: map(change.variable.value) } }
    if (change.type === 'set-parameter' && change.parameter.kind === 'secret')
      return { ...change, parameter: { ...change.parameter, defaultValue: map(change.parameter.defaultValue) } }
    if (change.type === 'set' && (change.field === 'repository.password' || change.field === 'repository.privateKey'))
      return { ...change, value: map(change.value) }
    return change
  })
