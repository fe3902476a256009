import { sql } from 'kysely'
import { decisionCap, type DecisionSource } from '../../../db/decisions.ts'
import { readyStates } from './releases.store.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

/** Releases that have finished and wait to be confirmed or rolled back. */
export const releasesThatWait: DecisionSource<'release'> = {
  kind: 'release',
  needs: ['stack_stack_view', 'stack_service_operate', 'stack_service_delete'],
  async find(db, { teams }) {
    const rows = await db
      .selectFrom('stack_release')
      .innerJoin(stackRows.as('stack'), 'stack.id', 'stack_release.stack_id')
      .innerJoin('team', 'team.id', 'stack.team_id')
      .select(['stack_release.id', 'stack_release.version', 'stack_release.by', 'stack_release.created_at as since'])
      .select(['stack.uuid', 'stack.name as stackName', 'stack.environment as envId'])
      .select(['team.id as teamId', 'team.name as teamName'])
      .where('stack_release.state', '=', 'open')
      .where(sql<boolean>`stack.team_id = any(${teams}::int[])`)
      .where((q) =>
        q.not(
          q.exists(
            q
              .selectFrom(serviceRows.as('service'))
              .select('service.id')
              .whereRef('service.stack_id', '=', 'stack.id')
              .where(sql<boolean>`service.name = any(stack_release.made || stack_release.changed)`)
              .where('service.state', 'not in', readyStates),
          ),
        ),
      )
      .orderBy('stack_release.id', 'desc')
      .limit(decisionCap)
      .execute()
    return rows.map(({ id, version, by, since, uuid, stackName, envId, teamId, teamName }) => ({
      key: `release ${id}`,
      text: { key: 'decisions-release', vars: { stack: stackName, version } },
      team: { id: teamId, name: teamName },
      by,
      since,
      until: null,
      path: `/teams/${teamId}/appcenter/env/${envId}/stack/${encodeURIComponent(stackName)}/${uuid}`,
      teamId,
      envId,
      stackName,
    }))
  },
}
