import type { InspectedChart } from '@gantry/contract/helm/charts'
import type { ChartContents } from '../../../adapters/helm/archive.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { accessOf, usableRepository } from '../repositories/repositories.service.ts'
import type { StoredRepository } from '../repositories/repositories.store.ts'
import { findVersion } from './charts.store.ts'

export interface OpenedChart {
  archive: Buffer
  contents: ChartContents
  /** URL of the picture, according to the index. */
  icon: string
}

/** Cached: users look at an archive repeatedly before they decide, and a version's archive never changes. */
const kept = new Map<string, OpenedChart>()
const maxKeptBytes = 64 * 1_048_576

function keep(key: string, chart: OpenedChart): void {
  kept.delete(key)
  kept.set(key, chart)
  let bytes = 0
  for (const { archive } of kept.values()) bytes += archive.length
  for (const [oldest, { archive }] of kept) {
    if (bytes <= maxKeptBytes) break
    kept.delete(oldest)
    bytes -= archive.length
  }
}

/** The archive of a version of a chart, with its contents. */
export async function openChart(
  ctx: Ctx,
  repository: StoredRepository,
  chart: string,
  version: string,
): Promise<OpenedChart> {
  const found = await findVersion(ctx.db, repository.id, chart, version)
  if (!found) throw new Fault('missing', 'helm-version-missing', { chart, version })
  const key = JSON.stringify([repository.id, repository.revision, chart, version, found.digest, found.url])
  const known = kept.get(key)
  if (known) return known
  const { charts } = ctx.ports
  const archive = await charts.archive(accessOf(ctx, repository), found, ctx.signal)
  const contents = await charts.contents(archive, ctx.signal)
  if (contents.library) throw new Fault('invalid', 'helm-chart-library', { chart })
  const opened = { archive, contents, icon: contents.icon === '' ? found.icon : contents.icon }
  keep(key, opened)
  return opened
}

export async function inspectChart(
  ctx: Ctx,
  {
    tenantId,
    repoName,
    chartName,
    version,
  }: { tenantId: number; repoName: string; chartName: string; version: string },
): Promise<InspectedChart> {
  const repository = await usableRepository(ctx, tenantId, repoName)
  const { contents, icon } = await openChart(ctx, repository, chartName, version)
  const { library: _, ...details } = contents
  return { ...details, icon: await ctx.ports.charts.icon(icon, ctx.signal) }
}
