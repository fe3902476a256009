import type { V1Namespace } from '@kubernetes/client-node'
import { list, short, text, texts } from '../parse-object.ts'
import type { KubeObject, Wire } from '../objects.ts'
import type { PodRow } from './pod-row.ts'

/** Set on a claim that a pod uses. */
export const claimProtection = 'kubernetes.io/pvc-protection'

/** The finalizers that keep an object that is being deleted; each is removed by the component that set it. */
export const heldBy = ({ metadata }: Pick<KubeObject, 'metadata'>): string[] =>
  metadata?.deletionTimestamp === undefined ? [] : texts(metadata.finalizers).slice(0, 10)

/** The pods in its namespace that use a claim: they must end before it is deleted. */
export const podsWith = (pods: readonly PodRow[], claim: string): string[] =>
  pods.filter(({ claims }) => claims.includes(claim)).map(({ name }) => name)

/** A cluster's report about a namespace that it is deleting. */
export interface Ending {
  /** The conditions that are true, as `<type>: <message>`; empty until the cluster has checked. */
  conditions: string[]
  /** The kinds of which objects remain. */
  remaining: { plural: string; group: string; count: number }[]
}

export function endingOf({ status }: Wire<V1Namespace>): Ending {
  const conditions = list(status?.conditions).filter(
    ({ type, status }) => type?.startsWith('Namespace') && status === 'True',
  )
  const left = text(conditions.find(({ type }) => type === 'NamespaceContentRemaining')?.message)
  return {
    conditions: conditions.map(({ type, message }) => `${type}: ${short(message, 300) ?? ''}`),
    remaining: [...left.matchAll(/([a-z0-9-]+)\.([a-z0-9.-]*) has (\d+) resource instances/g)].map(
      ([, plural = '', group = '', count]) => ({ plural, group, count: Number(count) }),
    ),
  }
}
