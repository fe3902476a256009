import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

interface Ancestor {
  pipelineId: number
  name: string
}

/** The pipelines of a build and its ancestors (the builds whose steps started it), its own first. */
export async function ancestorsOf(db: Db, buildId: number): Promise<Ancestor[]> {
  const { rows } = await sql<Ancestor>`
    with recursive way as (
      select id, pipeline_id, parent_id, 0 as depth from build where id = ${buildId}
      union all
      select build.id, build.pipeline_id, build.parent_id, depth + 1
      from way join build on build.id = way.parent_id where depth < 100
    )
    select way.pipeline_id as "pipelineId", pipeline.name
    from way join pipeline on pipeline.id = way.pipeline_id order by depth`.execute(db)
  return rows
}

interface Reached extends Ancestor {
  /** The names of the pipelines on a cycle back to `own`; empty if there is none. */
  way: string[]
}

/** The team's pipelines among these, each with the names on a cycle by which its steps lead back to `own`. */
export async function pipelinesAmong(db: Db, teamId: number, own: number, ids: readonly number[]): Promise<Reached[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Reached>`
    with recursive way as (
      select id as start, id, array[name] as names, array[id] as ids, definition from pipeline
      where team_id = ${teamId} and id = any(${ids}::int[])
      union all
      select way.start, pipeline.id, way.names || pipeline.name, way.ids || pipeline.id, pipeline.definition
      from way
      cross join lateral jsonb_path_query(way.definition, 'strict $.**.steps[*] ? (@.type == "pipeline").pipelineId') as next
      join pipeline on pipeline.id = (next #>> '{}')::int and pipeline.team_id = ${teamId}
      where way.id <> ${own} and not pipeline.id = any(way.ids) and cardinality(way.ids) < 20
    )
    select distinct on (start) start as "pipelineId", names[1] as name,
      case when id = ${own} then names else '{}' end as way
    from way order by start, id = ${own} desc, cardinality(names)`.execute(db)
  return rows
}
