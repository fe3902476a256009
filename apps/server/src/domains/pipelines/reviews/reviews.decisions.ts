import { sql } from 'kysely'
import { type Asker, decisionCap, type DecisionSource } from '../../../db/decisions.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { actsForName } from '../builds/builds.store.ts'
import { pathOfBuild } from '../builds/path.ts'
import { obstacleOf, requestersOf, reviewersOf } from './deciders.ts'
import { memberRows } from '../../teams/public.read.ts'

const waiting = (db: Db, { id, teams }: Asker) =>
  db
    .selectFrom('build_review')
    .innerJoin('build', 'build.id', 'build_review.build_id')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .innerJoin('team', 'team.id', 'build.team_id')
    .leftJoin(memberRows.as('me'), (join) =>
      join.onRef('me.team_id', '=', 'build.team_id').on('me.account_id', '=', id),
    )
    .select(['build.id as buildId', 'build_review.round', 'build.number', 'build.user_id as userId'])
    .select(['build.requesters', 'build_review.users', 'build_review.roles', 'me.role_id as roleId'])
    .select(['pipeline.id as pipelineId', 'pipeline.name as pipeline', 'pipeline.group_id as groupId'])
    .select(['team.id as teamId', 'team.name as teamName'])
    .select([
      sql<string>`coalesce(build_review.requested_by, ${actsForName})`.as('by'),
      sql<string>`coalesce(build_review.requested_at, build.queued_at)`.as('since'),
      sql<(number | null)[]>`array(select account_id from build_review_vote as vote
        where vote.build_id = build_review.build_id and vote.round = build_review.round)`.as('decided'),
    ])
    .where('build_review.state', '=', 'waiting')
    .where('build.state', '=', 'waiting')
    .where(sql<boolean>`build.team_id = any(${teams}::int[])`)
    .orderBy('build.id', 'desc')
    .limit(decisionCap)

type Row = Awaited<ReturnType<ReturnType<typeof waiting>['executeTakeFirstOrThrow']>>

const toDecision = (
  kind: 'review' | 'fork',
  { buildId, round, pipelineId, number, pipeline, by, since, ...row }: Row,
) => ({
  key: `${kind} ${buildId} ${round}`,
  text: { key: `decisions-${kind}`, vars: { pipeline, number } },
  team: { id: row.teamId, name: row.teamName },
  by,
  since,
  until: null,
  path: pathOfBuild({ teamId: row.teamId, groupId: row.groupId, pipelineId, number }),
  pipelineId,
  number,
})

export const reviewsThatWait: DecisionSource<'review'> = {
  kind: 'review',
  needs: ['pipeline_build_view', 'pipeline_review_operate'],
  async find(db, asker) {
    const rows = await waiting(db, asker).where('build_review.fork', '=', false).execute()
    return rows
      .filter((row) => {
        const named = reviewersOf(row)
        const question = { waits: true, named, requesters: requestersOf(row), decided: row.decided }
        return obstacleOf(question, { id: asker.id, roleId: row.roleId, holds: true }) === undefined
      })
      .map((row) => toDecision('review', row))
  },
}

export const forksThatWait: DecisionSource<'fork'> = {
  kind: 'fork',
  needs: ['pipeline_build_view', 'pipeline_build_execute'],
  find: async (db, asker) =>
    (await waiting(db, asker).where('build_review.fork', '=', true).execute()).map((row) => toDecision('fork', row)),
}
