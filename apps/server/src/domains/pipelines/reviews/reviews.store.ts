import type { List } from '@gantry/contract/paging'
import type { Reviewers } from '@gantry/contract/pipelines/pipelines'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../../db/tables.gen.ts'
import { countMatches } from '../../../db/list.ts'
import type { Actor } from '../../../kernel/context.ts'
import { listed, type Page } from '../../../kernel/paging.ts'

type Db = Kysely<Tables>

export const insertReview = (
  db: Db,
  { buildId, pipelineId, review }: { buildId: number; pipelineId: number; review: Reviewers },
) =>
  db
    .insertInto('build_review')
    .values({
      build_id: buildId,
      pipeline_id: pipelineId,
      needed: review.count,
      users: review.users,
      roles: review.roles,
    })
    .execute()

const Votes = z.array(
  z.object({
    accountId: z.number().nullable(),
    name: z.string(),
    pass: z.boolean(),
    reason: z.string(),
    at: z.string(),
  }),
)

/** A review of a build that was stopped meanwhile is over as well. */
const state = sql<'waiting' | 'passed' | 'rejected' | 'cancelled'>`
  case when build_review.state = 'waiting' and build.state in ('success', 'failed', 'aborted') then 'cancelled'
    else build_review.state end`

const rows = (db: Db) =>
  db
    .selectFrom('build_review')
    .innerJoin('build', 'build.id', 'build_review.build_id')
    .select([
      'build.id as buildId',
      'build.number',
      'build.team_id as teamId',
      state.as('state'),
      'build.cause',
      'build.user_cause as requestedBy',
      'build.user_id as requesterId',
      'build.queued_at as requestedAt',
      'build.branch',
      'build.tag',
      'build_review.needed',
      'build_review.users',
      'build_review.roles',
      sql`coalesce((
        select jsonb_agg(jsonb_build_object('accountId', account_id, 'name', account_name, 'pass', pass, 'reason', reason,
          'at', at) order by at)
        from build_review_vote where build_review_vote.build_id = build_review.build_id), '[]')`.as('votes'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

const parsed = ({ votes, ...row }: Row) => ({ ...row, votes: Votes.parse(votes) })
export type StoredReview = ReturnType<typeof parsed>

export async function listReviews(
  db: Db,
  pipelineId: number,
  filter: { state: string; number: number | undefined },
  at: Page,
): Promise<List<StoredReview>> {
  const of = rows(db)
    .where('build_review.pipeline_id', '=', pipelineId)
    .$if(filter.state !== '' && filter.state !== 'all', (q) => q.where(sql<boolean>`${state} = ${filter.state}`))
    .$if(filter.number !== undefined, (q) => q.where('build.number', '=', filter.number ?? 0))
  const items = await of.orderBy('build.number', 'desc').limit(at.limit).offset(at.offset).execute()
  return listed(items.map(parsed), await countMatches(db, of.clearSelect()), at)
}

/** The review of a build, as it is while its build is locked. */
export async function findReview(db: Db, buildId: number): Promise<StoredReview | undefined> {
  const row = await rows(db).where('build_review.build_id', '=', buildId).executeTakeFirst()
  return row && parsed(row)
}

/** The numbers of the builds that wait for their review. */
export const waitingReviews = async (db: Db, pipelineId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('build_review')
      .innerJoin('build', 'build.id', 'build_review.build_id')
      .select('build.number')
      .where('build_review.pipeline_id', '=', pipelineId)
      .where('build_review.state', '=', 'waiting')
      .where('build.state', '=', 'waiting')
      .orderBy('build.number')
      .limit(20)
      .execute()
  ).map(({ number }) => number)

export const insertVote = (
  db: Db,
  buildId: number,
  { actor, pass, reason }: { actor: Actor; pass: boolean; reason: string },
) =>
  db
    .insertInto('build_review_vote')
    .values({ build_id: buildId, account_id: actor.id, account_name: actor.name, pass, reason })
    .execute()

export const setReview = (db: Db, buildId: number, to: 'passed' | 'rejected') =>
  db.updateTable('build_review').set({ state: to }).where('build_id', '=', buildId).execute()

/** Whether a user has one of these roles in the team. */
export const hasRole = async (db: Db, teamId: number, userId: number, roles: number[]): Promise<boolean> =>
  (await db
    .selectFrom('team_member')
    .select('account_id')
    .where('team_id', '=', teamId)
    .where('account_id', '=', userId)
    .where(sql<boolean>`role_id = any(${roles}::int[])`)
    .executeTakeFirst()) !== undefined

/** Whether all of these are members, and roles, of the team. */
export async function areOfTeam(
  db: Db,
  teamId: number,
  { users, roles }: Pick<Reviewers, 'users' | 'roles'>,
): Promise<boolean> {
  const { rows } = await sql<{ fits: boolean }>`select
    (select count(*) from team_member where team_id = ${teamId} and account_id = any(${users}::int[])) = ${new Set(users).size}
    and (select count(*) from team_role where team_id = ${teamId} and id = any(${roles}::int[])) = ${new Set(roles).size}
    as fits`.execute(db)
  return rows[0]?.fits === true
}
