import { duplicates } from '@gantry/contract/validators'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { sendMail } from '../../settings/public.ts'
import { mustGrantRole, mustLead } from './grants.ts'
import { namesOf } from '../teams/teams.read.ts'
import {
  countLeaders,
  deleteMember,
  findMember,
  findTeamName,
  insertMembers,
  lockTeam,
  setMember,
} from '../teams/teams.store.ts'
import { publishMembers } from '../teams/publish.ts'

/** Adds all of them or none. Members without a role may only view, until they get one. */
export const addMembers = (ctx: Ctx, teamId: number, userIds: number[], roleId: number | null): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const as = await mustGrantRole(ctx, teamId, roleId)
    const doubled = duplicates(userIds.map(String))
    if (doubled.length > 0) throw new Fault('invalid', 'team-members-double', { ids: doubled.join(', ') })
    const names = await namesOf(ctx.db, userIds)
    const unknown = userIds.filter((id) => !names.has(id))
    if (unknown.length > 0) throw new Fault('invalid', 'team-user-missing', { ids: unknown.join(', ') })
    const added = new Set(await insertMembers(ctx.db, teamId, userIds, as))
    const already = userIds.filter((id) => !added.has(id)).map((id) => names.get(id) ?? '')
    if (already.length > 0) throw new Fault('conflict', 'team-members-taken', { names: already.join(', ') })
    note(ctx, { object: [...names.values()].join(', '), after: { leader: as.leader, roleId: as.role_id } })
    await publishMembers(ctx, teamId, userIds)
    await writeToMembers(ctx, teamId, userIds)
    return null
  })

/** If more users are added at once it is an import, so nobody gets a mail. */
const maxMails = 100

async function writeToMembers(ctx: Ctx, teamId: number, userIds: number[]): Promise<void> {
  const team = (await findTeamName(ctx.db, teamId))?.name
  if (userIds.length > maxMails || team === undefined) return
  const path = `/teams/${teamId}/dashboard`
  const vars = { team, by: ctx.actor.name }
  for (const to of userIds) await sendMail(ctx, { to, template: 'added-to-team', vars, key: ctx.requestId, path })
}

/** Adds new users to their first team, in the caller's transaction. */
export async function joinTeam(ctx: Ctx, teamId: number, userIds: number[]): Promise<void> {
  if (!(await lockTeam(ctx.db, teamId))) throw new Fault('missing', 'team-missing')
  await insertMembers(ctx.db, teamId, userIds)
  await publishMembers(ctx, teamId, userIds)
}

/** Locks the team, so that changes of leaders run one after the other and the last one stays; returns the member. */
async function lockMember(ctx: Ctx, teamId: number, userId: number) {
  if (!(await lockTeam(ctx.db, teamId))) throw new Fault('missing', 'team-missing')
  const member = await findMember(ctx.db, teamId, userId)
  if (!member) throw new Fault('missing', 'team-member-missing')
  note(ctx, { object: (await namesOf(ctx.db, [userId])).get(userId) ?? '' })
  return member
}

/** Called before a leader loses that role. */
async function mustKeepLeader(ctx: Ctx, teamId: number): Promise<void> {
  await mustLead(ctx, teamId)
  if ((await countLeaders(ctx.db, teamId)) === 1) throw new Fault('conflict', 'team-last-leader')
}

export const removeMember = (ctx: Ctx, teamId: number, userId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const member = await lockMember(ctx, teamId, userId)
    if (member.leader) await mustKeepLeader(ctx, teamId)
    await deleteMember(ctx.db, teamId, userId)
    await publishMembers(ctx, teamId, [userId])
    return null
  })

export const assignRole = (ctx: Ctx, teamId: number, userId: number, roleId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const member = await lockMember(ctx, teamId, userId)
    const as = await mustGrantRole(ctx, teamId, roleId)
    if (member.leader && !as.leader) await mustKeepLeader(ctx, teamId)
    await setMember(ctx.db, teamId, userId, as)
    note(ctx, { before: member, after: { leader: as.leader, roleId: as.role_id } })
    await publishMembers(ctx, teamId, [userId])
    return null
  })
