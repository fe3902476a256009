import type { JiraConfig, JiraInput } from '@gantry/contract/trackers/jira'
import { sql } from 'kysely'
import { jsonb } from '../../db/json.ts'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'
import type { Reason } from '../../kernel/phrase.ts'

const columns = [
  'jira.id',
  'jira.name',
  'jira.url',
  'jira.kind',
  'jira.email',
  'jira.token',
  'jira.all_teams as allTeams',
  sql<JiraConfig['teams']>`coalesce((select jsonb_agg(jsonb_build_object('id', team.id, 'name', team.name)
    order by ${byName('team.name')}) from jira_team given join team on team.id = given.team_id
    where given.jira_id = jira.id), '[]')`.as('teams'),
  'jira.projects',
  'jira.comment',
  'jira.transition',
  'jira.enabled',
  'jira.version',
  'jira.login',
  'jira.checked_at as checkedAt',
  'jira.problem',
  'jira.revision',
  'jira.created_at as createdAt',
  'jira.updated_at as updatedAt',
] as const

const rows = (db: Db) => db.selectFrom('jira').select(columns)

/** As stored: the token is encrypted, and the problem is a reason. */
export type StoredJira = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

/** With `lock` the row stays locked until the transaction ends. */
export const findJira = (db: Db, id: number, { lock = false } = {}): Promise<StoredJira | undefined> =>
  rows(db)
    .where('jira.id', '=', id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst()

/** The only connection to TAPD. */
export const findTapd = (db: Db, { lock = false } = {}): Promise<StoredJira | undefined> =>
  rows(db)
    .where('jira.kind', '=', 'tapd')
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst()

const orders = { name: byName('jira.name'), checkedAt: sql.ref('jira.checked_at') }

export async function listJiras(
  db: Db,
  keyword: string,
  { by, direction }: { by: keyof typeof orders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<{ items: StoredJira[]; total: number }> {
  const of = db
    .selectFrom('jira')
    .where('jira.kind', '<>', 'tapd')
    .$if(keyword !== '', (q) => q.where(anyContains(['jira.name', 'jira.url'], keyword)))
  const items = await of
    .select(columns)
    .orderBy(orders[by], direction)
    .orderBy('jira.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return { items, total: await countMatches(db, of) }
}

/** The connections that a team uses. */
export const jirasOfTeam = (db: Db, teamId: number): Promise<StoredJira[]> =>
  rows(db)
    .where('jira.enabled', '=', true)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('jira.all_teams', '=', true),
        exists(
          selectFrom('jira_team')
            .select('jira_id')
            .whereRef('jira_team.jira_id', '=', 'jira.id')
            .where('jira_team.team_id', '=', teamId),
        ),
      ]),
    )
    .orderBy('jira.id')
    .execute()

/** A connection to a Jira, or to TAPD. */
export type Connection = Omit<JiraInput, 'kind'> & { kind: StoredJira['kind']; enabled?: boolean }

export interface Checked {
  version: string
  login: string
}

const values = ({ teams: _, allTeams, ...input }: Connection, { version, login }: Checked) => ({
  ...input,
  all_teams: allTeams,
  version,
  login,
  checked_at: sql<string>`now()`,
  problem: null,
})

async function writeTeams(db: Db, jiraId: number, { allTeams, teams }: Connection): Promise<void> {
  await db.deleteFrom('jira_team').where('jira_id', '=', jiraId).execute()
  if (allTeams || teams.length === 0) return
  const given = [...new Set(teams)].map((team_id) => ({ jira_id: jiraId, team_id }))
  await db.insertInto('jira_team').values(given).execute()
}

/** The token of `input` is encrypted, here and in the next. */
export async function insertJira(db: Db, input: Connection, checked: Checked): Promise<number> {
  const { id } = await db.insertInto('jira').values(values(input, checked)).returning('id').executeTakeFirstOrThrow()
  await writeTeams(db, id, input)
  return id
}

export async function updateJira(db: Db, id: number, input: Connection, checked: Checked): Promise<void> {
  await db
    .updateTable('jira')
    .set({ ...values(input, checked), revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  await writeTeams(db, id, input)
}

export const deleteJira = (db: Db, id: number) => db.deleteFrom('jira').where('id', '=', id).execute()

/** Stores the result of a check, unless the connection was changed meanwhile. */
export const noteCheck = (db: Db, id: number, revision: number, found: Checked | Reason) =>
  db
    .updateTable('jira')
    .set({ checked_at: sql`now()`, ...('key' in found ? { problem: jsonb(found) } : { ...found, problem: null }) })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .execute()
