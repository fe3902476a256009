import type { Endpoint } from '@gantry/contract/endpoint'
import { type Kind, kindOf, paramsIn } from '../parameters.ts'
import type { Random } from './random.ts'

/** Whose a thing is: our team's, another's, or no team's. */
export type Side = 'ours' | 'theirs' | 'nobodys'

/** A thing that there is, and all that it lies in: whoever knows a service knows its stack, its cluster and its team. */
export interface Thing {
  side: Side
  /** The rest of the run stands on it: no call that takes something away is aimed at it. */
  kept?: boolean
  values: Partial<Record<Kind, string | number>>
}

/** Of one kind no more are remembered: the oldest that need not be kept goes. */
const remembered = 40

/** What the path's parameters of a call stand for. */
export const kindsOf = (e: Endpoint): Kind[] => paramsIn(e).flatMap(([name]) => kindOf(e.path, name) ?? [])

const inCluster = new Set<Kind>(['env', 'host', 'volume', 'driver', 'openstack', 'zone'])
/** Whether all of it lies in a cluster and in no team. */
export const lieInCluster = (kinds: readonly Kind[]): boolean => kinds.every((kind) => inCluster.has(kind))

/** Everything that answers told of, to draw ids, names and revisions from. */
export function openPool() {
  const things: Thing[] = []
  const has = ({ values }: Thing, kinds: readonly Kind[]) => kinds.every((kind) => values[kind] !== undefined)
  const same = (a: Thing, b: Thing) => JSON.stringify(a.values) === JSON.stringify(b.values)

  return {
    add: (thing: Thing): void => {
      const known = things.find((one) => same(one, thing))
      if (known) return
      const shape = Object.keys(thing.values).join()
      const alike = things.filter(({ kept, values }) => !kept && Object.keys(values).join() === shape)
      if (alike.length >= remembered) things.splice(things.indexOf(alike[0] as Thing), 1)
      things.push(thing)
    },
    /** One that has all these kinds, of one of these sides; `spare` leaves those out that are to be kept. */
    draw: (random: Random, kinds: readonly Kind[], sides: readonly Side[], spare = false): Thing | undefined => {
      const fit = things.filter((thing) => sides.includes(thing.side) && has(thing, kinds) && !(spare && thing.kept))
      return fit.length === 0 ? undefined : random.pick(fit)
    },
    /** The last that was told of: what was made for a purpose. */
    newest: (kinds: readonly Kind[], sides: readonly Side[]): Thing | undefined =>
      things.findLast((thing) => !thing.kept && sides.includes(thing.side) && has(thing, kinds)),
    /** Several teams use this cluster: what is there is no team's. */
    isShared: (env: string | number | undefined): boolean =>
      things.some(
        ({ side, values }) =>
          side === 'nobodys' && values.env === env && Object.keys(values).every((kind) => kind.startsWith('env')),
      ),
    /** It is gone, and what lay in it. */
    forget: (kind: Kind, value: string | number): void => {
      for (let at = things.length - 1; at >= 0; at--) {
        const thing = things[at] as Thing
        if (!thing.kept && thing.values[kind] === value) things.splice(at, 1)
      }
    },
    /** Nobody finds it there any more. */
    drop: (thing: Thing): void => {
      const at = things.indexOf(thing)
      if (at >= 0 && !thing.kept) things.splice(at, 1)
    },
    /** The run stands on all that there is by now. */
    keepAll: () => things.forEach((thing) => (thing.kept = true)),
  }
}

export type Pool = ReturnType<typeof openPool>

type Row = Record<string, string | number>
type Told = (row: Row) => Thing['values']

/** What a call that made something answered, by the call's name in the trail. */
const made: Record<string, Told> = {
  'team.create': ({ id = 0, name = '' }) => ({ team: id, teamName: name }),
  'user.create': ({ id = 0 }) => ({ user: id }),
  'role.create': ({ id = 0 }) => ({ role: id }),
  'system-role.create': ({ id = 0 }) => ({ systemRole: id }),
  'token.create': ({ id = 0 }) => ({ token: id }),
  'ldap.create': ({ id = 0 }) => ({ ldap: id }),
  'environment.create': ({ uuid = '', name = '' }) => ({ env: uuid, envName: name }),
  'volume.create': ({ name = '' }) => ({ volume: name }),
  'driver.create': ({ name = '' }) => ({ driver: name }),
  'openstack.create': ({ uuid = '' }) => ({ openstack: uuid }),
  'zone.create': ({ uuid = '' }) => ({ zone: uuid }),
  'helm-repository.create': ({ id = 0, name = '' }) => ({ helmRepository: id, helmRepositoryName: name }),
  'registry.create': ({ id = 0 }) => ({ registry: id }),
  'harbor.create': ({ id = 0 }) => ({ harbor: id }),
  'harbor.replicate': ({ id = '' }) => ({ replication: id }),
  'platform-registry.create': ({ id = 0 }) => ({ platformRegistry: id }),
  'pipeline-group.create': ({ id = 0 }) => ({ group: id }),
  'pipeline.create': ({ id = 0, appId = 0, projectName = '' }) => ({
    pipeline: id,
    group: appId,
    pipelineName: projectName,
    version: 1,
  }),
  'build.trigger': ({ number = 0, queueId = 0 }) => ({ build: number, queue: queueId, step: 0, stage: 'only' }),
  'pipeline-batch.apply': ({ id = 0 }) => ({ batch: id }),
  'dockerfile.create': ({ id = 0 }) => ({ dockerfile: id }),
  'notification-rule.create': ({ id = 0 }) => ({ rule: id }),
  'pipeline-credential.create': ({ id = 0 }) => ({ credential: id }),
  'agent.create': ({ id = 0 }) => ({ agent: id }),
  'alarm-rule.create': ({ id = 0, name = '' }) => ({ alarmRule: id, alarmRuleName: name }),
  'alarm-template.save': ({ id = 0 }) => ({ alarmTemplate: id }),
  'alarm-channel.save': ({ id = 0 }) => ({ alarmChannel: id }),
  'webhook.create': ({ id = 0 }) => ({ webhook: id }),
  'jira.create': ({ id = 0 }) => ({ jira: id }),
  'backup.create': ({ id = '' }) => ({ backup: id }),
  'config-project.create': ({ name = '' }) => ({ configProject: name }),
  'config-project.clone': ({ name = '' }) => ({ configProject: name }),
  'config-profile.create': ({ uuid = '' }) => ({ configProfile: uuid }),
  'config-template.create': ({ uuid = '' }) => ({ configTemplate: uuid }),
  'catalog.create': ({ id = 0 }) => ({ catalog: id }),
  'catalog-tag.create': ({ id = 0 }) => ({ catalogTag: id }),
  'catalog-template.create': ({ id = 0 }) => ({ catalogTemplate: id }),
  'certificate.create': ({ id = 0 }) => ({ certificate: id }),
  'domain.create': ({ id = 0 }) => ({ domain: id }),
  'product.create': ({ id = 0, name = '' }) => ({ product: id, productName: name }),
  'product.clone': ({ id = 0, name = '' }) => ({ product: id, productName: name }),
  'blueprint.clone': ({ id = 0, uuid = '' }) => ({ blueprint: id, blueprintUuid: uuid }),
  'blueprint.create': ({ id = 0, uuid = '', applicationId = 0 }) => ({
    blueprint: id,
    blueprintUuid: uuid,
    product: applicationId,
  }),
  'stack.create': ({ id = 0, uuid = '', name = '', envId = '' }) => ({
    stack: id,
    stackUuid: uuid,
    stackName: name,
    env: envId,
  }),
  'service.create': ({ id = 0, name = '' }) => ({
    service: id,
    serviceName: name,
    serviceAndType: `${id}_business`,
  }),
}

/** What a call makes. */
export const makes = ({ audit = '' }: Endpoint, kind: Kind | undefined): boolean =>
  kind !== undefined && kind in (made[audit]?.({}) ?? {})

/** What a list told of, by the end of its path. */
const listed: [path: RegExp, told: Told][] = [
  [/service\/:id\/containers$/, ({ podId = '', name = '' }) => ({ pod: podId, container: name })],
  [/\/hosts\/environments$/, ({ name = '', envUuid = '' }) => ({ host: name, env: envUuid })],
  [/\/artifacts$/, ({ id = 0 }) => ({ artifact: id })],
  [/\/deliveries$/, ({ id = 0 }) => ({ delivery: id })],
  [/\/queue$/, ({ queueId = 0, number = 0 }) => ({ queue: queueId, build: number })],
  [/persistent-volumes$/, ({ name = '' }) => ({ volume: name })],
  [/audit-logs\/search$/, ({ id = 0 }) => ({ auditRow: id })],
]

/** What an answer told of, each with what the call already stood in. */
export function thingsIn(e: Endpoint, within: Thing, data: unknown, body?: unknown): Thing[] {
  const know = (told: Told, row: Row): Thing => ({ side: within.side, values: { ...within.values, ...told(row) } })
  if (e.audit === 'team.add-members' && Array.isArray(body))
    return body.map((id: number) => know(() => ({ user: id }), {}))
  const one = made[e.audit ?? '']
  if (one) return typeof data === 'object' && data !== null ? [know(one, data as Row)] : []
  const [, many] = e.method === 'GET' ? (listed.find(([path]) => path.test(e.path)) ?? []) : []
  if (!many) return []
  const rows = Array.isArray(data) ? data : ((data as { items?: unknown[] } | null)?.items ?? [])
  return rows.slice(0, 5).map((row) => know(many, row as Row))
}
