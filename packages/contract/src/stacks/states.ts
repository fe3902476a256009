import { z } from 'zod'

/**
 * The state of a service, independent of how many of its pods are ready:
 *
 * deploying → stable, or stopped if it is to have no instance; stable → restarting → stable; stable → upgrading →
 * upgraded → stable (confirm), through confirming if a copy takes its place; upgrading → cancelling → stable; upgraded
 * → rolling-back → stable; any → deleting. `failed` is a deployment or upgrade that Kubernetes gave up; it can be
 * cancelled, upgraded again or deleted.
 */
export const ServiceState = z.enum([
  'deploying',
  'stable',
  'restarting',
  'stopped',
  'upgrading',
  'upgraded',
  'confirming',
  'cancelling',
  'rolling-back',
  'failed',
  'deleting',
])
export type ServiceState = z.infer<typeof ServiceState>

/** Services that have completed their last request, and those that are about to: the groups of the dashboard. */
export const serviceStateGroups = {
  healthy: ['stable', 'upgraded', 'stopped'],
  changing: ['deploying', 'restarting', 'upgrading', 'confirming', 'cancelling', 'rolling-back', 'deleting'],
} as const satisfies Record<string, readonly ServiceState[]>

export const StackState = z.enum(['creating', 'running', 'failed', 'deleting'])
export type StackState = z.infer<typeof StackState>
