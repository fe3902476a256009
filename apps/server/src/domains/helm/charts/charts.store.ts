import type { Chart, ChartVersion, IndexedChart } from '@gantry/contract/helm/charts'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, byName, countMatches, sorting } from '../../../db/list.ts'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'

/** Rows per statement, so that statements stay small for any index. */
const atOnce = 5_000

function* partsOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += atOnce) yield rows.slice(at, at + atOnce)
}

/** Replaces the charts of a repository, in the caller's transaction. */
export async function replaceCharts(db: Db, repositoryId: number, charts: readonly IndexedChart[]): Promise<void> {
  await db.deleteFrom('helm_chart').where('repository_id', '=', repositoryId).execute()
  await db.deleteFrom('helm_chart_version').where('repository_id', '=', repositoryId).execute()
  const heads = charts.map(({ name, versions, shown }) => ({ ...shown, name, versions: versions.length }))
  for (const part of partsOf(heads))
    await sql`
      insert into helm_chart (repository_id, name, version, app_version, description, icon, deprecated, versions)
      select ${repositoryId}, name, version, "appVersion", description, icon, deprecated, versions
      from jsonb_to_recordset(${jsonb(part)}) as given (name text, version text, "appVersion" text, description text,
        icon text, deprecated boolean, versions int)`.execute(db)
  const rows = charts.flatMap(({ name, versions }) =>
    versions.map(({ description: _, ...version }, position) => ({ ...version, name, position })),
  )
  for (const part of partsOf(rows))
    await sql`
      insert into helm_chart_version
        (repository_id, name, position, version, app_version, icon, created, digest, url, deprecated)
      select ${repositoryId}, name, position, version, "appVersion", icon, created, digest, url, deprecated
      from jsonb_to_recordset(${jsonb(part)}) as given (name text, position int, version text, "appVersion" text,
        icon text, created timestamptz, digest text, url text, deprecated boolean)`.execute(db)
  await db
    .updateTable('helm_repository')
    .set({ read_at: sql`now()`, problem: null })
    .where('id', '=', repositoryId)
    .execute()
}

export async function listCharts(
  db: Db,
  repositoryId: number,
  { keyword, sort }: { keyword: string; sort: string | undefined },
  at: Page,
): Promise<List<Chart>> {
  const { direction } = sorting(sort, ['name'])
  const of = db
    .selectFrom('helm_chart')
    .where('repository_id', '=', repositoryId)
    .$if(keyword !== '', (q) => q.where(anyContains(['name', 'description'], keyword)))
  const items = await of
    .select(['name', 'version', 'app_version as appVersion', 'description', 'deprecated', 'versions'])
    .orderBy(byName('name'), direction)
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of), at)
}

export async function listVersions(
  db: Db,
  repositoryId: number,
  chart: string,
  keyword: string,
  at: Page,
): Promise<List<ChartVersion>> {
  const of = db
    .selectFrom('helm_chart_version')
    .where('repository_id', '=', repositoryId)
    .where('name', '=', chart)
    .$if(keyword !== '', (q) => q.where(anyContains(['version', 'app_version'], keyword)))
  const items = await of
    .select(['version', 'app_version as appVersion', 'created', 'deprecated'])
    .orderBy('position')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of), at)
}

export const findVersion = (db: Db, repositoryId: number, chart: string, version: string) =>
  db
    .selectFrom('helm_chart_version')
    .select(['version', 'url', 'digest', 'icon'])
    .where('repository_id', '=', repositoryId)
    .where('name', '=', chart)
    .where('version', '=', version)
    .orderBy('position')
    .executeTakeFirst()
