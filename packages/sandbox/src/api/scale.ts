import { badRequest } from '../objects/status.ts'
import type { Obj } from '../objects/types.ts'
import type { ReplicaSet } from '../objects/workloads.ts'
import { isRecord } from '../objects/record.ts'

/** The autoscaling/v1 Scale of a workload. */
export function toScale(object: Obj): unknown {
  const { metadata, spec, status } = object as ReplicaSet
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata
  const labels = Object.entries(spec.selector.matchLabels ?? {})
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: spec.replicas },
    status: {
      replicas: status?.replicas ?? 0,
      selector: labels
        .map(([key, value]) => `${key}=${value}`)
        .sort()
        .join(','),
    },
  }
}

/** The workload with the replicas of a Scale; without a workload, only an apply configuration of the replicas. */
export function fromScale(old: Obj | undefined, scale: unknown): unknown {
  if (!isRecord(scale)) throw badRequest('the object provided is unrecognized (must be of type Scale)')
  const replicas = isRecord(scale['spec']) ? scale['spec']['replicas'] : undefined
  const wanted = replicas ?? 0
  if (typeof wanted !== 'number' || !Number.isInteger(wanted))
    throw badRequest(
      'Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal into Go struct field ScaleSpec.spec.replicas of type int32',
    )
  if (!old) return { spec: { replicas: wanted } }
  const version = isRecord(scale['metadata']) ? scale['metadata']['resourceVersion'] : undefined
  return {
    ...old,
    metadata: { ...old.metadata, resourceVersion: typeof version === 'string' ? version : '' },
    spec: { ...(old as ReplicaSet).spec, replicas: wanted },
  }
}
