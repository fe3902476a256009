import type { Kube } from '../../adapters/kube/client.ts'
import { kubeFault } from '../../adapters/kube/faults.ts'
import { labels } from '../../adapters/kube/labels.ts'
import type { KubeObject } from '../../adapters/kube/objects.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { reasonOf } from '../../kernel/phrase.ts'
import { reconciler, type Round } from '../../kernel/reconcile.ts'
import { clusterOf } from '../clusters/public.ts'
import { publishCollectors } from './collection.service.ts'
import {
  accountOf,
  bindingOf,
  clusterRoleOf,
  collectorObjects,
  collectorRef,
  namespaceOf,
} from './collector-objects.ts'
import { logCollectors } from './collectors.rows.ts'
import {
  type CollectorRow,
  findCollector,
  findLogs,
  forgetCollector,
  noteProblem,
  noteSettled,
  teamsCollected,
} from './collectors.store.ts'
import { type Collecting, namespace } from './fluent-bit.ts'
import { opened } from './kafka.service.ts'
import { findKafka } from './kafka.store.ts'

const pauses = { ending: 2_000, failed: 30_000 }

const isOurs = (object: KubeObject | undefined, clusterId: string): boolean =>
  object?.metadata?.labels?.[labels.environment] === clusterId

/** The hash of the configuration that is now applied; undefined if the round is over or has to wait. */
type Brought = string | undefined

async function setUp(kube: Kube, clusterId: string, collecting: Collecting, round: Round): Promise<Brought> {
  const there = await kube.find(kinds.namespaces, { name: namespace })
  if (there && !isOurs(there, clusterId)) throw new Fault('conflict', 'logs-namespace-taken', { namespace })
  // an earlier collector is still being deleted
  if (there?.metadata?.deletionTimestamp !== undefined) return undefined
  if (!(await round.mayWrite())) return undefined
  const { metadata } = await kube.apply(kinds.namespaces, namespaceOf(clusterId))
  const uid = metadata?.uid ?? ''
  const { configMap, secret, daemonSet, hash } = collectorObjects(clusterId, collecting)
  const whole = await round.inTurn([
    () => kube.apply(kinds.serviceAccounts, accountOf(clusterId)),
    () => kube.apply(kinds.clusterRoles, clusterRoleOf(clusterId, uid)),
    () => kube.apply(kinds.clusterRoleBindings, bindingOf(clusterId, uid)),
    () => kube.apply(kinds.secrets, secret),
    () => kube.apply(kinds.configMaps, configMap),
    () => kube.apply(kinds.daemonSets, daemonSet),
  ])
  return whole ? hash : undefined
}

/** Deletes the collector's namespace with its contents and everything that it owns. Objects of others stay. */
async function tearDown(kube: Kube, clusterId: string, round: Round): Promise<Brought> {
  const there = await kube.find(kinds.namespaces, { name: namespace })
  const uid = there?.metadata?.uid
  const own = { name: collectorRef.name }
  const whole = await round.inTurn([
    ...[kinds.clusterRoleBindings, kinds.clusterRoles].map((kind) => async () => {
      if (isOurs(await kube.find<KubeObject>(kind, own), clusterId)) await kube.remove(kind, own)
    }),
    async () => {
      if (isOurs(there, clusterId) && uid !== undefined)
        await kube.remove(kinds.namespaces, { name: namespace }, { uid })
    },
  ])
  return whole ? '' : undefined
}

async function wantedIn(ctx: Ctx, { chosen, leaving }: CollectorRow): Promise<Collecting | undefined> {
  const kafka = await findKafka(ctx.db)
  if (!chosen || leaving || !kafka.enabled) return undefined
  return { kafka: opened(ctx, kafka), logs: { ...(await findLogs(ctx.db)), teamIds: await teamsCollected(ctx.db) } }
}

/** Idempotent: what exists already is applied again without a change. */
async function bring(ctx: Ctx, { environment }: { environment: string }, round: Round): Promise<number> {
  const row = await findCollector(ctx.db, environment)
  if (!row) return 0
  try {
    const wanted = await wantedIn(ctx, row)
    const { kube } = await clusterOf(ctx, environment)
    const hash = wanted ? await setUp(kube, environment, wanted, round) : await tearDown(kube, environment, round)
    if (hash === undefined) return pauses.ending
    await round.note(async (ctx) => {
      await noteSettled(ctx.db, row, hash)
      if (hash === '') await forgetCollector(ctx.db, environment)
      if (hash !== row.hash || row.settled !== row.generation || row.problem !== null) await publishCollectors(ctx)
    })
    return 0
  } catch (error) {
    const fault = kubeFault(error)
    if (ctx.signal.aborted || !(fault instanceof Fault)) throw error
    await round.note(async (ctx) => {
      await noteProblem(ctx.db, environment, reasonOf(fault))
      await publishCollectors(ctx)
    })
    return pauses.failed
  }
}

export const collectorReconciler = reconciler(logCollectors, bring)
