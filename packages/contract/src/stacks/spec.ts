import { z } from 'zod'
import { displayName, serviceName } from '../validators.ts'
import { mask } from '../validators.ts'
import { containerShape, Environment, ExtraContainer, Lifecycle, port, Probe, Resources } from './spec-container.ts'
import { mountPath } from './spec-container.ts'
import { Annotations, Labels, Placement } from './spec-placement.ts'
import { Outward } from './outward.ts'
import { Autoscaling } from './scaling/autoscaling.ts'
import { outwardAlone, rulesOf } from './spec-rules.ts'
import { Dns, Gpu, JobRules, Metrics, Rollout, Schedule, Security, Workload } from './spec-run.ts'
import { ConfigFile, Configuration, Volume } from './spec-storage.ts'

/** `business` runs pods. The others run none: they reach outward, or are reached from outside. */
export const ServiceType = z.enum(['business', 'external', 'lb', 'ingress'])
export type ServiceType = z.infer<typeof ServiceType>

/**
 * Every field of a service. Unset fields are absent, so that a first service has nothing to fill in, and a document of
 * an earlier version stays valid.
 */
export const ServiceDocument = z.strictObject({
  /** Absent: a Deployment. */
  workload: Workload.optional(),
  ...containerShape,
  workingDirectory: mountPath.optional(),
  /** For a DaemonSet: the most hosts on which it runs, for the share. */
  replicas: z.number().int('replicas-range').min(0, 'replicas-range').max(1000, 'replicas-range').default(1),
  ports: z
    .array(z.strictObject({ port, protocol: z.enum(['TCP', 'UDP']).default('TCP') }))
    .max(50, 'list-too-long')
    .default([])
    .refine((ports) => new Set(ports.map((p) => `${p.port}/${p.protocol}`)).size === ports.length, 'ports-unique'),
  environment: Environment,
  resources: Resources,
  /** When it receives requests; by default as soon as its first TCP port is open. */
  readiness: Probe.default({ type: 'none' }),
  /** When it is restarted. */
  liveness: Probe.optional(),
  /** When the other two checks begin. */
  startup: Probe.optional(),
  lifecycle: Lifecycle.optional(),
  /** Seconds in which it has to end by itself. */
  terminationSeconds: z.number().int('seconds-range').min(1, 'seconds-range').max(3600, 'seconds-range').optional(),
  files: z.array(ConfigFile).max(50, 'list-too-long').optional(),
  configuration: Configuration.optional(),
  volumes: z.array(Volume).max(20, 'list-too-long').optional(),
  /** The other containers of a pod, in start order. */
  containers: z.array(ExtraContainer).max(10, 'list-too-long').optional(),
  gpu: Gpu.optional(),
  rollout: Rollout.optional(),
  /** For a Deployment or StatefulSet: `replicas` is then its initial number of instances. */
  autoscaling: Autoscaling.optional(),
  job: JobRules.optional(),
  schedule: Schedule.optional(),
  placement: Placement.optional(),
  dns: Dns.optional(),
  security: Security.optional(),
  metrics: Metrics.optional(),
  labels: Labels.optional(),
  annotations: Annotations.optional(),
})

/** The fields of a form for a business service. */
export const BusinessSpec = ServiceDocument.superRefine(rulesOf)

/**
 * The whole specification of a service: in a form, as text, in a call and in a step of a pipeline; the product adds
 * what Kubernetes needs besides (selectors, security context, pre-stop pause). A service either runs pods, or has
 * `outward` and nothing else.
 */
export const ServiceSpec = ServiceDocument.extend({
  image: z.string().trim().max(600, 'image-format').regex(/^\S*$/, 'image-format').default(''),
  outward: Outward.optional(),
}).superRefine((spec, ctx) => {
  rulesOf(spec, ctx)
  outwardAlone(spec, ctx)
})
export type ServiceSpec = z.infer<typeof ServiceSpec>
export type ServiceSpecInput = z.input<typeof ServiceSpec>

export const typeOf = ({ outward }: Pick<ServiceSpec, 'outward'>): ServiceType => outward?.type ?? 'business'

export const ServiceName = serviceName
export const StackName = z
  .string()
  .min(1, 'name-required')
  .max(30, 'name-too-long')
  .regex(/^[a-z]([a-z0-9-]*[a-z0-9])?$/, 'stack-name-format')

export const alias = displayName(30)
export const maskedValue = mask
