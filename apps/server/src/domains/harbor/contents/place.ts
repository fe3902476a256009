import type { HarborAccess } from '../../../adapters/harbor/session.ts'
import type { RepositoryPlace } from '../../../adapters/harbor/contents.ts'
import { mustHoldInOneOf } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { assignedProject } from '../projects/namespaces.store.ts'
import { accessOf, harborOf, missing } from '../servers/servers.service.ts'
import type { StoredHarbor } from '../servers/servers.store.ts'

type HarborPermission = 'image_harbor_view' | 'image_harbor_delete' | 'image_harbor_operate'

interface OpenedProject {
  access: HarborAccess
  harbor: StoredHarbor
  name: string
}

/**
 * A project in which the caller holds the permission: of one of their teams, or any for administrators. Another team's
 * is 404, like one that does not exist, without a call to the Harbor.
 */
export async function openProject(
  ctx: Ctx,
  harborId: number,
  projectId: number,
  permission: HarborPermission,
): Promise<OpenedProject> {
  const harbor = await harborOf(ctx, harborId)
  const access = accessOf(ctx, harbor)
  const assigned = await assignedProject(ctx.db, harborId, { id: projectId })
  if (ctx.actor.admin) {
    const { name } = assigned ?? (await ctx.ports.harbor.project(access, projectId, ctx.signal))
    return { access, harbor, name }
  }
  if (!assigned) throw missing()
  await mustHoldInOneOf(ctx, assigned.teams, permission)
  return { access, harbor, name: assigned.name }
}

/** The same for a repository, which names its project. */
export async function openRepository(
  ctx: Ctx,
  harborId: number,
  repo: string,
  permission: HarborPermission,
): Promise<{ access: HarborAccess; harbor: StoredHarbor; place: RepositoryPlace }> {
  const place = placeOf(repo)
  const harbor = await harborOf(ctx, harborId)
  const access = accessOf(ctx, harbor)
  if (!ctx.actor.admin) {
    const assigned = mustExist(await assignedProject(ctx.db, harborId, { name: place.project }))
    await mustHoldInOneOf(ctx, assigned.teams, permission)
  }
  return { access, harbor, place }
}

/** The registry in which services find images of a Harbor. */
export const homeOf = ({ url, sandbox }: StoredHarbor) => ({ id: null, url, sandbox })

export function placeOf(repo: string): RepositoryPlace {
  const slash = repo.indexOf('/')
  return { project: repo.slice(0, slash), repository: repo.slice(slash + 1) }
}

/** The repository, or the refusal that it belongs to another project. */
export function placeWithin(project: string, repo: string): RepositoryPlace {
  const place = placeOf(repo)
  if (place.project !== project) throw new Fault('invalid', 'harbor-outside-project', { repo, project })
  return place
}
