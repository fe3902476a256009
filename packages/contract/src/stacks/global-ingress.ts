import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { waysTopic } from './topics.ts'

/** The ways into all stacks on all clusters, from the database, without reading a cluster. */

export const WayProtocol = z.enum(['HTTP', 'HTTPS', 'TCP', 'UDP'])
export type WayProtocol = z.infer<typeof WayProtocol>

export const GlobalRule = z.object({
  envId: z.string(),
  environment: z.string(),
  teamId: z.number().int(),
  team: z.string(),
  stackId: z.number().int(),
  stackUuid: z.string(),
  stack: z.string(),
  serviceId: z.number().int(),
  service: z.string(),
  serviceType: z.enum(['lb', 'ingress']),
  /** Empty: the cluster's default ingress group. */
  group: z.string(),
  protocol: WayProtocol,
  port: z.number().int(),
  /** For HTTP; empty: every host. */
  host: z.string(),
  path: z.string(),
  /** The address for a browser; empty if there is none. */
  url: z.string(),
})
export type GlobalRule = z.infer<typeof GlobalRule>

const port = z.coerce.number('port-range').int('port-range').min(1, 'port-range').max(65_535, 'port-range')
const group_name = z.string().max(253).optional()
const rulesQuery = listQuery({ pageSize: 10 }).extend({
  environment: uuid.optional(),
  protocol: z.enum(['all', ...WayProtocol.options]).optional(),
})
const inCluster = z.strictObject({ t: id, e: uuid })
const ofTeam = { team: 't', permission: 'stack_service_view' } as const
const base = '/ingress/v1/api'

export const globalIngress = {
  rules: endpoint({
    method: 'GET',
    path: `${base}/ingress/global_route_rules`,
    access: 'user',
    asks: ['stack_service_view'],
    forTokens: true,
    summary: 'Ways into the stacks of the caller’s teams, on all clusters',
    query: rulesQuery,
    data: listOf(GlobalRule),
    topics: [waysTopic],
  }),
  detail: endpoint({
    method: 'GET',
    path: `${base}/ingress/global_detail_route_rules`,
    access: 'user',
    asks: ['stack_service_view'],
    forTokens: true,
    summary: 'Of these, the ones of a port, or of a host with its protocol',
    query: listQuery({ pageSize: 10 })
      .extend({ port: port.optional(), protocol: WayProtocol.optional(), host: z.string().trim().max(253).optional() })
      .refine(
        ({ port: wanted, protocol, host }) =>
          wanted === undefined
            ? protocol !== undefined && host !== undefined
            : protocol === undefined && host === undefined,
        'global-ingress-one-of',
      ),
    data: listOf(GlobalRule),
    topics: [waysTopic],
  }),
  /** Not in the specification: for the administrator’s screen of this name. */
  every: endpoint({
    method: 'GET',
    path: `${base}/ingress/every_route_rule`,
    access: 'admin',
    summary: 'Ways into the stacks of all teams, on all clusters',
    query: rulesQuery,
    data: listOf(GlobalRule),
    topics: [waysTopic],
  }),
  ports: endpoint({
    method: 'GET',
    path: `${base}/wisecloud_ingress_ports`,
    access: 'user',
    asks: ['stack_service_view'],
    forTokens: true,
    summary: 'Ports that lead into the stacks of the caller’s teams',
    query: listQuery({ pageSize: 10 }),
    data: listOf(
      z.object({
        port: z.number().int(),
        protocol: WayProtocol,
        rules: z.number().int(),
        /** The number of clusters with such a rule. */
        environments: z.number().int(),
      }),
    ),
  }),
  urls: endpoint({
    method: 'GET',
    path: `${base}/tenants/:t/envs/:e/ingress_urls`,
    access: ofTeam,
    summary: 'Addresses that lead into a team’s stacks on a cluster',
    params: inCluster,
    query: listQuery({ pageSize: 10 }).extend({ group_name }),
    data: listOf(GlobalRule),
  }),
  taken: endpoint({
    method: 'GET',
    path: `${base}/tenants/:t/envs/:e/wisecloud_ports`,
    access: ofTeam,
    summary: 'Ports of a cluster that are taken, and for which protocol; of other teams nothing more is said',
    params: inCluster,
    query: listQuery({ pageSize: 10 }).extend({ group_name }),
    data: listOf(
      z.object({
        port: z.number().int(),
        protocol: WayProtocol,
        /** The number of the team’s own rules. */
        own: z.number().int(),
        /** Whether other teams have such rules, too. */
        others: z.boolean(),
      }),
    ),
  }),
  whole: endpoint({
    method: 'GET',
    path: `${base}/envs/:env/ingress/static_rules`,
    access: { owner: 'environment', by: 'env', permission: 'stack_service_view' },
    summary: 'Ports of a cluster that one service of the caller’s teams has whole: TCP, TLS and UDP',
    params: z.strictObject({ env: uuid }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(GlobalRule),
  }),
}
