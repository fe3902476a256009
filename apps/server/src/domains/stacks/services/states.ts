import { scalesItself } from '@gantry/contract/stacks/scaling/autoscaling'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { ServiceState } from '@gantry/contract/stacks/states'

/**
 * What a user, a pipeline or the cluster does to a service. `beside`: an upgrade by a copy, of which `goOn` begins the
 * next step. `settled`, `emptied` (settled without instances), `gaveUp` and `lost` (it no longer exists) come from the
 * cluster.
 */
export type ServiceEvent =
  | 'upgrade'
  | 'edit'
  | 'beside'
  | 'goOn'
  | 'confirm'
  | 'cancel'
  | 'rollBack'
  | 'scale'
  | 'restart'
  | 'remove'
  | 'settled'
  | 'emptied'
  | 'gaveUp'
  | 'lost'

const table: Record<ServiceState, Partial<Record<ServiceEvent, ServiceState>>> = {
  deploying: {
    settled: 'stable',
    emptied: 'stopped',
    gaveUp: 'failed',
    remove: 'deleting',
    upgrade: 'deploying',
    edit: 'deploying',
  },
  stable: {
    upgrade: 'upgrading',
    beside: 'upgrading',
    edit: 'deploying',
    scale: 'deploying',
    restart: 'restarting',
    remove: 'deleting',
    lost: 'failed',
  },
  restarting: { settled: 'stable', emptied: 'stopped', gaveUp: 'failed', remove: 'deleting' },
  // there is no instance to restart; starting one ends the state
  stopped: { upgrade: 'upgrading', edit: 'deploying', scale: 'deploying', remove: 'deleting', lost: 'failed' },
  upgrading: {
    settled: 'upgraded',
    emptied: 'upgraded',
    gaveUp: 'failed',
    goOn: 'upgrading',
    cancel: 'cancelling',
    remove: 'deleting',
  },
  upgraded: { confirm: 'confirming', rollBack: 'rolling-back', remove: 'deleting', lost: 'failed' },
  confirming: { settled: 'stable', emptied: 'stopped', gaveUp: 'failed', remove: 'deleting' },
  cancelling: { settled: 'stable', emptied: 'stopped', gaveUp: 'failed', remove: 'deleting' },
  'rolling-back': { settled: 'stable', emptied: 'stopped', gaveUp: 'failed', remove: 'deleting' },
  // a failed upgrade can be cancelled if there is something to return to; else only a new one helps
  failed: {
    upgrade: 'deploying',
    edit: 'deploying',
    cancel: 'cancelling',
    scale: 'deploying',
    restart: 'restarting',
    remove: 'deleting',
  },
  deleting: {},
}

/** The next state; undefined if the event is not possible in this state. */
export const nextServiceState = (state: ServiceState, event: ServiceEvent): ServiceState | undefined =>
  table[state][event]

/** The event once the cluster has done everything: `emptied` if the service has no instances. */
export const settledAs = (spec: ServiceSpec): 'settled' | 'emptied' =>
  spec.outward === undefined &&
  spec.replicas === 0 &&
  !scalesItself(spec) &&
  (spec.workload === undefined || spec.workload === 'deployment' || spec.workload === 'statefulset')
    ? 'emptied'
    : 'settled'

/** Whether the cluster is still working on it. */
export const isUnsettled = (state: ServiceState): boolean => table[state].settled !== undefined || state === 'deleting'
