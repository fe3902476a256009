import { setTimeout as sleep } from 'node:timers/promises'
import { environments } from '@gantry/contract/clusters/environments'
import { hosts } from '@gantry/contract/clusters/hosts'
import { sample, type Sample } from '@gantry/contract/sample/sample'
import { services } from '@gantry/contract/stacks/services'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { paths } from '../../apps/console/src/paths.gen.ts'
import type { OpenProduct } from '../product.ts'

/** Screens of things that neither the sample nor the sandbox has, and those before the login. */
const without = new Set(['resourcemanager-zone-detail', 'sys-ldap-edit', 'login', 'register'])

/** A team with the sample, all clusters and a role, and the address of every screen by the name of its route. */
export async function prepareScreens(
  { admin }: OpenProduct,
  teamName: string,
): Promise<{ teamId: number; screens: Map<string, string> }> {
  const { id: teamId } = await admin.call(teams.create, { body: { name: teamName } })
  const inTeam = { params: { teamId } }
  const clusters = await admin.call(environments.list, { query: { pageSize: -1 } })
  for (const cluster of clusters.items)
    await admin.call(environments.assign, { params: { env: cluster.uuid }, query: { tenant: teamId } })
  const role = await admin.call(roles.create, { ...inTeam, query: { roleName: 'helper', template: 'viewer' } })
  await admin.call(sample.create, inTeam)
  let made: Sample
  do {
    await sleep(500)
    made = await admin.call(sample.get, inTeam)
  } while (made.build?.state !== 'success')
  const { pipeline, product: shop, stack, service } = made
  if (!pipeline || !shop || !stack || !service) throw new Error('the sample is not whole')
  const { items: running } = await admin.call(services.containers, {
    params: { teamId, envId: stack.envId, id: service.id },
  })
  const { items: machines } = await admin.call(hosts.list, { query: { envUuid: stack.envId } })
  const values: Record<string, string | number> = {
    team_id: teamId,
    pipeline_group_id: pipeline.groupId,
    pipeline_id: pipeline.id,
    build_number: 1,
    product_id: shop.id,
    app_name: shop.name,
    env_id: stack.envId,
    env_uuid: stack.envId,
    stack_id: stack.id,
    stack_uuid: stack.uuid,
    stack_name: stack.name,
    service_id: service.id,
    service_name: service.name,
    sname: service.name,
    service_type: 'bs',
    container_name: running[0]?.name ?? '',
    from: 'list',
    host_name: machines[0]?.name ?? '',
    host_ip: machines[0]?.ip ?? '',
    host_uuid: machines[0]?.uuid ?? '',
  }
  const screens = new Map<string, string>()
  for (const [name, path] of Object.entries(paths)) {
    if (without.has(name)) continue
    const at = path.replaceAll(/\$(\w+)/g, (_, key: string) => {
      if (!values[key]) throw new Error(`${name} needs ${key}: say where the walk finds one`)
      return encodeURIComponent(values[key])
    })
    const query = name === 'team-role-edit' ? `?role=${role.id}` : name === 'sys-team-edit' ? `?team_id=${teamId}` : ''
    screens.set(name, at + query)
  }
  return { teamId, screens }
}
