import type { Collector, LogSettings, SavedLogSettings } from '@gantry/contract/log-shipping/collection'
import { collectorsTopic } from '@gantry/contract/log-shipping/topics'
import { kubeFault } from '../../adapters/kube/faults.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { publish } from '../../kernel/events/events.ts'
import { Fault } from '../../kernel/fault.ts'
import { sayReasonTo, sayTo } from '../../kernel/phrase.ts'
import { clusterOf } from '../clusters/public.ts'
import { logCollectors } from './collectors.rows.ts'
import {
  chooseClusters,
  type CollectorRow,
  findLogs,
  listCollectors,
  lockLogs,
  putTeams,
  renew,
  storeLogs,
  teamsCollected,
} from './collectors.store.ts'
import { collectorRef } from './collector-objects.ts'
import { findKafka } from './kafka.store.ts'

export const publishCollectors = (ctx: Ctx) => publish(ctx, collectorsTopic, {})

/** Called in the transaction that changes the settings. */
export async function renewCollectors(ctx: Ctx): Promise<void> {
  await renew(ctx.db)
  await publishCollectors(ctx)
  logCollectors.wakeAfterCommit(ctx)
}

function stateOf(row: CollectorRow, kafka: boolean): Collector['state'] {
  if (!row.chosen) return 'removing'
  if (row.problem !== null) return 'failed'
  if (row.settled !== row.generation) return 'waiting'
  return kafka ? 'completed' : 'off'
}

interface Pods {
  desired: number | null
  ready: number | null
  problem: string
}

/** As the cluster reports now; one that does not answer delays the others by its time limit at most. */
async function podsIn(ctx: Ctx, row: CollectorRow): Promise<Pods> {
  if (row.hash === '') return { desired: null, ready: null, problem: '' }
  try {
    const { kube } = await clusterOf(ctx, row.environment)
    const set = await kube.find(kinds.daemonSets, collectorRef, { budget: 3_000, signal: ctx.signal })
    const { desiredNumberScheduled: desired = null, numberReady: ready = null } = set?.status ?? {}
    return { desired, ready, problem: '' }
  } catch (error) {
    const fault = kubeFault(error)
    if (!(fault instanceof Fault)) throw error
    return { desired: null, ready: null, problem: sayTo(ctx, fault) }
  }
}

export async function readLogs(ctx: Ctx): Promise<SavedLogSettings> {
  const [settings, teamIds, rows, { enabled }] = await Promise.all([
    findLogs(ctx.db),
    teamsCollected(ctx.db),
    listCollectors(ctx.db),
    findKafka(ctx.db),
  ])
  const collectors = await Promise.all(
    rows.map(async (row) => {
      const { problem, ...pods } = await podsIn(ctx, row)
      return {
        environment: row.environment,
        name: row.name,
        state: stateOf(row, enabled),
        hash: row.hash,
        ...pods,
        appliedAt: row.hash === '' ? null : row.settledAt,
        problem: sayReasonTo(ctx, row.problem) || problem,
      }
    }),
  )
  const clusterIds = rows.filter(({ chosen }) => chosen).map(({ environment }) => environment)
  return { ...settings, environments: clusterIds, teamIds, kafka: enabled, collectors }
}

export async function writeLogs(
  ctx: Ctx,
  { revision, ...given }: LogSettings & { revision: number },
): Promise<SavedLogSettings> {
  await inTx(ctx, async (ctx) => {
    const before = await lockLogs(ctx.db)
    if (revision !== before.revision) throw new Fault('conflict', 'logs-settings-changed')
    const was = {
      ...before,
      teamIds: await teamsCollected(ctx.db),
      environments: (await listCollectors(ctx.db)).filter(({ chosen }) => chosen).map(({ environment }) => environment),
    }
    const { environments, teamIds, ...settings } = given
    if (!(await chooseClusters(ctx.db, environments))) throw new Fault('invalid', 'logs-cluster-unknown')
    if (!(await putTeams(ctx.db, given.allTeams ? [] : teamIds))) throw new Fault('invalid', 'logs-team-unknown')
    const names = (await listCollectors(ctx.db)).filter(({ chosen }) => chosen).map(({ name }) => name)
    note(ctx, { object: names.join(', ') || '–', before: was, after: given })
    await storeLogs(ctx.db, { ...settings, revision: revision + 1 })
    await renewCollectors(ctx)
  })
  return readLogs(ctx)
}
