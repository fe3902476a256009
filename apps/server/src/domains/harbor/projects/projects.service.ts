import type { HarborProject } from '@gantry/contract/harbor/projects'
import { namespacesTopic } from '@gantry/contract/harbor/topics'
import type { List } from '@gantry/contract/paging'
import type { Project } from '../../../adapters/harbor/projects.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { servicesUsing } from '../pulls/pulls.store.ts'
import { requestPullRight } from '../pulls/pulls.service.ts'
import { accessOf, harborOf, missing } from '../servers/servers.service.ts'
import { findHarbor } from '../servers/servers.store.ts'
import { addNamespace, noteProject, removeTeams, teamsOfProjects } from './namespaces.store.ts'

const toProject = (
  { id, name, public: isPublic, repositories, createdAt }: Project,
  teams: { projectId: number; id: number; name: string }[],
): HarborProject => ({
  projectId: id,
  name,
  public: isPublic,
  repositories,
  createdAt,
  teams: teams.filter(({ projectId }) => projectId === id).map((team) => ({ id: team.id, name: team.name })),
})

const withTeams = async (ctx: Ctx, harborId: number, project: Project): Promise<HarborProject> =>
  toProject(project, await teamsOfProjects(ctx.db, harborId, [project.id]))

export async function listProjects(
  ctx: Ctx,
  harborId: number,
  keyword: string,
  at: Page,
): Promise<List<HarborProject>> {
  const access = accessOf(ctx, await harborOf(ctx, harborId))
  const { offset, limit } = at
  const { items, total } = await ctx.ports.harbor.projects(access, { offset, limit, keyword, signal: ctx.signal })
  const ids = items.map(({ id }) => id)
  const teams = await teamsOfProjects(ctx.db, harborId, ids)
  return toList(
    items.map((project) => toProject(project, teams)),
    total,
    at,
  )
}

export async function createProject(
  ctx: Ctx,
  harborId: number,
  project: { name: string; public: boolean },
): Promise<HarborProject> {
  note(ctx, { object: project.name, after: project })
  const access = accessOf(ctx, await harborOf(ctx, harborId))
  const id = await ctx.ports.harbor.createProject(access, project).catch((error: unknown) => {
    if (error instanceof Fault && error.key === 'harbor-conflict')
      throw new Fault('conflict', 'harbor-project-taken', { name: project.name })
    throw error
  })
  return toProject(await ctx.ports.harbor.project(access, id, ctx.signal), [])
}

/** The project must be empty, so withdrawing it from its teams takes no image from them. */
export async function removeProject(ctx: Ctx, harborId: number, projectId: number): Promise<null> {
  const access = accessOf(ctx, await harborOf(ctx, harborId))
  const project = await ctx.ports.harbor.project(access, projectId, ctx.signal)
  note(ctx, { object: project.name })
  const notEmpty = () => new Fault('conflict', 'image-project-not-empty', { name: project.name })
  if (project.repositories > 0) throw notEmpty()
  await ctx.ports.harbor.removeProject(access, projectId).catch((error: unknown) => {
    throw error instanceof Fault && error.key === 'harbor-protected' ? notEmpty() : error
  })
  return inTx(ctx, async (ctx) => {
    const teams = await teamsOfProjects(ctx.db, harborId, [projectId])
    await withdraw(ctx, harborId, projectId, teams)
    return null
  })
}

export async function setPublicity(ctx: Ctx, harborId: number, projectId: number, isPublic: boolean): Promise<null> {
  const access = accessOf(ctx, await harborOf(ctx, harborId))
  const project = await ctx.ports.harbor.project(access, projectId, ctx.signal)
  note(ctx, { object: project.name, before: { public: project.public }, after: { public: isPublic } })
  await ctx.ports.harbor.setPublic(access, projectId, isPublic)
  return inTx(ctx, async (ctx) => {
    await noteProject(ctx.db, harborId, { ...project, public: isPublic })
    for (const team of await teamsOfProjects(ctx.db, harborId, [projectId])) await tell(ctx, harborId, team.id)
    return null
  })
}

export const tell = (ctx: Ctx, harborId: number, teamId: number): Promise<void> =>
  publish(ctx, namespacesTopic, { teamId })

/** Called in a transaction. */
async function withdraw(ctx: Ctx, harborId: number, projectId: number, teams: { id: number }[]): Promise<void> {
  if (teams.length === 0) return
  const ids = teams.map(({ id }) => id)
  await removeTeams(ctx.db, harborId, projectId, ids)
  for (const teamId of ids) {
    await requestPullRight(ctx, harborId, teamId)
    await tell(ctx, harborId, teamId)
  }
}

/** Called in a transaction. Refused while services of the team use images of the project. */
export async function refuseUsed(
  ctx: Ctx,
  { harborId, name, team }: { harborId: number; name: string; team: { id: number; name: string } },
): Promise<void> {
  const services = await servicesUsing(ctx.db, { harborId, teamId: team.id, name })
  if (services.length > 0)
    throw new Fault('conflict', 'harbor-project-in-use', { name, team: team.name, services: services.join(', ') })
}

/** Sets the teams of a project. Their clusters gain or lose the right to pull from it soon after. */
export async function assignProject(
  ctx: Ctx,
  harborId: number,
  { projectId, teams: wanted }: { projectId: number; teams: number[] },
): Promise<HarborProject> {
  const access = accessOf(ctx, await harborOf(ctx, harborId))
  const project = await ctx.ports.harbor.project(access, projectId, ctx.signal)
  const { name } = project
  return inTx(ctx, async (ctx) => {
    if (!(await findHarbor(ctx.db, harborId, { lock: true }))) throw missing()
    const before = await teamsOfProjects(ctx.db, harborId, [projectId])
    const gone = before.filter(({ id }) => !wanted.includes(id))
    for (const team of gone) await refuseUsed(ctx, { harborId, name, team })
    await withdraw(ctx, harborId, projectId, gone)
    for (const teamId of new Set(wanted)) {
      if (before.some(({ id }) => id === teamId)) continue
      const { public: isPublic, repositories } = project
      if (!(await addNamespace(ctx.db, { harborId, projectId, name, teamId, isPublic, repositories }))) throw missing()
      await requestPullRight(ctx, harborId, teamId)
      await tell(ctx, harborId, teamId)
    }
    const after = await withTeams(ctx, harborId, project)
    note(ctx, { object: name, before: { teams: before.map((team) => team.name) }, after: { teams: after.teams } })
    return after
  })
}
