import { Approval } from '@gantry/contract/pipelines/definition'
import { sql } from 'kysely'
import { decisionCap, type DecisionSource } from '../../../db/decisions.ts'
import { actsForName } from '../builds/builds.store.ts'
import { pathOfBuild } from '../builds/path.ts'
import { Approvers, namedBy } from '../reviews/approvers.ts'
import { excludedFrom, obstacleOf, permissionOf } from '../reviews/deciders.ts'
import { memberRows } from '../../teams/public.read.ts'

/** Stages of one mode that wait for people. */
const stagesThatWait = <K extends 'approval' | 'start'>(
  kind: K,
  mode: 'approve' | 'manual',
): DecisionSource<'approval' | 'start'> & { kind: K } => ({
  kind,
  needs: ['pipeline_build_view', permissionOf(mode)],
  async find(db, { id, teams }) {
    const rows = await db
      .selectFrom('build_gate')
      .innerJoin('build', 'build.id', 'build_gate.build_id')
      .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
      .innerJoin('team', 'team.id', 'build.team_id')
      .leftJoin(memberRows.as('me'), (join) =>
        join.onRef('me.team_id', '=', 'build.team_id').on('me.account_id', '=', id),
      )
      .select(['build.id as buildId', 'stage', 'stage_index as stageIndex', 'opened_at as since', 'until', 'approval'])
      .select(['build.number', 'build.user_id as userId', 'build.requesters', 'build.approvers'])
      .select(['pipeline.id as pipelineId', 'pipeline.name as pipeline', 'pipeline.group_id as groupId'])
      .select(['me.role_id as roleId', 'team.id as teamId', 'team.name as teamName', actsForName.as('by')])
      .select(
        sql<(number | null)[]>`array(select account_id from build_decision as decision
          where decision.build_id = build_gate.build_id and decision.stage_index = build_gate.stage_index and counts)`.as(
          'decided',
        ),
      )
      .where('build_gate.state', '=', 'waiting')
      .where('build_gate.mode', '=', mode)
      .where('build.state', '=', 'waiting')
      .where(sql<boolean>`build.team_id = any(${teams}::int[])`)
      .orderBy('opened_at', 'desc')
      .limit(decisionCap)
      .execute()
    return rows
      .filter(({ decided, roleId, ...row }) => {
        const named = namedBy(Approval.parse(row.approval), Approvers.nullable().parse(row.approvers))
        return (
          obstacleOf(
            { waits: true, named, requesters: excludedFrom(mode, row), decided },
            { id, roleId, holds: true },
          ) === undefined
        )
      })
      .map(({ buildId, stage, stageIndex, pipeline, pipelineId, number, groupId, teamId, teamName, ...row }) => ({
        // a stage that is asked about again is another decision
        key: `${kind} ${buildId} ${stageIndex} ${row.since}`,
        text: { key: `decisions-${kind}`, vars: { pipeline, number, stage } },
        team: { id: teamId, name: teamName },
        by: row.by,
        since: row.since,
        until: row.until,
        path: pathOfBuild({ teamId, groupId, pipelineId, number }),
        pipelineId,
        number,
        stage,
      }))
  },
})

export const approvalsThatWait = stagesThatWait('approval', 'approve')
export const startsThatWait = stagesThatWait('start', 'manual')
