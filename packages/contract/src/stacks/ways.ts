import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { LbProtocol, LoadBalancer } from './outward.ts'
import { basis, ServiceDetail } from './services.ts'
import { serviceTopic, stacksTopic } from './topics.ts'

/** The ways into a stack from outside its cluster. */

const one = z.strictObject({ teamId: id, envId: uuid, id })
const onService = (rest: string) => `/orchestration/api/:teamId/env/:envId/service/:id/${rest}` as const
const view = { team: 'teamId', permission: 'stack_service_view' } as const

export const LbDetail = z.object({
  /** The ingress group; empty: the cluster's default one. */
  group: z.string(),
  rules: LoadBalancer.shape.rules,
  /** Their private keys are masked; a certificate of the platform has an id, but neither text nor key. */
  certificates: z.array(
    z.object({ host: z.string(), certificateId: id.optional(), certificate: z.string(), key: z.string() }),
  ),
  revision: z.number().int(),
  /** The addresses at which it is reached from outside. */
  addresses: z.array(z.string()),
})

export const Route = z.object({
  group: z.string(),
  name: z.string(),
  protocol: z.enum(['HTTP', 'HTTPS', 'TCP', 'UDP']),
  port: z.number().int(),
  host: z.string(),
  path: z.string(),
  service: z.string(),
  servicePort: z.number().int(),
  weight: z.number().int(),
  /** The address for a browser; empty if there is none. */
  url: z.string(),
  /** The number of the target's pods that receive requests. */
  ready: z.number().int(),
  state: z.enum(['open', 'waiting', 'refused']),
  /** Why it is not open, in the caller's language. */
  message: z.string(),
})
export type Route = z.infer<typeof Route>

export const IngressCheck = z.object({
  /** Whether everything is in order. */
  ok: z.boolean(),
  group: z.string(),
  controller: z.string(),
  /** The objects that configure the controller. */
  way: z.enum(['gateway', 'ingress', 'none']),
  addresses: z.array(z.string()),
  problems: z.array(z.object({ key: z.string(), text: z.string() })),
})
export type IngressCheck = z.infer<typeof IngressCheck>

export const ways = {
  lb: endpoint({
    method: 'GET',
    path: onService('lb'),
    access: view,
    summary: 'The rules of a load balancer',
    params: one,
    data: LbDetail,
    topics: [serviceTopic],
  }),
  setLb: endpoint({
    method: 'PUT',
    path: onService('lb'),
    access: { team: 'teamId', permission: 'stack_service_edit' },
    audit: 'service.set-rules',
    summary: 'Change the rules of a load balancer',
    params: one,
    query: z.strictObject(basis),
    body: z.strictObject({ rules: LoadBalancer.shape.rules, certificates: LoadBalancer.shape.certificates }),
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  check: endpoint({
    method: 'GET',
    path: onService('ingress/check'),
    access: view,
    summary: 'Whether the ways into a service are open, and what keeps them closed',
    params: one,
    data: IngressCheck,
    topics: [serviceTopic],
  }),
  detail: endpoint({
    method: 'GET',
    path: onService('ingress/detail'),
    access: view,
    summary: 'The ways into a service, each with its target and its state',
    params: one,
    query: listQuery({ pageSize: 10 }).extend({ group_name: z.string().max(253).optional() }),
    data: listOf(Route),
    topics: [serviceTopic],
  }),
  /** Called while a user types. */
  claimed: endpoint({
    method: 'GET',
    path: '/ingress/v1/api/tenants/:t/envs/:e/claimed',
    access: { team: 't', permission: 'stack_service_view' },
    summary: 'Whether a port, or a host with a path, is taken on a cluster, and by whom',
    params: z.strictObject({ t: id, e: uuid }),
    query: z.strictObject({
      protocol: LbProtocol.default('HTTP'),
      port: z.coerce.number('port-range').int('port-range').min(1, 'port-range').max(65_535, 'port-range'),
      host: z.string().trim().max(253).default(''),
      path: z.string().trim().max(1024).default('/'),
      /** The service that is being edited. */
      service: id.optional(),
    }),
    data: z.object({
      free: z.boolean(),
      /** Who uses it already, in the caller's language. */
      message: z.string(),
    }),
  }),
}
