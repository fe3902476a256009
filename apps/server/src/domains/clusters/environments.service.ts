import type { Environment } from '@gantry/contract/clusters/environments'
import { teamsHolding } from '../../kernel/access.ts'
import { isKube } from '../../adapters/kube/errors.ts'
import { kubeFault } from '../../adapters/kube/faults.ts'
import { type ClusterAddress, parseKubeconfig } from '../../adapters/kube/kubeconfig.ts'
import type { Cluster } from '../../adapters/kube/pool.ts'
import type { Kube, Right } from '../../adapters/kube/client.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { afterCommit, type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import type { Page } from '../../kernel/paging.ts'
import { isPhrase, say } from '../../kernel/phrase.ts'
import { open, seal } from '../../kernel/secrets.ts'
import {
  addresses,
  assignTeam,
  type Checked,
  deleteEnvironment,
  type EnvironmentRow,
  environmentsOf,
  findEnvironment,
  insertEnvironment,
  listEnvironments,
  mayUse,
  noteHealth,
  stacksOn,
  unassignTeam,
  updateEnvironment,
} from './environments.store.ts'

const told = (ctx: Ctx, reason: unknown): string => {
  const { key, vars } = (reason ?? { key: '' }) as { key: string; vars?: Record<string, string | number> }
  return isPhrase(key) ? say(ctx.lang, key, vars) : ''
}

const shown = (ctx: Ctx, { reason, ...row }: EnvironmentRow): Environment => ({
  ...row,
  type: 'K8S',
  healthMessage: told(ctx, reason),
})

/** Who does not see every team sees a cluster without the names of teams that are not theirs. */
const shownTo = (ctx: Ctx, row: EnvironmentRow, seen: readonly number[] | undefined): Environment => {
  const environment = shown(ctx, row)
  return seen ? { ...environment, teams: environment.teams.filter((team) => seen.includes(team.id)) } : environment
}

async function existing(ctx: Ctx, uuid: string): Promise<EnvironmentRow> {
  const row = await findEnvironment(ctx.db, uuid)
  if (!row) throw new Fault('missing', 'resource-missing')
  return row
}

export async function allEnvironments(ctx: Ctx, keyword: string, at: Page) {
  const list = await listEnvironments(ctx.db, keyword, at)
  return { ...list, items: list.items.map((row) => shown(ctx, row)) }
}

export const teamEnvironments = async (ctx: Ctx, teamId: number): Promise<Environment[]> =>
  (await environmentsOf(ctx.db, teamId)).map((row) => shownTo(ctx, row, ctx.actor.admin ? undefined : [teamId]))

export async function readEnvironment(ctx: Ctx, uuid: string): Promise<Environment> {
  const [seen] = await teamsHolding(ctx, [[]])
  return shownTo(ctx, await existing(ctx, uuid), seen)
}

/** What the product does in a cluster, asked before it is kept. */
const rights: Right[] = [
  ...(['create', 'get', 'list', 'watch', 'delete', 'patch'] as const).map((verb) => ({
    verb,
    resource: kinds.namespaces,
  })),
  ...[
    kinds.deployments,
    kinds.services,
    kinds.secrets,
    kinds.resourceQuotas,
    kinds.networkPolicies,
    kinds.roles,
    kinds.roleBindings,
  ].map((resource) => ({ verb: 'patch', resource })),
  ...[kinds.pods, kinds.deployments, kinds.events, kinds.nodes].map((resource) => ({ verb: 'list', resource })),
  { verb: 'create', resource: kinds.pods, subresource: 'exec' },
  { verb: 'get', resource: kinds.pods, subresource: 'log' },
]

const supported = { from: [1, 30], to: [1, 35] } as const

/** Kubernetes 1.30 to 1.35; what says `1.34+` is 1.34. */
function refuseVersion(version: { major?: string; minor?: string; gitVersion?: string }): void {
  const minor = Number.parseInt(version.minor ?? '', 10)
  if (Number(version.major) === supported.from[0] && minor >= supported.from[1] && minor <= supported.to[1]) return
  throw new Fault('invalid', 'kube-unsupported-version', {
    version: version.gitVersion ?? '?',
    from: supported.from.join('.'),
    to: supported.to.join('.'),
  })
}

async function inspect(kube: Kube): Promise<Checked> {
  const version = await kube.version()
  refuseVersion(version)
  const may = await kube.can(rights)
  const missing = rights.filter((_, at) => !may[at])
  if (missing.length > 0)
    throw new Fault('invalid', 'clusters-rights-missing', {
      rights: missing
        .slice(0, 8)
        .map(({ verb, resource, subresource }) => `${verb} ${resource.plural}${subresource ? `/${subresource}` : ''}`)
        .join(', '),
    })
  return { health: 'healthy', reason: null, version: version.gitVersion ?? '', nodeNum: await countNodes(kube) }
}

async function countNodes(kube: Kube): Promise<number> {
  const first = await kube.list(kinds.nodes, {}, { limit: 1, budget: 5000 })
  return first.items.length + (first.remaining ?? 0)
}

const examined = (ctx: Ctx, address: ClusterAddress): Promise<Checked> =>
  ctx.ports.kube.trial(address, inspect).catch((error: unknown) => {
    throw kubeFault(error)
  })

export interface EnvironmentInput {
  name: string
  description: string
  kubeconfig?: string | undefined
  context?: string | undefined
  teamIds: number[]
}

/** Reached, and its version and rights checked, before it is saved. */
export async function createEnvironment(ctx: Ctx, input: EnvironmentInput): Promise<Environment> {
  const { name, description, teamIds } = input
  note(ctx, { object: name })
  const address = parseKubeconfig(input.kubeconfig ?? '', input.context || undefined)
  note(ctx, { after: { name, description, teamIds, server: address.server } })
  const checked = await examined(ctx, address)
  return inTx(ctx, async (ctx) => {
    const uuid = await insertEnvironment(ctx.db, {
      name: input.name,
      description: input.description,
      server: address.server,
      address: seal(ctx, JSON.stringify(address)),
    })
    if (uuid === undefined) throw new Fault('conflict', 'clusters-name-taken', { name: input.name })
    await noteHealth(ctx.db, uuid, checked)
    for (const teamId of new Set(input.teamIds))
      await assignTeam(ctx.db, uuid, teamId).catch(
        brokenConstraint('environment_team_team_id_fkey', new Fault('invalid', 'resource-missing')),
      )
    return shown(ctx, await existing(ctx, uuid))
  })
}

export async function changeEnvironment(
  ctx: Ctx,
  uuid: string,
  input: { name: string; description: string; kubeconfig?: string | undefined; context?: string | undefined },
): Promise<Environment> {
  const before = await existing(ctx, uuid)
  note(ctx, { object: before.name })
  if (before.sandbox) throw new Fault('conflict', 'clusters-sandbox-kept')
  const address = input.kubeconfig ? parseKubeconfig(input.kubeconfig, input.context || undefined) : undefined
  note(ctx, {
    before: { name: before.name, description: before.description, server: before.server },
    after: { name: input.name, description: input.description, server: address?.server ?? before.server },
  })
  const checked = address && (await examined(ctx, address))
  return inTx(ctx, async (ctx) => {
    await updateEnvironment(ctx.db, uuid, {
      name: input.name,
      description: input.description,
      ...(address ? { server: address.server, address: seal(ctx, JSON.stringify(address)) } : {}),
    }).catch(brokenConstraint('environment_name', new Fault('conflict', 'clusters-name-taken', { name: input.name })))
    if (checked) await noteHealth(ctx.db, uuid, checked)
    return shown(ctx, await existing(ctx, uuid))
  })
}

/** Forgets a cluster without stacks. Nothing in the cluster is touched. */
export const removeEnvironment = (ctx: Ctx, uuid: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const row = await existing(ctx, uuid)
    note(ctx, { object: row.name, before: { name: row.name, description: row.description, server: row.server } })
    if (row.sandbox) throw new Fault('conflict', 'clusters-sandbox-kept')
    const stacks = await stacksOn(ctx.db, uuid)
    if (stacks.length > 0) throw new Fault('conflict', 'clusters-in-use', { name: row.name, stacks: stacks.join(', ') })
    await deleteEnvironment(ctx.db, uuid)
    afterCommit(ctx, () => void ctx.ports.kube.remove(uuid))
    return null
  })

export const setAssigned = (ctx: Ctx, uuid: string, teamId: number, assigned: boolean): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const row = await existing(ctx, uuid)
    note(ctx, { object: row.name, teamId, before: { assigned: !assigned }, after: { assigned } })
    if (assigned) {
      await assignTeam(ctx.db, uuid, teamId).catch(
        brokenConstraint('environment_team_team_id_fkey', new Fault('missing', 'resource-missing')),
      )
      return null
    }
    const stacks = await stacksOn(ctx.db, uuid, teamId)
    if (stacks.length > 0) throw new Fault('conflict', 'clusters-in-use', { name: row.name, stacks: stacks.join(', ') })
    await unassignTeam(ctx.db, uuid, teamId)
    return null
  })

/** The cluster of an environment. Throws 404 where it is gone. */
export async function clusterOf(ctx: Pick<Ctx, 'db' | 'ports' | 'keys'>, uuid: string): Promise<Cluster> {
  const [row] = await addresses(ctx.db, uuid)
  if (!row) throw new Fault('missing', 'resource-missing')
  return ctx.ports.kube.cluster(uuid, JSON.parse(open(ctx, row.address)) as ClusterAddress)
}

/** Throws 404 where the team may not use the environment: exactly as for one that does not exist. */
export async function mustUse(ctx: Ctx, uuid: string, teamId: number): Promise<void> {
  if (!(await mayUse(ctx.db, uuid, teamId))) throw new Fault('missing', 'resource-missing')
}

/** Asks one cluster how it is, and keeps the answer: whether it is healthy. */
export async function checkHealth(ctx: Ctx, uuid: string): Promise<boolean> {
  const checked = await (async (): Promise<Checked> => {
    try {
      const { kube } = await clusterOf(ctx, uuid)
      const version = await kube.version({ budget: 5000 })
      return { health: 'healthy', reason: null, version: version.gitVersion ?? '', nodeNum: await countNodes(kube) }
    } catch (error) {
      const fault = kubeFault(error)
      if (!(fault instanceof Fault)) throw error
      return {
        health: isKube(error, 'credentials') ? 'credentials' : 'unreachable',
        reason: { key: fault.key, vars: fault.vars },
      }
    }
  })()
  await noteHealth(ctx.db, uuid, checked)
  return checked.health === 'healthy'
}
