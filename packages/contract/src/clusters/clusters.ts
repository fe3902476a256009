import { z } from 'zod'
import { decisionsTopic } from '../decisions/topics.ts'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { clusterListQuery, listOf } from '../paging.ts'
import { madeOn, Revision } from '../revision.ts'
import { secret } from '../secret.ts'
import { confirmation, displayName, text } from '../validators.ts'
import { clustersTopic, hostsTopic } from './topics.ts'
import { quotasTopic } from '../quotas/topics.ts'

/** An environment is a Kubernetes cluster (the specification's word). */
export const Cluster = z.object({
  uuid: z.string(),
  name: z.string(),
  description: z.string(),
  /** The address of its API server, for administrators; empty for everybody else, and for a cluster with an agent. */
  server: z.string(),
  /** Whether it is the product's simulated cluster. */
  sandbox: z.boolean(),
  version: z.string(),
  /** `unknown` until the first check. */
  health: z.enum(['healthy', 'unreachable', 'credentials', 'unknown']),
  type: z.literal('K8S'),
  /** The connection method: a kubeconfig, a token, or an agent that dials out of the cluster. */
  reach: z.enum(['kubeconfig', 'token', 'agent']),
  /** Why it is unhealthy and what to do, in the caller's language; only administrators see the address in this text. */
  healthMessage: z.string(),
  /** A complete delete is running, after which the cluster is deleted. */
  leaving: z.boolean(),
  nodeNum: z.number().int(),
  /** What its nodes offer to pods: cores, GiB, number of pods; null until the first check. */
  capacity: z.object({ cpu: z.number(), memory: z.number(), pods: z.number().int() }).nullable(),
  /** Usage in percent; null if the cluster has no metrics. */
  usage: z.object({ cpu: z.number().nullable(), memory: z.number().nullable() }),
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /**
   * The caller may change shared things, hosts and storage: as an administrator, or as a team with sole use of the
   * cluster.
   */
  alone: z.boolean(),
  createdAt: z.string(),
  /** The identity of the cluster, for administrators: the uid of its namespace kube-system; empty until it was read. */
  cluster: z.string(),
  /**
   * The identity of another cluster that answers at this address: nothing is written there until an administrator
   * accepts it. Empty otherwise.
   */
  answers: z.string(),
  /** The revision of its name, description and connection. Empty for users who are not administrators. */
  revision: Revision,
  /** What administrators should know although the cluster is healthy, in the caller's language; else empty. */
  notice: z.string(),
})
export type Cluster = z.infer<typeof Cluster>

const one = z.strictObject({ uuid })

/**
 * The connection method of a cluster, with its credentials. `agent`: without credentials; an agent, installed by a
 * manifest, dials out of the cluster.
 */
const credentials = {
  kubeconfig: secret(z.string().max(1_000_000, 'kubeconfig-too-large')).optional(),
  context: z.string().max(255).optional(),
  /** https, with the token of a service account and the CA of its certificate (PEM; default: the system's CAs). */
  server: z.string().trim().max(2000, 'url-format').optional(),
  token: secret(z.string().trim().max(65_536, 'kube-config-token-invalid')).optional(),
  ca: z.string().max(100_000, 'kubeconfig-too-large').optional(),
  agent: z.boolean().optional(),
}

interface Credentials {
  kubeconfig?: string | undefined
  server?: string | undefined
  token?: string | undefined
  agent?: boolean | undefined
}

/** Whether exactly one connection method is complete. */
const oneWay = ({ kubeconfig, server, token, agent }: Credentials): boolean =>
  [kubeconfig !== undefined, server !== undefined && token !== undefined, agent === true].filter(Boolean).length ===
    1 && (server === undefined) === (token === undefined)

/** The product's rights in a cluster: what it needs, and whether the credentials allow it. */
export const ClusterCheck = z.object({
  version: z.string(),
  /** Whether the product supports this version. */
  supported: z.boolean(),
  nodeNum: z.number().int(),
  /**
   * `right` in kubectl's notation: `patch deployments.apps`; `for`: its purpose, in the caller's language. Without a
   * `needed` right the cluster cannot be joined; without another one, its feature is missing there.
   */
  rights: z.array(z.object({ right: z.string(), for: z.string(), allowed: z.boolean(), needed: z.boolean() })),
  /** Every needed right is granted. */
  ok: z.boolean(),
})
export type ClusterCheck = z.infer<typeof ClusterCheck>

export const clusterSorts = ['name', 'health', 'version', 'nodeNum', 'capacity', 'usage'] as const

export const clusters = {
  list: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments',
    access: { system: 'system_cluster_view' },
    summary: 'Clusters, sorted by any of their columns; by health the ones in trouble first',
    query: clusterListQuery().extend({ health: Cluster.shape.health.optional() }),
    data: listOf(Cluster),
    topics: [clustersTopic],
  }),
  ofTeam: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/tenants/:teamId',
    access: { team: 'teamId', permission: 'resource_cluster_view' },
    summary: 'Clusters that are assigned to a team',
    params: z.strictObject({ teamId: id }),
    data: z.array(Cluster),
    topics: [clustersTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/resource-manager/api/environments',
    access: 'admin',
    audit: 'environment.create',
    summary:
      'Add a cluster by kubeconfig, by token and authority, or by an agent; it is reached, its version and the rights are checked before it is saved (with an agent: when it calls)',
    body: z
      .strictObject({
        name: displayName(30),
        description: text(1000, 'description-too-long').default(''),
        ...credentials,
        teamIds: z.array(id).max(1000, 'list-too-long').default([]),
      })
      .refine(oneWay, 'clusters-one-way'),
    data: Cluster,
    topics: [clustersTopic],
  }),
  check: endpoint({
    method: 'POST',
    path: '/resource-manager/api/environments/check',
    access: 'admin',
    audit: 'environment.check',
    summary: 'Reach a cluster with these credentials, and list what they allow; nothing is saved',
    body: z.strictObject(credentials).refine((given) => oneWay(given) && given.agent !== true, 'clusters-one-way'),
    data: ClusterCheck,
    topics: [],
  }),
  recheck: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/:uuid/check',
    access: 'admin',
    summary: 'What the stored credentials of a cluster allow at present',
    params: one,
    data: ClusterCheck,
  }),
  get: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/:uuid',
    access: { owner: 'environment', by: 'uuid', permission: 'resource_cluster_view' },
    summary: 'One cluster',
    params: one,
    data: Cluster,
    topics: [clustersTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/environments/:uuid',
    access: 'admin',
    audit: 'environment.update',
    summary: 'Rename a cluster, or replace its credentials',
    params: one,
    body: z
      .strictObject({
        name: displayName(30),
        description: text(1000, 'description-too-long').default(''),
        ...credentials,
        ...madeOn,
      })
      .refine(
        (given) =>
          oneWay(given) || [given.kubeconfig, given.server, given.token, given.agent].every((v) => v === undefined),
        'clusters-one-way',
      ),
    data: Cluster,
    topics: [clustersTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/resource-manager/api/environments/:uuid',
    access: 'admin',
    audit: 'environment.delete',
    summary:
      'Forget a cluster on which no stack is. action=complete first deletes, in the background, what the product made there; without it nothing in the cluster is touched',
    params: one,
    query: z.strictObject({ confirm: confirmation, action: z.enum(['complete']).optional() }),
    data: z.null(),
    topics: [clustersTopic],
  }),
  accept: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/environments/:uuid/cluster',
    access: 'admin',
    audit: 'environment.accept',
    summary:
      'Say that the cluster which answers in place of the one that was joined is meant; its stacks are made there anew',
    params: one,
    body: z.strictObject({ cluster: z.string().max(2000, 'text-too-long') }),
    data: z.null(),
    topics: [decisionsTopic, clustersTopic],
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/environments/:env/assigned',
    access: 'admin',
    audit: 'environment.assign',
    summary: 'Let a team use a cluster, or (assigned=false) no longer',
    params: z.strictObject({ env: uuid }),
    query: z.strictObject({ tenant: id, assigned: z.enum(['true', 'false']).default('true') }),
    data: z.null(),
    topics: [clustersTopic, quotasTopic],
  }),
  manifest: endpoint({
    method: 'GET',
    path: '/resource-manager/api/agent/environments/:env',
    access: 'admin',
    audit: 'environment.manifest',
    summary:
      'What to apply in a cluster so that its agent dials out to this server; each answer has a token of its own, and ends the one before',
    params: z.strictObject({ env: uuid }),
    data: z.object({
      /** YAML of namespace, service account, rights, secret and deployment. */
      manifest: z.string(),
      /** The address that the agent dials. */
      url: z.string(),
    }),
    topics: [],
  }),
  script: endpoint({
    method: 'POST',
    path: '/resource-manager/api/script/environments',
    access: 'admin',
    audit: 'environment.script',
    summary: 'A shell script that joins a host to a cluster (kubeadm), with a join token of its own that lasts an hour',
    body: z.strictObject({ envUuid: uuid, os: z.enum(['linux', 'windows']).default('linux') }),
    data: z.object({ script: z.string(), expiresAt: z.string() }),
    topics: [hostsTopic],
  }),
}
