import type { Profile, ProfileInput } from '@gantry/contract/config-centre/profiles'
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
  countProfiles,
  deleteProfile,
  findProfile,
  insertProfile,
  listProfiles,
  type StoredProfile,
  updateProfile,
} from './profiles.store.ts'
import { touchProject } from './projects.store.ts'
import { lockedProject, mustFindProject } from './projects.service.ts'
import { mustBeUnread } from './readers.service.ts'

type Input = z.infer<typeof ProfileInput>
type Query = { keyword?: string | undefined; sort?: string | undefined } & Parameters<typeof page>[0]

const toProfile = ({ projectId: _, ...profile }: StoredProfile): Profile => profile

export const nameOf = ({ project, name }: Pick<Profile, 'project' | 'name'>): string => `${project}/${name}`

export async function readProfiles(ctx: Ctx, teamId: number, project: string, query: Query): Promise<List<Profile>> {
  const { id } = await mustFindProject(ctx, teamId, project)
  return listProfiles(ctx.db, id, query.keyword ?? '', sorting(query.sort, ['name', 'updatedAt']), page(query))
}

/** A profile of the team; 404 if there is none. */
export async function mustFindProfile(
  ctx: Ctx,
  teamId: number,
  uuid: string,
  how: { lock?: boolean } = {},
): Promise<StoredProfile> {
  return mustExist(await findProfile(ctx.db, teamId, uuid, how))
}

export const readProfile = async (ctx: Ctx, teamId: number, uuid: string): Promise<Profile> =>
  toProfile(await mustFindProfile(ctx, teamId, uuid))

const nameTaken = (project: string, name: string) =>
  brokenConstraint('config_profile_name', new Fault('conflict', 'config-profile-taken', { project, name }))

export const createProfile = (ctx: Ctx, teamId: number, project: string, given: Input): Promise<Profile> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: nameOf({ project, name: given.name }), after: given })
    const { id } = await lockedProject(ctx, teamId, project)
    if ((await countProfiles(ctx.db, id)) >= limits.profiles)
      throw new Fault('conflict', 'config-profiles-limit', { limit: limits.profiles })
    const by = ctx.actor.name
    const uuid = await insertProfile(ctx.db, id, { ...given, by }).catch(nameTaken(project, given.name))
    await keepRevision(ctx.db, uuid, { revision: 1, action: 'create', by, keys: [] })
    await touchProject(ctx.db, id, by)
    return readProfile(ctx, teamId, uuid)
  })

export const changeProfile = (
  ctx: Ctx,
  teamId: number,
  uuid: string,
  { revision, ...given }: Input & { revision?: number | undefined },
): Promise<Profile> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFindProfile(ctx, teamId, uuid, { lock: true })
    const { project, name, description } = before
    note(ctx, { object: nameOf(before), before: { name, description }, after: given })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'config-profile-changed', { name, by: before.updatedBy, revision: before.revision })
    // services refer to it by name
    if (given.name !== name)
      await mustBeUnread(ctx, teamId, { project, profile: name }, 'config-name-in-use', nameOf(before))
    const by = ctx.actor.name
    await updateProfile(ctx.db, uuid, { ...given, by }).catch(nameTaken(project, given.name))
    await touchProject(ctx.db, before.projectId, by)
    return readProfile(ctx, teamId, uuid)
  })

export const removeProfile = (ctx: Ctx, teamId: number, uuid: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    // read after locking: a service may have begun to read it meanwhile
    const before = await mustFindProfile(ctx, teamId, uuid, { lock: true })
    const { project, name, description, keys } = before
    note(ctx, { object: nameOf(before), before: { name, description, keys } })
    await mustBeUnread(ctx, teamId, { project, profile: name }, 'config-in-use', nameOf(before))
    await deleteProfile(ctx.db, uuid)
    await touchProject(ctx.db, before.projectId, ctx.actor.name)
    return null
  })
