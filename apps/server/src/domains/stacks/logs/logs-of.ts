import { labels } from '../../../adapters/kube/labels.ts'
import type { ContainerRow, PodRow } from '../../../adapters/kube/rows/pod-row.ts'

/** The logs of a service that are wanted. */
export interface LogsOf {
  serviceId: number
  namespace: string
  /** Only this pod's, or only this container's (`pod/container`); empty: all. */
  pod: string
}

export const isPodOf = ({ serviceId, namespace }: LogsOf, pod: PodRow): boolean =>
  pod.namespace === namespace && pod.labels[labels.service] === String(serviceId)

export const wants = ({ pod: wanted }: LogsOf, pod: PodRow, { name }: ContainerRow): boolean =>
  wanted === '' || wanted === pod.name || wanted === `${pod.name}/${name}`
