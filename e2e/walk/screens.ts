import { alarmRules } from '@gantry/contract/alarms/rules'
import { agents } from '@gantry/contract/agents/agents'
import { certificates } from '@gantry/contract/certificates/certificates'
import { domains } from '@gantry/contract/certificates/domains'
import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { catalogs } from '@gantry/contract/catalog/catalogs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { configProfiles } from '@gantry/contract/config-centre/profiles'
import { configProjects } from '@gantry/contract/config-centre/projects'
import { harborContents } from '@gantry/contract/harbor/contents'
import { harborProjects, namespaces } from '@gantry/contract/harbor/projects'
import { harbors } from '@gantry/contract/harbor/servers'
import { hosts } from '@gantry/contract/clusters/hosts'
import { contents } from '@gantry/contract/images/contents'
import { platformRegistries } from '@gantry/contract/images/platform-registries'
import { sample } from '@gantry/contract/sample/sample'
import { services } from '@gantry/contract/stacks/services'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { eventually } from '@gantry/waiting/eventually'
import { certificates as pairs } from '../../apps/server/test/certificates.ts'
import { paths } from '../../apps/console/src/paths.gen.ts'
import type { OpenProduct } from '../product.ts'

/** Screens for objects that neither the sample nor the sandbox has, and those before the login. */
const skippedScreens = new Set(['resourcemanager-zone-detail', 'sys-ldap-edit', 'login', 'join', 'register'])

/** A version of a product with one service. */
const templateOf = (service: string): string => `tosca_definitions_version: gantry_1_0_0
topology_template:
  node_templates:
    ${service}:
      type: gantry.nodes.Service
      properties:
        image: registry.example.org/shop/web:1.0
`

/** Creates a team with the sample, all clusters and a role; answers the address of every screen by its route name. */
export async function prepareScreens(
  { admin }: OpenProduct,
  teamName: string,
): Promise<{ teamId: number; screens: Map<string, string> }> {
  const { id: teamId } = await admin.call(teams.create, { body: { name: teamName } })
  const inTeam = { params: { teamId } }
  const { items } = await admin.call(clusters.list, { query: { pageSize: -1 } })
  for (const cluster of items)
    await admin.call(clusters.assign, { params: { env: cluster.uuid }, query: { tenant: teamId } })
  const role = await admin.call(roles.create, { ...inTeam, query: { roleName: 'helper', template: 'viewer' } })
  await admin.call(sample.create, inTeam)
  const made = await eventually(
    () => admin.call(sample.get, inTeam),
    ({ build }) => build?.state === 'success',
    { ms: 150_000, everyMs: 500 },
  )
  const { pipeline, product: shop, stack, service } = made
  if (!pipeline || !shop || !stack || !service) throw new Error('the sample is not whole')
  const { items: running } = await admin.call(services.containers, {
    params: { teamId, envId: stack.envId, id: service.id },
  })
  const { items: machines } = await admin.call(hosts.list, { query: { envUuid: stack.envId } })
  const [agent] = await admin.call(agents.list, {})
  const [registry] = (await admin.call(platformRegistries.list, {})).filter(({ sandbox }) => sandbox)
  const repositories = await admin.call(contents.external, { params: { teamId } })
  const [repository] = repositories.items
  if (!registry || !repository) throw new Error('the sandbox has no registry with the sample')
  const blueprint = await admin.call(blueprints.create, {
    params: { teamId },
    body: { applicationId: shop.id, version: '1.0', template: templateOf(service.name) },
  })
  // Every repository in the sandbox's registry belongs to a project of its Harbor.
  const harbor = (await admin.call(harbors.list, {})).find((one) => one.sandbox)
  const ofHarbor = { id: harbor?.id ?? 0 }
  const projects = await admin.call(harborProjects.list, { params: ofHarbor, query: { keyword: `team-${teamId}` } })
  const project = projects.items.find(({ name }) => name === `team-${teamId}`)
  const projectId = project?.projectId ?? 0
  await admin.call(harborProjects.assign, { params: ofHarbor, body: { projectId, teams: [teamId] } })
  const [namespace] = (await admin.call(namespaces.list, { params: { tenantId: teamId } })).items
  const [inHarbor] = (await admin.call(harborContents.repositories, { params: { ...ofHarbor, projectId } })).items
  const [preset] = (await admin.call(catalogs.ofTeam, { params: { tenant: teamId } })).items
  const [{ certificate: chain, key: privateKey }] = pairs
  const certificate = await admin.call(certificates.create, {
    body: { name: teamName, certificate: chain, privateKey },
  })
  const ofIt = { certificateId: certificate.id }
  await admin.call(certificates.allocate, { params: { ...ofIt, teamId } })
  await admin.call(domains.create, { params: ofIt, body: { domain: `${teamName}.example.com`, teamId } })
  const rule = await admin.call(alarmRules.create, {
    params: { team_id: teamId },
    body: {
      name: 'busy',
      rules: [{ metric: 'cpu_percent', threshold: 80, for: 5 }],
      maps: [{ resource: 'service', id: service.id }],
    },
  })
  await admin.call(configProjects.create, { ...inTeam, body: { name: 'shop' } })
  await admin.call(configProfiles.create, { params: { teamId, name: 'shop' }, body: { name: 'production' } })
  const values: Record<string, string | number> = {
    team_id: teamId,
    pipeline_group_id: pipeline.groupId,
    pipeline_id: pipeline.id,
    build_number: 1,
    product_id: shop.id,
    app_name: shop.name,
    product_name: shop.name,
    blueprint_id: blueprint.id,
    env_id: stack.envId,
    env_uuid: stack.envId,
    env_name: 'sandbox',
    stack_id: stack.id,
    stack_uuid: stack.uuid,
    stack_name: stack.name,
    service_id: service.id,
    service_name: service.name,
    sname: service.name,
    service_type: 'bs',
    kind: 'lb',
    port: 443,
    protocol: 'HTTPS',
    host: 'shop.example.com',
    group_name: 'sandbox',
    container_name: running[0]?.name ?? '',
    from: 'list',
    agent_id: agent?.id ?? '',
    tab: 'history',
    host_name: machines[0]?.name ?? '',
    host_ip: machines[0]?.ip ?? '',
    host_uuid: machines[0]?.uuid ?? '',
    catalog_id: preset?.id ?? '',
    catalog_name: preset?.name ?? '',
    version_id: preset?.newest?.id ?? '',
    certificate_id: certificate.id,
    registry_id: registry.id,
    repo_id: repository.repoId,
    harbor_id: harbor?.id ?? '',
    project_id: project?.projectId ?? '',
    namespace_id: namespace?.id ?? '',
    from_type: 'namespace',
    repository_id: inHarbor?.name ?? '',
  }
  const queries: Record<string, string> = {
    'rule-edit': `?rule=${rule.id}`,
    'team-role-edit': `?role=${role.id}`,
    'sys-team-edit': `?team_id=${teamId}`,
    'registry-tags': `?repo=${encodeURIComponent(inHarbor?.name ?? '')}`,
  }
  const screens = new Map<string, string>()
  for (const [name, path] of Object.entries(paths)) {
    if (skippedScreens.has(name)) continue
    const at = path.replaceAll(/\$(\w+)/g, (_, key: string) => {
      if (!values[key]) throw new Error(`${name} needs ${key}: say where the walk finds one`)
      return encodeURIComponent(values[key])
    })
    const query = queries[name] ?? ''
    screens.set(name, at + query)
  }
  return { teamId, screens }
}
