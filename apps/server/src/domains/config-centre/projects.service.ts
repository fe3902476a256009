import type { Project, ProjectInput } from '@gantry/contract/config-centre/projects'
import { limits } from '@gantry/contract/config-centre/names'
import type { List } from '@gantry/contract/paging'
import type { z } from 'zod'
import { brokenConstraint } from '../../db/constraint.ts'
import { sorting } from '../../db/list.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { page } from '../../kernel/paging.ts'
import { keepRevision } from './history.store.ts'
import {
  copyContents,
  countProjects,
  deleteProject,
  findProject,
  insertProject,
  listProjects,
  lockProject,
} from './projects.store.ts'
import { mustBeUnread } from './readers.service.ts'

type Query = {
  keyword?: string | undefined
  sort?: string | undefined
  prefix?: string | undefined
  reverse_logic: 'true' | 'false'
} & Parameters<typeof page>[0]

export const readProjects = (
  ctx: Ctx,
  teamId: number,
  { keyword = '', prefix = '', reverse_logic, sort, ...paging }: Query,
): Promise<List<Project>> =>
  listProjects(
    ctx.db,
    teamId,
    { keyword, prefix, reverse: reverse_logic === 'true' },
    sorting(sort, ['name', 'updatedAt']),
    page(paging),
  )

/** The project of the team with that name; 404 if there is none. */
export async function mustFindProject(ctx: Ctx, teamId: number, name: string) {
  return mustExist(await findProject(ctx.db, teamId, name))
}

/** The same, locked: the numbers of its profiles and templates cannot change. */
export async function lockedProject(ctx: Ctx, teamId: number, name: string) {
  const project = await mustFindProject(ctx, teamId, name)
  if (!(await lockProject(ctx.db, project.id))) throw new Fault('missing', 'resource-missing')
  return project
}

async function insert(ctx: Ctx, teamId: number, given: z.infer<typeof ProjectInput>): Promise<number> {
  if ((await countProjects(ctx.db, teamId)) >= limits.projects)
    throw new Fault('conflict', 'config-projects-limit', { limit: limits.projects })
  return insertProject(ctx.db, teamId, { ...given, by: ctx.actor.name }).catch(
    brokenConstraint('config_project_name', new Fault('conflict', 'config-project-taken', { name: given.name })),
  )
}

const toProject = ({ id: _, ...project }: Project & { id: number }): Project => project

export const createProject = (ctx: Ctx, teamId: number, given: z.infer<typeof ProjectInput>): Promise<Project> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: given.name, after: given })
    await insert(ctx, teamId, given)
    return toProject(await mustFindProject(ctx, teamId, given.name))
  })

export const cloneProject = (ctx: Ctx, teamId: number, name: string, copy: string): Promise<Project> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: `${name} → ${copy}` })
    const { id, description } = await lockedProject(ctx, teamId, name)
    const made = await insert(ctx, teamId, { name: copy, description })
    const by = ctx.actor.name
    for (const uuid of await copyContents(ctx.db, id, made, by))
      await keepRevision(ctx.db, uuid, { revision: 1, action: 'create', by, keys: [] })
    return toProject(await mustFindProject(ctx, teamId, copy))
  })

export const removeProject = (ctx: Ctx, teamId: number, name: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: name })
    const { id, description, profiles, templates } = await lockedProject(ctx, teamId, name)
    note(ctx, { before: { name, description, profiles, templates } })
    // deleted before the check for readers: a service that begins to read it waits for this, and then finds nothing
    await deleteProject(ctx.db, id)
    await mustBeUnread(ctx, teamId, { project: name }, 'config-in-use', name)
    return null
  })
