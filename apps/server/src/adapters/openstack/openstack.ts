import { Fault } from '../../kernel/fault.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { type Account, type Project, signIn } from './keystone.ts'
import { type NeutronAccess, readAll, Subnet as SubnetShape, Thing } from './neutron.ts'

export type { Account } from './keystone.ts'

interface Named {
  id: string
  name: string
}

interface Subnet extends Named {
  networkId: string
  cidr: string
  pools: { start: string; end: string }[]
}

/** The networks, subnets and security groups of a project. */
export interface Choices {
  /** The requested project, or the account's own. */
  project: string
  projects: Project[]
  networks: Named[]
  subnets: Subnet[]
  securityGroups: Named[]
  /** More objects exist than were read. */
  truncated: boolean
}

/** Ids that must exist in one project. */
export interface Wanted {
  project: string
  subnets: readonly string[]
  securityGroups: readonly string[]
}

/** Those of the wanted objects that exist. */
export interface Found {
  project: Project | undefined
  subnets: Subnet[]
  securityGroups: Named[]
}

/**
 * Keystone (identity API v3) and Neutron (networking API v2.0), whose address is in Keystone's catalogue. Every address
 * is checked by the outbound guard. Faults name the cause: `openstack-password-refused`, `openstack-project-refused`,
 * `openstack-project-none`, `openstack-domain-refused`, `openstack-not-keystone`, `openstack-trouble`,
 * `openstack-no-network`, `openstack-network-blocked`, `openstack-network-forbidden`, and the `outbound-…` ones; none
 * repeats OpenStack's own text.
 */
export interface OpenStackPort {
  /** Logs in to the project, within 10 s. */
  verify: (account: Account, signal?: AbortSignal) => Promise<void>
  /**
   * Takes at most 15 s more than the login, because Neutron is slow with a token that is new to it. `project` is an id.
   */
  choices: (account: Account, project?: string, signal?: AbortSignal) => Promise<Choices>
  /** Looks up ids, including those beyond the choices that were read. Takes at most as long as `choices`. */
  find: (account: Account, wanted: Wanted, signal?: AbortSignal) => Promise<Found>
}

const readMs = 15_000

const unique = <T extends { id: string }>(items: T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]

const shared = ['shared', 'true'] as const
const ipv4 = ['ip_version', '4'] as const
const ownOf = (project: string) => ['project_id', project] as const

export function createOpenStack(outbound: Outbound): OpenStackPort {
  const enter = async (account: Account, signal: AbortSignal | undefined) => {
    const session = await signIn(outbound, account, signal)
    if (session.networkUrl === undefined) throw new Fault('badGateway', 'openstack-no-network')
    const { token, networkUrl: url } = session
    const access: NeutronAccess = { outbound, url, token, until: Date.now() + readMs, signal }
    return { session, access }
  }
  return {
    verify: async (account, signal) => {
      await signIn(outbound, account, signal)
    },

    choices: async (account, projectId, signal) => {
      const { session, access } = await enter(account, signal)
      const project = projectId ?? session.project.id
      const own = ownOf(project)
      const listing = session.projects(access.until)
      // handled below; until then a rejection has no listener
      listing.catch(() => undefined)
      // in sequence: Neutron has Keystone check a new token, and does so only once if the calls do not overlap
      const networks = await readAll(access, 'networks', Thing, [own])
      const subnets = await readAll(access, 'subnets', SubnetShape, [own, ipv4])
      const groups = await readAll(access, 'security-groups', Thing, [own])
      const sharedNetworks = await readAll(access, 'networks', Thing, [shared])
      const sharedSubnets = await readAll(access, 'subnets', SubnetShape, [shared, ipv4])
      const projects = await listing
      return {
        project,
        projects: unique([session.project, ...projects.items]),
        networks: unique([...networks.items, ...sharedNetworks.items]),
        subnets: unique([...subnets.items, ...sharedSubnets.items]),
        securityGroups: groups.items,
        truncated: [networks, subnets, groups, sharedNetworks, sharedSubnets, projects].some(
          ({ truncated }) => truncated,
        ),
      }
    },

    find: async (account, wanted, signal) => {
      const { session, access } = await enter(account, signal)
      const own = ownOf(wanted.project)
      const idsOf = (ids: readonly string[]) => ids.map((id) => ['id', id] as const)
      const subnets = idsOf(wanted.subnets)
      const ownSubnets = await readAll(access, 'subnets', SubnetShape, [own, ipv4, ...subnets])
      const sharedSubnets = await readAll(access, 'subnets', SubnetShape, [shared, ipv4, ...subnets])
      const groups = await readAll(access, 'security-groups', Thing, [own, ...idsOf(wanted.securityGroups)])
      return {
        project: await session.findProject(wanted.project, access.until),
        subnets: unique([...ownSubnets.items, ...sharedSubnets.items]),
        securityGroups: groups.items,
      }
    },
  }
}
