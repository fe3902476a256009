import type { Driver, storage } from '@gantry/contract/clusters/storage'
import type { V1StorageClass } from '@kubernetes/client-node'
import type { z } from 'zod'
import { waits } from '../../../adapters/kube/waits.ts'
import { annotations, madeFor } from '../../../adapters/kube/labels.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { by, byNameOf, thenBy, type Compare } from '../../../kernel/in-order.ts'
import { firstFew } from '../../../kernel/phrase.ts'
import { clusterOf, mustUseAlone } from '../clusters/connect.service.ts'
import { withKubeFaults } from '../hosts/host-node.ts'
import { claimsSeen } from '../live/visibility.service.ts'
import { volumesSeen } from './volumes.rows.ts'

type StorageClass = Wire<V1StorageClass>

/** the second is from before Kubernetes 1.6, and still counts */
const defaultKeys = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
] as const

const isDefault = ({ metadata }: StorageClass): boolean =>
  defaultKeys.some((key) => metadata?.annotations?.[key] === 'true')

const nameOf = ({ metadata }: StorageClass): string => metadata?.name ?? ''

const toDriver = (driver: StorageClass, volumeNum: number): Driver => ({
  name: nameOf(driver),
  provisioner: driver.provisioner,
  reclaimPolicy: driver.reclaimPolicy ?? 'Delete',
  binding: driver.volumeBindingMode === 'WaitForFirstConsumer' ? 'WaitForFirstConsumer' : 'Immediate',
  expandable: driver.allowVolumeExpansion ?? false,
  isDefault: isDefault(driver),
  parameters: driver.parameters ?? {},
  volumeNum,
  createdAt: driver.metadata?.creationTimestamp ?? '',
})

async function allDrivers({ kube }: Cluster): Promise<StorageClass[]> {
  const found: StorageClass[] = []
  for await (const { items } of kube.pages(kinds.storageClasses)) found.push(...items)
  return found.sort(byNameOf(nameOf))
}

/** Read from the cluster, each with the volumes that the caller may see. */
export async function listDrivers(ctx: Ctx, env: string): Promise<Driver[]> {
  const [cluster, seen] = [await clusterOf(ctx, env), await claimsSeen(ctx, env)]
  const [drivers, { rows }] = await Promise.all([
    withKubeFaults(allDrivers(cluster)),
    cluster.rows('volumes', undefined, waits.rows),
  ])
  const counts = new Map<string, number>()
  for (const { driver } of volumesSeen(rows, seen)) counts.set(driver, (counts.get(driver) ?? 0) + 1)
  return drivers.map((driver) => toDriver(driver, counts.get(nameOf(driver)) ?? 0))
}

/** Names of a cluster's drivers, the default first. */
export async function driverNames(ctx: Ctx, env: string): Promise<string[]> {
  const drivers = await withKubeFaults(allDrivers(await clusterOf(ctx, env)))
  return drivers.sort(thenBy((a, b) => Number(isDefault(b)) - Number(isDefault(a)), byNameOf(nameOf))).map(nameOf)
}

function turnOf({ metadata }: StorageClass): number {
  const turn = Number(metadata?.annotations?.[annotations.defaultTurn] ?? 0)
  return Number.isSafeInteger(turn) ? turn : 0
}

/** Annotations that mark a driver as the latest default. */
async function nextMark(cluster: Cluster): Promise<Record<string, string>> {
  const turn = 1 + Math.max(0, ...(await allDrivers(cluster)).map(turnOf))
  return { [defaultKeys[0]]: 'true', [annotations.defaultTurn]: String(turn) }
}

/** The driver with the highest turn keeps its mark, so that there is always a default. */
const latest: Compare<StorageClass> = thenBy(by(turnOf), byNameOf(nameOf))

/**
 * Removes the mark from all drivers but the latest default. Concurrent calls, on any replica, have the same result: no
 * lock is held while the cluster is called. Returns which were the default.
 */
async function onlyLatest(cluster: Cluster): Promise<string[]> {
  const were = new Set<string>()
  const unmarked = Object.fromEntries([...defaultKeys, annotations.defaultTurn].map((key) => [key, null]))
  for (let tries = 0; tries < 5; tries++) {
    const others = (await allDrivers(cluster)).filter(isDefault).sort(latest).slice(0, -1)
    if (others.length === 0) break
    for (const { metadata = {} } of others) {
      const { name = '', resourceVersion } = metadata
      were.add(name)
      await cluster.kube
        .merge(kinds.storageClasses, { name }, { metadata: { annotations: unmarked, resourceVersion } })
        .catch((error: unknown) => {
          // it was changed, perhaps made the default again, or deleted: the next try shows
          if (!isKube(error, 'conflict', 'missing')) throw error
        })
    }
  }
  return [...were]
}

/**
 * Runs after a driver was created. If the cluster fails now, the driver exists all the same; making it the default
 * again repairs the marks.
 */
async function unmarkOthers(ctx: Ctx, cluster: Cluster): Promise<void> {
  try {
    note(ctx, { before: { default: await onlyLatest(cluster) } })
  } catch (error) {
    if (!isKube(error)) throw error
    ctx.log.warn({ err: error }, 'of several drivers that are marked as the default one, only one should be')
  }
}

type NewDriver = z.output<(typeof storage.createDriver)['body']>

/** Parameters that name a Secret with the driver's credentials, in any namespace: only administrators may set them. */
const secretKey = /secret/i

export async function createDriver(ctx: Ctx, env: string, input: NewDriver): Promise<Driver> {
  const { name, parameters } = input
  note(ctx, { object: name, after: input })
  await mustUseAlone(ctx, env)
  const secret = Object.keys(parameters).find((key) => secretKey.test(key))
  if (secret !== undefined && !ctx.actor.admin)
    throw new Fault('forbidden', 'storage-driver-secret-admin', { key: secret })
  const cluster = await clusterOf(ctx, env)
  try {
    const driver = await cluster.kube.create(kinds.storageClasses, {
      metadata: { name, labels: madeFor(env), ...(input.isDefault && { annotations: await nextMark(cluster) }) },
      provisioner: input.provisioner,
      reclaimPolicy: input.reclaimPolicy,
      volumeBindingMode: input.binding,
      allowVolumeExpansion: input.expandable,
      parameters,
    })
    if (input.isDefault) await unmarkOthers(ctx, cluster)
    return toDriver(driver, 0)
  } catch (error) {
    throw isKube(error, 'exists') ? new Fault('conflict', 'storage-driver-exists', { name }) : kubeFault(error)
  }
}

/** The driver that an authorized call is to change, read from the cluster; the call's audit row names it. */
async function driverToChange(
  ctx: Ctx,
  env: string,
  name: string,
): Promise<{ cluster: Cluster; driver: StorageClass }> {
  note(ctx, { object: name })
  await mustUseAlone(ctx, env)
  const cluster = await clusterOf(ctx, env)
  const driver = await withKubeFaults(cluster.kube.find(kinds.storageClasses, { name }))
  if (!driver) throw new Fault('missing', 'storage-driver-missing', { name })
  return { cluster, driver }
}

export async function setDefaultDriver(ctx: Ctx, env: string, name: string): Promise<Driver> {
  const { cluster } = await driverToChange(ctx, env, name)
  const mark = await withKubeFaults(nextMark(cluster))
  const marked = await withKubeFaults(
    cluster.kube.merge(kinds.storageClasses, { name }, { metadata: { annotations: mark } }),
  )
  note(ctx, { before: { default: await withKubeFaults(onlyLatest(cluster)) }, after: { default: [name] } })
  const { rows } = await cluster.rows('volumes', undefined, waits.rows)
  return toDriver(marked, rows.filter(({ driver }) => driver === name).length)
}

/**
 * Refused while volumes of it exist, or claims wait for one; for the default driver, claims without a driver count too.
 */
export async function removeDriver(ctx: Ctx, env: string, name: string): Promise<null> {
  const { cluster, driver } = await driverToChange(ctx, env, name)
  note(ctx, { before: toDriver(driver, 0) })
  const volumes = await withKubeFaults(volumesOf(cluster, name))
  if (volumes.length > 0)
    throw new Fault('conflict', 'storage-driver-in-use', { name, count: volumes.length, volumes: firstFew(volumes) })
  const claims = await withKubeFaults(claimsOf(cluster, driver))
  if (claims.length > 0)
    throw new Fault('conflict', isDefault(driver) ? 'storage-driver-default-claimed' : 'storage-driver-claimed', {
      name,
      count: claims.length,
      claims: firstFew(claims),
    })
  const { uid } = driver.metadata ?? {}
  await withKubeFaults(cluster.kube.remove(kinds.storageClasses, { name }, uid === undefined ? {} : { uid }))
  return null
}

async function volumesOf({ kube }: Cluster, driver: string): Promise<string[]> {
  const found: string[] = []
  for await (const { items } of kube.pages(kinds.persistentVolumes))
    found.push(...items.filter(({ spec }) => spec?.storageClassName === driver).map((one) => one.metadata?.name ?? ''))
  return found
}

async function claimsOf({ kube }: Cluster, driver: StorageClass): Promise<string[]> {
  const found: string[] = []
  for await (const { items } of kube.pages(kinds.persistentVolumeClaims))
    for (const { metadata, spec } of items) {
      const waits = spec?.volumeName === undefined || spec.volumeName === ''
      const byDefault = isDefault(driver) && spec?.storageClassName === undefined && waits
      if (spec?.storageClassName === nameOf(driver) || byDefault)
        found.push(`${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`)
    }
  return found
}
