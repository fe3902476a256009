import { serverLabel } from '../labels.ts'
import type { PodRow } from './pod-row.ts'
import type { Lease } from '../cache/reflector.ts'

/** The sum over a node's pods, by the scheduler's rules: finished pods use nothing. */
export interface PodSum {
  pods: number
  /** Requests: thousandths of a core, bytes. */
  cpu: number
  memory: number
  /** How many of them are this product's own server. */
  servers: number
}

const nothing: Readonly<PodSum> = { pods: 0, cpu: 0, memory: 0, servers: 0 }

const counts = ({ phase, node }: PodRow): boolean => node !== '' && phase !== 'Succeeded' && phase !== 'Failed'

/** More of each than a pod can have, and small enough for exact sums: a pod may request any figure. */
const most = 2 ** 44
const bounded = (value: number): number => Math.max(0, Math.min(most, value))

/**
 * Sums by node, updated with the rows of a lease: reading one costs the same however many pods there are. Figures are
 * integers, so that adding and subtracting leaves no remainder. Valid for as long as the lease.
 */
export function podSums(lease: Pick<Lease<PodRow>, 'all' | 'on'>): (node: string) => Readonly<PodSum> {
  const sums = new Map<string, PodSum>()
  const add = (row: PodRow, sign: 1 | -1): void => {
    if (!counts(row)) return
    const sum = sums.get(row.node) ?? { ...nothing }
    sum.pods += sign
    sum.cpu += sign * bounded(row.cpu)
    sum.memory += sign * bounded(row.memory)
    if (row.labels[serverLabel.key] === serverLabel.value) sum.servers += sign
    if (sum.pods === 0) sums.delete(row.node)
    else sums.set(row.node, sum)
  }
  for (const row of lease.all()) add(row, 1)
  lease.on(({ type, row, previous }) => {
    if (previous) add(previous, -1)
    if (type !== 'removed') add(row, 1)
  })
  return (node) => sums.get(node) ?? nothing
}
