import { firstRoles, type RoleTemplate } from '@gantry/contract/teams/roles'
import { allPermissions, type Permission } from '../../auth/public.ts'

type Name = RoleTemplate['name']

/** A shell in a step sees the secrets of its pipeline, and a kubeconfig those of a stack. */
const seesSecrets: readonly string[] = ['pipeline_terminal_execute', 'stack_kubeconfig_execute']

/** Only leaders decide about members and roles, and see secrets; other templates at most view the team itself. */
const forLeaders = ({ name }: Pick<Permission, 'name'>): boolean =>
  name.startsWith('team_') || seesSecrets.includes(name)

const types: Record<Name, readonly Permission['type'][]> = {
  viewer: ['view'],
  developer: ['view', 'create', 'edit', 'execute'],
  operator: ['view', 'operate', 'execute'],
  maintainer: ['view', 'create', 'edit', 'operate', 'delete', 'execute'],
}

/** Whether a template has a permission; decided by its verb, so that new permissions are covered by their names. */
export const inTemplate = (template: Name, permission: Permission): boolean =>
  permission.of === 'team' &&
  types[template].includes(permission.type) &&
  (template === 'maintainer' || permission.type === 'view' || !forLeaders(permission))

/** The product's templates for roles. */
export async function templates(): Promise<RoleTemplate[]> {
  const all = await allPermissions()
  return (Object.keys(types) as Name[]).map((name) => ({
    name,
    permissions: all.filter((permission) => inTemplate(name, permission)).map((permission) => permission.name),
  }))
}

/** The initial roles of a new team, to be inserted. */
export const firstRolesOf = async (teamId: number) =>
  (await templates())
    .filter(({ name }) => firstRoles.some((first) => first === name))
    .map(({ name, permissions }) => ({ team_id: teamId, name, permissions, template: name }))
