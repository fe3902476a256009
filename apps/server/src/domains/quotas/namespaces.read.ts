import type { Amount } from '@gantry/contract/quotas/quotas'
import { byName } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { clusterRows } from '../clusters/public.read.ts'
import { stackRows } from '../stacks/public.read.ts'

/** A stack's namespace with its share. */
export interface ShareRow {
  teamId: number
  envUuid: string
  envName: string
  namespace: string
  stack: { id: number; name: string }
  hard: Amount
}

/** The namespaces of these teams, on one cluster or on all. */
export async function namespaceShares(
  db: Db,
  { teamIds, environment }: { teamIds: readonly number[]; environment?: string | undefined },
): Promise<ShareRow[]> {
  if (teamIds.length === 0) return []
  const rows = await db
    .selectFrom(stackRows.as('stack'))
    .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'stack.environment')
    .select(['stack.id', 'stack.name', 'stack.team_id as teamId', 'stack.namespace', 'stack.cpu', 'stack.memory'])
    .select(['environment.uuid as envUuid', 'environment.name as envName'])
    .where('stack.team_id', 'in', teamIds)
    .$if(environment !== undefined, (q) => q.where('environment.uuid', '=', environment ?? ''))
    .orderBy(byName('environment.name'))
    .orderBy(byName('stack.namespace'))
    .execute()
  return rows.map(({ id, name, cpu, memory, ...row }) => ({ ...row, stack: { id, name }, hard: { cpu, memory } }))
}
