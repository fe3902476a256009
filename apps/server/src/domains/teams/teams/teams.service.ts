import type { List } from '@gantry/contract/paging'
import type { Team } from '@gantry/contract/teams/teams'
import { brokenConstraint } from '../../../db/constraint.ts'
import { teamsHolding } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { Fault, mustConfirm } from '../../../kernel/fault.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { findModules } from '../../../module.ts'
import { page } from '../../../kernel/paging.ts'
import { say } from '../../../kernel/phrase.ts'
import { insertMissing } from '../roles/roles.store.ts'
import { firstRolesOf } from '../roles/templates.ts'
import { findTeam, listOthers, listTeams } from './teams.read.ts'
import { deleteTeam, insertMembers, insertTeam, lockTeam, membersOf, updateTeam } from './teams.store.ts'
import { publishMembers, publishTeam } from './publish.ts'
import { mustBeMadeOn } from '../../../db/revision.ts'

interface Fields {
  name: string
  description: string
}

type ListQuery = Parameters<typeof page>[0] & { keyword?: string | undefined; sort?: string | undefined }

/**
 * Administrators and holders of a system role see every team, others their own, an API token only its team. The tenant
 * header does not narrow this list, because it is used to switch teams.
 */
export async function visibleTeamsOf(ctx: Ctx, query: ListQuery): Promise<List<Team>> {
  const [seen] = await teamsHolding(ctx, [[]])
  return listTeams(ctx.db, query, page(query), seen)
}

/** Users who could become members, for the picker. */
export async function candidates(ctx: Ctx, teamId: number, query: ListQuery) {
  const list = await listOthers(ctx.db, teamId, query, page(query))
  return { ...list, items: list.items.map((user) => ({ ...user, typeName: say(ctx.lang, `user-type-${user.type}`) })) }
}

export async function getTeam(ctx: Ctx, teamId: number): Promise<Team> {
  const team = await findTeam(ctx.db, teamId)
  if (!team) throw new Fault('missing', 'team-missing')
  return team
}

const nameTaken = ({ name }: Fields) =>
  brokenConstraint('team_name', new Fault('conflict', 'team-name-taken', { name }))

/** The creator leads the team; the initial roles are for all others. */
export const createTeam = (ctx: Ctx, fields: Fields): Promise<Team> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: fields.name, after: fields })
    const creator = ctx.actor.kind === 'user' ? ctx.actor.id : null
    const { id } = await insertTeam(ctx.db, { ...fields, creator_id: creator, updated_by: ctx.actor.name }).catch(
      nameTaken(fields),
    )
    if (creator !== null) await insertMembers(ctx.db, id, [creator], { leader: true, role_id: null })
    await insertMissing(ctx.db, await firstRolesOf(id))
    note(ctx, { teamId: id })
    await publishMembers(ctx, id, creator === null ? [] : [creator])
    return getTeam(ctx, id)
  })

export const changeTeam = (
  ctx: Ctx,
  teamId: number,
  { revision, ...fields }: Fields & { revision?: string | undefined },
): Promise<Team> =>
  inTx(ctx, async (ctx) => {
    await lockTeam(ctx.db, teamId)
    const { name, description, updatedAt } = await getTeam(ctx, teamId)
    mustBeMadeOn(updatedAt, revision)
    note(ctx, { object: fields.name, before: { name, description }, after: fields })
    await updateTeam(ctx.db, teamId, { ...fields, updated_by: ctx.actor.name }).catch(nameTaken(fields))
    await publishTeam(ctx, teamId, 'team')
    return getTeam(ctx, teamId)
  })

/** Refuses while the team owns anything, and names all of it, so that it can be cleared in one go. */
async function mustOwnNothing(ctx: Ctx, team: { id: number; name: string }): Promise<void> {
  const things: string[] = []
  for (const { onTeamDelete: owned } of await findModules()) {
    if (owned === undefined) continue
    const count = await owned.count(ctx.db, team.id)
    if (count > 0) things.push(say(ctx.lang, owned.phrase, { count }))
  }
  if (things.length === 0) return
  throw new Fault('conflict', 'team-owns', { name: team.name, things: things.join(ctx.lang === 'zh' ? '、' : ', ') })
}

/** Refused while the team owns anything, as each domain reports. Members, roles and tokens are deleted with it. */
export const removeTeam = (ctx: Ctx, teamId: number, confirm: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    // locked, so that nothing is created in the team meanwhile
    const team = await lockTeam(ctx.db, teamId)
    if (!team) throw new Fault('missing', 'team-missing')
    mustConfirm(confirm, team.name)
    note(ctx, { object: team.name, teamId })
    await mustOwnNothing(ctx, team)
    const members = await membersOf(ctx.db, teamId)
    await deleteTeam(ctx.db, teamId).catch((error: unknown) => {
      // something refers to the team that no domain reported
      throw (error as { code?: string }).code === '23503' ? new Fault('conflict', 'team-in-use', team) : error
    })
    await publishMembers(ctx, teamId, members)
    return null
  })
