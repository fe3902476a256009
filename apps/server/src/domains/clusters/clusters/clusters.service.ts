import { type Cluster, type clusters, clusterSorts } from '@gantry/contract/clusters/clusters'
import type { z } from 'zod'
import { brokenConstraint } from '../../../db/constraint.ts'
import { sorting } from '../../../db/list.ts'
import { mustBeMadeOn, revisionOf } from '../../../db/revision.ts'
import { teamsHolding } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { Fault, mustConfirm, mustExist } from '../../../kernel/fault.ts'
import { afterCommit, type Ctx, inTx } from '../../../kernel/context.ts'
import { page } from '../../../kernel/paging.ts'
import { say, sayReasonTo } from '../../../kernel/phrase.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import { secretsOf } from '../../../adapters/kube/transport/kubeconfig.ts'
import { mustBeUsable, tried } from '../health/check.service.ts'
import { checkHealth } from '../health/health.service.ts'
import { addUndedication, removeUndedication } from '../hosts/undedicate-hosts.store.ts'
import { undedications } from '../hosts/undedications.ts'
import { leavingClusters } from '../leave/leaving.ts'
import { publishClusters } from './publish.ts'
import { clusterOf } from './connect.service.ts'
import {
  assignTeam,
  beginLeaving,
  deleteCluster,
  type ClusterRow,
  clustersOfTeam,
  findCluster,
  insertCluster,
  listClusters,
  lockCluster,
  type NewAddress,
  stacksOn,
  unassignTeam,
  updateCluster,
} from './clusters.store.ts'
import { mustBeUnknown } from './identity.service.ts'
import { type ClusterAccess, type Credentials, parseCredentials, serverOf } from './cluster-credentials.ts'

/** The revision of the fields that an edit changes. */
const clusterRevision = ({ name, description, reach, server, addressHash }: ClusterRow): string =>
  revisionOf([name, description, reach, server, addressHash])

const toCluster = (ctx: Ctx, row: ClusterRow): Cluster => {
  const { reason, cluster, answers, twin, addressHash: _, ...rest } = row
  const { admin } = ctx.actor
  return {
    ...rest,
    server: admin ? row.server : '',
    cluster: (admin && cluster) || '',
    answers: (admin && answers) || '',
    revision: admin ? clusterRevision(row) : '',
    notice: admin && twin !== null ? say(ctx.lang, 'clusters-joined-twice', { name: twin }) : '',
    type: 'K8S',
    healthMessage: sayReasonTo(ctx, reason),
    alone: ctx.actor.admin || (!row.sandbox && row.teams.length === 1),
  }
}

/** Hides the names of teams that the caller may not see. */
const visibleCluster = (ctx: Ctx, row: ClusterRow, seen: readonly number[] | undefined): Cluster => {
  const cluster = toCluster(ctx, row)
  return seen ? { ...cluster, teams: cluster.teams.filter((team) => seen.includes(team.id)) } : cluster
}

async function existing(ctx: Ctx, uuid: string): Promise<ClusterRow> {
  return mustExist(await findCluster(ctx.db, uuid))
}

export async function allClusters(ctx: Ctx, query: z.output<(typeof clusters.list)['query']>) {
  const list = await listClusters(ctx.db, query, sorting(query.sort, clusterSorts), page(query))
  return { ...list, items: list.items.map((row) => toCluster(ctx, row)) }
}

export const teamClusters = async (ctx: Ctx, teamId: number): Promise<Cluster[]> =>
  (await clustersOfTeam(ctx.db, teamId)).map((row) => visibleCluster(ctx, row, ctx.actor.admin ? undefined : [teamId]))

export async function readCluster(ctx: Ctx, uuid: string): Promise<Cluster> {
  const [seen] = await teamsHolding(ctx, [[]])
  return visibleCluster(ctx, await existing(ctx, uuid), seen)
}

/** Like parseCredentials; the secrets in a kubeconfig are masked in the audit row as well as its whole text. */
function parseAndMask(ctx: Ctx, given: Credentials): ClusterAccess | undefined {
  const way = parseCredentials(given)
  if (way && way.method !== 'agent') secretsOf(way.address.auth).forEach(ctx.told.add)
  return way
}

/** Lists the permissions of credentials without saving them. */
export async function checkCredentials(ctx: Ctx, given: Credentials) {
  const way = parseAndMask(ctx, given)
  if (!way || way.method === 'agent') throw new Fault('invalid', 'clusters-one-way')
  note(ctx, { object: way.address.server })
  return (await tried(ctx, way.address)).check
}

/**
 * Connects before the cluster is saved, and returns its identity; null for an agent's cluster, which is identified when
 * the agent connects.
 */
async function mustServe(ctx: Ctx, way: ClusterAccess): Promise<string | null> {
  if (way.method === 'agent') return null
  const { check, uid } = await tried(ctx, way.address)
  mustBeUsable(check)
  return uid ?? null
}

const stored = (ctx: Ctx, way: ClusterAccess): NewAddress => ({
  reach: way.method,
  server: serverOf(way),
  address: way.method === 'agent' ? '' : seal(ctx, JSON.stringify(way.address)),
})

/** The cluster answered a moment ago, so this first check is quick; if it fails, the saved cluster stays. */
const firstLook = (ctx: Ctx, uuid: string): Promise<unknown> =>
  checkHealth(ctx, uuid).catch((error: unknown) => ctx.log.warn({ err: error }, 'a new cluster could not be looked at'))

const nameTaken = (name: string) => new Fault('conflict', 'clusters-name-taken', { name })

export interface ClusterInput extends Credentials {
  name: string
  description: string
  teamIds: number[]
}

export async function createCluster(ctx: Ctx, input: ClusterInput): Promise<Cluster> {
  const { name, description, teamIds } = input
  note(ctx, { object: name })
  const way = parseAndMask(ctx, input)
  if (!way) throw new Fault('invalid', 'clusters-one-way')
  note(ctx, { after: { name, description, teamIds, reach: way.method, server: serverOf(way) } })
  const cluster = await mustServe(ctx, way)
  await mustBeUnknown(ctx, cluster)
  const uuid = await inTx(ctx, async (ctx) => {
    const uuid = await insertCluster(ctx.db, { name, description, cluster, ...stored(ctx, way) })
    if (uuid === undefined) {
      await mustBeUnknown(ctx, cluster)
      throw nameTaken(name)
    }
    for (const teamId of new Set(teamIds))
      await assignTeam(ctx.db, uuid, teamId).catch(
        brokenConstraint('environment_team_team_id_fkey', new Fault('invalid', 'resource-missing')),
      )
    await publishClusters(ctx)
    return uuid
  })
  await firstLook(ctx, uuid)
  return toCluster(ctx, await existing(ctx, uuid))
}

/**
 * Renames a cluster, or replaces its connection method as a whole, so that saved credentials are never sent to another
 * address.
 */
export async function changeCluster(
  ctx: Ctx,
  uuid: string,
  { name, description, revision, ...given }: Omit<ClusterInput, 'teamIds'> & { revision?: string | undefined },
): Promise<Cluster> {
  const before = await existing(ctx, uuid)
  note(ctx, { object: before.name })
  if (before.sandbox) throw new Fault('conflict', 'clusters-sandbox-kept')
  const way = parseAndMask(ctx, given)
  note(ctx, {
    before: { name: before.name, description: before.description, reach: before.reach, server: before.server },
    after: { name, description, reach: way?.method ?? before.reach, server: way ? serverOf(way) : before.server },
  })
  const cluster = way ? await mustServe(ctx, way) : null
  const another = cluster === before.cluster ? null : cluster
  await mustBeUnknown(ctx, another, uuid)
  await inTx(ctx, async (ctx) => {
    await lockCluster(ctx.db, uuid, 'update')
    mustBeMadeOn(clusterRevision(await existing(ctx, uuid)), revision)
    // credentials of another cluster may be saved, but nothing is written there
    const answers = before.cluster === null ? null : another
    const change = { name, description, ...(way && { ...stored(ctx, way), answers }) }
    await updateCluster(ctx.db, uuid, change).catch(brokenConstraint('environment_name', nameTaken(name)))
    await publishClusters(ctx)
  })
  // watches continue: this check is the first to use the new address, and replaces the old one
  if (way) await firstLook(ctx, uuid)
  return toCluster(ctx, await existing(ctx, uuid))
}

async function refuseUsed(ctx: Ctx, { uuid, name }: ClusterRow, teamId?: number): Promise<void> {
  const stacks = await stacksOn(ctx.db, uuid, teamId)
  if (stacks.length > 0) throw new Fault('conflict', 'clusters-in-use', { name, stacks: stacks.join(', ') })
}

async function leaving(ctx: Ctx, uuid: string, confirm: string): Promise<ClusterRow> {
  const row = await existing(ctx, uuid)
  const { name, description, server } = row
  mustConfirm(confirm, name)
  note(ctx, { object: name, before: { name, description, server } })
  if (row.sandbox) throw new Fault('conflict', 'clusters-sandbox-kept')
  await refuseUsed(ctx, row)
  return row
}

/** Deletes the record of a cluster without stacks. The cluster itself is not touched. */
export const removeCluster = (ctx: Ctx, uuid: string, confirm: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    await lockCluster(ctx.db, uuid, 'update')
    const { name } = await leaving(ctx, uuid, confirm)
    await forget(ctx, uuid, name)
    return null
  })

/** Called in a transaction. A stack created meanwhile makes the foreign key refuse. */
export async function forget(ctx: Ctx, uuid: string, name: string): Promise<void> {
  await deleteCluster(ctx.db, uuid).catch(
    brokenConstraint('stack_environment_fkey', new Fault('conflict', 'clusters-in-use', { name, stacks: '…' })),
  )
  await publishClusters(ctx)
  afterCommit(ctx, () => void ctx.ports.kube.remove(uuid))
}

/** Deletes in the background what the product created in the cluster, and then its record. Another call restarts it. */
export async function emptyCluster(ctx: Ctx, uuid: string, confirm: string): Promise<null> {
  await leaving(ctx, uuid, confirm)
  note(ctx, { after: { complete: true } })
  // an unreachable cluster is reported now, and can be deleted without being emptied
  await (await clusterOf(ctx, uuid)).kube.version().catch((error: unknown) => {
    throw kubeFault(error)
  })
  return inTx(ctx, async (ctx) => {
    await beginLeaving(ctx.db, uuid)
    await refuseUsed(ctx, await existing(ctx, uuid))
    leavingClusters.wakeAfterCommit(ctx)
    return null
  })
}

export const setAssigned = (ctx: Ctx, uuid: string, teamId: number, assigned: boolean): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const row = await existing(ctx, uuid)
    note(ctx, { object: row.name, teamId, before: { assigned: !assigned }, after: { assigned } })
    if (assigned) {
      await assignTeam(ctx.db, uuid, teamId).catch(
        brokenConstraint('environment_team_team_id_fkey', new Fault('missing', 'resource-missing')),
      )
      // hosts that were dedicated to the team before, and still are, stay its own
      await removeUndedication(ctx.db, uuid, teamId)
      return null
    }
    await lockCluster(ctx.db, uuid, 'update')
    await refuseUsed(ctx, row, teamId)
    await unassignTeam(ctx.db, uuid, teamId)
    await addUndedication(ctx.db, uuid, teamId)
    undedications.wakeAfterCommit(ctx)
    return null
  })
