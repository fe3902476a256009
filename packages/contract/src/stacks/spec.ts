import { z } from 'zod'
import { displayName, envKey, serviceName } from '../validators.ts'
import { mask } from '../validators.ts'

/** Limits of cores and GiB: far beyond any cluster, and every sum of them is still exact. */
export const mostCores = 1_000_000
export const mostGib = 10_000_000

/** CPU in cores: `0.25`, `2`, or Kubernetes' `250m`. Above 0. */
export const Cpu = z
  .string()
  .max(20, { error: 'cpu-format', abort: true })
  .regex(/^(\d+m|\d+(\.\d{1,3})?)$/, 'cpu-format')
  .refine((s) => Number.parseFloat(s) > 0, 'cpu-positive')
  .refine((s) => cpuCores(s) <= mostCores, 'cpu-maximum')

/** Memory with its unit, at least 4 MiB: `64Mi`, `1Gi`, `500M`. */
export const Memory = z
  .string()
  .max(20, { error: 'memory-format', abort: true })
  .regex(/^\d+(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)$/, 'memory-format')
  .refine((s) => memoryBytes(s) >= 4_000_000, 'memory-minimum')
  .refine((s) => memoryBytes(s) <= mostGib * 2 ** 30, 'memory-maximum')

const memoryUnits: Record<string, number> = {
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
}

/** Bytes of a memory amount as in `Memory`. */
export function memoryBytes(amount: string): number {
  const [, figure = '0', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(amount) ?? []
  return Number(figure) * (memoryUnits[unit] ?? 1)
}

/** Cores of a CPU amount as in `Cpu`. */
export const cpuCores = (amount: string): number =>
  amount.endsWith('m') ? Number(amount.slice(0, -1)) / 1000 : Number(amount)

/** The readiness check of a container; `none` means ready as soon as it runs. */
export const Probe = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('tcp'), port: z.number().int().min(1, 'port-range').max(65_535, 'port-range') }),
  z.strictObject({
    type: z.literal('http'),
    port: z.number().int().min(1, 'port-range').max(65_535, 'port-range'),
    path: z
      .string()
      .max(1024)
      .regex(/^\/\S*$/, 'path-format')
      .default('/'),
  }),
])

/** business; external, ingress and lb come with their editors. */
export const ServiceType = z.enum(['business'])
export type ServiceType = z.infer<typeof ServiceType>

/**
 * A business service: one container per pod. This is its whole specification; the product adds what Kubernetes needs
 * besides (labels, security context, pre-stop pause).
 */
export const ServiceSpec = z.strictObject({
  /** `host/path:tag`, `host/path@digest`, or `path:tag` of a public registry. */
  image: z
    .string()
    .trim()
    .min(1, 'image-required')
    .max(600, 'image-format')
    .regex(/^[^\s]+$/, 'image-format'),
  /** The team's registry with the password for pulling. */
  registryId: z.int32('id-invalid').min(1, 'id-invalid').nullable().default(null),
  command: z.array(z.string().max(4096)).max(100, 'list-too-long').default([]),
  arguments: z.array(z.string().max(4096)).max(100, 'list-too-long').default([]),
  replicas: z.number().int('replicas-range').min(0, 'replicas-range').max(1000, 'replicas-range').default(1),
  ports: z
    .array(
      z.strictObject({
        port: z.number().int().min(1, 'port-range').max(65_535, 'port-range'),
        protocol: z.enum(['TCP', 'UDP']).default('TCP'),
      }),
    )
    .max(50, 'list-too-long')
    .default([])
    .refine((ports) => new Set(ports.map((p) => `${p.port}/${p.protocol}`)).size === ports.length, 'ports-unique'),
  environment: z
    .array(
      z.strictObject({
        name: envKey,
        value: z.string().max(32_768, 'value-too-long').default(''),
        secret: z.boolean().default(false),
      }),
    )
    .max(200, 'list-too-long')
    .default([])
    .refine((list) => new Set(list.map((e) => e.name)).size === list.length, 'env-unique'),
  /** Requests and limits of a pod: requests count against nodes, limits against quotas. */
  resources: z
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
    .prefault({}),
  readiness: Probe.default({ type: 'none' }),
})
export type ServiceSpec = z.infer<typeof ServiceSpec>
export type ServiceSpecInput = z.input<typeof ServiceSpec>

export const ServiceName = serviceName
export const StackName = z
  .string()
  .min(1, 'name-required')
  .max(30, 'name-too-long')
  .regex(/^[a-z]([a-z0-9-]*[a-z0-9])?$/, 'stack-name-format')

export const alias = displayName(30)
export const maskedValue = mask
