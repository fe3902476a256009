import { z } from 'zod'
import { decisionsTopic } from '../decisions/topics.ts'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { madeOn, madeOnSet } from '../revision.ts'
import { LoginType } from '../auth/session.ts'
import { email, line, nickname, userName } from '../validators.ts'
import { secret } from '../secret.ts'
import { teamsTopic, teamTopic } from '../teams/topics.ts'
import { usersTopic, userTopic } from './topics.ts'

export const UserState = z.enum(['normal', 'unapproved', 'disabled', 'locked', 'inactive'])
export type UserState = z.infer<typeof UserState>

export const User = z.object({
  id: z.number().int(),
  userName: z.string(),
  nickname: z.string(),
  email: z.string(),
  admin: z.boolean(),
  type: LoginType,
  /** The directory or provider; empty for a local user. */
  provider: z.string(),
  /**
   * normal; unapproved: registered, but not approved yet; disabled: banned by hand; locked: banned after wrong
   * passwords; inactive: banned after 90 days without a login.
   */
  state: UserState,
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** System roles. */
  roles: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** Changes with the picture, which `users.avatar` returns; empty if there is none. */
  avatar: z.string(),
  lastLoginAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type User = z.infer<typeof User>

export const CsvEncoding = z.enum(['utf-8', 'utf-16le', 'utf-16be', 'gbk', 'windows-1252'])
export type CsvEncoding = z.infer<typeof CsvEncoding>

const one = z.strictObject({ id })

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/users',
    access: { system: 'system_user_view' },
    summary:
      'Users, by userName, updatedAt or lastLoginAt; page=true is a flag of the specification and not a page number',
    query: listQuery({ pageSize: 20 }).extend({
      page: z.enum(['true', 'false']).optional(),
      state: UserState.optional(),
      type: LoginType.optional(),
    }),
    data: listOf(User),
    topics: [usersTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/users',
    access: 'admin',
    audit: 'user.create',
    summary: 'Create a local user; the initial password is answered once and must be changed at the first login',
    body: z.strictObject({
      userName,
      nickname,
      email,
      admin: z.boolean().default(false),
      /** The first team, as a member without a role. */
      teamId: id.optional(),
    }),
    data: User.extend({ initialPassword: z.string() }),
    topics: [usersTopic, teamTopic, teamsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/users/:id',
    access: 'user',
    summary: 'One user: oneself, or anyone for whoever may see the list',
    params: one,
    data: User,
    beforePasswordChange: true,
    topics: [usersTopic, userTopic],
  }),
  /** Two payloads on one path, as specified: with `password` it only changes the password and ignores the rest. */
  update: endpoint({
    method: 'PUT',
    path: '/api/users/:id',
    access: 'user',
    audit: 'user.update',
    summary: "Change one's profile, or one's password (which ends all sessions)",
    params: one,
    body: z.strictObject({
      nickname: line(20, 'nickname-length').optional(),
      email: z.string().max(30, 'email-length').optional(),
      oldPassword: secret(z.string().max(200)).optional(),
      password: secret(z.string().max(200)).optional(),
      rePassword: secret(z.string().max(200)).optional(),
      admin: z.boolean().optional(),
      id: z.number().int().optional(),
      spaceName: z.string().max(200).optional(),
      /** The `updatedAt` that was displayed. */
      ...madeOn,
    }),
    data: User,
    beforePasswordChange: true,
    topics: [usersTopic, teamTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/users/:id',
    access: 'admin',
    audit: 'user.delete',
    summary: 'Delete a user: their sessions, tokens and running builds end, what they made stays with its team',
    params: one,
    data: z.null(),
    topics: [decisionsTopic, usersTopic, teamTopic, teamsTopic],
  }),
  removeMany: endpoint({
    method: 'DELETE',
    path: '/api/users',
    access: 'admin',
    audit: 'user.delete-many',
    summary: 'Delete users: all or none',
    body: z.array(id).min(1, 'list-empty').max(1000, 'list-too-long'),
    data: z.null(),
    topics: [decisionsTopic, usersTopic, teamTopic, teamsTopic],
  }),
  approve: endpoint({
    method: 'PUT',
    path: '/api/users/:id/approve',
    access: 'admin',
    audit: 'user.approve',
    summary: 'Let a user in (approve, unban), or ban one by hand, which ends their sessions',
    params: one,
    query: z.strictObject({ enable: z.enum(['true', 'false']) }),
    data: User,
    topics: [decisionsTopic, usersTopic, teamTopic],
  }),
  /** For a local user: a new initial password, returned once. */
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/users/:id/initial-password',
    access: 'admin',
    audit: 'user.reset-password',
    summary: 'Give a local user a new initial password, which ends their sessions',
    params: one,
    data: z.object({ initialPassword: z.string() }),
    topics: [usersTopic, teamTopic],
  }),
  avatar: endpoint({
    method: 'GET',
    path: '/api/users/:id/avatar',
    access: 'user',
    summary: "A user's picture: of oneself, of a team mate, or of anyone for whoever may see the list",
    params: one,
    /** The version of the picture: the answer for the newest version may be cached. */
    query: z.strictObject({ v: z.string().max(64).optional() }),
    stream: 'image/webp',
    data: z.unknown(),
  }),
  setAvatar: endpoint({
    method: 'POST',
    path: '/api/users/:id/avatar',
    access: 'user',
    audit: 'user.set-avatar',
    summary: "Set one's picture: JPEG or PNG up to 2 MB, drawn anew at 256 × 256",
    params: one,
    upload: 2 * 1024 * 1024,
    data: User,
    topics: [usersTopic, teamTopic],
  }),
  removeAvatar: endpoint({
    method: 'DELETE',
    path: '/api/users/:id/avatar',
    access: 'user',
    audit: 'user.remove-avatar',
    summary: "Remove one's picture; an administrator anyone's",
    params: one,
    data: User,
    topics: [usersTopic, teamTopic],
  }),
  /** With `check`, returns only the report. If one row is invalid, no user is created. */
  importUsers: endpoint({
    method: 'POST',
    path: '/api/users/import',
    access: 'admin',
    audit: 'user.import',
    summary: 'Make local users from CSV (userName, nickname, email, team): all or none, with a report for each row',
    query: z.strictObject({
      check: z.enum(['true', 'false']).default('false'),
      /** Absent: the encoding is detected. */
      encoding: CsvEncoding.optional(),
    }),
    upload: 1024 * 1024,
    data: z.object({
      /** The number of created users; 0 if a row is invalid, and for a check. */
      created: z.number().int(),
      /** If the encoding cannot be detected, there are no rows, but the possible encodings, each with a preview. */
      unsure: z.array(z.object({ encoding: CsvEncoding, preview: z.array(z.string()) })),
      rows: z.array(
        z.object({
          /** Line numbers as in an editor, from 1, including the heading. */
          line: z.number().int(),
          userName: z.string(),
          nickname: z.string(),
          email: z.string(),
          team: z.string(),
          /** Empty if the row is valid. */
          problem: z.string(),
          /** Returned once, if the user was created. */
          initialPassword: z.string(),
        }),
      ),
    }),
    topics: [usersTopic, teamTopic, teamsTopic],
  }),
  assignSystemRoles: endpoint({
    method: 'PUT',
    path: '/api/users/:id/roles',
    access: 'admin',
    audit: 'user.assign-roles',
    summary:
      "Set a user's system roles; `revision`: the ids of those that were shown, in ascending order with commas between, or none",
    params: one,
    query: z.strictObject(madeOnSet),
    body: z.array(id).max(100, 'list-too-long'),
    data: z.null(),
    topics: [usersTopic],
  }),
}
