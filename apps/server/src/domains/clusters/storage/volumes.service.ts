import { setTimeout as sleep } from 'node:timers/promises'
import type { storage, Volume } from '@gantry/contract/clusters/storage'
import { volumeSorts } from '@gantry/contract/clusters/storage'
import type { V1PersistentVolume } from '@kubernetes/client-node'
import type { z } from 'zod'
import { waits } from '../../../adapters/kube/waits.ts'
import { madeFor } from '../../../adapters/kube/labels.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import { type PodRow, podRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { type VolumeRow, volumeRow } from '../../../adapters/kube/rows/storage-rows.ts'
import { sorting } from '../../../db/list.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { inOrder } from '../../../kernel/in-order.ts'
import { toList, page } from '../../../kernel/paging.ts'
import { firstFew } from '../../../kernel/phrase.ts'
import { clusterOf, mustUseAlone } from '../clusters/connect.service.ts'
import { ageOf } from '../live/freshness.ts'
import { withKubeFaults } from '../hosts/host-node.ts'
import { claimsSeen } from '../live/visibility.service.ts'
import { volumeSource } from './volume-source.ts'
import { claimName, shownVolume, stateOf, volumeFilter, volumeOrder, volumesSeen } from './volumes.rows.ts'

export async function listVolumes(ctx: Ctx, env: string, query: z.output<(typeof storage.volumes)['query']>) {
  const at = page(query)
  const { by, direction } = sorting<(typeof volumeSorts)[number]>(query.sort, volumeSorts)
  const [cluster, seen] = [await clusterOf(ctx, env), await claimsSeen(ctx, env)]
  const { rows, freshness } = await cluster.rows('volumes', undefined, waits.rows)
  const found = volumesSeen(rows, seen).filter(volumeFilter(query))
  const items = inOrder(found, volumeOrder(by, direction), at.offset, at.offset + at.limit)
  const pods = await podsBeside(cluster, items)
  return {
    ...toList(
      items.map((row) => shownVolume(row, pods.get(row.claim?.namespace ?? '') ?? [])),
      found.length,
      at,
    ),
    age: ageOf(ctx, freshness),
  }
}

/** Pods in the namespaces in which these volumes are claimed. */
async function podsBeside(cluster: Cluster, volumes: readonly VolumeRow[]): Promise<ReadonlyMap<string, PodRow[]>> {
  const namespaces = new Set(volumes.flatMap(({ claim }) => (claim ? [claim.namespace] : [])))
  const found = [...namespaces].map(async (one) => [one, (await cluster.rows('pods', one, waits.rows)).rows] as const)
  return new Map(await Promise.all(found))
}

type PersistentVolume = Wire<V1PersistentVolume>

interface Changing {
  cluster: Cluster
  volume: PersistentVolume
  row: VolumeRow
}

/** The volume that an authorized call is to change, read from the cluster; the call's audit row names it. */
async function volumeToChange(ctx: Ctx, env: string, name: string): Promise<Changing> {
  note(ctx, { object: name })
  await mustUseAlone(ctx, env)
  const cluster = await clusterOf(ctx, env)
  const volume = await withKubeFaults(cluster.kube.find(kinds.persistentVolumes, { name }))
  if (!volume) throw new Fault('missing', 'storage-volume-missing', { name })
  const row = volumeRow(volume)
  if (row.deleting !== undefined) throw new Fault('conflict', 'storage-volume-deleting', { name })
  note(ctx, { before: auditDetail(row) })
  return { cluster, volume, row }
}

const auditDetail = (row: VolumeRow) => ({
  state: stateOf(row),
  claim: claimName(row),
  reclaimPolicy: row.reclaimPolicy,
  source: row.source,
})

/** Reports a concurrent change, which is never overwritten. */
const changedMeanwhile = (name: string) => (error: unknown) => {
  throw isKube(error, 'conflict') ? new Fault('conflict', 'storage-volume-changed', { name }) : kubeFault(error)
}

/** Pods that use a volume's claim. */
async function usersOf({ kube }: Cluster, { claim }: VolumeRow): Promise<PodRow[]> {
  if (!claim) return []
  const found: PodRow[] = []
  for await (const { items } of kube.pages(kinds.pods, { namespace: claim.namespace }))
    found.push(...items.map(podRow).filter(({ claims }) => claims.includes(claim.name)))
  return found
}

/** How long the cluster may take to move a volume to its next state, in ms. */
const settling = { most: 3000, look: 100 }

/**
 * The state of a volume after a change, as soon as the cluster reports it or after a few seconds; undefined if it is
 * gone. Later reads of the cache then see it too. If the cluster stops answering, the change stands, and the last
 * reported state is returned.
 */
async function settled(
  cluster: Cluster,
  changed: PersistentVolume,
  done: (row: VolumeRow | undefined) => boolean,
): Promise<VolumeRow | undefined> {
  const name = changed.metadata?.name ?? ''
  const end = Date.now() + settling.most
  let row: VolumeRow | undefined = volumeRow(changed)
  for (;;) {
    try {
      const volume = await cluster.kube.find(kinds.persistentVolumes, { name })
      row = volume && volumeRow(volume)
    } catch (error) {
      if (isKube(error)) return row
      throw error
    }
    const { rows } = await cluster.rows('volumes', undefined, settling.look)
    const known = rows.find((one) => one.name === name)
    if (Date.now() >= end || (done(row) && known?.phase === row?.phase)) return row
    await sleep(settling.look)
  }
}

type NewVolume = z.output<(typeof storage.createVolume)['body']>

export async function createVolume(ctx: Ctx, env: string, input: NewVolume): Promise<Volume> {
  note(ctx, { object: input.name, after: input })
  await mustUseAlone(ctx, env)
  // folders of a host are for administrators only: they may contain the cluster's own files
  if (input.source.type !== 'nfs' && !ctx.actor.admin) throw new Fault('forbidden', 'storage-host-path-admin')
  const cluster = await clusterOf(ctx, env)
  const { name, accessModes, driver } = input
  const source = await withKubeFaults(volumeSource(cluster.kube, input.source))
  const created = await cluster.kube
    .create(kinds.persistentVolumes, {
      metadata: { name, labels: madeFor(env) },
      spec: {
        capacity: { storage: `${Math.max(1, Math.round(input.capacity * 1024))}Mi` },
        accessModes,
        persistentVolumeReclaimPolicy: input.reclaimPolicy,
        storageClassName: driver,
        ...source,
      },
    })
    .catch((error: unknown) => {
      throw isKube(error, 'exists') ? new Fault('conflict', 'storage-volume-exists', { name }) : kubeFault(error)
    })
  const row = await settled(cluster, created, (row) => row !== undefined && row.phase !== 'Pending')
  if (!row) throw new Fault('conflict', 'storage-volume-changed', { name })
  return shownVolume(row, [])
}

/** Refused while a claim is bound to it, which would lose its data. */
export async function removeVolume(ctx: Ctx, env: string, name: string): Promise<null> {
  const { cluster, volume, row } = await volumeToChange(ctx, env, name)
  await mustBeUnclaimed(cluster, row)
  const { uid, resourceVersion: version } = volume.metadata ?? {}
  await cluster.kube
    .remove(kinds.persistentVolumes, { name }, { ...(uid && { uid }), ...(version && { version }) })
    .catch(changedMeanwhile(name))
  await settled(cluster, volume, (row) => row === undefined)
  return null
}

async function mustBeUnclaimed(cluster: Cluster, row: VolumeRow): Promise<void> {
  const { claim, name } = row
  if (!claim) return
  const there = await withKubeFaults(cluster.kube.find(kinds.persistentVolumeClaims, claim))
  const claimed = there !== undefined && (claim.uid === '' || there.metadata?.uid === claim.uid)
  if (!claimed && stateOf(row) !== 'Bound') return
  const pods = (await withKubeFaults(usersOf(cluster, row))).map((pod) => pod.name)
  const vars = { name, claim: claimName(row) }
  throw pods.length === 0
    ? new Fault('conflict', 'storage-volume-claimed', vars)
    : new Fault('conflict', 'volume-in-use', {
        ...vars,
        pods: firstFew(pods),
      })
}

/** Requires one of the states; otherwise the refusal says which state it is in, and what can be done then. */
function mustBe(row: VolumeRow, ...states: Volume['state'][]): void {
  const state = stateOf(row)
  if (states.includes(state)) return
  const keys = {
    Pending: 'storage-volume-is-pending',
    Available: 'storage-volume-is-available',
    Bound: 'storage-volume-is-bound',
    Released: 'storage-volume-is-released',
    Failed: 'storage-volume-is-failed',
  } as const
  throw new Fault('conflict', keys[state], { name: row.name, claim: claimName(row) })
}

async function change(
  { cluster, volume, row }: Changing,
  spec: object,
  annotations: Record<string, null> = {},
): Promise<PersistentVolume> {
  const { resourceVersion } = volume.metadata ?? {}
  return cluster.kube
    .merge(kinds.persistentVolumes, { name: row.name }, { metadata: { resourceVersion, annotations }, spec })
    .catch(changedMeanwhile(row.name))
}

/**
 * Makes a volume without its claim available again, with its data. Its policy becomes Retain: a driver could otherwise
 * delete it while somebody claims it.
 */
export async function activateVolume(ctx: Ctx, env: string, name: string): Promise<Volume> {
  const changing = await volumeToChange(ctx, env, name)
  mustBe(changing.row, 'Released', 'Failed')
  const changed = await change(
    changing,
    { claimRef: null, persistentVolumeReclaimPolicy: 'Retain' },
    { 'pv.kubernetes.io/bound-by-controller': null },
  )
  const row = await settled(changing.cluster, changed, (row) => row?.phase === 'Available' || row?.phase === 'Bound')
  if (!row) throw new Fault('conflict', 'storage-volume-changed', { name })
  note(ctx, { after: auditDetail(row) })
  const pods = await podsBeside(changing.cluster, [row])
  return shownVolume(row, pods.get(row.claim?.namespace ?? '') ?? [])
}

/** Lets the driver delete the volume, and returns the outcome: a driver that cannot leaves it `Failed` and says why. */
export async function reclaimVolume(ctx: Ctx, env: string, name: string): Promise<Volume> {
  const changing = await volumeToChange(ctx, env, name)
  mustBe(changing.row, 'Released')
  const changed = await change(changing, { persistentVolumeReclaimPolicy: 'Delete' })
  const row = await settled(changing.cluster, changed, (row) => row === undefined || row.phase === 'Failed')
  note(ctx, { after: row ? auditDetail(row) : null })
  return shownVolume(row ?? changing.row, [])
}
