import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { ServiceSummary } from './services.ts'
import { ServiceType } from './spec.ts'
import { Stack } from './stacks.ts'
import { ServiceState, serviceStateGroups, StackState } from './states.ts'
import { stacksTopic, stackTopic } from './topics.ts'

/** The most services of a stack in this answer, ordered by name; the rest is in the list of services. */
export const servicesOfEach = 20

/** A stack with its services; null where the caller may not view services. */
export const Application = Stack.extend({ services: z.array(ServiceSummary).nullable() })
export type Application = z.infer<typeof Application>

/** `all`: every cluster of the team. */
const params = z.strictObject({ teamId: id, envId: z.union([z.literal('all'), uuid]) })
const narrowed = listQuery({ pageSize: 10 }).extend({
  search: z.string().max(200).optional(),
  productId: id.optional(),
  type: ServiceType.optional(),
  /** The operating system of a service's pods; Linux if its document does not tell. */
  osType: z.enum(['linux', 'windows']).optional(),
})

export const serviceSorts = ['name', 'stack', 'updatedAt'] as const
const groups = Object.keys(serviceStateGroups) as (keyof typeof serviceStateGroups)[]

export const applications = {
  list: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/applications',
    access: { team: 'teamId', permission: 'stack_stack_view' },
    asks: ['stack_service_view'],
    summary:
      "A team's stacks, each with its services as they are now; searched by the names of both, and narrowed to those with a service of a type, or on an operating system",
    params,
    query: narrowed.extend({ state: z.enum(['all', ...StackState.options]).optional() }),
    data: listOf(Application),
    topics: [stacksTopic, stackTopic],
  }),
  services: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/application-services',
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: "A team's services on a cluster, or (env `all`) on all, with their live state",
    params,
    query: narrowed.extend({ state: z.enum(['all', ...groups, ...ServiceState.options]).optional() }),
    data: listOf(ServiceSummary),
    topics: [stacksTopic, stackTopic],
  }),
}
