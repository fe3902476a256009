import { sql } from 'kysely'
import { decisionCap, type DecisionSource } from '../../../db/decisions.ts'
import { readCopy, waitsForPerson } from '../copies/copy.ts'
import { pathOfService } from '../stacks/path.ts'

/** Upgrades to confirm or roll back, and steps of a copy that wait for a user. A release is decided as a whole. */
export const upgradesThatWait: DecisionSource<'upgrade'> = {
  kind: 'upgrade',
  needs: ['stack_service_view', 'stack_service_operate'],
  async find(db, { teams }) {
    const rows = await db
      .selectFrom('service')
      .innerJoin('stack', 'stack.id', 'service.stack_id')
      .innerJoin('team', 'team.id', 'stack.team_id')
      .select(['service.id', 'service.name', 'service.type', 'service.state', 'service.revision', 'service.copy'])
      .select(['service.changed_at as since', 'service.actor as by'])
      .select(['stack.id as stackId', 'stack.uuid', 'stack.name as stack', 'stack.environment as envId'])
      .select(['team.id as teamId', 'team.name as teamName'])
      .where('service.release_id', 'is', null)
      // in SQL, so that copies that are still starting do not use up the limit
      .where(
        sql<boolean>`(service.state = 'upgraded' or service.state = 'upgrading' and service.copy -> 'ended' = 'null'
          and service.copy ->> 'since' is not null and service.copy -> 'goOn' = 'false')`,
      )
      .where(sql<boolean>`stack.team_id = any(${teams}::int[])`)
      .orderBy('service.changed_at', 'desc')
      .limit(decisionCap)
      .execute()
    return rows.flatMap(({ id, name, type, state, envId, stack, stackId, uuid, teamId, teamName, ...row }) => {
      const copy = readCopy(row.copy)
      const step = state === 'upgrading'
      if (step && !(copy && waitsForPerson(copy))) return []
      return {
        key: `upgrade ${id} ${row.revision}${step ? ` ${copy?.step}` : ''}`,
        text: { key: step ? 'decisions-upgrade-step' : 'decisions-upgrade', vars: { name, stack } },
        team: { id: teamId, name: teamName },
        by: row.by,
        since: (step && copy?.since) || row.since,
        until: null,
        path: pathOfService({ teamId, envId, stackId, stackUuid: uuid, stackName: stack, id, name, type }),
        teamId,
        envId,
        serviceId: id,
        name,
        step,
      }
    })
  },
}
