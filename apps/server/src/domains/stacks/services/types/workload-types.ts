import { type Demand, demandOf, type Sized } from '@gantry/contract/stacks/demand'
import { ServiceSpec, type ServiceType } from '@gantry/contract/stacks/spec'
import type { Workload } from '@gantry/contract/stacks/spec-run'
import type { z } from 'zod'
import { cronJob } from './cron-job.ts'
import { daemonSet } from './daemon-set.ts'
import { deployment } from './deployment.ts'
import { job } from './job.ts'
import { external } from './external.ts'
import { routed } from './routed.ts'
import { statefulSet } from './stateful-set.ts'
import type { WorkloadType } from './workload-type.ts'

const workloads: Record<Workload, WorkloadType> = {
  deployment,
  statefulset: statefulSet,
  daemonset: daemonSet,
  job,
  cronjob: cronJob,
}

/** What differs between types of services. */
interface Type {
  schema: z.ZodType<ServiceSpec>
  /** The most that it may use of its stack's share, also during an upgrade. */
  demand: (spec: Sized) => Demand
  workload: (spec: ServiceSpec) => WorkloadType
}

export const serviceTypes: Record<ServiceType, Type> = {
  business: {
    schema: ServiceSpec,
    demand: demandOf,
    workload: ({ workload = 'deployment' }) => workloads[workload],
  },
  external: { schema: ServiceSpec, demand: demandOf, workload: () => external },
  lb: { schema: ServiceSpec, demand: demandOf, workload: () => routed },
  ingress: { schema: ServiceSpec, demand: demandOf, workload: () => routed },
}

export const workloadOf = ({ type, spec }: { type: ServiceType; spec: ServiceSpec }): WorkloadType =>
  serviceTypes[type].workload(spec)
