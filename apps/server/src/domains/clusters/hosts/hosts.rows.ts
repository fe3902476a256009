import type { Host, hostSorts } from '@gantry/contract/clusters/hosts'
import { id } from '@gantry/contract/ids'
import { labels } from '../../../adapters/kube/labels.ts'
import type { NodeRow, Resources } from '../../../adapters/kube/rows/cluster-rows.ts'
import type { PodSum } from '../../../adapters/kube/rows/pod-sums.ts'
import { by, byNameOf, reversed, thenBy, type Compare } from '../../../kernel/in-order.ts'
import type { Drain } from '../drains/drain.ts'
import type { Usage } from './hosts.live.ts'

const gib = 2 ** 30
export const rounded = (value: number): number => Math.round(value * 1000) / 1000

export const figures = ({ cpu, memory, storage, pods }: Resources): Host['allocatable'] => ({
  cpu: rounded(cpu / 1000),
  memory: rounded(memory / gib),
  disk: rounded(storage / gib),
  pods,
})

const controlRoles = new Set(['control-plane', 'master', 'etcd'])

/** Whether a host runs the cluster's control plane or this product, which must stay in service. */
export const isController = (
  node: Pick<NodeRow, 'name' | 'roles'>,
  servers: number,
  own: string | undefined,
): boolean => servers > 0 || node.name === own || node.roles.some((role) => controlRoles.has(role))

/** The team that a host is dedicated to, by its label. */
export const dedicatedTo = (node: Pick<NodeRow, 'labels'>): number | undefined => {
  const value = node.labels[labels.dedicated]
  // anybody who may write to a node can put any text there
  return value === undefined ? undefined : id.safeParse(value).data
}

/** A finished drain counts as maintenance while the host is cordoned: uncordoning it by other means ends that. */
export function hostState(
  node: Pick<NodeRow, 'ready' | 'schedulable' | 'deleting'>,
  drain: Drain['state'] | undefined,
): Host['state'] {
  if (node.deleting !== undefined) return 'deleting'
  if (drain === 'draining' || (drain === 'done' && !node.schedulable)) return 'maintenance'
  if (!node.ready) return 'not_ready'
  return node.schedulable ? 'ready' : 'cordoned'
}

/** Figures of a host from the sum of its pods. */
export const carried = ({ pods, cpu, memory }: Readonly<PodSum>) => ({
  podNum: pods,
  requested: { cpu: rounded(cpu / 1000), memory: rounded(memory / gib) },
})

export interface HostOf {
  environment: { uuid: string; name: string }
  /** Whether the caller's team shares the cluster with no other. */
  alone: boolean
  /** Undefined if the pods of its cluster are not counted. */
  sum: Readonly<PodSum> | undefined
  used: Usage | undefined
  drain: Drain['state'] | undefined
  /** Name of the team that it is dedicated to, if the caller may see that team. */
  team: string | undefined
  /** The node on which this process runs. */
  own: string | undefined
}

export function shownHost(node: NodeRow, { environment, alone, sum, used, drain, team, own }: HostOf): Host {
  const dedicated = dedicatedTo(node)
  return {
    uuid: node.uid,
    name: node.name,
    ip: node.internalIp,
    envUuid: environment.uuid,
    envName: environment.name,
    alone,
    state: hostState(node, drain),
    heldBy: node.heldBy,
    schedulable: node.schedulable,
    troubles: node.troubles,
    roles: node.roles,
    controller: isController(node, sum?.servers ?? 0, own),
    dedicated: dedicated === undefined ? null : { id: team === undefined ? 0 : dedicated, name: team ?? '' },
    ingress: node.labels[labels.ingress] === 'true',
    version: node.version,
    os: node.os,
    allocatable: figures(node.allocatable),
    ...(sum ? carried(sum) : { podNum: null, requested: null }),
    used: used ? { cpu: rounded(used.cpu), memory: rounded(used.memory / gib) } : null,
    createdAt: node.created,
  }
}

/** Sort order, the worst first. */
const states: Host['state'][] = ['deleting', 'not_ready', 'maintenance', 'cordoned', 'ready']

const share = (of: number | undefined, all: number): number => (of !== undefined && all > 0 ? of / all : 0)

const columns: Record<(typeof hostSorts)[number], Compare<Host>> = {
  name: byNameOf((host) => host.name),
  envName: byNameOf((host) => host.envName),
  ip: byNameOf((host) => host.ip),
  state: by((host) => states.indexOf(host.state)),
  podNum: by((host) => host.podNum ?? 0),
  cpu: by((host) => share(host.requested?.cpu, host.allocatable.cpu)),
  memory: by((host) => share(host.requested?.memory, host.allocatable.memory)),
  version: byNameOf((host) => host.version),
  os: byNameOf((host) => host.os),
  createdAt: by((host) => host.createdAt),
}

const unique: Compare<Host> = thenBy(
  byNameOf((host) => host.name),
  thenBy(
    byNameOf((host) => host.envName),
    by((host) => host.envUuid),
  ),
)

const countedFirst: Compare<Host> = by((host) => (host.podNum === null ? 1 : 0))

/**
 * The order of a column; equal rows by name and cluster, always ascending. Hosts whose pods are not counted come last
 * in both directions.
 */
export const hostOrder = (column: (typeof hostSorts)[number], direction: 'asc' | 'desc'): Compare<Host> =>
  thenBy(countedFirst, thenBy(direction === 'asc' ? columns[column] : reversed(columns[column]), unique))

type Labelled = Pick<NodeRow, 'labels'>

export function hostFilter({
  keyword = '',
  state,
}: {
  keyword?: string | undefined
  state?: Host['state'] | undefined
}) {
  const word = keyword.trim().toLowerCase()
  // Every host has labels with words like `node`, so labels are searched only for keywords written like a label.
  const labelled = ({ labels }: Labelled): boolean =>
    word.includes('=') && Object.entries(labels).some(([key, value]) => `${key}=${value}`.toLowerCase().includes(word))
  return (host: Host, node: Labelled): boolean =>
    (state === undefined || host.state === state) &&
    (word === '' ||
      labelled(node) ||
      host.name.includes(word) ||
      host.ip.includes(word) ||
      host.roles.some((role) => role.toLowerCase().includes(word)) ||
      host.envName.toLowerCase().includes(word))
}
