import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { ServiceState } from '@gantry/contract/stacks/states'
import type { Application } from '@gantry/contract/stacks/applications'
import type { Stack } from '@gantry/contract/stacks/stacks'

/** A user's request to a service. */
export type ServiceAction = 'upgrade' | 'confirm' | 'cancel' | 'rollBack' | 'scale' | 'restart' | 'remove'

/** The requests that each state accepts, as the server decides: see the contract's ServiceState. */
const takes: Record<ServiceState, readonly ServiceAction[]> = {
  deploying: ['upgrade', 'remove'],
  stable: ['upgrade', 'scale', 'restart', 'remove'],
  restarting: ['remove'],
  stopped: ['upgrade', 'scale', 'remove'],
  upgrading: ['cancel', 'remove'],
  upgraded: ['confirm', 'rollBack', 'remove'],
  confirming: ['remove'],
  cancelling: ['remove'],
  'rolling-back': ['remove'],
  failed: ['upgrade', 'cancel', 'scale', 'restart', 'remove'],
  deleting: [],
}

/** Whether a service accepts the request now. `previous`: there is a revision to return to. */
export const allows = (state: ServiceState, ask: ServiceAction, previous = true): boolean =>
  takes[state].includes(ask) && (ask !== 'cancel' || previous)

const open = new Set<ServiceState>(['upgrading', 'upgraded', 'confirming', 'cancelling', 'rolling-back'])

/** An upgrade runs or waits for a decision, so that both old and new are of interest. */
export const hasOpenUpgrade = (service: { state: ServiceState; previous: unknown }): boolean =>
  open.has(service.state) || (service.state === 'failed' && service.previous !== null)

/** Whether the last request was carried out. */
export const isAsWanted = (state: ServiceState): boolean =>
  state === 'stable' || state === 'stopped' || state === 'upgraded'

type Whole = Pick<ServiceSummary, 'state' | 'ready' | 'replicas' | 'live'>

/** Settled, but without all of its pods. */
export const isDegraded = ({ state, ready, replicas, live }: Whole): boolean =>
  isAsWanted(state) && live.state === 'live' && ready < replicas

/** Whether it will not change by itself soon. */
export const isSettled = (service: Whole): boolean =>
  (isAsWanted(service.state) || service.state === 'failed') &&
  service.live.state === 'live' &&
  service.ready >= (service.state === 'failed' ? 0 : service.replicas)

export const isStackSettled = ({ state }: Pick<Stack, 'state'>): boolean => state === 'running' || state === 'failed'

/** The same for a stack with its services. */
export const isApplicationSettled = (stack: Application): boolean =>
  isStackSettled(stack) && (stack.services?.every(isSettled) ?? true)
