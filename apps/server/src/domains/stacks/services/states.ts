import type { ServiceState } from '@gantry/contract/stacks/states'

/**
 * What a user, a pipeline or the cluster does to a service. `settled`, `gaveUp` and `lost` (it no longer exists) come
 * from the cluster.
 */
export type ServiceEvent =
  'upgrade' | 'confirm' | 'cancel' | 'rollBack' | 'scale' | 'restart' | 'remove' | 'settled' | 'gaveUp' | 'lost'

const table: Record<ServiceState, Partial<Record<ServiceEvent, ServiceState>>> = {
  deploying: { settled: 'stable', gaveUp: 'failed', remove: 'deleting', upgrade: 'deploying' },
  stable: { upgrade: 'upgrading', scale: 'deploying', restart: 'deploying', remove: 'deleting', lost: 'failed' },
  upgrading: { settled: 'upgraded', gaveUp: 'failed', cancel: 'cancelling', remove: 'deleting' },
  upgraded: { confirm: 'stable', rollBack: 'rolling-back', remove: 'deleting', lost: 'failed' },
  cancelling: { settled: 'stable', gaveUp: 'failed', remove: 'deleting' },
  'rolling-back': { settled: 'stable', gaveUp: 'failed', remove: 'deleting' },
  // with something to return to, a failed upgrade can be cancelled; without, only a new one helps
  failed: { upgrade: 'deploying', cancel: 'cancelling', scale: 'deploying', restart: 'deploying', remove: 'deleting' },
  deleting: {},
}

/** The next state, or undefined where the event is not possible now. */
export const nextServiceState = (state: ServiceState, event: ServiceEvent): ServiceState | undefined =>
  table[state][event]

/** Whether the cluster is still working on it. */
export const isUnsettled = (state: ServiceState): boolean => table[state].settled !== undefined || state === 'deleting'
