import { Fault } from '../../kernel/fault.ts'
import { discreetly } from '../outbound/discreet.ts'
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

/** What the networks of a project are made of. */
export interface Choices {
  /** The one that was asked for, or the account's own. */
  project: string
  projects: Project[]
  networks: Named[]
  subnets: Subnet[]
  securityGroups: Named[]
  /** There is more of something than was read. */
  truncated: boolean
}

/** Ids of things that one project is to have. */
export interface Wanted {
  project: string
  subnets: readonly string[]
  securityGroups: readonly string[]
}

/** Those of them that there are. */
export interface Found {
  project: Project | undefined
  subnets: Subnet[]
  securityGroups: Named[]
}

/**
 * Keystone (identity API v3) and Neutron (networking API v2.0), which Keystone's catalogue names. Every address goes through
 * the outbound guard. Faults name the cause: `openstack-password-refused`, `openstack-project-refused`, `openstack-project-none`,
 * `openstack-domain-refused`, `openstack-not-keystone`, `openstack-trouble`, `openstack-no-network`, `openstack-network-blocked`,
 * `openstack-network-forbidden`, and the `outbound-…` ones; none repeats what OpenStack said.
 */
export interface OpenStackPort {
  /**
   * Signs in for the project, within 10 s. `discreet`, for who is no administrator: of an address that is not public only what Keystone
   * says of the account is told, and every other failure is `outbound-inside`.
   */
  verify: (account: Account, signal?: AbortSignal, discreet?: boolean) => Promise<void>
  /** Takes 15 s more at most. No answer has less: Neutron is long over a token that is new to it. `project` is an id. */
  choices: (account: Account, project?: string, signal?: AbortSignal) => Promise<Choices>
  /** Asked by their ids: also what is beyond the choices that are read. Takes as long at most. */
  find: (account: Account, wanted: Wanted, signal?: AbortSignal) => Promise<Found>
}

const readMs = 15_000

const unique = <T extends { id: string }>(items: T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]

const shared = ['shared', 'true'] as const
const ipv4 = ['ip_version', '4'] as const
const ownOf = (project: string) => ['project_id', project] as const

/** Keystone's own answers, which nothing else gives. */
const told = [
  'openstack-password-refused',
  'openstack-project-refused',
  'openstack-project-none',
  'openstack-domain-refused',
] as const

export function createOpenStack(outbound: Outbound, { insideMs }: { insideMs?: number } = {}): OpenStackPort {
  const enter = async (account: Account, signal: AbortSignal | undefined) => {
    const session = await signIn(outbound, account, signal)
    if (session.networkUrl === undefined) throw new Fault('badGateway', 'openstack-no-network')
    const { token, networkUrl: url } = session
    const access: NeutronAccess = { outbound, url, token, until: Date.now() + readMs, signal }
    return { session, access }
  }
  return {
    async verify(account, signal, discreet = false) {
      const discretion = { host: URL.parse(account.authUrl)?.host ?? '', told, ms: insideMs, signal }
      if (discreet) await discreetly(outbound, discretion, (by, until) => signIn(by, account, until))
      else await signIn(outbound, account, signal)
    },

    choices: async (account, asked, signal) => {
      const { session, access } = await enter(account, signal)
      const project = asked ?? session.project.id
      const own = ownOf(project)
      const listing = session.projects(access.until)
      // heard below; until then nobody listens
      listing.catch(() => undefined)
      // One after the other: Neutron has Keystone check a token that is new to it, and asks once only where it waits for that.
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
