import { environments } from '@gantry/contract/clusters/environments'
import { hosts } from '@gantry/contract/clusters/hosts'
import { pods, podSorts } from '@gantry/contract/clusters/pods'
import type { CallInput } from '../../api/call.ts'
import { readAhead } from '../../api/hooks.ts'
import { listQueryAt, type ListState } from '../../ui/list-state.ts'

/** The clusters of an administrator. */
export const clustersList = { name: 'clusters', options: { filters: { health: '' } } } as const

/** The lists of pods: a cluster's, and a host's. */
export const podsList = {
  cluster: 'cluster-pods',
  host: 'host-pods',
  options: { filters: { namespace: '', host: '', status: '' }, pageSize: 50 },
} as const

/** Another tab's column in the address is none of this list. */
export const isPodSort = (sort: unknown): sort is string =>
  podSorts.some((column) => sort === column || sort === `-${column}`)

/** The page of pods that a list's query asks for; `host`: only those of one. */
export function podsInput(
  env: string,
  { sort, ...rest }: ListState['query'],
  host?: string,
): CallInput<typeof pods.list> {
  return {
    params: { env },
    query: { ...rest, ...(host === undefined ? {} : { host }), ...(isPodSort(sort) ? { sort } : {}) },
  }
}

type Search = Record<string, string>

/** Administrators see every cluster, members those of their team. */
export function readClustersAhead(teamId: string, search: Search, admin: boolean): void {
  if (!admin) readAhead(environments.ofTeam, { params: { teamId: Number(teamId) } })
  else readAhead(environments.list, { query: listQueryAt(clustersList.name, clustersList.options, search) })
}

/** A cluster and, where that tab is open, its pods. */
export function readClusterAhead(env: string, search: Search): void {
  readAhead(environments.get, { params: { uuid: env } })
  if (search['tab'] === 'pods')
    readAhead(pods.list, podsInput(env, listQueryAt(podsList.cluster, podsList.options, search)))
}

/** A host and, where that tab is open, its pods. */
export function readHostAhead(env: string, host: string, search: Search): void {
  readAhead(hosts.get, { params: { env, host } })
  if (search['tab'] === 'pods')
    readAhead(pods.list, podsInput(env, listQueryAt(podsList.host, podsList.options, search), host))
}
