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

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const

/** A request from outside, as the controller of the ingress group logged it. */
export const AccessLine = z.object({
  /** When it was answered, RFC 3339. */
  at: z.string(),
  method: z.string(),
  /** Empty if the controller does not log it and the service has several. */
  host: z.string(),
  /** The values of its query are masked. */
  path: z.string(),
  status: z.number().int(),
  /** In milliseconds. */
  duration: z.number().nullable(),
  /** The address of the client, or of the proxy before the controller. */
  client: z.string(),
  /** The service that answered; empty if none did. */
  service: z.string(),
})
export type AccessLine = z.infer<typeof AccessLine>

export const AccessLog = listOf(AccessLine).extend({
  /** Why there may be no requests to show, and how to change that, in the caller's language; otherwise empty. */
  why: z.string(),
  /** No older line was read, RFC 3339. */
  since: z.string(),
})
export type AccessLog = z.infer<typeof AccessLog>

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
  /** Not in the specification: who called, by the log of the ingress group's controller. */
  accessLog: endpoint({
    method: 'GET',
    path: onService('ingress/access_log'),
    access: view,
    summary: 'The newest requests from outside to a service, as the controller of its ingress group logged them',
    params: one,
    query: listQuery({ pageSize: 50 }).extend({ status: z.enum(statusClasses).optional() }),
    data: AccessLog,
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
