import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { pods, podSorts } from '@gantry/contract/clusters/pods'
import type { ClusterScope } from '@gantry/contract/clusters/topics'
import type { CallInput } from '../../../api/call.ts'
import { readAhead } from '../../../api/use-push.ts'
import { listQueryAt, type ListState } from '../../../ui/table/list-state.ts'
import type { Reader } from '../../../ui/route.ts'

export const clustersList = { name: 'clusters', options: { filters: { health: '' } } } as const

export const podsList = {
  cluster: 'cluster-pods',
  host: 'host-pods',
  options: { filters: { namespace: '', host: '', status: '' }, pageSize: 50 },
} as const

/** A sort column in the address may belong to another tab's list. */
export const isPodSort = (sort: unknown): sort is string =>
  podSorts.some((column) => sort === column || sort === `-${column}`)

/** The input for a page of pods from a list's query; `host`: only its pods. */
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

/** The scope of the cluster's topics: everything for administrators, the team's objects for others. */
export const scopeOf = ({ admin, teamId }: Pick<Reader, 'admin' | 'teamId'>): ClusterScope => (admin ? 'all' : teamId)

export function readClustersAhead(search: Search, { may, teamId }: Reader): void {
  if (!may(clusters.list)) readAhead(clusters.ofTeam, { params: { teamId } })
  else {
    const query = listQueryAt(clustersList.name, clustersList.options, search)
    readAhead(clusters.list, { query })
  }
}

/** Reads a cluster and, if their tab is open, its pods ahead of the page. */
export function readClusterAhead(env: string, search: Search, reader: Reader): void {
  readAhead(clusters.get, { params: { uuid: env } })
  if (search['tab'] === 'pods') {
    const input = podsInput(env, listQueryAt(podsList.cluster, podsList.options, search))
    readAhead(pods.list, input, { scope: scopeOf(reader) })
  }
}

/** Reads a host and, if their tab is open, its pods ahead of the page. */
export function readHostAhead(env: string, host: string, search: Search, reader: Reader): void {
  readAhead(hosts.get, { params: { env, host } })
  if (search['tab'] === 'pods') {
    const input = podsInput(env, listQueryAt(podsList.host, podsList.options, search), host)
    readAhead(pods.list, input, { scope: scopeOf(reader) })
  }
}
