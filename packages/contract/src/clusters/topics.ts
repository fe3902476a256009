import { z } from 'zod'
import { hint, Many, topic, type TopicAccess } from '../topic.ts'

/** Which objects of a cluster a topic covers: those of a team, by its id, or all. */
export type ClusterScope = number | 'all'

/** For administrators, everything in a cluster; for a team, what it may see there, while it may use the cluster. */
export const scoped = (permission: string): TopicAccess => ({
  scope: 'scope',
  all: 'admin',
  team: [
    { team: 'scope', permission },
    { owner: 'environment', by: 'env', permission },
  ],
})

/** A cluster was added, or it or its health changed. Names no cluster, because everybody may subscribe. */
export const clustersTopic = hint({
  path: 'environments',
  access: 'user',
})

/** A team got or lost a namespace of a cluster, or the name of something that runs in one appeared or disappeared. */
export const namespacesInUseTopic = hint({
  path: 'namespaces-in-use/:teamId',
  access: { team: 'teamId', permission: 'stack_stack_view' },
})

/** New events, with the fields by which lists of events are filtered. */
export const eventsTopic = topic({
  path: 'events/:env/:scope',
  access: scoped('resource_event_view'),
  content: z.union([
    z.object({ event: z.object({ type: z.string(), namespace: z.string(), kind: z.string() }) }),
    Many,
  ]),
})

/**
 * Volumes; for a team, those that it claims and the free ones. `volume`: changed, appeared or disappeared; `claimsIn`:
 * a namespace in which a claim got or lost a pod.
 */
export const volumesTopic = topic({
  path: 'volumes/:env/:scope',
  access: scoped('resource_storage_view'),
  content: z.union([z.object({ volume: z.string() }), z.object({ claimsIn: z.string() }), Many]),
})

const ofHosts = { owner: 'environment', by: 'env', permission: 'resource_host_view' } as const
const hostOrMany = z.union([z.object({ host: z.string() }), Many])

/** Hosts of a cluster, and the progress of drains. */
export const hostsTopic = topic({ path: 'hosts/:env', access: ofHosts, content: hostOrMany })

/** New events of a host. */
export const hostEventsTopic = topic({ path: 'host-events/:env', access: ofHosts, content: hostOrMany })

/** Settings of a cluster: its ingress groups, drivers, host folders, clouds, and sources of metrics and traces. */
export const clusterTopic = hint({ path: 'cluster/:env', access: { owner: 'environment', by: 'env' } })
