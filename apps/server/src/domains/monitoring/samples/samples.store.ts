import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import { averagedDays, rawHours, rawSpanHours } from './partitions.ts'
import type { Sample } from './samples.ts'
import { clusterRows } from '../../clusters/public.read.ts'

const minute = 60_000
const hour = 60 * minute
/** Span of a row of raw figures: ten minutes. */
export const slotMs = 10 * minute

const iso = (at: number): string => new Date(at).toISOString()

type Key = Pick<Sample, 'expression' | 'namespace' | 'pod' | 'container' | 'host'>
const keyOf = ({ expression, namespace, pod, container, host }: Key): string =>
  [expression, namespace, pod, container, host].join('\0')

/** Series written per statement. */
const atOnce = 500

/**
 * Ids of the series; new ones are created. `most` and `seen_at` are updated, the latter once an hour: a series not seen
 * for so long is looked up as if it were new, so that pods that came and went cost nothing.
 */
async function seriesOf(db: Db, clusterId: string, samples: readonly Sample[]): Promise<Map<string, number>> {
  const known = await db
    .selectFrom('metric_series')
    .select(['id', 'expression', 'namespace', 'pod', 'container', 'host', 'most'])
    .where('environment', '=', clusterId)
    .where(sql<boolean>`seen_at >= now() - interval '1 hour'`)
    .execute()
  const by = new Map(known.map((row) => [keyOf(row as Key), row]))
  const changed = samples.filter((sample) => by.get(keyOf(sample))?.most !== sample.most)
  const ids = new Map([...by].map(([key, { id }]) => [key, id]))
  for (let at = 0; at < changed.length; at += atOnce) {
    const some = changed.slice(at, at + atOnce)
    for (const row of await follow(db, clusterId, some)) ids.set(keyOf(row), row.id)
    const fresh = some.filter((sample) => !ids.has(keyOf(sample)))
    for (const row of await make(db, clusterId, fresh)) ids.set(keyOf(row), row.id)
  }
  return ids
}

type Numbered = Key & { id: number }

/**
 * Updates the series that exist and returns only these. An insert would take an id for each, conflict or not, and use
 * up the sequence. Locked in the order of their ids, so that replicas wait for each other without a deadlock.
 */
async function follow(db: Db, clusterId: string, samples: readonly Sample[]): Promise<Numbered[]> {
  const all = (key: keyof Sample) => samples.map((sample) => sample[key])
  const { rows } = await sql<Numbered>`
    with held as (
      select metric_series.id, given.most
      from unnest(${all('expression')}::text[], ${all('namespace')}::text[], ${all('pod')}::text[],
        ${all('container')}::text[], ${all('host')}::text[], ${all('most')}::float8[])
        as given (expression, namespace, pod, container, host, most)
      join metric_series using (expression, namespace, pod, container, host)
      where environment = ${clusterId}
      order by metric_series.id
      for no key update of metric_series
    )
    update metric_series as series set most = held.most, seen_at = now()
    from held where series.id = held.id
    returning series.id, expression, namespace, pod, container, host`.execute(db)
  return rows
}

/** Also returns those that another replica has created meanwhile. */
async function make(db: Db, clusterId: string, samples: readonly Sample[]): Promise<Numbered[]> {
  if (samples.length === 0) return []
  const rows = await db
    .insertInto('metric_series')
    .values(samples.map(({ value: _, ...sample }) => ({ ...sample, environment: clusterId })))
    .onConflict((c) =>
      c.constraint('metric_series_of').doUpdateSet((set) => ({ most: set.ref('excluded.most'), seen_at: sql`now()` })),
    )
    .returning(['id', 'expression', 'namespace', 'pod', 'container', 'host'])
    .execute()
  return rows as Numbered[]
}

/**
 * Writes the figures of one minute. A repeated write replaces them: two replicas, or a run that was cut off and
 * repeated, do not double them.
 */
export async function writeSamples(db: Db, clusterId: string, at: number, samples: readonly Sample[]): Promise<void> {
  if (samples.length === 0) return
  const ids = await seriesOf(db, clusterId, samples)
  const slot = Math.floor(at / slotMs) * slotMs
  const place = Math.floor((at - slot) / minute) + 1
  const series = samples.map((sample) => ids.get(keyOf(sample)) ?? 0)
  const values = samples.map(({ value }) => value)
  await sql`
    insert into metric_raw (slot, series, points)
    select ${iso(slot)}::timestamptz, given.series, array_fill(null::real, array[${place - 1}::int]) || given.value
    from unnest(${series}::int[], ${values}::real[]) as given (series, value)
    order by given.series
    on conflict (series, slot) do update set points[${place}::int] = excluded.points[${place}::int]`.execute(db)
}

export interface Tried {
  /** Why there are no figures; null if there are. */
  reason: Reason | null
  /** Why there are none of pods; null if there are. */
  podsReason: Reason | null
  leftOut: number
}

/** `at` is by the database's clock, so that replicas agree. */
export const noteTried = (db: Db, clusterId: string, at: number, { reason, podsReason, leftOut }: Tried) => {
  const row = {
    tried_at: iso(at),
    reason: reason && jsonb(reason),
    ...(reason ? {} : { sampled_at: iso(at), left_out: leftOut, pods_reason: podsReason && jsonb(podsReason) }),
  }
  return db
    .insertInto('monitoring_sampling')
    .values({ environment: clusterId, ...row })
    .onConflict((c) => c.column('environment').doUpdateSet(row))
    .execute()
}

/** `fresh`: whether the last attempt was recent. Attempts are made every minute, so otherwise nobody samples. */
export const findTried = (db: Db, clusterId: string) =>
  db
    .selectFrom('monitoring_sampling')
    .select(['sampled_at as sampledAt', 'reason', 'pods_reason as podsReason', 'left_out as leftOut'])
    .select(sql<boolean>`tried_at > now() - interval '5 minutes'`.as('fresh'))
    .where('environment', '=', clusterId)
    .executeTakeFirst()

/** Averages completed hours that are not averaged yet; each hour once, by whichever replica. */
export const averageHours = (db: Db, now: number): Promise<number> =>
  db.transaction().execute(async (tx) => {
    // five minutes late, as samples may be; to find only the hours that have figures would mean reading them all
    const first = Math.floor((now - 5 * minute) / hour) * hour
    const { rows } = await sql<{ hour: string }>`
      insert into metric_averaged (hour)
      select ${iso(first)}::timestamptz - make_interval(hours => ago)
      from generate_series(1, ${rawHours + rawSpanHours}::int) as ago
      on conflict do nothing
      returning hour`.execute(tx)
    if (rows.length > 0)
      for (const { uuid } of await tx.selectFrom(clusterRows.as('environment')).select('uuid').execute())
        for (const { hour } of rows) await averageHour(tx, uuid, hour)
    const old = iso(now - (averagedDays + 1) * 86_400_000)
    await tx.deleteFrom('metric_averaged').where('hour', '<', old).execute()
    await tx.deleteFrom('metric_series').where('seen_at', '<', old).execute()
    return rows.length
  })

/** A raw row has two spans of five minutes. */
const averageHour = (tx: Db, clusterId: string, hour: string) =>
  sql`
    with raw as (
      select slot, series, points from metric_raw
      join metric_series on metric_series.id = series and environment = ${clusterId}
      where slot >= ${hour}::timestamptz and slot < ${hour}::timestamptz + interval '1 hour'
    )
    insert into metric_hour (hour, series, points)
    select ${hour}::timestamptz, of.series, array_agg(
      (select avg(point)::real from unnest(raw.points[five % 2 * 5 + 1 : five % 2 * 5 + 5]) as point) order by five)
    from (select distinct series from raw) as of
    cross join generate_series(0, 11) as five
    left join raw on raw.series = of.series
      and raw.slot = ${hour}::timestamptz + make_interval(mins => five / 2 * 10)
    group by of.series
    on conflict (series, hour) do update set points = excluded.points`.execute(tx)
