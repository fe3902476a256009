import { ServiceType } from '@gantry/contract/stacks/spec'
import type { Db } from '../../../db/tables.gen.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

/** A service of a team, with where it runs. */
export interface TeamService {
  namespace: string
  envId: string
  stackId: number
  stackUuid: string
  stackName: string
  id: number
  name: string
  type: ServiceType
}

/** Services of the team's stacks on a cluster, if they hold their namespace. */
export const servicesOfTeam = async (db: Db, clusterId: string, teamId: number): Promise<TeamService[]> => {
  const rows = await db
    .selectFrom(serviceRows.as('service'))
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .select([
      'stack.namespace',
      'stack.environment as envId',
      'stack.id as stackId',
      'stack.uuid as stackUuid',
      'stack.name as stackName',
      'service.id',
      'service.name',
      'service.type',
    ])
    .where('stack.environment', '=', clusterId)
    .where('stack.team_id', '=', teamId)
    .orderBy('service.id')
    .execute()
  return rows.map((row) => ({ ...row, type: ServiceType.parse(row.type) }))
}
