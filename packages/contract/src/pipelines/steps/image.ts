import { z } from 'zod'
import { envKey } from '../../validators.ts'
import { common, environment, files, place } from './common.ts'

const imagePath = z
  .string()
  .max(255, 'image-repository-invalid')
  .regex(/^[a-z0-9]+([._-][a-z0-9]+)*(\/[a-z0-9]+([._-][a-z0-9]+)*)*$/, 'image-repository-invalid')

/** A tag; `${number}`, `${commit}` and `${branch}` stand for the build's, `${outputs.step.KEY}` for an output. */
const tag = z
  .string()
  .max(128, 'image-tag-invalid')
  .regex(/^([A-Za-z0-9_.-]|\$\{(number|commit|branch|outputs\.[^{}]+)\})+$/, 'image-tag-invalid')

/** The name of a build argument: the part before `=`. */
const argument = z.strictObject({
  name: envKey.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'argument-name'),
  value: z
    .string()
    .max(4096, 'value-too-long')
    .refine((value) => !value.includes('\0'), 'argument-value'),
})

/**
 * Builds an image and pushes it. `layers`: adds files of the workspace to a base image, without a container engine.
 * `dockerfile`: runs a Dockerfile with buildah, podman or docker on the agent.
 */
export const ImageStep = z
  .strictObject({
    ...common,
    type: z.literal('image'),
    method: z.enum(['layers', 'dockerfile']).default('layers'),
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
    ports: z
      .array(z.number().int().min(1, 'port-range').max(65_535, 'port-range'))
      .max(100, 'list-too-long')
      .default([]),
    /** For the method `dockerfile`: a Dockerfile of the team, by its id, or a file of the workspace. */
    dockerfile: z
      .union([z.strictObject({ id: z.number().int().min(1, 'dockerfile-required') }), z.strictObject({ path: place })])
      .optional(),
    /** The folder of the workspace that the Dockerfile copies from. */
    context: place.default('.'),
    arguments: z.array(argument).max(100, 'list-too-long').default([]),
    /** The stage to build; absent: the last one. */
    target: z
      .union([
        z.literal(''),
        z
          .string()
          .max(128, 'target-invalid')
          .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'target-invalid'),
      ])
      .default(''),
  })
  .refine((step) => step.method !== 'dockerfile' || step.dockerfile !== undefined, {
    message: 'dockerfile-required',
    path: ['dockerfile'],
  })
  .refine((step) => step.method === 'dockerfile' || step.dockerfile === undefined, {
    message: 'dockerfile-needs-method',
    path: ['dockerfile'],
  })

/**
 * Copies an image, with all its platforms, between two registries of the team or within one. Copies the digest that the
 * tag has when the step begins.
 */
export const CopyStep = z.strictObject({
  ...common,
  type: z.literal('copy'),
  fromRegistryId: z.number().int(),
  /** `path:tag` or `path@digest`; `${outputs.step.KEY}` is replaced by an output. */
  from: z.string().trim().min(1, 'copy-from').max(500, 'copy-from').regex(/^\S*$/, 'copy-from'),
  registryId: z.number().int(),
  repository: imagePath,
  tag: tag.default('${number}'),
})

/** The registries from which a step reads or to which it writes. */
export const registriesOfStep = (step: { type: string }): number[] => {
  const { registryId = 0, fromRegistryId = 0 } = step as Partial<z.infer<typeof CopyStep>>
  return step.type === 'image' ? [registryId] : step.type === 'copy' ? [fromRegistryId, registryId] : []
}

/** The team's Dockerfile that a step uses. */
export const dockerfileOf = (step: { type: string }): number | undefined => {
  const { dockerfile } = step as Partial<z.infer<typeof ImageStep>>
  return step.type === 'image' && dockerfile !== undefined && 'id' in dockerfile ? dockerfile.id : undefined
}
