import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { LoginType } from '../auth/session.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { UserState } from '../users/users.ts'
import { confirmation, teamName, text } from '../validators.ts'
import { usersTopic } from '../users/topics.ts'
import { teamsTopic, teamTopic } from './topics.ts'
import { madeOn } from '../revision.ts'

export const Team = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  /** The user who created it; empty for the system. */
  creator: z.string(),
  /** The names of its leaders. */
  managers: z.array(z.string()),
  userNum: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Who changed it last; empty if that was before it was recorded. */
  updatedBy: z.string(),
})
export type Team = z.infer<typeof Team>

export const Member = z.object({
  id: z.number().int(),
  userName: z.string(),
  nickname: z.string(),
  email: z.string(),
  type: LoginType,
  state: UserState,
  avatar: z.string(),
  /** The group of a directory or provider that made the user a member; empty if a user did. */
  grantedBy: z.string(),
  teamLeader: z.boolean(),
  roleId: z.number().int().nullable(),
  roleName: z.string(),
})
export type Member = z.infer<typeof Member>

const one = z.strictObject({ id })
const body = z.strictObject({ name: teamName, description: text(1000, 'description-too-long').default('') })

export const teams = {
  /** Administrators see every team, others their own. */
  list: endpoint({
    method: 'GET',
    path: '/api/teams',
    access: 'user',
    forTokens: true,
    summary: 'Teams that one may see',
    query: listQuery({ pageSize: 50 }),
    data: listOf(Team),
    topics: [teamsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/teams',
    access: 'admin',
    audit: 'team.create',
    summary: 'Create a team; its creator becomes its leader',
    body,
    data: Team,
    topics: [teamTopic, teamsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/teams/:id',
    access: { team: 'id' },
    summary: 'One team',
    params: one,
    data: Team,
    topics: [teamTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/teams/:id',
    access: { team: 'id', permission: 'team_team_edit' },
    audit: 'team.update',
    summary: 'Rename a team or change its description',
    params: one,
    body: body.extend(madeOn),
    data: Team,
    topics: [teamTopic, teamsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/teams/:id',
    access: 'admin',
    audit: 'team.delete',
    summary: 'Delete a team that owns nothing any more',
    params: one,
    query: z.strictObject({ confirm: confirmation }),
    data: z.null(),
    topics: [teamsTopic],
  }),
  members: endpoint({
    method: 'GET',
    path: '/api/teams/:id/users',
    access: { team: 'id' },
    summary: 'Members of a team',
    params: one,
    query: listQuery({ pageSize: 20 }),
    data: listOf(Member),
    topics: [teamTopic],
  }),
  others: endpoint({
    method: 'GET',
    path: '/api/teams/:id/users/others',
    access: { team: 'id', permission: 'team_member_create' },
    summary: 'Users who are not members',
    params: one,
    query: listQuery({ pageSize: 20 }),
    data: listOf(
      z.object({ id: z.number().int(), name: z.string(), email: z.string(), type: z.string(), typeName: z.string() }),
    ),
    topics: [teamTopic],
  }),
  addMembers: endpoint({
    method: 'POST',
    path: '/api/teams/:id/users',
    access: { team: 'id', permission: 'team_member_create' },
    audit: 'team.add-members',
    summary: 'Add users to a team, with a role or without: all or none',
    params: one,
    /** Not in the specification: their role; 0: leaders; absent: no role. */
    query: z.strictObject({ roleId: z.coerce.number().int().min(0).max(2_147_483_647).optional() }),
    body: z.array(id).min(1, 'list-empty').max(1000, 'list-too-long'),
    data: z.null(),
    topics: [teamTopic, teamsTopic, usersTopic],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/teams/:id/users/:userId',
    access: { team: 'id', permission: 'team_member_delete' },
    audit: 'team.remove-member',
    summary: 'Remove a member; the last leader stays',
    params: z.strictObject({ id, userId: id }),
    data: z.null(),
    topics: [teamTopic, teamsTopic, usersTopic],
  }),
  /** The body is only the role's id, as specified; 0 makes the member a leader. */
  assignRole: endpoint({
    method: 'PUT',
    path: '/api/teams/:id/users/:userId',
    access: { team: 'id', permission: 'team_member_edit' },
    audit: 'team.assign-role',
    summary: "Set a member's role",
    params: z.strictObject({ id, userId: id }),
    body: z.number().int().min(0),
    data: z.null(),
    topics: [teamTopic, teamsTopic, usersTopic],
  }),
  brief: endpoint({
    method: 'GET',
    path: '/api/tenants/brief',
    access: 'user',
    forTokens: true,
    summary: 'Names and ids of the teams that one may see, for selectors',
    query: listQuery({ pageSize: 50 }),
    data: listOf(z.object({ id: z.number().int(), name: z.string() })),
    topics: [teamsTopic],
  }),
}
