import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { displayName } from '../validators.ts'
import { PermissionEntry } from '../auth/session.ts'

export const Role = z.object({ id: z.number().int(), name: z.string(), members: z.number().int() })
export type Role = z.infer<typeof Role>

const inTeam = z.strictObject({ teamId: id })
const one = z.strictObject({ teamId: id, roleId: id })

export const roles = {
  list: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/roles',
    access: { team: 'teamId' },
    summary: "A team's roles",
    params: inTeam,
    data: z.array(Role),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/roles',
    access: { team: 'teamId', permission: 'team_role_create' },
    audit: 'role.create',
    summary: 'Add a role without permissions',
    params: inTeam,
    query: z.strictObject({ roleName: displayName(15, 'role-name-too-long') }),
    data: Role,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/tenants/:teamId/roles/:roleId',
    access: { team: 'teamId', permission: 'team_role_delete' },
    audit: 'role.delete',
    summary: 'Delete a role that nobody has',
    params: one,
    data: z.null(),
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/roles/:roleId',
    access: { team: 'teamId', permission: 'team_role_view' },
    summary: "A role's permissions",
    params: one,
    data: z.array(PermissionEntry),
  }),
  setPermissions: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/roles/:roleId',
    access: { team: 'teamId', permission: 'team_role_edit' },
    audit: 'role.update',
    summary: "Set a role's permissions; nobody grants what they lack",
    params: one,
    body: z.array(z.strictObject({ name: z.string().max(100), enable: z.boolean() })).max(1000, 'list-too-long'),
    data: z.null(),
  }),
}
