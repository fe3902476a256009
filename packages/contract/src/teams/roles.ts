import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { madeOn, Revision } from '../revision.ts'
import { displayName } from '../validators.ts'
import { PermissionEntry } from '../auth/session.ts'
import { usersTopic } from '../users/topics.ts'
import { teamTopic } from './topics.ts'

/**
 * A role that the product creates in every team, as a template: to view, to build, to operate, or to lead without being
 * a leader.
 */
export const RoleTemplate = z.object({
  name: z.enum(['viewer', 'developer', 'operator', 'maintainer']),
  permissions: z.array(z.string()),
})
export type RoleTemplate = z.infer<typeof RoleTemplate>

/**
 * Applies in every team, to members and others, and to reads of the whole installation. Built-in ones cannot be
 * changed.
 */
export const SystemRole = z.object({
  id: z.number().int(),
  name: z.string(),
  builtIn: z.boolean(),
  permissions: z.array(z.string()),
  users: z.number().int(),
  /** The revision of its name and permissions. */
  revision: Revision,
})
export type SystemRole = z.infer<typeof SystemRole>

/** The roles of every new team; their names are those of their templates. */
export const firstRoles = ['developer', 'operator', 'viewer'] as const satisfies readonly RoleTemplate['name'][]

const systemRole = z.strictObject({
  name: displayName(15, 'role-name-too-long'),
  permissions: z.array(z.string().max(100)).max(1000, 'list-too-long'),
})

export const Role = z.object({
  id: z.number().int(),
  name: z.string(),
  members: z.number().int(),
  /** The template that its permissions still match. */
  template: RoleTemplate.shape.name.nullable(),
})
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
    topics: [teamTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/roles',
    access: { team: 'teamId', permission: 'team_role_create' },
    audit: 'role.create',
    summary: 'Add a role: without permissions, or with those of a role of the team or of a template',
    params: inTeam,
    query: z.strictObject({
      roleName: displayName(15, 'role-name-too-long'),
      /** Copies this role of the team. */
      from: id.optional(),
      template: RoleTemplate.shape.name.optional(),
    }),
    data: Role,
    topics: [teamTopic],
  }),
  /** Not in the specification, for teams that are older than these roles, or have deleted one. */
  addFirst: endpoint({
    method: 'POST',
    path: '/api/teams/:teamId/first-roles',
    access: { team: 'teamId', permission: 'team_role_create' },
    audit: 'role.create-first',
    summary: 'Add those of the roles developer, operator and viewer that the team does not have',
    params: inTeam,
    data: z.array(Role),
    topics: [teamTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/tenants/:teamId/roles/:roleId',
    access: { team: 'teamId', permission: 'team_role_delete' },
    audit: 'role.delete',
    summary: 'Delete a role that nobody has',
    params: one,
    data: z.null(),
    topics: [teamTopic],
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/roles/:roleId',
    access: { team: 'teamId', permission: 'team_role_view' },
    summary: "A role's permissions",
    params: one,
    data: z.array(PermissionEntry),
    topics: [teamTopic],
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
    topics: [teamTopic],
  }),
  /** Not in the specification: explains a disabled button. */
  givers: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/permissions/:name/givers',
    access: { team: 'teamId' },
    summary: 'Roles of the team that carry a permission, and leaders who can give one: the first six of each',
    params: z.strictObject({ teamId: id, name: z.string().max(100) }),
    data: z.object({ roles: z.array(z.string()), leaders: z.array(z.string()) }),
  }),
  templates: endpoint({
    method: 'GET',
    path: '/api/role-templates',
    access: 'user',
    forTokens: true,
    summary: 'Roles to copy from that come with the product',
    data: z.array(RoleTemplate),
  }),
}

export const systemRoles = {
  list: endpoint({
    method: 'GET',
    path: '/api/roles',
    access: { system: 'system_role_view' },
    summary: 'System roles',
    data: z.array(SystemRole),
    topics: [usersTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/roles',
    access: 'admin',
    audit: 'system-role.create',
    summary: 'Add a system role',
    body: systemRole,
    data: SystemRole,
    topics: [usersTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/roles/:roleId',
    access: 'admin',
    audit: 'system-role.update',
    summary: 'Rename a system role or set its permissions',
    params: z.strictObject({ roleId: id }),
    body: systemRole.extend(madeOn),
    data: SystemRole,
    topics: [usersTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/roles/:roleId',
    access: 'admin',
    audit: 'system-role.delete',
    summary: 'Delete a system role that nobody has',
    params: z.strictObject({ roleId: id }),
    data: z.null(),
    topics: [usersTopic],
  }),
}
