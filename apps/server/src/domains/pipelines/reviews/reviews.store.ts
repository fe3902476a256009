import type { List } from '@gantry/contract/paging'
import type { Reviewers } from '@gantry/contract/pipelines/pipelines'
import { sql } from 'kysely'
import { z } from 'zod'
import type { ReviewState } from '@gantry/contract/pipelines/reviews'
import type { Db } from '../../../db/tables.gen.ts'
import { countMatches } from '../../../db/list.ts'
import type { Actor } from '../../../kernel/context.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { reviewAfter } from './decision-states.ts'
import { memberRows, teamRoleRows } from '../../teams/public.read.ts'

/** The review of a pipeline, or of a fork's merge request. */
export type NewReview = Reviewers & { fork?: true }

interface Round {
  buildId: number
  pipelineId: number
  review: NewReview
  /** What requests the review; `by` is who. */
  cause: string
  by: string
}

/** Begins the next round of a build's review; cancels one that still waits. */
export async function insertReview(db: Db, { buildId, pipelineId, review, cause, by }: Round): Promise<void> {
  await db
    .updateTable('build_review')
    .set({ state: reviewAfter.waiting.retry, ended_at: sql`now()` })
    .where('build_id', '=', buildId)
    .where('state', '=', 'waiting')
    .execute()
  await db
    .insertInto('build_review')
    .values({
      build_id: buildId,
      round: sql<number>`(select coalesce(max(round), 0) + 1 from build_review where build_id = ${buildId})`,
      pipeline_id: pipelineId,
      needed: review.count,
      users: review.users,
      roles: review.roles,
      cause,
      requested_by: by,
      requested_at: sql`now()`,
      fork: review.fork === true,
    })
    .execute()
}

const Votes = z.array(
  z.object({
    accountId: z.number().nullable(),
    name: z.string(),
    pass: z.boolean(),
    reason: z.string(),
    at: z.string(),
  }),
)

/** A review of a build that was stopped meanwhile is cancelled as well. */
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
      'build_review.round',
      state.as('state'),
      'build.user_id as userId',
      'build.requesters',
      sql<string>`coalesce(build_review.cause, build.cause)`.as('cause'),
      sql<string>`coalesce(build_review.requested_by, build.user_cause)`.as('requestedBy'),
      sql<string>`coalesce(build_review.requested_at, build.queued_at)`.as('requestedAt'),
      'build.branch',
      'build.tag',
      'build_review.needed',
      'build_review.users',
      'build_review.fork',
      'build_review.roles',
      sql`coalesce((
        select jsonb_agg(jsonb_build_object('accountId', account_id, 'name', account_name, 'pass', pass, 'reason', reason,
          'at', at) order by at)
        from build_review_vote as vote
        where vote.build_id = build_review.build_id and vote.round = build_review.round), '[]')`.as('votes'),
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
  const items = await of
    .orderBy('build.number', 'desc')
    .orderBy('round', 'desc')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items.map(parsed), await countMatches(db, of.clearSelect()), at)
}

/** The last round of a build's review. The caller has locked the build. */
export async function findReview(db: Db, buildId: number): Promise<StoredReview | undefined> {
  const row = await rows(db)
    .where('build_review.build_id', '=', buildId)
    .orderBy('round', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && parsed(row)
}

/** Whether a build, whose row is locked, may not begin because its trigger has not passed its review. */
export const awaitsReview = async (db: Db, buildId: number): Promise<boolean> =>
  (await db
    .selectFrom('build_review')
    .select('round')
    .where('build_id', '=', buildId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()) !== undefined

/** The numbers of the builds that wait for their review. */
export const waitingReviews = async (db: Db, pipelineId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('build_review')
      .innerJoin('build', 'build.id', 'build_review.build_id')
      .select('build.number')
      .where('build_review.pipeline_id', '=', pipelineId)
      .where('build_review.state', '=', 'waiting')
      .where('build_review.fork', '=', false)
      .where('build.state', '=', 'waiting')
      .orderBy('build.number')
      .limit(20)
      .execute()
  ).map(({ number }) => number)

type Key = Pick<StoredReview, 'buildId' | 'round'>

export const insertVote = (
  db: Db,
  { buildId, round }: Key,
  { actor, pass, reason }: { actor: Actor; pass: boolean; reason: string },
) =>
  db
    .insertInto('build_review_vote')
    .values({ build_id: buildId, round, account_id: actor.id, account_name: actor.name, pass, reason })
    .execute()

export const setReview = (db: Db, { buildId, round }: Key, to: ReviewState) =>
  db
    .updateTable('build_review')
    .set({ state: to, ended_at: sql`now()` })
    .where('build_id', '=', buildId)
    .where('round', '=', round)
    .where('state', '=', 'waiting')
    .execute()

export const roleIn = async (db: Db, teamId: number, accountId: number): Promise<number | null> =>
  (
    await db
      .selectFrom(memberRows.as('team_member'))
      .select('role_id')
      .where('team_id', '=', teamId)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
  )?.role_id ?? null

interface Wanted {
  names: readonly string[]
  ids: readonly number[]
}

/** The members and roles of a team with these names or ids. */
export async function namedInTeam(
  db: Db,
  teamId: number,
  users: Wanted,
  roles: Wanted,
): Promise<Record<'users' | 'roles', { id: number; name: string }[]>> {
  return {
    users: await db
      .selectFrom(memberRows.as('team_member'))
      .innerJoin('account', 'account.id', 'team_member.account_id')
      .select(['account.id', 'account.user_name as name'])
      .where('team_id', '=', teamId)
      .where(sql<boolean>`(user_name = any(${users.names}::text[]) or account.id = any(${users.ids}::int[]))`)
      .execute(),
    roles: await db
      .selectFrom(teamRoleRows.as('team_role'))
      .select(['id', 'name'])
      .where('team_id', '=', teamId)
      .where(sql<boolean>`(name = any(${roles.names}::text[]) or id = any(${roles.ids}::int[]))`)
      .execute(),
  }
}

export async function namesOf(db: Db, teamId: number, { users, roles }: Pick<Reviewers, 'users' | 'roles'>) {
  if (users.length + roles.length === 0) return []
  const there = await namedInTeam(db, teamId, { names: [], ids: users }, { names: [], ids: roles })
  return [...there.users, ...there.roles].map(({ name }) => name)
}

/** Whether all of these are members and roles of the team. */
export async function areOfTeam(
  db: Db,
  teamId: number,
  { users, roles }: Pick<Reviewers, 'users' | 'roles'>,
): Promise<boolean> {
  const { rows } = await sql<{ fits: boolean }>`select
    (select count(*) from ${memberRows} team_member where team_id = ${teamId} and account_id = any(${users}::int[])) = ${new Set(users).size}
    and (select count(*) from ${teamRoleRows} team_role where team_id = ${teamId} and id = any(${roles}::int[])) = ${new Set(roles).size}
    as fits`.execute(db)
  return rows[0]?.fits === true
}
