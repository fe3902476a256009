import { createHash } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import type { Event, Obj } from '../objects/types.ts'
import { newMeta, seconds } from '../store/store.ts'

export interface EventInput {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
  component: string
  host?: string
  fieldPath?: string
}

/** Writes an event about an object; a repetition increments the count of the first event. */
export function record(cluster: Cluster, about: Obj, happening: EventInput): void {
  const { store } = cluster
  const { type, reason, message, component, host, fieldPath } = happening
  const { name, uid, resourceVersion } = about.metadata
  const namespace = about.metadata.namespace ?? 'default'
  const home = store.get('namespaces', undefined, namespace)
  if (!home || home.metadata.deletionTimestamp) return
  const now = seconds(cluster.now())
  const identity = [uid, type, reason, message, component, fieldPath ?? ''].join('\n')
  const eventName = `${name.slice(0, 200)}.${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`
  const known = store.get('events', namespace, eventName)
  if (known) {
    store.put('events', { ...known, count: (known.count ?? 1) + 1, lastTimestamp: now })
    return
  }
  const event: Event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName, namespace, ...newMeta(cluster.now()) },
    involvedObject: {
      kind: about.kind,
      ...(about.metadata.namespace === undefined ? {} : { namespace }),
      name,
      uid,
      apiVersion: about.apiVersion,
      resourceVersion,
      ...(fieldPath === undefined ? {} : { fieldPath }),
    },
    reason,
    message,
    source: { component, ...(host === undefined ? {} : { host }) },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: host ?? '',
  }
  store.put('events', event)
}
