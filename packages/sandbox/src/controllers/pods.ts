import { createHash } from 'node:crypto'
import { createObject, isApiError } from '../api/write.ts'
import { deleteObject } from '../api/delete.ts'
import type { Cluster } from '../cluster.ts'
import { kindOf } from '../objects/kinds.ts'
import { canonicalJson } from '../objects/record.ts'
import { labelSelector } from '../objects/selectors.ts'
import type { LabelSelector, Obj, OwnerReference, Pod, PodTemplate } from '../objects/types.ts'
import { record } from './record.ts'

const pods = kindOf('pods')

export const isReady = (pod: Pod): boolean =>
  pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true

/** Whether a pod has been ready long enough; `wait` is the remaining time. */
export function availability(pod: Pod, minReadySeconds: number, now: number): { available: boolean; wait: number } {
  if (!isReady(pod)) return { available: false, wait: Infinity }
  if (minReadySeconds === 0) return { available: true, wait: Infinity }
  const since = pod.status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? ''
  const wait = Date.parse(since) + minReadySeconds * 1000 - now
  return { available: wait <= 0, wait: wait > 0 ? wait : Infinity }
}

export const isFinished = (pod: Pod): boolean => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed'
export const isActive = (pod: Pod): boolean => !isFinished(pod) && !pod.metadata.deletionTimestamp

export const ownerReference = (owner: Obj): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
})

export const controllerOf = (object: Obj): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(({ controller }) => controller)

/** The objects that an owner controls; it adopts matching ones without an owner. */
export function claimed<O extends Obj>(
  cluster: Cluster,
  resource: string,
  owner: Obj & { spec: { selector: LabelSelector } },
  candidates: O[],
): O[] {
  const fits = labelSelector(owner.spec.selector)
  return candidates.flatMap((one) => {
    const controller = controllerOf(one)
    if (controller) return controller.uid === owner.metadata.uid ? [one] : []
    const free = !owner.metadata.deletionTimestamp && !one.metadata.deletionTimestamp
    if (!free || !fits(one.metadata.labels)) return []
    const ownerReferences = [...(one.metadata.ownerReferences ?? []), ownerReference(owner)]
    return [cluster.store.put(resource, { ...one, metadata: { ...one.metadata, ownerReferences } })]
  })
}

export interface NewPod {
  name?: string
  labels?: Record<string, string>
  change?: (pod: { spec: PodTemplate['spec'] }) => void
}

/**
 * Creates a pod of a workload through the usual admission. If it is refused, records an event on the owner and answers
 * the message.
 */
export function createPod(cluster: Cluster, owner: Obj, template: PodTemplate, given: NewPod = {}): string | undefined {
  const component = `${owner.kind.toLowerCase()}-controller`
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(given.name === undefined ? { generateName: `${owner.metadata.name}-` } : { name: given.name }),
      labels: { ...template.metadata?.labels, ...given.labels },
      ...(template.metadata?.annotations ? { annotations: template.metadata.annotations } : {}),
      ownerReferences: [ownerReference(owner)],
    },
    spec: structuredClone(template.spec),
  }
  given.change?.(pod)
  try {
    const made = createObject(cluster, pods, owner.metadata.namespace, pod)
    record(cluster, owner, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created pod: ${made.metadata.name}`,
      component,
    })
    return undefined
  } catch (error) {
    if (!isApiError(error)) throw error
    const message = `Error creating: ${error.message}`
    record(cluster, owner, { type: 'Warning', reason: 'FailedCreate', message, component })
    return error.message
  }
}

export function deletePod(cluster: Cluster, owner: Obj, pod: Pod): void {
  deleteObject(cluster, pods, pod.metadata.namespace, pod.metadata.name)
  record(cluster, owner, {
    type: 'Normal',
    reason: 'SuccessfulDelete',
    message: `Deleted pod: ${pod.metadata.name}`,
    component: `${owner.kind.toLowerCase()}-controller`,
  })
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** A short hash of a pod template, with the letters of Kubernetes' own hashes. */
export function templateHash(template: PodTemplate): string {
  const digest = createHash('sha256').update(canonicalJson(template)).digest()
  return [...digest.subarray(0, 10)].map((byte) => alphabet[byte % alphabet.length]).join('')
}
