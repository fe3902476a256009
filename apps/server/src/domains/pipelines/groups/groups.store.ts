import type { Group, GroupVariables, TeamGroup } from '@gantry/contract/pipelines/groups'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import { anyContains, byName, countMatches, rowCount } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { StoredVariables } from '../pipelines/variables.ts'

const groupRows = (db: Db) =>
  db
    .selectFrom('pipeline_group')
    .select([
      'pipeline_group.id',
      'pipeline_group.team_id as teamId',
      'pipeline_group.name',
      'pipeline_group.description',
      'pipeline_group.created_at as createdAt',
      'pipeline_group.updated_at as updatedAt',
      'pipeline_group.updated_by as updatedBy',
    ])
    .select((q) =>
      q
        .selectFrom('pipeline')
        .whereRef('pipeline.group_id', '=', 'pipeline_group.id')
        .$call(rowCount)
        .as('pipelineNum'),
    )

export async function listGroups(db: Db, teamId: number, keyword: string, at: Page): Promise<List<Group>> {
  const matching = groupRows(db)
    .where('team_id', '=', teamId)
    .$if(keyword !== '', (q) => q.where(anyContains(['pipeline_group.name'], keyword)))
  const items = await matching.orderBy(byName('pipeline_group.name')).limit(at.limit).offset(at.offset).execute()
  return toList(items, await countMatches(db, matching.clearSelect()), at)
}

/** Groups of all teams; the keyword is searched in the names of groups and teams. */
export async function listAllGroups(db: Db, keyword: string, at: Page): Promise<List<TeamGroup>> {
  const matching = groupRows(db)
    .innerJoin('team', 'team.id', 'pipeline_group.team_id')
    .select('team.name as teamName')
    .$if(keyword !== '', (q) => q.where(anyContains(['pipeline_group.name', 'team.name'], keyword)))
  const items = await matching
    .orderBy(byName('team.name'))
    .orderBy(byName('pipeline_group.name'))
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, matching.clearSelect()), at)
}

export const findGroup = (db: Db, id: number): Promise<Group | undefined> =>
  groupRows(db).where('pipeline_group.id', '=', id).executeTakeFirst()

/** The ids of up to `limit` of a team's groups. */
export const someGroups = async (db: Db, teamId: number, limit: number): Promise<number[]> =>
  (await db.selectFrom('pipeline_group').select('id').where('team_id', '=', teamId).limit(limit).execute()).map(
    ({ id }) => id,
  )

export const groupNames = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> => {
  const rows = await db
    .selectFrom('pipeline_group')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export const groupTeam = async (db: Db, id: number): Promise<number | undefined> =>
  (await db.selectFrom('pipeline_group').select('team_id').where('id', '=', id).executeTakeFirst())?.team_id

/** Returns the new group's id; undefined if the team has a group with that name. */
export const insertGroup = async (
  db: Db,
  group: { teamId: number; name: string; description: string },
  by: string,
): Promise<number | undefined> =>
  (
    await db
      .insertInto('pipeline_group')
      .values({ team_id: group.teamId, name: group.name, description: group.description, updated_by: by })
      .onConflict((c) => c.constraint('pipeline_group_name').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateGroup = (db: Db, id: number, change: { name: string; description: string }, by: string) =>
  db
    .updateTable('pipeline_group')
    .set({ ...change, updated_at: sql`now()`, updated_by: by })
    .where('id', '=', id)
    .execute()

/** Violates the foreign key if the group still has pipelines. */
export const deleteGroup = (db: Db, id: number) => db.deleteFrom('pipeline_group').where('id', '=', id).execute()

export const countPipelines = async (db: Db, groupId: number): Promise<number> =>
  (
    await db
      .selectFrom('pipeline')
      .where('group_id', '=', groupId)
      .select((n) => n.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

/** With `lock` the rows stay locked until the transaction ends. */
export async function groupVariables(db: Db, id: number, { lock = false } = {}): Promise<GroupVariables> {
  const { variables, revision } = await db
    .selectFrom('pipeline_group')
    .select(['variables', 'variables_revision as revision'])
    .where('id', '=', id)
    .$if(lock, (q) => q.forNoKeyUpdate())
    .executeTakeFirstOrThrow()
  return { variables: StoredVariables.parse(variables), revision }
}

export const setGroupVariables = (db: Db, id: number, { variables, revision }: GroupVariables, by: string) =>
  db
    .updateTable('pipeline_group')
    .set({ variables: jsonb(variables), variables_revision: revision, updated_at: sql`now()`, updated_by: by })
    .where('id', '=', id)
    .execute()
