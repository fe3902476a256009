import { z } from 'zod'
import { hint, Many, topic, type TopicAccess } from '../topic.ts'

/** Whose objects of a cluster a topic covers: a team's, by its id, or everybody's. */
export type ClusterScope = number | 'all'

/** For administrators everything in a cluster; for a team what it may see there, while it may use the cluster. */
export const scoped = (permission: string): TopicAccess => ({
  scope: 'scope',
  all: 'admin',
  team: [
    { team: 'scope', permission },
    { owner: 'environment', by: 'env', permission },
  ],
})

/** A cluster was added or changed, or its health did. It does not say which: everybody may subscribe. */
export const environmentsTopic = hint({
  path: 'environments',
  access: 'user',
})

/** A team got or lost a namespace of a cluster, or something that runs in one got or lost its name. */
export const namespacesInUseTopic = hint({
  path: 'namespaces-in-use/:teamId',
  access: { team: 'teamId', permission: 'stack_stack_view' },
})

/** New events; each has the fields by which a list of events is filtered. */
export const eventsTopic = topic({
  path: 'events/:env/:scope',
  access: scoped('resource_event_view'),
  content: z.union([
    z.object({ event: z.object({ type: z.string(), namespace: z.string(), kind: z.string() }) }),
    Many,
  ]),
})

/**
 * Volumes, for a team those that it claims and the free ones: `volume` changed, appeared or disappeared; in the
 * namespace `claimsIn` claims got or lost a pod.
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

/** What is set up for a cluster: its ingress groups, drivers, host folders, clouds and sources of metrics and traces. */
export const clusterTopic = hint({ path: 'cluster/:env', access: { owner: 'environment', by: 'env' } })
