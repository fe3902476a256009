import type { z } from 'zod'
import type { JoinLink, joinLinks } from '@gantry/contract/teams/join-links'
import { membershipOf } from '../../../identity/access.ts'
import { hashToken, newToken } from '../../../identity/sessions.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { mailsAreSent, publicUrl, sendMail } from '../../settings/public.ts'
import { mustGrantRole } from '../members/grants.ts'
import { publishMembers, publishTeam } from '../teams/publish.ts'
import { findMember, insertMembers, lockTeam } from '../teams/teams.store.ts'
import { deleteLink, findByToken, findLink, insertLink, listLinks } from './join-links.store.ts'

/** Links invite single users; longer lists are added as users, or by mapping a group. */
const maxOpen = 50

/** Used, revoked, expired and invented links get the same refusal, so that nobody learns which it is. */
export const linkOver = () => new Fault('missing', 'join-link-over')

export async function openLinksOf(ctx: Ctx, teamId: number) {
  return { links: await listLinks(ctx.db, teamId), mail: await mailsAreSent(ctx) }
}

type Input = z.output<typeof joinLinks.create.body>

/** Only this answer and the mail contain the link; only the hash of its token is stored. */
export const createLink = (ctx: Ctx, teamId: number, given: Input): Promise<JoinLink & { url: string }> =>
  inTx(ctx, async (ctx) => {
    const { roleId, hours, email = '' } = given
    const team = await lockTeam(ctx.db, teamId)
    if (!team) throw new Fault('missing', 'team-missing')
    note(ctx, { object: email || team.name, after: { roleId, hours } })
    const as = await mustGrantRole(ctx, teamId, roleId)
    if (email !== '' && !(await mailsAreSent(ctx))) throw new Fault('conflict', 'join-link-mail-off')
    if ((await listLinks(ctx.db, teamId)).length >= maxOpen)
      throw new Fault('conflict', 'join-link-many', { maximum: maxOpen })
    const token = newToken('join')
    const link = { team_id: teamId, token_hash: hashToken(token), ...as, account_id: ctx.actor.id, email }
    const { id } = await insertLink(ctx.db, link, hours)
    const path = '/login/join#'
    if (email !== '')
      await sendMail(ctx, {
        to: { address: email, lang: ctx.lang },
        template: 'join-link',
        vars: { team: team.name, by: ctx.actor.name, hours },
        key: `${id}`,
        path,
        secret: token,
      })
    await publishTeam(ctx, teamId, 'members')
    const made = await findLink(ctx.db, teamId, id)
    if (!made) throw linkOver()
    return { ...made, url: `${await publicUrl(ctx)}${path}${token}` }
  })

export const revokeLink = (ctx: Ctx, teamId: number, linkId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const link = await findLink(ctx.db, teamId, linkId)
    if (!link || !(await deleteLink(ctx.db, linkId))) throw linkOver()
    const { email, by, leader, roleName } = link
    note(ctx, { object: email || by, before: { by, leader, roleName } })
    await publishTeam(ctx, teamId, 'members')
    return null
  })

type Found = NonNullable<Awaited<ReturnType<typeof findByToken>>>

/** Whether its creator could still create it: they may have left the team, or the role may hold more than they do. */
async function isGood(ctx: Ctx, { teamId, makerId, leader, permissions }: Found): Promise<boolean> {
  const maker = await membershipOf(ctx.db, makerId, teamId)
  if (!maker || maker.leader) return maker !== undefined
  return !leader && ['team_member_create', ...(permissions ?? [])].every((key) => maker.permissions.has(key))
}

async function findGood(ctx: Ctx, token: string): Promise<Found | undefined> {
  const link = await findByToken(ctx.db, hashToken(token))
  return link && (await isGood(ctx, link)) ? link : undefined
}

export async function readLink(ctx: Ctx, token: string) {
  const link = await findGood(ctx, token)
  if (!link) throw linkOver()
  const { teamId: id, teamName: name, leader, roleName, by, expiresAt } = link
  return { team: { id, name }, leader, roleName, by, expiresAt }
}

/**
 * Makes the account a member by a link, which is then used up; for a member it stays open. Returns the team, or
 * undefined if the link is no longer valid. Runs in the transaction of the login or registration.
 */
export async function takeLink(ctx: Ctx, accountId: number, token: string): Promise<number | undefined> {
  const link = await findGood(ctx, token)
  if (!link || !(await lockTeam(ctx.db, link.teamId))) return undefined
  const { id, teamId, teamName, roleId, roleName, leader, by } = link
  if (await findMember(ctx.db, teamId, accountId)) return teamId
  if (!(await deleteLink(ctx.db, id))) return undefined
  await insertMembers(ctx.db, teamId, [accountId], { leader, role_id: roleId })
  note(ctx, { teamId, after: { team: teamName, leader, roleName, invitedBy: by } })
  await publishMembers(ctx, teamId, [accountId])
  return teamId
}

export const join = (ctx: Ctx, token: string): Promise<{ teamId: number }> =>
  inTx(ctx, async (ctx) => {
    const teamId = await takeLink(ctx, ctx.actor.id, token)
    if (teamId === undefined) throw linkOver()
    note(ctx, { object: ctx.actor.name })
    return { teamId }
  })
