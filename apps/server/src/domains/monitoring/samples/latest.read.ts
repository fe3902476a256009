import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { podPattern } from '../metrics/promql.ts'

/** A service; its main container has the same name. */
export interface Measurable {
  id: number
  name: string
  namespace: string
}

export interface LatestUse {
  service: number
  resource: 'cpu' | 'memory'
  pod: string
  value: number
}

/**
 * The last usage of the services' main containers within three minutes: one figure per instance, in cores and bytes.
 * One statement for all services of a cluster.
 */
export async function latestSampled(db: Db, clusterId: string, services: readonly Measurable[]): Promise<LatestUse[]> {
  const { rows } = await sql<LatestUse>`
    select given.id as service, series.pod, last.value,
      case series.expression when 'container_cpu_usage' then 'cpu' else 'memory' end as resource
    from unnest(${services.map(({ id }) => id)}::int[], ${services.map(({ namespace }) => namespace)}::text[],
      ${services.map(({ name }) => name)}::text[], ${services.map(({ name }) => `^(${podPattern(name)})$`)}::text[])
      as given (id, namespace, name, pods)
    join metric_series as series on series.environment = ${clusterId}
      and series.expression in ('container_cpu_usage', 'container_memory_usage')
      and series.namespace = given.namespace and series.container = given.name and series.pod ~ given.pods
      and series.seen_at > now() - interval '2 hours'
    cross join lateral (
      select point as value
      from metric_raw as raw, unnest(raw.points) with ordinality as figure (point, at)
      where raw.series = series.id and raw.slot > now() - interval '15 minutes' and point is not null
        and raw.slot + make_interval(mins => at::int - 1) > now() - interval '3 minutes'
      order by raw.slot desc, at desc
      limit 1
    ) as last`.execute(db)
  return rows
}
