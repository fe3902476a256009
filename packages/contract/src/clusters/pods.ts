import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { uuid } from '../ids.ts'
import { clusterListQuery, listOf } from '../paging.ts'
import { Many, topic } from '../topic.ts'
import { eventsTopic, scoped } from './topics.ts'

/** A pod as a list shows it. */
export const Pod = z.object({
  uid: z.string(),
  name: z.string(),
  namespace: z.string(),
  host: z.string(),
  ip: z.string(),
  /** STATUS of `kubectl get pods`: Running, CrashLoopBackOff … */
  status: z.string(),
  /** Ready containers and all containers. */
  ready: z.number().int(),
  containers: z.number().int(),
  /** The name of its first container. */
  container: z.string(),
  restarts: z.number().int(),
  /** Requests, in cores and GiB. */
  cpu: z.number(),
  memory: z.number(),
  /** The stack and the service of one of our pods. */
  stack: z
    .object({
      id: z.number().int(),
      uuid: z.string(),
      name: z.string(),
      teamId: z.number().int(),
      service: z.object({ id: z.number().int(), name: z.string() }).nullable(),
    })
    .nullable(),
  createdAt: z.string(),
})
export type Pod = z.infer<typeof Pod>

/** Pods of a cluster; for a team, those in its namespaces. `gone`: the uid of a deleted pod. */
export const podsTopic = topic({
  path: 'pods/:env/:scope',
  access: scoped('resource_pod_view'),
  content: z.union([z.object({ pod: Pod }), z.object({ gone: z.string() }), Many]),
})

/**
 * How current the cached data of a cluster is. `staleSince`: when an unreachable cluster was last heard of, with the
 * reason in `message`; without it, a `message` says that the first list is loading.
 */
export const Age = z.object({ staleSince: z.string().nullable(), message: z.string() })
export type Age = z.infer<typeof Age>

const env = z.strictObject({ env: uuid })
const view = { owner: 'environment', by: 'env', permission: 'resource_pod_view' } as const

export const podSorts = [
  'name',
  'namespace',
  'host',
  'ip',
  'status',
  'ready',
  'restarts',
  'cpu',
  'memory',
  'createdAt',
] as const

export const pods = {
  list: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/:env/pods',
    access: view,
    summary: 'Pods of a cluster that the caller may see, sorted and filtered by any column; from memory',
    params: env,
    query: clusterListQuery().extend({
      namespace: z.string().max(63).optional(),
      host: z.string().max(253).optional(),
      status: z.string().max(60).optional(),
    }),
    /** `totalSize` is exact. `statuses`: the pods of each status, not filtered by `status`; the 50 most frequent. */
    data: listOf(Pod).extend({
      age: Age,
      statuses: z.array(z.object({ status: z.string(), count: z.number().int() })),
    }),
    topics: [podsTopic],
  }),
  events: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/:env/events',
    access: { owner: 'environment', by: 'env', permission: 'resource_event_view' },
    summary:
      'Events of a cluster that the caller may see, the latest first; of the latest 10,000 of the cluster, `truncated` where it has more',
    params: env,
    query: clusterListQuery().extend({
      type: z.enum(['Normal', 'Warning']).optional(),
      namespace: z.string().max(63).optional(),
      kind: z.string().max(63).optional(),
    }),
    data: listOf(
      z.object({
        uid: z.string(),
        type: z.enum(['Normal', 'Warning']),
        reason: z.string(),
        message: z.string(),
        namespace: z.string(),
        kind: z.string(),
        name: z.string(),
        count: z.number().int(),
        first: z.string(),
        last: z.string(),
        source: z.string(),
      }),
    ).extend({ age: Age }),
    topics: [eventsTopic],
  }),
}
