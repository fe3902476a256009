import type { BuildIssue } from '@gantry/contract/trackers/issues'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import { isOfFork } from '../builds/merge-request.store.ts'

const facts = [
  'build.id',
  'build.number',
  'build.draft',
  'build.branch',
  'build.commit_message as message',
  'build.team_id as teamId',
  isOfFork.as('fork'),
] as const

/** The parts of a build that may name issues. */
export const namingBuild = (db: Db, pipelineId: number, number: number) =>
  db
    .selectFrom('build')
    .select(facts)
    .where('pipeline_id', '=', pipelineId)
    .where('number', '=', number)
    .executeTakeFirst()
export type NamingBuild = NonNullable<Awaited<ReturnType<typeof namingBuild>>>

export const namingBuildById = (db: Db, buildId: number): Promise<NamingBuild> =>
  db.selectFrom('build').select(facts).where('id', '=', buildId).executeTakeFirstOrThrow()

/** An issue is not requested again within this time. */
const freshSeconds = 60

/** Claims the issues that this caller has to request: each goes to one caller a minute, whatever the answer. */
export async function takeUnread(db: Db, jiraId: number, keys: string[]): Promise<string[]> {
  const taken = await db
    .insertInto('jira_issue')
    .values(keys.map((key) => ({ jira_id: jiraId, key, state: 'reading' as const })))
    .onConflict((c) =>
      c
        .columns(['jira_id', 'key'])
        .doUpdateSet({ read_at: sql`now()` })
        .where('jira_issue.read_at', '<=', sql<string>`now() - make_interval(secs => ${freshSeconds})`),
    )
    .returning('key')
    .execute()
  return taken.map(({ key }) => key)
}

type Known = Pick<BuildIssue, 'title' | 'status' | 'category'> & { path: string }
export type Read = { state: 'known'; issue: Known } | { state: 'missing' } | { state: 'failed'; problem: Reason }

/** A failure keeps what was known before. */
export async function putRead(db: Db, jiraId: number, key: string, read: Read): Promise<void> {
  const none = { title: '', status: '', category: 'unknown', path: '' } as const
  await db
    .updateTable('jira_issue')
    .set({
      state: read.state,
      problem: read.state === 'failed' ? jsonb(read.problem) : null,
      ...(read.state === 'known' ? read.issue : read.state === 'missing' ? none : {}),
    })
    .where('jira_id', '=', jiraId)
    .where('key', '=', key)
    .execute()
}

export const knownIssues = (db: Db, jiraId: number, keys: string[]) =>
  db
    .selectFrom('jira_issue')
    .select(['key', 'state', 'title', 'status', 'category', 'path', 'problem'])
    .where('jira_id', '=', jiraId)
    .where('key', 'in', keys)
    .execute()

/** Deletes issues that nobody has viewed for a day. */
export async function forgetIssues(db: Db): Promise<void> {
  await db
    .deleteFrom('jira_issue')
    .where('read_at', '<', sql<string>`now() - interval '1 day'`)
    .execute()
}

/** The issues that a build updates, each with the outcome. */
export const issueUpdates = (db: Db, buildId: number) =>
  db
    .selectFrom('build_issue')
    .select(['jira_id as jiraId', 'key', 'state', 'problem'])
    .where('build_id', '=', buildId)
    .execute()

/** One row for each build and issue, however often the build ends. */
export const requestUpdates = (db: Db, buildId: number, wanted: { jiraId: number; key: string }[]) =>
  db
    .insertInto('build_issue')
    .values(wanted.map(({ jiraId, key }) => ({ build_id: buildId, jira_id: jiraId, key })))
    .onConflict((c) => c.doNothing())
    .execute()

/** A delivery may take so long before another attempt begins: longer than all its calls together. */
const leaseSeconds = 120

/** Claims the delivery that has been due longest. */
export async function takeDue(db: Db) {
  const due = db
    .selectFrom('build_issue')
    .select(['build_id', 'jira_id', 'key'])
    .where('state', '=', 'waiting')
    .where('next_at', '<=', sql<string>`now()`)
    .orderBy('next_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
  return db
    .with('due', () => due)
    .updateTable('build_issue')
    .from('due')
    .set({ next_at: sql`now() + make_interval(secs => ${leaseSeconds})`, attempts: sql`attempts + 1` })
    .whereRef('build_issue.build_id', '=', 'due.build_id')
    .whereRef('build_issue.jira_id', '=', 'due.jira_id')
    .whereRef('build_issue.key', '=', 'due.key')
    .returning(['build_issue.build_id as buildId', 'build_issue.jira_id as jiraId', 'build_issue.key'])
    .returning(['build_issue.commented', 'build_issue.moved', 'build_issue.moving_to as movingTo'])
    .returning('build_issue.attempts')
    .executeTakeFirst()
}
export type DueIssue = NonNullable<Awaited<ReturnType<typeof takeDue>>>

/** What a comment says about its build, and the ids for the link. */
export const placeOfBuild = (db: Db, buildId: number) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .innerJoin('pipeline_group', 'pipeline_group.id', 'pipeline.group_id')
    .select(['build.number', 'build.pipeline_id as pipelineId', 'pipeline.name as pipeline', 'build.team_id as teamId'])
    .select(['pipeline_group.id as groupId', 'pipeline_group.name as group'])
    .where('build.id', '=', buildId)
    .executeTakeFirst()

interface IssueUpdate {
  state?: BuildIssueState
  commented?: boolean
  moved?: boolean
  moving_to?: string
  problem?: Reason | null
  /** Seconds until the next attempt. */
  again?: number
}
type BuildIssueState = NonNullable<BuildIssue['told']>['state']

export const noteUpdate = (db: Db, { buildId, jiraId, key }: DueIssue, { problem, again, ...columns }: IssueUpdate) =>
  db
    .updateTable('build_issue')
    .set({
      ...columns,
      ...(problem === undefined ? {} : { problem: problem && jsonb(problem) }),
      ...(again === undefined ? {} : { next_at: sql`now() + make_interval(secs => ${again})` }),
    })
    .where('build_id', '=', buildId)
    .where('jira_id', '=', jiraId)
    .where('key', '=', key)
    .execute()
