import type { Endpoint } from '@gantry/contract/endpoint'
import { type Kind, kindOf, paramsIn } from '../parameters.ts'
import type { Random } from './random.ts'

/** Whether a thing belongs to our team, to another, or to none. */
export type Side = 'ours' | 'theirs' | 'nobodys'

/** An existing thing with everything that contains it: for a service also its stack, cluster and team. */
export interface Thing {
  side: Side
  /** Whether the run depends on it, so that no deleting call is aimed at it. */
  kept?: boolean
  values: Partial<Record<Kind, string | number>>
}

/** Maximum of remembered things of a kind; the oldest that need not be kept is dropped. */
const remembered = 40

/** The kinds that the path's parameters of a call refer to. */
export const kindsOf = (e: Endpoint): Kind[] => paramsIn(e).flatMap(([name]) => kindOf(e.path, name) ?? [])

const inCluster = new Set<Kind>(['env', 'host', 'volume', 'driver', 'openstack', 'zone'])
/** Whether all of it belongs to a cluster and not to a team. */
export const lieInCluster = (kinds: readonly Kind[]): boolean => kinds.every((kind) => inCluster.has(kind))

/** Everything that answers have shown, to draw ids, names and revisions from. */
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
    /** Draws a thing with all these kinds, of one of these sides; `spare` leaves out those to be kept. */
    draw: (random: Random, kinds: readonly Kind[], sides: readonly Side[], spare = false): Thing | undefined => {
      const fit = things.filter((thing) => sides.includes(thing.side) && has(thing, kinds) && !(spare && thing.kept))
      return fit.length === 0 ? undefined : random.pick(fit)
    },
    /** The latest one, usually created for a purpose. */
    newest: (kinds: readonly Kind[], sides: readonly Side[]): Thing | undefined =>
      things.findLast((thing) => !thing.kept && sides.includes(thing.side) && has(thing, kinds)),
    /** Whether several teams use this cluster, so that its contents belong to none. */
    isShared: (env: string | number | undefined): boolean =>
      things.some(
        ({ side, values }) =>
          side === 'nobodys' && values.env === env && Object.keys(values).every((kind) => kind.startsWith('env')),
      ),
    /** Removes a deleted thing with its contents. */
    forget: (kind: Kind, value: string | number): void => {
      for (let at = things.length - 1; at >= 0; at--) {
        const thing = things[at] as Thing
        if (!thing.kept && thing.values[kind] === value) things.splice(at, 1)
      }
    },
    /** Removes a thing that can no longer be found. */
    drop: (thing: Thing): void => {
      const at = things.indexOf(thing)
      if (at >= 0 && !thing.kept) things.splice(at, 1)
    },
    /** Keeps all present things. */
    keepAll: () => things.forEach((thing) => (thing.kept = true)),
  }
}

export type Pool = ReturnType<typeof openPool>

type Row = Record<string, string | number>
type Told = (row: Row) => Thing['values']

/** What creating calls return, by the call's audit name. */
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

/** Whether a call creates this kind. */
export const makes = ({ audit = '' }: Endpoint, kind: Kind | undefined): boolean =>
  kind !== undefined && kind in (made[audit]?.({}) ?? {})

/** What lists return, by the end of their path. */
const listed: [path: RegExp, told: Told][] = [
  [/service\/:id\/containers$/, ({ podId = '', name = '' }) => ({ pod: podId, container: name })],
  [/\/hosts\/environments$/, ({ name = '', envUuid = '' }) => ({ host: name, env: envUuid })],
  [/\/artifacts$/, ({ id = 0 }) => ({ artifact: id })],
  [/\/deliveries$/, ({ id = 0 }) => ({ delivery: id })],
  [/\/queue$/, ({ queueId = 0, number = 0 }) => ({ queue: queueId, build: number })],
  [/persistent-volumes$/, ({ name = '' }) => ({ volume: name })],
  [/audit-logs\/search$/, ({ id = 0 }) => ({ auditRow: id })],
]

/** The things in an answer, each with the things that the call was about. */
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
