import type { Namespace, namespaces } from '@gantry/contract/harbor/projects'
import type { List } from '@gantry/contract/paging'
import type { z } from 'zod'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { inLanes } from '../../../kernel/concurrency/lanes.ts'
import { countCap, toList, type Page } from '../../../kernel/paging.ts'
import { reasonOf, sayReasonTo } from '../../../kernel/phrase.ts'
import { requestPullRight } from '../pulls/pulls.service.ts'
import { accessOf, harborOf, missing } from '../servers/servers.service.ts'
import { refuseUsed, tell } from './projects.service.ts'
import {
  deleteNamespaces,
  findNamespace,
  namespacesIn,
  namespacesOf,
  noteProject,
  type StoredNamespace,
} from './namespaces.store.ts'
import { nameOfTeam } from '../../teams/public.read.ts'

/* A team's projects in Harbors, as the team itself sees them. */

const toNamespace =
  (ctx: Ctx) =>
  ({ url, settled, problem, teamId: _, ...namespace }: StoredNamespace): Namespace => ({
    ...namespace,
    host: new URL(url).host,
    pull: problem !== null ? 'failed' : settled === true ? 'ready' : 'pending',
    problem: sayReasonTo(ctx, problem ?? null),
  })

export async function listNamespaces(
  ctx: Ctx,
  teamId: number,
  query: { keyword?: string | undefined; sort?: string | undefined },
  at: Page,
): Promise<List<Namespace>> {
  const found = await namespacesOf(ctx.db, teamId, { keyword: query.keyword ?? '', sort: query.sort }, at)
  return { ...found, items: found.items.map(toNamespace(ctx)) }
}

/** A Harbor without projects of the team is a 404. */
async function inHarbor(ctx: Ctx, teamId: number, harborId: number): Promise<StoredNamespace[]> {
  const found = await namespacesIn(ctx.db, teamId, harborId)
  if (found.length === 0 && !ctx.actor.admin) throw missing()
  return found
}

export async function namespacesInHarbor(ctx: Ctx, teamId: number, harborId: number): Promise<Namespace[]> {
  if (ctx.actor.admin) await harborOf(ctx, harborId)
  return (await inHarbor(ctx, teamId, harborId)).map(toNamespace(ctx))
}

/** Images stay in the Harbor; refused while services of the team use one of them. */
export const removeNamespace = (ctx: Ctx, teamId: number, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const namespace = mustExist(await findNamespace(ctx.db, teamId, id))
    const { harborId, name } = namespace
    note(ctx, { object: name, before: { harbor: namespace.harborName } })
    await refuseUsed(ctx, { harborId, name, team: { id: teamId, name: await nameOfTeam(ctx.db, teamId) } })
    await deleteNamespaces(ctx.db, [id])
    await requestPullRight(ctx, harborId, teamId)
    await tell(ctx, harborId, teamId)
    return null
  })

/** Maximum of concurrent calls to Harbors. */
const atOnce = 4

/** Reads the team's projects again, drops those that the Harbor no longer has, and renews the pull right. */
export async function syncNamespaces(ctx: Ctx, teamId: number, harborId: number): Promise<Namespace[]> {
  const harbor = await harborOf(ctx, harborId)
  const before = await inHarbor(ctx, teamId, harborId)
  note(ctx, { object: harbor.name })
  const access = accessOf(ctx, harbor)
  const gone: StoredNamespace[] = []
  const read: { id: number; public: boolean; repositories: number }[] = []
  await inLanes(before, atOnce, async (namespace) => {
    try {
      const project = await ctx.ports.harbor.project(access, namespace.projectId, ctx.signal)
      if (project.name === namespace.name) read.push(project)
      else gone.push(namespace)
    } catch (error) {
      if (!(error instanceof Fault) || error.key !== 'resource-missing') throw error
      gone.push(namespace)
    }
  })
  await inTx(ctx, async (ctx) => {
    for (const project of read) await noteProject(ctx.db, harborId, project)
    if (gone.length > 0)
      await deleteNamespaces(
        ctx.db,
        gone.map(({ id }) => id),
      )
    if (before.length > 0) await requestPullRight(ctx, harborId, teamId)
    await tell(ctx, harborId, teamId)
  })
  return (await namespacesIn(ctx.db, teamId, harborId)).map(toNamespace(ctx))
}

type TeamRepositories = z.output<typeof namespaces.repos.data>

/** Repositories of all Harbors. Each is read once, and one that does not answer lacks only its own rows. */
export async function listTeamRepositories(
  ctx: Ctx,
  teamId: number,
  keyword: string,
  at: Page,
): Promise<TeamRepositories> {
  const items: TeamRepositories['items'] = []
  const silent = new Map<number, TeamRepositories['silent'][number]>()
  await inLanes(await namespacesIn(ctx.db, teamId), atOnce, async (namespace) => {
    const { id, projectId, harborId, harborName, name } = namespace
    try {
      const access = accessOf(ctx, await harborOf(ctx, harborId))
      const listing = { offset: 0, limit: 1000, keyword, signal: ctx.signal }
      const found = await ctx.ports.harbor.repositories(access, name, listing)
      for (const { name, artifacts, pulls, updatedAt } of found.items)
        items.push({ name, harborId, harborName, projectId, namespaceId: id, artifacts, pulls, updatedAt })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.key !== 'resource-missing')
        silent.set(harborId, { name: harborName, problem: sayReasonTo(ctx, reasonOf(error)) })
    }
  })
  items.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.harborId - b.harborId))
  const page = items.slice(at.offset, at.offset + at.limit)
  return { ...toList(page, Math.min(items.length, countCap), at), silent: [...silent.values()] }
}
