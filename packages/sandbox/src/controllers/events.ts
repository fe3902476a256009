import { keyOf, type Controller } from './loop.ts'

const lifetime = 3600_000
/** The most events per namespace; beyond it the oldest are deleted before their hour is over. */
const most = 500

/** Events are kept for an hour. */
export const events: Controller = {
  name: 'events',
  affected: (_, { resource, object, type }) => (resource === 'events' && type !== 'DELETED' ? [keyOf(object)] : []),
  reconcile({ store, now }, namespace, name, later) {
    const event = store.get('events', namespace, name)
    if (!event) return
    const seen = Date.parse(event.lastTimestamp ?? event.metadata.creationTimestamp)
    const left = seen + lifetime - now()
    if (left <= 0) return store.remove('events', namespace, name)
    later(left)
    const all = store.list('events', namespace)
    if (all.length <= most) return
    const oldest = all.sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    for (const { metadata } of oldest.slice(0, all.length - most)) store.remove('events', namespace, metadata.name)
  },
}
