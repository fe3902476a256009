import { dump } from 'js-yaml'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { reasonOf } from '../../../kernel/phrase.ts'
import { reconciler, type Round } from '../../../kernel/reconcile.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { clusterOf } from '../../clusters/public.ts'
import { findStack, identityOf, placeOf } from '../../stacks/public.ts'
import { openChart } from '../charts/charts.service.ts'
import { findRepository } from '../repositories/repositories.store.ts'
import { openValues, publishRelease } from './deploy.service.ts'
import { deployArgs, helmFault, rollbackArgs, uninstallArgs } from './helm-args.ts'
import { objectsOf } from './manifest.ts'
import { dropPending, type HelmRecord, inForce, recordsOf } from './record.ts'
import { unsettledReleases } from './reconciling.ts'
import { refusedPods } from './refused-pods.ts'
import { imagesOfRecords } from './release-images.ts'
import {
  deleteRelease,
  findRelease,
  noteOutcome,
  type Outcome,
  putImages,
  type StoredRelease,
} from './releases.store.ts'
import { grantCharts } from './rights.ts'

/** Pause before the next round: while the cluster learns a right, after an outage, after helm was killed. */
const again = { grant: 500, outage: 5_000, killed: 2_000 }
/** How often a run renews its lease, several times within its duration. */
const renewMs = 5_000

/** Runs while the round holds the lease; once another round has it, this run is aborted. */
async function whileLeased<T>(ctx: Ctx, round: Round, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const lost = new AbortController()
  const renewing = setInterval(() => {
    round.mayWrite().then(
      (may) => may || lost.abort(new Error('another round has the release')),
      () => undefined,
    )
  }, renewMs)
  try {
    return await run(AbortSignal.any([ctx.signal, lost.signal]))
  } finally {
    clearInterval(renewing)
  }
}

/** Arguments and files for helm. */
async function commandOf(ctx: Ctx, release: StoredRelease) {
  if (release.state === 'uninstalling') return { args: uninstallArgs(release), files: {} }
  if (release.state === 'rolling-back') return { args: rollbackArgs(release, release.target ?? 0), files: {} }
  const repository = mustExist(
    release.repositoryId === null ? undefined : await findRepository(ctx.db, release.repositoryId),
  )
  const { archive } = await openChart(ctx, repository, release.chart, release.version)
  return { args: deployArgs(release), files: { 'chart.tgz': archive, 'values.yaml': openValues(ctx, release.given) } }
}

/** helm succeeds once the cluster has accepted the objects; only later does it show whether their pods may run. */
async function ending(
  { kube }: Cluster,
  now: HelmRecord | undefined,
  { namespace }: StoredRelease,
  signal: AbortSignal,
) {
  const refused = now ? await refusedPods(kube, namespace, objectsOf(now.manifest, namespace), signal) : []
  const [first] = refused
  if (!first) return { state: 'deployed', reason: null } as const
  const objects = refused.map(({ object }) => object).join(', ')
  return { state: 'failed', reason: { key: 'helm-short', vars: { objects, message: first.message } } } as const
}

/** After a rollback the release has the chart and values of that revision. */
async function outcomeOf(
  ctx: Ctx,
  cluster: Cluster,
  records: readonly HelmRecord[],
  release: StoredRelease,
  signal: AbortSignal,
): Promise<Outcome> {
  const now = inForce(records)
  const done = await ending(cluster, now, release, signal)
  if (release.state !== 'rolling-back' || !now) return done
  return { ...done, chart: now.chart.name, version: now.chart.version, given: seal(ctx, dump(now.config)) }
}

/** Whether helm was killed rather than refused: then the work continues. */
const wasKilled = (error: unknown): boolean => error instanceof Fault && error.key === 'helm-killed'

async function act(ctx: Ctx, cluster: Cluster, kube: Kube, release: StoredRelease, round: Round): Promise<number> {
  const { namespace, name } = release
  const command = await commandOf(ctx, release)
  if (!(await round.mayWrite())) return 0
  await dropPending(kube, namespace, name)
  try {
    const end = await whileLeased(ctx, round, (signal) =>
      ctx.ports.helm.run({ kube, namespace, anywhere: release.elevated, ...command, signal }),
    )
    if (end.code !== 0) throw helmFault(end)
  } catch (error) {
    // helm refuses everything while a record says that a run is pending
    if (error instanceof Fault && !wasKilled(error) && (await round.mayWrite()))
      await dropPending(kube, namespace, name)
    throw error
  }
  const isGone = release.state === 'uninstalling'
  const records = isGone ? [] : await recordsOf(kube, namespace, name)
  const outcome = await whileLeased(ctx, round, (signal) => outcomeOf(ctx, cluster, records, release, signal))
  await round.note(async (ctx) => {
    if (isGone) await deleteRelease(ctx.db, release.id)
    else {
      await noteOutcome(ctx.db, release.id, outcome)
      await putImages(ctx.db, release.id, imagesOfRecords(records))
    }
    await publishRelease(ctx, release, isGone ? 'deleted' : outcome.state)
  })
  return 0
}

/**
 * Runs helm for a release until it is deployed, rolled back or deleted. If helm or this server is killed, a pending
 * record is left; the next round deletes it and runs again over what exists already.
 */
async function reconcileRelease(ctx: Ctx, { id }: { id: number }, round: Round): Promise<number> {
  const release = await findRelease(ctx.db, id)
  const stack = release && (await findStack(ctx.db, release.stackId))
  if (!release || !stack || ['deployed', 'failed'].includes(release.state)) return 0
  const become = (outcome: Outcome) =>
    round.note(async (ctx) => {
      await noteOutcome(ctx.db, id, outcome)
      await publishRelease(ctx, release, outcome.state)
    })
  try {
    const cluster = await clusterOf(ctx, stack.envId)
    const team = cluster.kube.as(identityOf(stack.teamId, release.actor))
    if (!(await round.mayWrite())) return 0
    if (!(await grantCharts(cluster, team, placeOf(stack)))) return again.grant
    return await act(ctx, cluster, release.elevated ? cluster.kube : team, release, round)
  } catch (error) {
    if (ctx.signal.aborted) return 0
    const fault = kubeFault(error)
    if (!(fault instanceof Fault)) throw error
    ctx.log.warn({ err: error, release: id }, 'a release was not settled')
    const isOutage = wasKilled(error) || (error !== fault && !isKube(error, 'invalid', 'forbidden', 'quota', 'policy'))
    await become({ state: isOutage ? release.state : 'failed', reason: reasonOf(fault) })
    return wasKilled(error) ? again.killed : again.outage
  }
}

export const releaseReconciler = reconciler(unsettledReleases, reconcileRelease)
