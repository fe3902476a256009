import type { SourceKind, TracingSource, TracingSourceInput } from '@gantry/contract/tracing/sources'
import type { ReadAccess } from '../../../adapters/outbound/read-api.ts'
import { brokenConstraint } from '../../../db/constraint.ts'
import { mustBeMadeOn, revisionOf } from '../../../db/revision.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { type Reader, say, sayTo } from '../../../kernel/phrase.ts'
import { lockCluster } from '../../clusters/public.ts'
import { accessOf, clusterNamed, keptCredentials, masked } from '../../monitoring/public.ts'
import { findSource, putSource, removeSource, type StoredSource } from './sources.store.ts'

const unset: StoredSource = { url: '', username: '', password: null, token: null, cluster: '', version: '' }

/** What is wrong with a server; only administrators learn its address and its message. */
export const sayFailure = (to: Reader, { key, vars }: Fault, kind: SourceKind): string =>
  key === 'outbound-too-large'
    ? say(to.lang, 'tracing-too-large')
    : sayTo(to, { key, vars, plain: kind === 'jaeger' ? 'tracing-jaeger-down' : 'tracing-kiali-down' })

async function nameOf(ctx: Ctx, clusterId: string): Promise<string> {
  const found = mustExist(await clusterNamed(ctx.db, clusterId))
  return found.name
}

const storedSource = async (ctx: Ctx, clusterId: string, kind: SourceKind): Promise<StoredSource> =>
  (await findSource(ctx.db, clusterId, kind)) ?? unset

const toTracingSource = (source: StoredSource): TracingSource => ({ ...masked(source), revision: revisionOf(source) })

export async function readSource(ctx: Ctx, clusterId: string, kind: SourceKind): Promise<TracingSource> {
  await nameOf(ctx, clusterId)
  return toTracingSource(await storedSource(ctx, clusterId, kind))
}

/** A server is called with these credentials before it is saved. */
export async function writeSource(
  ctx: Ctx,
  clusterId: string,
  kind: SourceKind,
  { revision, ...given }: TracingSourceInput & { revision?: string | undefined },
): Promise<TracingSource> {
  note(ctx, { object: await nameOf(ctx, clusterId) })
  const before = await storedSource(ctx, clusterId, kind)
  note(ctx, { before: { kind, ...masked(before) }, after: { kind, ...given } })
  const after = given.url === '' ? unset : await verifySource(ctx, kind, given, before)
  await inTx(ctx, async (ctx) => {
    await lockCluster(ctx.db, clusterId, 'update')
    // a kept secret was asked with: it is saved where it is still the stored one
    mustBeMadeOn(revisionOf(await storedSource(ctx, clusterId, kind)), revision ?? revisionOf(before))
    if (after === unset) await removeSource(ctx.db, clusterId, kind)
    else
      await putSource(ctx.db, clusterId, kind, after).catch(
        brokenConstraint('tracing_source_environment_fkey', new Fault('missing', 'resource-missing')),
      )
  })
  return toTracingSource(after)
}

async function verifySource(
  ctx: Ctx,
  kind: SourceKind,
  given: TracingSourceInput,
  before: StoredSource,
): Promise<StoredSource> {
  const wanted = { ...given, ...keptCredentials(ctx, given, before) }
  const { version } = await ctx.ports[kind].verify(accessOf(ctx, wanted), ctx.signal)
  return { ...wanted, version }
}

export interface SourceAnswer<T> {
  /** Whether the cluster has no such server. */
  unset: boolean
  notice: string
  value: T | undefined
}

/** Calls a cluster's server. One that is down does not fail the page: the answer is empty with a notice. */
export async function asking<T>(
  ctx: Ctx,
  clusterId: string,
  kind: SourceKind,
  ask: (access: ReadAccess, cluster: string) => Promise<T>,
): Promise<SourceAnswer<T>> {
  const source = await findSource(ctx.db, clusterId, kind)
  if (!source) return { unset: true, notice: '', value: undefined }
  try {
    return { unset: false, notice: '', value: await ask(accessOf(ctx, source), source.cluster) }
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === 'missing') throw error
    return { unset: false, notice: sayFailure(ctx, error, kind), value: undefined }
  }
}
