import type { Expression } from '@gantry/contract/monitoring/metrics'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { podPattern, type MetricScope } from '../metrics/promql.ts'
import { slotMs } from './samples.store.ts'

type Point = [number, number | null]

export interface Stored {
  id: number
  host: string
  namespace: string
  pod: string
  container: string
  /** The maximum of the figure; null if it is unknown or there is none. */
  most: number | null
}

const hourMs = 3_600_000
const iso = (at: number): string => new Date(at).toISOString()

/** A table of figures: how many milliseconds a row spans, and how many each of its figures. */
interface Resolution {
  table: 'metric_raw' | 'metric_hour'
  begins: 'slot' | 'hour'
  spans: number
  every: number
}
const minutes: Resolution = { table: 'metric_raw', begins: 'slot', spans: slotMs, every: 60_000 }
const fives: Resolution = { table: 'metric_hour', begins: 'hour', spans: hourMs, every: 5 * 60_000 }

/** Before this time only averages are sure to exist; they are computed soon after each hour. */
const rawSince = (now: number): number => Math.floor((now - 23 * hourMs) / hourMs) * hourMs

/** Matching series of an expression, at most `limit`, the most recently measured first. */
export async function matchingSeries(
  db: Db,
  {
    environment,
    expression,
    where,
    limit,
  }: { environment: string; expression: Expression; where: MetricScope; limit: number },
): Promise<{ series: Stored[]; truncated: boolean }> {
  const found = await db
    .selectFrom('metric_series')
    .select(['id', 'host', 'namespace', 'pod', 'container', 'most'])
    .where('environment', '=', environment)
    .where('expression', '=', expression)
    .$if(where.host !== undefined, (q) => q.where('host', '=', where.host ?? ''))
    .$if(where.namespaces !== undefined, (q) =>
      q.where(sql<boolean>`namespace = any(${[...(where.namespaces ?? [])]}::text[])`),
    )
    .$if(where.container !== undefined, (q) => q.where('container', '=', where.container ?? ''))
    .$call((q) => {
      const { pods } = where
      if (pods === undefined) return q
      return 'is' in pods ? q.where('pod', '=', pods.is) : q.where('pod', '~', `^(${podPattern(pods.of)})$`)
    })
    .orderBy(sql`date_trunc('hour', seen_at)`, 'desc')
    .orderBy('namespace')
    .orderBy('pod')
    .orderBy('container')
    .orderBy('host')
    .limit(limit + 1)
    .execute()
  return { series: found.slice(0, limit), truncated: found.length > limit }
}

/** Figures of these series, in order of time: per minute, and averages of five minutes from a day ago backwards. */
export async function pointsOf(
  db: Db,
  series: readonly Stored[],
  { from, to, now }: { from: number; to: number; now: number },
): Promise<ReadonlyMap<number, Point[]>> {
  const found = new Map(series.map(({ id }) => [id, [] as Point[]]))
  const ids = [...found.keys()]
  const read = async ({ table, begins, spans, every }: Resolution, from: number, to: number): Promise<void> => {
    if (from > to) return
    const begin = sql.ref(begins)
    const { rows } = await sql<{ series: number; at: string; points: (number | null)[] }>`
      select series, ${begin} as at, points from ${sql.table(table)}
      where series = any(${ids}::int[]) and ${begin} > ${iso(from - spans)} and ${begin} <= ${iso(to)}
      order by ${begin}`.execute(db)
    for (const row of rows) {
      const first = Date.parse(row.at)
      const points = found.get(row.series)
      for (const [place, value] of row.points.entries()) {
        const at = first + place * every
        if (at >= from && at <= to) points?.push([at, value])
      }
    }
  }
  const split = rawSince(now)
  await read(fives, from, Math.min(to, split - 1))
  await read(minutes, Math.max(from, split), to)
  return found
}

/** The capacity of hosts as last reported, in cores and bytes. */
export async function knownCapacities(
  db: Db,
  clusterId: string,
): Promise<Map<string, { cpu: number; memory: number }>> {
  const rows = await db
    .selectFrom('metric_series')
    .select('host')
    .select(sql<number | null>`max(most) filter (where expression = 'host_cpu_usage')`.as('cpu'))
    .select(sql<number | null>`max(most) filter (where expression = 'host_memory_usage')`.as('memory'))
    .where('environment', '=', clusterId)
    .where('expression', 'in', ['host_cpu_usage', 'host_memory_usage'])
    .groupBy('host')
    .execute()
  return new Map(
    rows.flatMap(({ host, cpu, memory }) => (cpu === null || memory === null ? [] : [[host, { cpu, memory }]])),
  )
}
