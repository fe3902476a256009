import type { Claim } from './storage.ts'
import type { Condition, LabelSelector, Obj, PodTemplate } from './types.ts'

/** Types of workloads and disruption budgets; as in types.ts, only the fields that the sandbox uses. */

type IntOrPercent = number | string

export interface Deployment extends Obj {
  spec: {
    replicas: number
    selector: LabelSelector
    template: PodTemplate
    strategy: { type: string; rollingUpdate?: { maxSurge?: IntOrPercent; maxUnavailable?: IntOrPercent } }
    minReadySeconds?: number
    revisionHistoryLimit?: number
    progressDeadlineSeconds?: number
    paused?: boolean
  }
  status: {
    observedGeneration?: number
    replicas?: number
    updatedReplicas?: number
    readyReplicas?: number
    availableReplicas?: number
    unavailableReplicas?: number
    terminatingReplicas?: number
    conditions?: Condition[]
  }
}

export interface ReplicaSet extends Obj {
  spec: { replicas: number; selector: LabelSelector; template: PodTemplate; minReadySeconds?: number }
  status: {
    replicas: number
    fullyLabeledReplicas?: number
    readyReplicas?: number
    availableReplicas?: number
    observedGeneration?: number
    conditions?: Condition[]
  }
}

export interface StatefulSet extends Obj {
  spec: {
    replicas: number
    selector: LabelSelector
    template: PodTemplate
    serviceName?: string
    podManagementPolicy: 'OrderedReady' | 'Parallel'
    updateStrategy: { type: string; rollingUpdate?: { partition?: number } }
    volumeClaimTemplates?: Claim[]
    minReadySeconds?: number
  }
  status: {
    observedGeneration?: number
    replicas: number
    readyReplicas?: number
    availableReplicas?: number
    currentReplicas?: number
    updatedReplicas?: number
    currentRevision?: string
    updateRevision?: string
    collisionCount?: number
  }
}

/** The number of a DaemonSet's template: each of its pods has the number of its own. */
export const templateCount = 'deprecated.daemonset.template.generation'

export interface DaemonSet extends Obj {
  spec: { selector: LabelSelector; template: PodTemplate; updateStrategy?: { type: string } }
  status: {
    currentNumberScheduled: number
    desiredNumberScheduled: number
    numberMisscheduled: number
    numberReady: number
    numberAvailable?: number
    numberUnavailable?: number
    updatedNumberScheduled?: number
    observedGeneration?: number
  }
}

export interface Job extends Obj {
  spec: {
    parallelism: number
    completions?: number
    backoffLimit: number
    activeDeadlineSeconds?: number
    ttlSecondsAfterFinished?: number
    suspend?: boolean
    selector: LabelSelector
    template: PodTemplate
  }
  status: {
    active?: number
    ready?: number
    terminating?: number
    succeeded?: number
    failed?: number
    startTime?: string
    completionTime?: string
    conditions?: Condition[]
    uncountedTerminatedPods?: Record<string, never>
  }
}

export interface CronJob extends Obj {
  spec: {
    schedule: string
    timeZone?: string
    startingDeadlineSeconds?: number
    concurrencyPolicy: 'Allow' | 'Forbid' | 'Replace'
    suspend: boolean
    successfulJobsHistoryLimit: number
    failedJobsHistoryLimit: number
    jobTemplate: {
      metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }
      spec: Job['spec']
    }
  }
  status: { active?: object[]; lastScheduleTime?: string; lastSuccessfulTime?: string }
}

export interface DisruptionBudget extends Obj {
  spec: {
    minAvailable?: IntOrPercent
    maxUnavailable?: IntOrPercent
    selector?: LabelSelector | null
    unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow'
  }
  status: {
    observedGeneration?: number
    disruptionsAllowed: number
    currentHealthy: number
    desiredHealthy: number
    expectedPods: number
    disruptedPods?: Record<string, string>
    conditions?: Condition[]
  }
}
