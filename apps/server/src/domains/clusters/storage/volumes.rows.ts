import { Volume, type volumeSorts } from '@gantry/contract/clusters/storage'
import { podsWith } from '../../../adapters/kube/rows/holding.ts'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { VolumeRow } from '../../../adapters/kube/rows/storage-rows.ts'
import { by, byNameOf, reversed, thenBy, type Compare } from '../../../kernel/in-order.ts'
import type { ClaimsSeen } from '../live/visibility.read.ts'

const gib = 2 ** 30

const states = Volume.shape.state
/** A phase of a later Kubernetes is unknown here; such a volume cannot be changed. */
export const stateOf = ({ phase }: Pick<VolumeRow, 'phase'>): Volume['state'] => states.catch('Pending').parse(phase)

export const claimName = ({ claim }: Pick<VolumeRow, 'claim'>): string =>
  claim === undefined ? '' : `${claim.namespace}/${claim.name}`

/** `pods` are of the claim's namespace. No pod uses an unbound volume: another claim may have the name by now. */
export function shownVolume(row: VolumeRow, pods: readonly PodRow[]): Volume {
  const { claim } = row
  const state = stateOf(row)
  return {
    name: row.name,
    capacity: Math.round((row.capacity / gib) * 1000) / 1000,
    accessModes: row.accessModes,
    reclaimPolicy: row.reclaimPolicy,
    state,
    driver: row.driver,
    source: row.source,
    claim: claim
      ? {
          namespace: claim.namespace,
          name: claim.name,
          pods: state === 'Bound' ? podsWith(pods, claim.name) : [],
        }
      : null,
    message: row.message,
    heldBy: row.deleting === undefined ? null : row.heldBy,
    createdAt: row.created,
  }
}

/** Sort order: those that need attention first. */
const urgency: Volume['state'][] = ['Failed', 'Released', 'Pending', 'Available', 'Bound']

const columns: Record<(typeof volumeSorts)[number], Compare<VolumeRow>> = {
  name: byNameOf((row) => row.name),
  capacity: by((row) => row.capacity),
  state: by((row) => urgency.indexOf(stateOf(row))),
  driver: byNameOf((row) => row.driver),
  claim: byNameOf(claimName),
  createdAt: by((row) => row.created),
}

/** The order of a column; equal rows by name, always ascending. */
export const volumeOrder = (column: (typeof volumeSorts)[number], direction: 'asc' | 'desc'): Compare<VolumeRow> =>
  thenBy(
    direction === 'asc' ? columns[column] : reversed(columns[column]),
    byNameOf((row) => row.name),
  )

interface Wanted {
  keyword?: string | undefined
  state?: Volume['state'] | undefined
}

export function volumeFilter({ keyword = '', state }: Wanted): (row: VolumeRow) => boolean {
  const word = keyword.trim().toLowerCase()
  return (row) =>
    (state === undefined || stateOf(row) === state) &&
    (word === '' ||
      row.name.includes(word) ||
      row.driver.includes(word) ||
      claimName(row).includes(word) ||
      row.source.toLowerCase().includes(word))
}

/**
 * Free volumes, those claimed in a team's namespaces, and those that its stacks left. A bound volume in a former
 * namespace is not the team's, because somebody else created the namespace again.
 */
export const seesVolume = (row: VolumeRow, { now, ever }: ClaimsSeen): boolean =>
  row.claim === undefined || now.has(row.claim.namespace) || (stateOf(row) !== 'Bound' && ever.has(row.claim.namespace))

/** The volumes that a caller may see; undefined means all. */
export const volumesSeen = (rows: VolumeRow[], seen: ClaimsSeen | undefined): VolumeRow[] =>
  seen === undefined ? rows : rows.filter((row) => seesVolume(row, seen))
