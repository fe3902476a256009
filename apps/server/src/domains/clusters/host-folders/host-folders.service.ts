import type { HostFolder, hostFolders } from '@gantry/contract/clusters/host-folders'
import type { z } from 'zod'
import * as kinds from '../../../adapters/kube/resources.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { firstFew } from '../../../kernel/phrase.ts'
import { clusterOf, mustUse } from '../clusters/connect.service.ts'
import { lockCluster } from '../clusters/clusters.store.ts'
import { withKubeFaults } from '../hosts/host-node.ts'
import { folderClaimName, folderVolumeName } from './folder-objects.ts'
import {
  beginClosing,
  deleteFolder,
  type FolderRow,
  foldersOf,
  folderUsers,
  holdFolders,
  insertFolder,
  namespacesOfTeam,
} from './host-folders.store.ts'

/** The canonical form of a folder: `/data/a`. */
const plain = (path: string): string =>
  `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`

const contains = (outer: string, inner: string): boolean => inner.startsWith(`${outer}/`)

export async function listFolders(ctx: Ctx, clusterId: string): Promise<HostFolder[]> {
  const [rows, users] = [await foldersOf(ctx.db, clusterId), await folderUsers(ctx.db, clusterId)]
  return rows.map((row) => ({
    id: row.id,
    path: row.path,
    team: { id: row.teamId, name: row.team },
    readOnly: row.readOnly,
    openedBy: row.openedBy,
    openedAt: row.openedAt,
    closing: row.closing,
    services: usersOf(row, users),
  }))
}

const usersOf = ({ path, teamId }: FolderRow, users: Awaited<ReturnType<typeof folderUsers>>): string[] =>
  users.filter((one) => one.path === path && one.teamId === teamId).map(({ service }) => service)

export async function foldersOfTeam(ctx: Ctx, clusterId: string, teamId: number) {
  await mustUse(ctx, clusterId, teamId)
  const folders = await foldersOf(ctx.db, clusterId, teamId)
  return folders.filter(({ closing }) => !closing).map(({ path, readOnly }) => ({ path, readOnly }))
}

/**
 * Opens a folder. One inside or around another open one is refused: a user who writes to the outer one could replace
 * the inner one by a link, which hosts would follow anywhere.
 */
export async function openFolder(
  ctx: Ctx,
  clusterId: string,
  { path: given, teamId, readOnly }: z.output<(typeof hostFolders.open)['body']>,
): Promise<HostFolder> {
  const path = plain(given)
  note(ctx, { object: path, after: { path, teamId, readOnly } })
  const id = await inTx(ctx, async (ctx) => {
    await lockCluster(ctx.db, clusterId, 'update')
    await mustUse(ctx, clusterId, teamId)
    for (const { path: other, team, teamId: holder } of await foldersOf(ctx.db, clusterId)) {
      if (other === path && holder === teamId) throw new Fault('conflict', 'host-folder-open', { path, team })
      if (contains(other, path) || contains(path, other))
        throw new Fault('conflict', 'host-folder-nested', { path, other, team })
    }
    return insertFolder(ctx.db, { environment: clusterId, path, teamId, readOnly, openedBy: ctx.actor.name })
  })
  return mustExist((await listFolders(ctx, clusterId)).find((one) => one.id === id))
}

/**
 * Closes a folder; refused while it is in use. First no service may begin to use it any more, then its claims and
 * volumes are deleted in the cluster, and then its row. If the cluster does not answer, the folder keeps that state,
 * and closing it again continues.
 */
export async function closeFolder(ctx: Ctx, clusterId: string, id: number): Promise<null> {
  const row = mustExist((await foldersOf(ctx.db, clusterId)).find((one) => one.id === id))
  const { path, teamId, team, readOnly } = row
  note(ctx, { object: path, before: { path, teamId, readOnly } })
  await inTx(ctx, async ({ db }) => {
    await beginClosing(db, id)
    const services = usersOf(row, await folderUsers(db, clusterId))
    if (services.length > 0)
      throw new Fault('conflict', 'host-folder-in-use', { path, team, services: firstFew(services) })
  })
  const namespaces = await namespacesOfTeam(ctx.db, clusterId, teamId)
  if (namespaces.length > 0) {
    const { kube } = await clusterOf(ctx, clusterId)
    for (const namespace of namespaces) {
      await withKubeFaults(kube.remove(kinds.persistentVolumeClaims, { name: folderClaimName(path), namespace }))
      await withKubeFaults(kube.remove(kinds.persistentVolumes, { name: folderVolumeName(namespace, path) }))
    }
  }
  await deleteFolder(ctx.db, id)
  return null
}

/** Throws if folders that a service wants are not open to its team. Runs in the transaction of the change. */
export async function mustBeOpen(
  ctx: Ctx,
  { envId, teamId }: { envId: string; teamId: number },
  wanted: readonly { folder: string; readOnly: boolean }[],
): Promise<void> {
  if (wanted.length === 0) return
  const open = await holdFolders(
    ctx.db,
    envId,
    teamId,
    wanted.map(({ folder }) => folder),
  )
  for (const { folder, readOnly } of wanted) {
    const found = open.find(({ path }) => path === folder)
    if (!found) throw new Fault('conflict', 'host-folder-closed', { path: folder })
    if (found.readOnly && !readOnly) throw new Fault('conflict', 'host-folder-read-only', { path: folder })
  }
}
