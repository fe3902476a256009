import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import type { List } from '@gantry/contract/paging'
import { mask } from '@gantry/contract/validators'
import { type ExpressionBuilder, sql } from 'kysely'
import { anyContains, anyOf, onlyPage, sorting, withTotal } from '../../../db/list.ts'
import type { Db, Tables } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'

/** For a lateral join to `pipeline`. */
const newestBuild = (q: ExpressionBuilder<Tables, 'pipeline'>) =>
  q
    .selectFrom('build')
    .whereRef('build.pipeline_id', '=', 'pipeline.id')
    .select(['build.number', 'build.state', 'build.started_at', 'build.ended_at', 'build.cause', 'build.user_cause'])
    .orderBy('build.number', 'desc')
    .limit(1)
    .as('last')

/** A pipeline with its group's name and its newest build. */
const rows = (db: Db) =>
  db
    .selectFrom('pipeline')
    .innerJoin('pipeline_group', 'pipeline_group.id', 'pipeline.group_id')
    .leftJoinLateral(newestBuild, (join) => join.onTrue())

const columns = [
  'pipeline.id',
  'pipeline.uuid',
  'pipeline.group_id',
  'pipeline_group.name as group_name',
  'pipeline.team_id',
  'pipeline.name',
  'pipeline.description',
  'pipeline.repository_url',
  'pipeline.repository_branch',
  'pipeline.repository_username',
  sql<boolean>`pipeline.repository_password is not null`.as('has_password'),
  sql<boolean>`pipeline.repository_private_key is not null`.as('has_private_key'),
  'pipeline.repository_known_hosts',
  'pipeline.repository_credential_id',
  'pipeline.paused_at',
  'pipeline.paused_by',
  'pipeline.paused_reason',
  'pipeline.created_at',
  'pipeline.updated_at',
  'last.number as last_number',
  'last.state as last_state',
  'last.started_at as last_started_at',
  'last.ended_at as last_ended_at',
  'last.cause as last_cause',
  'last.user_cause as last_user_cause',
] as const

type Row = Awaited<ReturnType<typeof oneRow>>
const oneRow = (db: Db, id: number) => rows(db).select(columns).where('pipeline.id', '=', id).executeTakeFirstOrThrow()

const toPipeline = (row: Row): Pipeline => ({
  id: row.id,
  uuid: row.uuid,
  appId: row.group_id,
  groupName: row.group_name,
  teamId: row.team_id,
  projectName: row.name,
  description: row.description,
  repository:
    row.repository_url === null
      ? null
      : {
          url: row.repository_url,
          branch: row.repository_branch,
          username: row.repository_username,
          password: row.has_password ? mask : '',
          privateKey: row.has_private_key ? mask : '',
          knownHosts: row.repository_known_hosts,
          credentialId: row.repository_credential_id,
        },
  lastBuild:
    row.last_number === null || row.last_state === null
      ? null
      : {
          number: row.last_number,
          state: row.last_state,
          startedAt: row.last_started_at,
          endedAt: row.last_ended_at,
          cause: row.last_cause ?? '',
          userCause: row.last_user_cause ?? '',
        },
  paused: row.paused_at === null ? null : { by: row.paused_by, at: row.paused_at, reason: row.paused_reason },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const readPipeline = async (db: Db, id: number): Promise<Pipeline> => toPipeline(await oneRow(db, id))

export interface PipelineFilter {
  name: string
  groupId: number | undefined
  state: string
  /** A part of the repository's address. */
  repository?: string
}

const orders = {
  projectName: sql.ref('pipeline.natural_name'),
  updatedAt: sql.ref('pipeline.updated_at'),
  lastBuild: sql.ref('last.started_at'),
}

/** The team's pipelines that match a filter; joins the newest builds only if the filter or the order needs them. */
function matching(db: Db, teamId: number, filter: PipelineFilter) {
  const { repository = '' } = filter
  const plain = db
    .selectFrom('pipeline')
    .where('pipeline.team_id', '=', teamId)
    .$if(filter.name !== '', (q) => q.where(anyContains(['pipeline.name'], filter.name)))
    .$if(filter.groupId !== undefined, (q) => q.where('pipeline.group_id', '=', filter.groupId ?? 0))
    .$if(repository !== '', (q) => q.where(anyContains(['pipeline.repository_url'], repository)))
  const byState = filter.state !== '' && filter.state !== 'all'
  const withLast = plain
    .leftJoinLateral(newestBuild, (join) => join.onTrue())
    .$if(byState && filter.state === 'never', (q) => q.where('last.number', 'is', null))
    .$if(byState && filter.state !== 'never', (q) => q.where(sql<boolean>`last.state = ${filter.state}`))
  return { plain, withLast, byState }
}

/** The ids of up to `limit` pipelines that match a filter. */
export async function matchingPipelines(
  db: Db,
  teamId: number,
  filter: PipelineFilter,
  most: number,
): Promise<number[]> {
  const { plain, withLast, byState } = matching(db, teamId, filter)
  const ids = byState ? withLast.select('pipeline.id') : plain.select('pipeline.id')
  return (await ids.orderBy('pipeline.id').limit(most).execute()).map(({ id }) => id)
}

export async function listPipelines(
  db: Db,
  teamId: number,
  filter: PipelineFilter,
  sort: string | undefined,
  at: Page,
): Promise<List<Pipeline>> {
  const { by, direction } = sorting(sort, ['projectName', 'updatedAt', 'lastBuild'])
  const { plain, withLast, byState } = matching(db, teamId, filter)
  const order = direction === 'desc' ? sql`${orders[by]} desc nulls last` : orders[by]
  const onPage = (byState || by === 'lastBuild' ? withLast : plain)
    .select('pipeline.id')
    .orderBy(order)
    .orderBy('pipeline.id')
    .$call(onlyPage(at))
  const found = await withTotal(
    db,
    rows(db).select(columns).where(anyOf('pipeline.id', onPage)).orderBy(order).orderBy('pipeline.id'),
    byState ? withLast : plain,
    at,
    { narrowed: filter.name !== '' || byState || (filter.repository ?? '') !== '' },
  )
  return toList(found.rows.map(toPipeline), found.total, at)
}
