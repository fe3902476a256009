import { labels } from '../../../adapters/kube/labels.ts'
import type { ContainerRow, PodRow } from '../../../adapters/kube/rows/pod-row.ts'

/** Which logs of a service are requested. */
export interface LogsOf {
  serviceId: number
  namespace: string
  /** Limits them to this pod or container (`pod/container`); empty for all. */
  pod: string
}

export const isPodOf = ({ serviceId, namespace }: LogsOf, pod: PodRow): boolean =>
  pod.namespace === namespace && pod.labels[labels.service] === String(serviceId)

export const wants = ({ pod: wanted }: LogsOf, pod: PodRow, { name }: ContainerRow): boolean =>
  wanted === '' || wanted === pod.name || wanted === `${pod.name}/${name}`
