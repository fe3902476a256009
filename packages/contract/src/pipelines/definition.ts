import { z } from 'zod'
import { displayName, envKey } from '../validators.ts'
import { uuid } from '../ids.ts'
import { ServiceSpec } from '../stacks/spec.ts'

/**
 * A pipeline's definition: stages in order, each with steps in order. A failed step ends its build; later ones are
 * 'not_built', except those with `always`.
 */

/** A glob of files below the workspace: `*`, `**` and `?`; never absolute, and without `..`. */
const files = z
  .string()
  .trim()
  .min(1, 'files-required')
  .max(500, 'files-invalid')
  .refine((s) => !s.startsWith('/') && !s.split('/').includes('..') && !s.includes('\\'), 'files-invalid')

const common = {
  name: displayName(30, 'step-name-too-long'),
  /** Runs even if an earlier step of the build failed: reports, artifacts. */
  always: z.boolean().optional(),
}

const environment = z
  .array(z.strictObject({ name: envKey, value: z.string().max(32_768, 'value-too-long') }))
  .max(100, 'list-too-long')

/** Clones the pipeline's repository into the workspace, at the build's commit. */
export const CheckoutStep = z.strictObject({
  ...common,
  type: z.literal('checkout'),
  /** How many commits; 0 = all. */
  depth: z.number().int().min(0).max(100_000).default(1),
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

const imagePath = z
  .string()
  .max(255, 'image-repository-invalid')
  .regex(/^[a-z0-9]+([._-][a-z0-9]+)*(\/[a-z0-9]+([._-][a-z0-9]+)*)*$/, 'image-repository-invalid')

/** A tag, in which `${number}`, `${commit}` and `${branch}` stand for the build's own. */
const tag = z
  .string()
  .max(128, 'image-tag-invalid')
  .regex(/^([A-Za-z0-9_.-]|\$\{(number|commit|branch)\})+$/, 'image-tag-invalid')

/** Adds files of the workspace to a base image, without a container engine, and pushes the result. */
export const ImageStep = z.strictObject({
  ...common,
  type: z.literal('image'),
  method: z.literal('layers').default('layers'),
  /** The team's registry to push to. */
  registryId: z.number().int(),
  repository: imagePath,
  tag: tag.default('${number}'),
  /** `scratch`, or an image of the same registry as `path:tag` or `path@digest`. */
  base: z.string().min(1, 'base-required').max(500, 'base-invalid').default('scratch'),
  copy: z
    .array(
      z.strictObject({
        from: files,
        to: z
          .string()
          .max(500, 'path-format')
          .regex(/^\/[^\0]*$/, 'path-format'),
      }),
    )
    .max(100, 'list-too-long')
    .default([]),
  entrypoint: z.array(z.string().max(4096)).max(100, 'list-too-long').default([]),
  command: z.array(z.string().max(4096)).max(100, 'list-too-long').default([]),
  workingDirectory: z.string().max(500).default(''),
  user: z.string().max(100).default(''),
  environment: environment.default([]),
  ports: z.array(z.number().int().min(1, 'port-range').max(65_535, 'port-range')).max(100, 'list-too-long').default([]),
})

/** Deploys the image of an earlier step of this build to a service and waits until it is ready. */
export const DeployStep = z.strictObject({
  ...common,
  type: z.literal('deploy'),
  stackUuid: uuid,
  service: z.string().min(1, 'service-required').max(63, 'name-too-long'),
  /** The image step's name; by default the last image of the build. */
  imageFrom: z.string().max(30).optional(),
  /** Whether the upgrade is confirmed when it is ready, or waits for a user. */
  confirm: z.boolean().default(true),
  timeoutMinutes: z.number().int().min(1, 'timeout-range').max(1440, 'timeout-range').default(10),
  /**
   * The specification to create the service with if the stack has none of that name; without it the step then fails.
   */
  create: ServiceSpec.omit({ image: true, registryId: true }).optional(),
})

export const Step = z.discriminatedUnion('type', [
  CheckoutStep,
  ScriptStep,
  ReportStep,
  ArtifactStep,
  ImageStep,
  DeployStep,
])
export type Step = z.infer<typeof Step>
export type StepInput = z.input<typeof Step>

export const Stage = z.strictObject({
  name: displayName(30, 'stage-name-too-long'),
  steps: z.array(Step).min(1, 'stage-without-steps').max(50, 'list-too-long'),
})
export type Stage = z.infer<typeof Stage>

const unique = (names: string[]): boolean => new Set(names).size === names.length

/** Stage names and step names are unique in a pipeline: logs and results are found by them. */
export const Definition = z
  .strictObject({ stages: z.array(Stage).max(50, 'list-too-long') })
  .refine((d) => unique(d.stages.map((s) => s.name)), { message: 'stage-names-unique', path: ['stages'] })
  .refine((d) => unique(d.stages.flatMap((s) => s.steps.map((step) => step.name))), {
    message: 'step-names-unique',
    path: ['stages'],
  })
export type Definition = z.infer<typeof Definition>

/** A variable of a build's environment. A secret is sealed at rest and masked in logs and answers. */
export const Variable = z.strictObject({
  name: envKey,
  value: z.string().max(32_768, 'value-too-long'),
  secret: z.boolean().default(false),
})
export type Variable = z.infer<typeof Variable>

/**
 * Limit for all secret variables of a pipeline, or of a group, in UTF-8: some ten kubeconfigs. An agent searches for
 * each of them, in all its spellings, in everything that a step writes.
 */
export const secretsBytes = 64 * 1024
