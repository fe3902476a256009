import type { Replication } from '@gantry/contract/harbor/replication'
import type { ReplicationState } from '../../../adapters/harbor/replication.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx, scoped } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { reasonOf, sayReasonTo } from '../../../kernel/phrase.ts'
import { openProject, openRepository } from '../contents/place.ts'
import { accessOf, harborOf } from '../servers/servers.service.ts'
import {
  findReplication,
  forgetOld,
  insertReplication,
  itemsOf,
  noteEnded,
  noteItem,
  noteSetUp,
  noteState,
  openReplications,
  type StoredItem,
  type StoredReplication,
} from './replication.store.ts'

/*
 * Copies between projects, done by the Harbor itself. It logs in to the target with a robot that may only push to the
 * one project, and that is deleted when the copy has ended.
 */

const ended: readonly string[] = ['succeeded', 'failed', 'stopped']
/** After this time a copy that never began counts as abandoned: the server was killed during its setup. */
const abandonedMs = 5 * 60_000

const grouped = (images: readonly { repo: string; tag: string }[]): Map<string, string[]> => {
  const tags = new Map<string, string[]>()
  for (const { repo, tag } of images) tags.set(repo, [...new Set([...(tags.get(repo) ?? []), tag])])
  return tags
}

interface Wanted {
  images: { repo: string; tag: string }[]
  target: { harborId: number; projectId: number }
}

export async function startReplication(ctx: Ctx, harborId: number, { images, target }: Wanted): Promise<Replication> {
  const into = await openProject(ctx, target.harborId, target.projectId, 'image_harbor_operate')
  const items = grouped(images)
  for (const repo of items.keys()) {
    const { place } = await openRepository(ctx, harborId, repo, 'image_harbor_operate')
    if (target.harborId === harborId && place.project === into.name) throw new Fault('invalid', 'harbor-same-project')
  }
  note(ctx, { object: into.name, after: { images: images.map(({ repo, tag }) => `${repo}:${tag}`) } })
  const id = await inTx(ctx, (ctx) =>
    insertReplication(ctx.db, { harborId, targetHarborId: target.harborId, targetProject: into.name }, items),
  )
  try {
    await setUp(ctx, await mustFind(ctx, harborId, id))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    await noteState(ctx.db, id, 'failed', reasonOf(error))
    await cleanUp(ctx, await mustFind(ctx, harborId, id))
    throw error
  }
  return toReplication(ctx, await mustFind(ctx, harborId, id))
}

async function mustFind(ctx: Ctx, harborId: number, id: string): Promise<StoredReplication> {
  return mustExist(await findReplication(ctx.db, harborId, id))
}

/** Each object is recorded as soon as it is created, so that it is also removed after a crash. */
async function setUp(ctx: Ctx, { id, harborId, targetHarborId, targetProject }: StoredReplication): Promise<void> {
  const { harbor } = ctx.ports
  const [source, target] = [await harborOf(ctx, harborId), await harborOf(ctx, targetHarborId)]
  const name = `gantry-copy-${id.slice(0, 8)}`
  const rights = [{ project: targetProject, actions: ['pull', 'push'] as const }]
  const robot = await harbor.putRobot(accessOf(ctx, target), name, rights)
  await noteSetUp(ctx.db, id, { robot_id: robot.id })
  const access = accessOf(ctx, source)
  const account = { name, url: target.url, username: robot.name, password: robot.secret, ca: target.ca }
  const registry = await harbor.addTarget(access, account)
  await noteSetUp(ctx.db, id, { registry_id: registry })
  for (const [at, { repo, tags }] of (await itemsOf(ctx.db, id)).entries()) {
    const policy = { name: `${name}-${at + 1}`, targetId: registry, repository: repo, tags, project: targetProject }
    const policyId = await harbor.addPolicy(access, policy)
    await noteItem(ctx.db, id, repo, { policy_id: policyId })
    const executionId = await harbor.startExecution(access, policyId)
    await noteItem(ctx.db, id, repo, { execution_id: executionId, state: 'running' })
  }
  await noteState(ctx.db, id, 'running')
}

/** Removes what was set up. Repeatable: the job tries again what could not be reached. */
async function cleanUp(ctx: Ctx, replication: StoredReplication): Promise<void> {
  const { id, harborId, targetHarborId, robotId, registryId } = replication
  const { harbor } = ctx.ports
  const [source, target] = [await harborOf(ctx, harborId), await harborOf(ctx, targetHarborId)]
  try {
    const access = accessOf(ctx, source)
    for (const { policyId } of await itemsOf(ctx.db, id))
      if (policyId !== null) await harbor.removePolicy(access, policyId)
    if (registryId !== null) await harbor.removeTarget(access, registryId)
    if (robotId !== null) await harbor.removeRobot(accessOf(ctx, target), robotId)
    await noteEnded(ctx.db, id)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    ctx.log.warn({ err: error, replication: id }, 'what a copy has set up is not removed yet')
  }
}

const overall = (items: readonly StoredItem[]): ReplicationState => {
  const states = items.map(({ state }) => state)
  if (states.some((state) => !ended.includes(state))) return 'running'
  if (states.includes('failed')) return 'failed'
  return states.includes('stopped') ? 'stopped' : 'succeeded'
}

/** Reads the progress from the Harbor, and cleans up once everything has ended. */
async function refresh(ctx: Ctx, replication: StoredReplication): Promise<void> {
  const { id, harborId, state } = replication
  if (replication.endedAt !== null) return
  if (state === 'pending') {
    if (Date.now() - Date.parse(replication.startedAt) < abandonedMs) return
    await noteState(ctx.db, id, 'failed')
  } else if (state === 'running') {
    const access = accessOf(ctx, await harborOf(ctx, harborId))
    for (const { repo, executionId, state } of await itemsOf(ctx.db, id)) {
      if (executionId === null || ended.includes(state)) continue
      const { succeeded, ...now } = await ctx.ports.harbor.execution(access, executionId, ctx.signal)
      const known = { state: now.state, problem: now.problem, done: succeeded, failed: now.failed }
      await noteItem(ctx.db, id, repo, known)
    }
    const now = overall(await itemsOf(ctx.db, id))
    if (!ended.includes(now)) return
    await noteState(ctx.db, id, now)
  }
  await cleanUp(ctx, await mustFind(ctx, harborId, id))
}

async function toReplication(ctx: Ctx, replication: StoredReplication): Promise<Replication> {
  const { id, targetHarborId, targetProject, startedAt, endedAt } = replication
  const target = await harborOf(ctx, targetHarborId)
  const items = await itemsOf(ctx.db, id)
  const sum = (of: (item: StoredItem) => number): number => items.reduce((total, item) => total + of(item), 0)
  const said = sayReasonTo(ctx, replication.problem ?? null)
  return {
    id,
    target: `${target.name}/${targetProject}`,
    state: replication.state as ReplicationState,
    total: sum(({ tags }) => tags.length),
    done: sum(({ done }) => done),
    failed: sum(({ failed }) => failed),
    items: items.map(({ repo, tags, state, problem }) => ({
      image: `${repo}:${tags.join(', ')}`,
      state: state as ReplicationState,
      problem: problem || said,
    })),
    startedAt,
    endedAt,
  }
}

/** A copy whose repositories the caller may all see; any other is a 404. */
async function opened(
  ctx: Ctx,
  harborId: number,
  id: string,
  permission: 'image_harbor_view' | 'image_harbor_operate',
): Promise<StoredReplication> {
  const replication = await mustFind(ctx, harborId, id)
  for (const { repo } of await itemsOf(ctx.db, id)) await openRepository(ctx, harborId, repo, permission)
  return replication
}

export async function readReplication(ctx: Ctx, harborId: number, id: string): Promise<Replication> {
  await refresh(ctx, await opened(ctx, harborId, id, 'image_harbor_view'))
  return toReplication(ctx, await mustFind(ctx, harborId, id))
}

export async function stopReplication(ctx: Ctx, harborId: number, id: string): Promise<Replication> {
  const replication = await opened(ctx, harborId, id, 'image_harbor_operate')
  note(ctx, { object: replication.targetProject })
  const access = accessOf(ctx, await harborOf(ctx, harborId))
  for (const { executionId, state } of await itemsOf(ctx.db, id))
    if (executionId !== null && !ended.includes(state)) await ctx.ports.harbor.stopExecution(access, executionId)
  await refresh(ctx, replication)
  return toReplication(ctx, await mustFind(ctx, harborId, id))
}

/** Follows all open copies, also those that no page shows. */
export async function followReplications(ctx: Ctx): Promise<void> {
  for (const replication of await openReplications(ctx.db)) {
    const own = scoped(ctx)
    await refresh(own, replication).catch((error: unknown) =>
      own.log.warn({ err: error, replication: replication.id }, 'a copy of images cannot be followed'),
    )
  }
  await forgetOld(ctx.db)
}
