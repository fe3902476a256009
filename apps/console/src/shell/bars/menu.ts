import type { PhraseKey } from '../../api/language.ts'
import { paths } from '../../paths.gen.ts'
import type { IconName } from '../../ui/icon.tsx'
import type { RouteName } from '../../ui/link.tsx'

/** An entry names a route; one without a route is hidden. */
interface Planned {
  route: string
  icon: IconName
}

export interface Entry {
  route: RouteName
  icon: IconName
}

export interface Group<E = Entry> {
  title?: PhraseKey
  entries: readonly E[]
}

/** The specification's sidebar, in its order. */
const team: readonly Group<Planned>[] = [
  { entries: [{ route: 'new-dashboard', icon: 'dashboard' }] },
  {
    title: 'menu-pipelines',
    entries: [
      { route: 'pipeline-v1-list', icon: 'pipeline' },
      { route: 'team-dockerfiles', icon: 'docker' },
    ],
  },
  {
    title: 'menu-application-centre',
    entries: [
      { route: 'personal-products', icon: 'product' },
      { route: 'app-list', icon: 'app' },
      { route: 'helm-list', icon: 'archive' },
      { route: 'global-ingress-index', icon: 'ingress' },
      { route: 'persetService', icon: 'template' },
    ],
  },
  {
    title: 'menu-config-centre',
    entries: [
      { route: 'config-manage', icon: 'config' },
      { route: 'config-app', icon: 'link' },
    ],
  },
  {
    title: 'menu-image-centre',
    entries: [
      { route: 'registry-namespace', icon: 'registry' },
      { route: 'thirdparty-registry', icon: 'image' },
    ],
  },
  { title: 'menu-alarms', entries: [{ route: 'monitorRule', icon: 'alarm' }] },
  {
    title: 'menu-infrastructure',
    entries: [
      { route: 'resourcemanager-environments-new', icon: 'cluster' },
      { route: 'resourcemanager-cn', icon: 'host' },
      { route: 'open-stack', icon: 'openstack' },
      { route: 'resourcemanager-zone', icon: 'zone' },
    ],
  },
  { title: 'menu-audit', entries: [{ route: 'audit-logs', icon: 'audit' }] },
]

/** The gear menu, for administrators, in the order of the specification's section on system settings. */
const settings: readonly Group<Planned>[] = [
  {
    title: 'menu-settings-people',
    entries: [
      { route: 'sys-users', icon: 'user' },
      { route: 'sys-teams', icon: 'team' },
      { route: 'sys-roles', icon: 'shield' },
      { route: 'sys-ldap', icon: 'key' },
      { route: 'sys-oauth', icon: 'shield' },
    ],
  },
  {
    title: 'menu-settings-delivery',
    entries: [
      { route: 'sys-cd-project', icon: 'pipeline' },
      { route: 'sys-agents', icon: 'agent' },
      { route: 'sys-cd-hosts', icon: 'host' },
      { route: 'sys-cd-common', icon: 'code' },
      { route: 'sys-webhook', icon: 'link' },
      { route: 'sys-jira', icon: 'log' },
      { route: 'build-internal', icon: 'build' },
      { route: 'buildImage', icon: 'image' },
    ],
  },
  {
    title: 'menu-settings-supply',
    entries: [
      { route: 'sys-registry', icon: 'registry' },
      { route: 'sys-helm', icon: 'archive' },
      { route: 'sys-catalog', icon: 'template' },
      { route: 'sys-certificates', icon: 'shield' },
      { route: 'sys-global-ingress', icon: 'ingress' },
    ],
  },
  {
    title: 'menu-settings-system',
    entries: [
      { route: 'sys-common', icon: 'system' },
      { route: 'sys-log', icon: 'log' },
    ],
  },
]

const teamAdmin: readonly Group<Planned>[] = [
  {
    title: 'menu-team-admin',
    entries: [
      { route: 'team-members', icon: 'team' },
      { route: 'team-roles', icon: 'shield' },
      { route: 'team-tokens', icon: 'key' },
    ],
  },
]

const profile: readonly Group<Planned>[] = [
  {
    title: 'menu-profile',
    entries: [
      { route: 'info-basic', icon: 'user' },
      { route: 'info-password', icon: 'key' },
    ],
  },
]

export type Area = 'team' | 'settings' | 'team-admin' | 'profile'

const areas: Record<Area, readonly Group<Planned>[]> = { team, settings, 'team-admin': teamAdmin, profile }

/** The existing part of a menu: groups without an entry are omitted. */
export const present = (groups: readonly Group<Planned>[], known: object = paths): Group[] =>
  groups
    .map((group) => ({ ...group, entries: group.entries.filter((entry): entry is Entry => entry.route in known) }))
    .filter((group) => group.entries.length > 0)

export const menuOf = (area: Area): Group[] => present(areas[area])

export function areaOf(path: string): Area {
  if (path.startsWith('/sysconfig')) return 'settings'
  if (path.startsWith('/administration-team')) return 'team-admin'
  return path.startsWith('/info') ? 'profile' : 'team'
}
