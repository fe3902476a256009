import { z } from 'zod'
import { Many, topic, type TopicAccess } from '../topic.ts'

/** Whose things of a cluster a topic is about: a team's, by its id, or everybody's. */
export type ClusterScope = number | 'all'

/** To administrators all that happens in a cluster; to a team what it sees there, while it may use the cluster. */
export const scoped = (permission: string): TopicAccess => ({
  scope: 'scope',
  all: 'admin',
  team: [
    { team: 'scope', permission },
    { owner: 'environment', by: 'env', permission },
  ],
})

/** A cluster was added or changed, or how it is. Which one is not said: everybody may subscribe. */
export const environmentsTopic = topic({
  path: 'environments',
  access: 'user',
  content: z.object({ changed: z.literal('environments') }),
})

/** Something happened; an event carries by what a list of events narrows. */
export const eventsTopic = topic({
  path: 'events/:env/:scope',
  access: scoped('resource_event_view'),
  content: z.union([
    z.object({ event: z.object({ type: z.string(), namespace: z.string(), kind: z.string() }) }),
    Many,
  ]),
})

/**
 * Volumes, for a team those that it claims and the free ones: `volume` changed, came or went; in the namespace `claimsIn` claims got or
 * lost a pod.
 */
export const volumesTopic = topic({
  path: 'volumes/:env/:scope',
  access: scoped('resource_storage_view'),
  content: z.union([z.object({ volume: z.string() }), z.object({ claimsIn: z.string() }), Many]),
})

const ofHosts = { owner: 'environment', by: 'env', permission: 'resource_host_view' } as const
const hostOrMany = z.union([z.object({ host: z.string() }), Many])

/** Hosts of a cluster, and how far a drain is. */
export const hostsTopic = topic({ path: 'hosts/:env', access: ofHosts, content: hostOrMany })

/** Something happened to a host. */
export const hostEventsTopic = topic({ path: 'host-events/:env', access: ofHosts, content: hostOrMany })
