import { firstRoles, type RoleTemplate } from '@gantry/contract/teams/roles'
import { allPermissions, type Permission } from '../../auth/public.ts'

type Name = RoleTemplate['name']

/** A shell in a step sees the secrets of its pipeline; with a kubeconfig one reads those of a stack. */
const seesSecrets: readonly string[] = ['pipeline_terminal_execute', 'stack_kubeconfig_execute']

/** Who may do what to whom is for who leads: of the team itself the others only see. So is what sees secrets. */
const forLeaders = ({ name }: Pick<Permission, 'name'>): boolean =>
  name.startsWith('team_') || seesSecrets.includes(name)

const types: Record<Name, readonly Permission['type'][]> = {
  viewer: ['view'],
  developer: ['view', 'create', 'edit', 'execute'],
  operator: ['view', 'operate', 'execute'],
  maintainer: ['view', 'create', 'edit', 'operate', 'delete', 'execute'],
}

/** Whether a template carries a permission: by what it lets one do, so that a new one finds its place by its name. */
export const inTemplate = (template: Name, permission: Permission): boolean =>
  permission.of === 'team' &&
  types[template].includes(permission.type) &&
  (template === 'maintainer' || permission.type === 'view' || !forLeaders(permission))

/** The roles to copy from that come with the product. */
export async function templates(): Promise<RoleTemplate[]> {
  const all = await allPermissions()
  return (Object.keys(types) as Name[]).map((name) => ({
    name,
    permissions: all.filter((permission) => inTemplate(name, permission)).map((permission) => permission.name),
  }))
}

/** The roles that a new team begins with, to be stored. */
export const firstRolesOf = async (teamId: number) =>
  (await templates())
    .filter(({ name }) => firstRoles.some((first) => first === name))
    .map(({ name, permissions }) => ({ team_id: teamId, name, permissions, template: name }))
