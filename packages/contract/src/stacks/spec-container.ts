import { z } from 'zod'
import { envKey } from '../validators.ts'
import { Cpu, cpuCores, Memory, memoryBytes } from './amounts.ts'

/** A Kubernetes name that begins with a letter, for a container or a volume. */
export const partName = (format: string) =>
  z
    .string()
    .min(1, 'name-required')
    .max(40, 'name-too-long')
    .regex(/^[a-z]([a-z0-9-]*[a-z0-9])?$/, format)

/** A path inside a container at which something is mounted. */
export const mountPath = z
  .string()
  .min(1, 'mount-path-format')
  .max(100, 'mount-path-format')
  .regex(/^(\/[A-Za-z0-9._-]+)+$/, 'mount-path-format')
  .refine((path) => !/\/\.{1,2}(\/|$)/.test(path), 'mount-path-format')

export const port = z.number().int('port-range').min(1, 'port-range').max(65_535, 'port-range')

/** Begins with a slash, has no white space. */
const requestPath = z
  .string()
  .max(1024)
  .regex(/^\/\S*$/, 'path-format')
  .default('/')

/** The words of a command in a container. */
const words = z.array(z.string().max(4096)).max(100, 'list-too-long')
const someWords = words.min(1, 'command-required')

const seconds = (min: number, max: number) =>
  z.number().int('seconds-range').min(min, 'seconds-range').max(max, 'seconds-range')

/** When and how often a check runs, and how many results count. */
const timing = {
  /** Seconds before the first check. */
  delaySeconds: seconds(0, 3600).optional(),
  periodSeconds: seconds(1, 3600).optional(),
  timeoutSeconds: seconds(1, 300).optional(),
  /** The number of consecutive failures. */
  failures: z.number().int('count-range').min(1, 'count-range').max(100, 'count-range').optional(),
}

/** A check of a container; `none` is the same as no check. */
export const Probe = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('tcp'), port, ...timing }),
  z.strictObject({ type: z.literal('http'), port, path: requestPath, ...timing }),
  z.strictObject({ type: z.literal('command'), command: someWords, ...timing }),
])
export type Probe = z.infer<typeof Probe>

const lifecyclePort = z
  .number()
  .int('lifecycle-port-range')
  .min(1, 'lifecycle-port-range')
  .max(65_534, 'lifecycle-port-range')

/** An action right after a container has started, or before it is asked to end. */
export const Hook = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('command'), command: someWords }),
  z.strictObject({ type: z.literal('http'), port: lifecyclePort, path: requestPath }),
])
export type Hook = z.infer<typeof Hook>

export const Lifecycle = z.strictObject({ afterStart: Hook.optional(), beforeStop: Hook.optional() })

export const Environment = z
  .array(
    z.strictObject({
      name: envKey,
      value: z.string().max(32_768, 'value-too-long').default(''),
      secret: z.boolean().default(false),
    }),
  )
  .max(200, 'list-too-long')
  .default([])
  .refine((list) => new Set(list.map((e) => e.name)).size === list.length, 'env-unique')

/** Requests and limits of a container: requests count against nodes, limits against quotas. */
export const Resources = z
  .strictObject({
    cpu: Cpu.default('0.5'),
    memory: Memory.default('256Mi'),
    cpuRequest: Cpu.default('0.05'),
    memoryRequest: Memory.default('32Mi'),
  })
  .refine((r) => cpuCores(r.cpuRequest) <= cpuCores(r.cpu), { message: 'request-above-limit', path: ['cpuRequest'] })
  .refine((r) => memoryBytes(r.memoryRequest) <= memoryBytes(r.memory), {
    message: 'request-above-limit',
    path: ['memoryRequest'],
  })
  .prefault({})

/** The fields of every container of a pod. */
export const containerShape = {
  /** `host/path:tag`, `host/path@digest`, or `path:tag` of a public registry. */
  image: z
    .string()
    .trim()
    .min(1, 'image-required')
    .max(600, 'image-format')
    .regex(/^[^\s]+$/, 'image-format'),
  /** The team's registry whose password is used for pulling. */
  registryId: z.int32('id-invalid').min(1, 'id-invalid').nullable().default(null),
  command: words.default([]),
  arguments: words.default([]),
}

/**
 * Another container of the pod. `init` ends before the containers after it start; `side` starts before the containers
 * after it, runs beside them, and ends after them.
 */
export const ExtraContainer = z.strictObject({
  name: partName('container-name-format'),
  role: z.enum(['init', 'side']),
  ...containerShape,
  environment: Environment,
  resources: Resources,
  /** The service's volumes that it mounts, and where. */
  mounts: z
    .array(z.strictObject({ volume: z.string().max(63), path: mountPath, readOnly: z.boolean().default(false) }))
    .max(20, 'list-too-long')
    .default([]),
})
export type ExtraContainer = z.infer<typeof ExtraContainer>
