import type { Source, SourceInput } from '@gantry/contract/monitoring/metrics'
import { brokenConstraint } from '../../../db/constraint.ts'
import { mustBeMadeOn, revisionOf } from '../../../db/revision.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { type Reader, sayTo } from '../../../kernel/phrase.ts'
import { lockCluster } from '../../clusters/public.ts'
import { clusterNamed } from '../metrics/scope.read.ts'
import { accessOf, keptCredentials, masked } from './credentials.service.ts'
import { findSource, putSource, type StoredSource, unset } from './sources.store.ts'

const slow: ReadonlySet<string> = new Set(['prometheus-slow', 'outbound-timeout'])

/** What is wrong with a Prometheus; only administrators learn its address and its message. */
export const sayFailure = (to: Reader, { key, vars }: Fault): string =>
  sayTo(to, { key, vars, plain: slow.has(key) ? 'monitoring-source-slow' : 'monitoring-source-down' })

async function nameOf(ctx: Ctx, clusterId: string): Promise<string> {
  const found = mustExist(await clusterNamed(ctx.db, clusterId))
  return found.name
}

const toSource = (stored: StoredSource): Source => ({ ...masked(stored), revision: revisionOf(stored) })

export async function readSource(ctx: Ctx, clusterId: string): Promise<Source> {
  await nameOf(ctx, clusterId)
  return toSource(await findSource(ctx.db, clusterId))
}

const withKeptCredentials = (ctx: Ctx, given: SourceInput, stored: StoredSource): StoredSource =>
  given.kind === 'sampled' ? unset : { ...given, ...keptCredentials(ctx, given, stored) }

/** A Prometheus is queried with these credentials before it is saved. */
export async function writeSource(
  ctx: Ctx,
  clusterId: string,
  { revision, ...given }: SourceInput & { revision?: string | undefined },
): Promise<Source> {
  note(ctx, { object: await nameOf(ctx, clusterId) })
  const before = await findSource(ctx.db, clusterId)
  note(ctx, { before: masked(before), after: given })
  const wanted = withKeptCredentials(ctx, given, before)
  if (wanted.kind === 'prometheus') await ctx.ports.prometheus.verify(accessOf(ctx, wanted), ctx.signal)
  await inTx(ctx, async (ctx) => {
    await lockCluster(ctx.db, clusterId, 'update')
    // a kept secret was asked with: it is saved where it is still the stored one
    mustBeMadeOn(revisionOf(await findSource(ctx.db, clusterId)), revision ?? revisionOf(before))
    await putSource(ctx.db, clusterId, wanted).catch(
      brokenConstraint('monitoring_source_environment_fkey', new Fault('missing', 'resource-missing')),
    )
  })
  return toSource(wanted)
}
