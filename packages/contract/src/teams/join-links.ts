import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { mailAddress } from '../validators.ts'
import { secret } from '../secret.ts'
import { usersTopic } from '../users/topics.ts'
import { teamsTopic, teamTopic } from './topics.ts'

/** A link by which one person can join a team, until it is used, revoked or expired. */
export const JoinLink = z.object({
  id: z.number().int(),
  /** The role of the person who joins: leader, member with a role, or, with neither, member without a role. */
  leader: z.boolean(),
  roleName: z.string(),
  /** The user who created it. */
  by: z.string(),
  /** The address to which it was mailed; empty: it was copied. */
  email: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
})
export type JoinLink = z.infer<typeof JoinLink>

export const longestJoinHours = 168

const inTeam = z.strictObject({ id })

export const joinLinks = {
  list: endpoint({
    method: 'GET',
    path: '/api/teams/:id/join-links',
    access: { team: 'id', permission: 'team_member_create' },
    summary: 'Open links to join a team, the newest first, and whether a new one can be sent by mail',
    params: inTeam,
    data: z.object({ links: z.array(JoinLink), mail: z.boolean() }),
    topics: [teamTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/teams/:id/join-links',
    access: { team: 'id', permission: 'team_member_create' },
    // Otherwise anybody who found an API token could gain permanent access.
    forTokens: false,
    audit: 'join-link.create',
    summary: 'Make a link by which one person joins the team; its address is answered once',
    params: inTeam,
    body: z.strictObject({
      /** 0: a leader; null: a member without a role. */
      roleId: z.number().int().min(0).max(2_147_483_647).nullable(),
      hours: z.number().int('join-link-hours').min(1, 'join-link-hours').max(longestJoinHours, 'join-link-hours'),
      /** Mails the link to this address; absent: the link is only in the answer. */
      email: mailAddress.optional(),
    }),
    data: JoinLink.extend({ url: z.string() }),
    topics: [teamTopic],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/teams/:id/join-links/:linkId',
    access: { team: 'id', permission: 'team_member_create' },
    audit: 'join-link.revoke',
    summary: 'Revoke an open link to join',
    params: z.strictObject({ id, linkId: id }),
    data: z.null(),
    topics: [teamTopic],
  }),
  /** Not in the specification: the team of a link. The token comes in a header, so that no address contains it. */
  open: endpoint({
    method: 'GET',
    path: '/api/public/join-link',
    access: 'public',
    summary: 'The team that the link in the header gantry-join leads to, and as what one joins',
    data: JoinLink.pick({ leader: true, roleName: true, by: true, expiresAt: true }).extend({
      team: z.object({ id: z.number().int(), name: z.string() }),
    }),
  }),
  join: endpoint({
    method: 'POST',
    path: '/api/join-links/join',
    access: 'user',
    audit: 'join-link.join',
    summary: 'Join the team that a link leads to',
    body: z.strictObject({ token: secret(z.string().max(100)) }),
    data: z.object({ teamId: z.number().int() }),
    topics: [teamTopic, teamsTopic, usersTopic],
  }),
}
