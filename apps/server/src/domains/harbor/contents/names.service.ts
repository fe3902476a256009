import type { List } from '@gantry/contract/paging'
import type { Ctx } from '../../../kernel/context.ts'
import { type Page, countCap, paged } from '../../../kernel/paging.ts'
import { namespacesIn, othersProject } from '../projects/namespaces.store.ts'
import { accessOf, harborOf, missing } from '../servers/servers.service.ts'
import { placeOf } from './place.ts'

/** For pickers: repositories of the team's projects in a Harbor, or tags of one, whose names contain the keyword. */
export async function namesInHarbor(
  ctx: Ctx,
  teamId: number,
  harborId: number,
  { repo, keyword }: { repo?: string; keyword: string },
  at: Page,
): Promise<List<{ name: string }>> {
  const projects = (await namespacesIn(ctx.db, teamId, harborId)).map(({ name }) => name)
  const access = accessOf(ctx, await harborOf(ctx, harborId))
  const listing = { offset: 0, limit: 1000, keyword, signal: ctx.signal }
  const names: string[] = []
  let more = false
  if (repo === undefined) {
    for (const project of projects) {
      const { items, total } = await ctx.ports.harbor.repositories(access, project, listing)
      names.push(...items.map(({ name }) => name))
      more ||= total > items.length
      if (names.length >= countCap) break
    }
  } else {
    const place = placeOf(repo)
    if (!projects.includes(place.project)) throw missing()
    const { items, total } = await ctx.ports.harbor.artifacts(access, place, listing)
    names.push(...items.flatMap(({ tags }) => tags.map(({ name }) => name)).filter((name) => name.includes(keyword)))
    more = total > items.length
  }
  const list = paged(
    names.map((name) => ({ name })),
    at,
  )
  return more ? { ...list, truncated: true } : list
}

/**
 * Whether a repository of the sandbox's registry belongs to a private project of the simulated Harbor in front of it
 * that other teams have but this one does not.
 */
export const isOthersProject = (ctx: Ctx, teamId: number, repository: string): Promise<boolean> =>
  othersProject(ctx.db, teamId, placeOf(repository).project)
