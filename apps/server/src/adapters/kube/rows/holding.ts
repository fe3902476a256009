import type { V1Namespace } from '@kubernetes/client-node'
import { list, short, text, texts } from '../parse-object.ts'
import type { KubeObject, Wire } from '../objects.ts'
import type { PodRow } from './pod-row.ts'

/** Set on a claim that a pod uses. */
export const claimProtection = 'kubernetes.io/pvc-protection'

/** What keeps an object that is being deleted: finalizers, each of which somebody takes off once they are done with it. */
export const heldBy = ({ metadata }: Pick<KubeObject, 'metadata'>): string[] =>
  metadata?.deletionTimestamp === undefined ? [] : texts(metadata.finalizers).slice(0, 10)

/** Which of the pods of its namespace use a claim: they have to end before it goes. */
export const podsWith = (pods: readonly PodRow[], claim: string): string[] =>
  pods.filter(({ claims }) => claims.includes(claim)).map(({ name }) => name)

/** What a cluster says of a namespace that it is deleting. */
export interface Ending {
  /** The conditions that are so, `<type>: <message>`; empty until it has looked. */
  conditions: string[]
  /** The kinds of which something is left. */
  remaining: { plural: string; group: string; count: number }[]
}

export function endingOf({ status }: Wire<V1Namespace>): Ending {
  const told = list(status?.conditions).filter(({ type, status }) => type?.startsWith('Namespace') && status === 'True')
  const left = text(told.find(({ type }) => type === 'NamespaceContentRemaining')?.message)
  return {
    conditions: told.map(({ type, message }) => `${type}: ${short(message, 300) ?? ''}`),
    remaining: [...left.matchAll(/([a-z0-9-]+)\.([a-z0-9.-]*) has (\d+) resource instances/g)].map(
      ([, plural = '', group = '', count]) => ({ plural, group, count: Number(count) }),
    ),
  }
}
