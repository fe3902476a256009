import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { email, nickname, password, userName } from '../validators.ts'
import { secret } from '../secret.ts'
import { usersTopic } from '../users/topics.ts'
import { accountTopic } from './topics.ts'

export const LoginType = z.enum(['IDENTITY', 'LDAP', 'OAUTH'])
export type LoginType = z.infer<typeof LoginType>

export const TeamRef = z.object({
  id: z.number().int(),
  name: z.string(),
  roleName: z.string(),
  teamLeader: z.boolean(),
})
export type TeamRef = z.infer<typeof TeamRef>

/** The role as which a leader views the team: everything is shown as to its holders, and nothing can be changed. */
export const ViewAs = z.object({ teamId: z.number().int(), roleId: z.number().int(), roleName: z.string() })
export type ViewAs = z.infer<typeof ViewAs>

/** The answer of a login and of a refresh. The first team is the default one. */
export const Session = z.object({
  token: z.string(),
  id: z.number().int(),
  /** The password is the initial one or has expired: everything except changing it is refused. */
  newlyBuilt: z.boolean(),
  /** `newlyBuilt` is set because the password is older than the policy allows, not because it is the initial one. */
  passwordExpired: z.boolean(),
  userName: z.string(),
  nickname: z.string(),
  email: z.string(),
  admin: z.boolean(),
  spaceName: z.string(),
  type: LoginType,
  teams: z.array(TeamRef),
  /** Names of the system roles. */
  systemRoles: z.array(z.string()),
  viewAs: ViewAs.nullable(),
  /** When the license expires, if there is one: the console requests its status only near this time. */
  licensedUntil: z.string().nullable(),
  /** The version whose news the user has not seen yet; empty: none. */
  news: z.string(),
})
export type Session = z.infer<typeof Session>

const credential = z.string().min(1, 'input-userinfo').max(200, 'login-refused')

export const PermissionEntry = z.object({ name: z.string(), enable: z.boolean() })
export type PermissionEntry = z.infer<typeof PermissionEntry>

export const PermissionType = z.enum(['view', 'create', 'edit', 'operate', 'delete', 'execute'])
export type PermissionType = z.infer<typeof PermissionType>

/**
 * A module of the permission catalogue, with its permissions and their descriptions. `enable`: the caller has all of
 * them in the team of the tenant header.
 */
export const PermissionModule = z.object({
  module: z.string(),
  /** Whether roles of teams may contain it, or only system roles. */
  type: z.enum(['team', 'system']),
  enable: z.boolean(),
  permissions: z.array(
    z.object({
      name: z.string(),
      type: PermissionType,
      enable: z.boolean(),
      /** What it permits, in the caller's language. */
      detail: z.string(),
      /** The calls that require it, such as `POST /api/…`. */
      calls: z.array(z.string()),
    }),
  ),
})
export type PermissionModule = z.infer<typeof PermissionModule>

export const session = {
  login: endpoint({
    method: 'POST',
    path: '/api/users/login',
    access: 'public',
    audit: 'session.login',
    summary: 'Sign in with a user name or e-mail address and a password',
    body: z.strictObject({
      username: credential,
      password: secret(credential),
      ldapId: id.optional(),
      type: LoginType.default('IDENTITY'),
    }),
    data: Session,
    beforePasswordChange: true,
    topics: [],
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/users/refresh',
    access: 'public',
    audit: 'session.refresh',
    summary:
      'A new token: for a new tab from the cookie and the proof of its page (header gantry-proof), or, with tenantId and a bearer token, after a team switch',
    query: z.strictObject({ tenantId: id.optional() }),
    data: Session,
    beforePasswordChange: true,
    topics: [],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/users/logout',
    access: 'user',
    whileViewing: true,
    audit: 'session.logout',
    summary: 'End this session',
    /** The browser's next address, which ends the session at the provider as well; null if there is none. */
    data: z.object({ logoutUrl: z.string().nullable() }),
    beforePasswordChange: true,
    topics: [],
  }),
  ldaps: endpoint({
    method: 'GET',
    path: '/api/public/ldaps',
    access: 'public',
    summary: 'LDAP servers that a visitor may pick at sign-in',
    data: z.array(z.object({ ldapId: z.number().int(), ldapName: z.string() })),
  }),
  /** Not in the specification: what the login page needs before anybody is logged in. */
  options: endpoint({
    method: 'GET',
    path: '/api/public/options',
    access: 'public',
    summary: 'What this installation offers a visitor: names, ways to sign in, whether it is a trial',
    data: z.object({
      productName: z.string(),
      version: z.string(),
      registration: z.boolean(),
      /** The label of the OAuth button; null if OAuth is disabled. */
      oauth: z.object({ name: z.string() }).nullable(),
      /** Shown above the login form; empty: no notice. */
      notice: z.string(),
      /** Whether the simulated cluster and registry are running. */
      sandbox: z.boolean(),
    }),
  }),
  catalogue: endpoint({
    method: 'GET',
    path: '/api/permissions',
    access: 'user',
    forTokens: true,
    summary: 'Every permission there is, by module',
    data: z.array(PermissionModule),
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/users/:userId/permissions',
    access: { team: 'teamId' },
    /** Required for the permissions of another user. */
    asks: ['team_role_view'],
    summary: "A member's permissions in a team",
    params: z.strictObject({ teamId: id, userId: id }),
    data: z.array(PermissionEntry),
  }),
  /** Not in the specification: the user's logins, shown in the profile. */
  sessions: endpoint({
    method: 'GET',
    path: '/api/sessions',
    access: 'user',
    summary: 'Where one is signed in, the newest first',
    data: z.array(
      z.object({
        /** Identifies a login: the same in all its tabs. */
        family: z.string(),
        ip: z.string(),
        userAgent: z.string(),
        createdAt: z.string(),
        lastSeenAt: z.string(),
        current: z.boolean(),
      }),
    ),
    topics: [accountTopic],
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:family',
    access: 'user',
    audit: 'session.end',
    summary: 'End one of the sessions of the caller, in all of its tabs',
    params: z.strictObject({ family: uuid }),
    data: z.null(),
    topics: [accountTopic],
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/sessions',
    access: 'user',
    audit: 'session.end-others',
    summary: 'End every session of the caller but this one',
    data: z.null(),
    topics: [accountTopic],
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/public/registerUser',
    access: 'public',
    audit: 'user.register',
    summary: 'Register as a visitor, where registration is on; an administrator approves',
    body: z.strictObject({
      userName,
      nickname,
      email,
      password: secret(password),
      rePassword: secret(z.string().max(200)).optional(),
    }),
    data: z.null(),
    topics: [usersTopic],
  }),
  /** Not in the specification: a leader views the team as a role; `roleId` 0 ends the view. */
  viewAs: endpoint({
    method: 'PUT',
    path: '/api/teams/:teamId/view-as',
    access: { team: 'teamId' },
    forTokens: false,
    whileViewing: true,
    audit: 'session.view-as',
    summary: 'Look at the team as one of its roles sees it, without being able to change anything; 0 ends it',
    params: z.strictObject({ teamId: id }),
    body: z.strictObject({ roleId: z.number().int().min(0) }),
    data: ViewAs.nullable(),
    topics: [],
  }),
  /** Not in the specification: a ticket opens one websocket or download, which carry no header, within 30 s. */
  ticket: endpoint({
    method: 'POST',
    path: '/api/tickets',
    access: 'user',
    forTokens: true,
    whileViewing: true,
    audit: 'ticket.create',
    summary: 'A one-use ticket for one method and path',
    body: z.strictObject({ method: z.enum(['GET']), path: z.string().min(1).max(2000) }),
    data: z.object({ ticket: z.string() }),
    topics: [],
  }),
}
