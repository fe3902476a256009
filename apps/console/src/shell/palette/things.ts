import type { SearchHit, SearchKind } from '@gantry/contract/search/search'
import { t } from '../../api/language.ts'
import { keepParameters, local } from '../../api/storage.ts'
import type { IconName } from '../../ui/icon.tsx'
import { to, type To } from '../../ui/link.tsx'

export const iconOf: Record<SearchKind, IconName> = {
  pipeline: 'pipeline',
  'pipeline-group': 'archive',
  build: 'build',
  image: 'image',
  dockerfile: 'docker',
  'config-project': 'config',
  product: 'product',
  blueprint: 'product',
  stack: 'app',
  service: 'docker',
  'helm-release': 'archive',
  cluster: 'cluster',
  registry: 'registry',
  harbor: 'registry',
  'harbor-project': 'registry',
  preset: 'template',
  catalog: 'template',
  certificate: 'shield',
  domain: 'shield',
  team: 'team',
  user: 'user',
  agent: 'agent',
  'alarm-rule': 'alarm',
}

/** The page of an object. An object without a team is opened in the current one. */
export function placeOf(hit: SearchHit): To {
  const team = hit.team === null ? {} : { team_id: hit.team.id }
  switch (hit.kind) {
    case 'pipeline':
    case 'image':
      return to(hit.kind === 'image' ? 'cd-docker-image' : 'cd-history', {
        ...team,
        pipeline_group_id: hit.place.appId,
        pipeline_id: hit.place.id,
      })
    case 'pipeline-group':
      return to('pipeline-v1-list', team, { groupId: hit.place.id })
    case 'build':
      return to('cd-build-info', {
        ...team,
        pipeline_group_id: hit.place.appId,
        pipeline_id: hit.place.id,
        build_number: hit.place.number,
      })
    case 'product':
      return to('product-app', { ...team, product_id: hit.place.id })
    case 'blueprint':
      return to('product-version', { ...team, product_id: hit.place.productId }, { keyword: hit.name })
    case 'dockerfile':
      return to('team-dockerfiles', team, { keyword: hit.name })
    case 'config-project':
      return to('config-manage', team, { project: hit.place.name })
    case 'stack':
      return to('app-list', team, { keyword: hit.name, env: hit.place.envId })
    case 'service':
      return to('containers', {
        ...team,
        env_id: hit.place.envId,
        stack_id: hit.place.stackId,
        stack_uuid: hit.place.stackUuid,
        stack_name: hit.place.stackName,
        service_id: hit.place.id,
        service_name: hit.name,
        service_type: hit.place.type,
        from: 'appcenter',
      })
    case 'helm-release':
      return to('helm-list', team, { release: hit.place.id, cluster: hit.place.cluster })
    case 'cluster':
      return to('cluster-detail', { ...team, env_uuid: hit.place.uuid })
    case 'registry':
      return to('thirdparty-registry', team)
    case 'harbor':
      return to('sys-harbor', { harbor_id: hit.place.id })
    case 'harbor-project':
      return to('registry-repositories', {
        ...team,
        namespace_id: hit.place.id,
        harbor_id: hit.place.harborId,
        project_id: hit.place.projectId,
        from_type: 'namespace',
      })
    case 'preset':
      return to('preset-version', { ...team, catalog_id: hit.place.id })
    case 'catalog':
      return to('sys-catalog-edition', { catalog_id: hit.place.id })
    case 'certificate':
      return to('sys-domains', { certificate_id: hit.place.id })
    case 'domain':
      return to('sys-domains', { certificate_id: hit.place.certificateId }, { keyword: hit.name })
    case 'team':
      return to('new-dashboard', { team_id: hit.place.id })
    case 'user':
      return to('sys-users', {}, { keyword: hit.name })
    case 'agent':
      return to('sys-agent', { agent_id: hit.place.id, tab: 'jobs' })
    case 'alarm-rule':
      return to('rule-edit', team, { rule: hit.place.id })
  }
}

/** Its kind, its context, and its team unless that is the current one. */
export const aboutOf = (hit: SearchHit, teamId: number | undefined): string =>
  [
    t(`search-kind-${hit.kind}`),
    hit.hint,
    hit.kind !== 'team' && hit.team !== null && hit.team.id !== teamId ? hit.team.name : '',
  ]
    .filter((part) => part !== '')
    .join(' · ')

/** Unique among hits, and valid as an element's id. */
export const keyOf = (hit: SearchHit): string =>
  [hit.kind, ...Object.values(hit.place), encodeURIComponent(hit.name)].join('-')

const most = 6
const recentKey = (userId: number) => `recent-${userId}`

/** The objects that this user last opened from the search, newest first. */
export const recentThings = (userId: number): SearchHit[] => local.get<SearchHit[]>(recentKey(userId)) ?? []

export function noteOpened(userId: number, hit: SearchHit): void {
  const others = recentThings(userId).filter((one) => keyOf(one) !== keyOf(hit))
  local.set(recentKey(userId), [hit, ...others].slice(0, most), keepParameters)
}
