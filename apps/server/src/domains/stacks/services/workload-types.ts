import type { ServiceType } from '@gantry/contract/stacks/spec'
import { business } from './types/business.ts'
import type { WorkloadType } from './workload-type.ts'

export const workloadTypes: Record<ServiceType, WorkloadType> = { business }
