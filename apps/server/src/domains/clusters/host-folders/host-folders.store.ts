import { sql } from 'kysely'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { stackReleaseRows } from '../../blueprints/public.read.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

export interface FolderRow {
  id: number
  path: string
  teamId: number
  team: string
  readOnly: boolean
  /** No service may begin to use it; its claims and volumes are still to be deleted. */
  closing: boolean
  openedBy: string
  openedAt: string
}

/** The open folders of a cluster, or of one team there. */
export const foldersOf = (db: Db, clusterId: string, teamId?: number): Promise<FolderRow[]> =>
  db
    .selectFrom('host_folder as folder')
    .innerJoin('team', 'team.id', 'folder.team_id')
    .select([
      'folder.id',
      'folder.path',
      'folder.team_id as teamId',
      'team.name as team',
      'folder.read_only as readOnly',
      'folder.closing',
      'folder.opened_by as openedBy',
      'folder.opened_at as openedAt',
    ])
    .where('folder.environment', '=', clusterId)
    .$if(teamId !== undefined, (q) => q.where('folder.team_id', '=', teamId ?? 0))
    .orderBy('folder.path')
    .orderBy(byName('team.name'))
    .execute()

/** The open folders of a team, which stay open until this transaction ends. */
export const holdFolders = (db: Db, clusterId: string, teamId: number, paths: readonly string[]) =>
  db
    .selectFrom('host_folder')
    .select(['path', 'read_only as readOnly'])
    .where('environment', '=', clusterId)
    .where('team_id', '=', teamId)
    .where('path', 'in', paths)
    .where('closing', '=', false)
    .forShare()
    .execute()

export const insertFolder = async (
  db: Db,
  folder: Pick<FolderRow, 'path' | 'teamId' | 'readOnly' | 'openedBy'> & { environment: string },
): Promise<number> =>
  (
    await db
      .insertInto('host_folder')
      .values({
        environment: folder.environment,
        team_id: folder.teamId,
        path: folder.path,
        read_only: folder.readOnly,
        opened_by: folder.openedBy,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** Once this transaction has ended, no service can begin to use the folder. */
export const beginClosing = (db: Db, id: number) =>
  db.updateTable('host_folder').set({ closing: true }).where('id', '=', id).execute()

export const deleteFolder = (db: Db, id: number) => db.deleteFrom('host_folder').where('id', '=', id).execute()

/** Services of a cluster that use folders of its hosts, or would do so after a rollback of theirs or of a release. */
export async function folderUsers(
  db: Db,
  clusterId: string,
): Promise<{ path: string; teamId: number; service: string }[]> {
  const { rows } = await sql<{ path: string; teamId: number; service: string }>`
    select distinct volume->>'folder' as path, stack.team_id as "teamId", stack.name || '/' || held.name as service
    from (
      select stack_id, name, coalesce(spec->'volumes', '[]') || coalesce(previous_spec->'volumes', '[]') as volumes from ${serviceRows} service
      union all
      select stack_id, kept.key, coalesce(kept.value->'spec'->'volumes', '[]')
      from ${stackReleaseRows} release, jsonb_each(before) as kept where state = 'open'
    ) as held join ${stackRows} stack on stack.id = held.stack_id, jsonb_array_elements(held.volumes) as volume
    where stack.environment = ${clusterId} and volume->>'type' = 'host'
    order by service`.execute(db)
  return rows
}

/** The namespaces of a team's stacks on a cluster. */
export const namespacesOfTeam = async (db: Db, clusterId: string, teamId: number): Promise<string[]> =>
  (
    await db
      .selectFrom(stackRows.as('stack'))
      .select('namespace')
      .where('environment', '=', clusterId)
      .where('team_id', '=', teamId)
      .execute()
  ).map(({ namespace }) => namespace)
