import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'

export const TeamRef = z.object({
  id: z.number().int(),
  name: z.string(),
  roleName: z.string(),
  teamLeader: z.boolean(),
})
export type TeamRef = z.infer<typeof TeamRef>

export const LoginType = z.enum(['IDENTITY', 'LDAP', 'OAUTH'])

/** The answer of a login and of a refresh. The default team is the first. */
export const Session = z.object({
  token: z.string(),
  id: z.number().int(),
  /** The initial password is still in force: everything but changing it is refused. */
  newlyBuilt: z.boolean(),
  userName: z.string(),
  nickname: z.string(),
  email: z.string(),
  admin: z.boolean(),
  spaceName: z.string(),
  type: LoginType,
  teams: z.array(TeamRef),
})
export type Session = z.infer<typeof Session>

const credential = z.string().min(1, 'input-userinfo').max(200, 'login-refused')

export const PermissionEntry = z.object({ name: z.string(), enable: z.boolean() })
export type PermissionEntry = z.infer<typeof PermissionEntry>

/** The catalogue of permissions: a module, its permissions, and what each is for. */
export const PermissionModule = z.object({
  module: z.string(),
  permissions: z.array(
    z.object({ name: z.string(), type: z.enum(['view', 'create', 'edit', 'operate', 'delete', 'execute']) }),
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
      password: credential,
      ldapId: id.optional(),
      type: LoginType.default('IDENTITY'),
    }),
    data: Session,
    beforePasswordChange: true,
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/users/refresh',
    access: 'public',
    audit: 'session.refresh',
    summary: 'A new token: for a new tab from the cookie, or, with tenantId and a bearer token, after a team switch',
    query: z.strictObject({ tenantId: id.optional() }),
    data: Session,
    beforePasswordChange: true,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/users/logout',
    access: 'user',
    audit: 'session.logout',
    summary: 'End this session',
    data: z.null(),
    beforePasswordChange: true,
  }),
  ldaps: endpoint({
    method: 'GET',
    path: '/api/public/ldaps',
    access: 'public',
    summary: 'LDAP servers that a visitor may pick at sign-in',
    data: z.array(z.object({ ldapId: z.number().int(), ldapName: z.string() })),
  }),
  /** Ours: what the login page needs to know before anyone is signed in. */
  options: endpoint({
    method: 'GET',
    path: '/api/public/options',
    access: 'public',
    summary: 'What this installation offers a visitor: names, ways to sign in, whether it is a trial',
    data: z.object({
      productName: z.string(),
      version: z.string(),
      registration: z.boolean(),
      oauth: z.boolean(),
      /** The simulated cluster and registry are running. */
      sandbox: z.boolean(),
    }),
  }),
  catalogue: endpoint({
    method: 'GET',
    path: '/api/permissions',
    access: 'user',
    summary: 'Every permission there is, by module',
    data: z.array(PermissionModule),
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/users/:userId/permissions',
    access: { team: 'teamId' },
    summary: "A member's permissions in a team",
    params: z.strictObject({ teamId: id, userId: id }),
    data: z.array(PermissionEntry),
  }),
  /** Ours: websockets and downloads cannot carry a header; a ticket opens one of them once, within 30 seconds. */
  ticket: endpoint({
    method: 'POST',
    path: '/api/tickets',
    access: 'user',
    audit: 'ticket.create',
    summary: 'A one-use ticket for one method and path',
    body: z.strictObject({ method: z.enum(['GET']), path: z.string().min(1).max(2000) }),
    data: z.object({ ticket: z.string() }),
  }),
}
