import { Approval } from '@gantry/contract/pipelines/definition'
import { type Kysely, sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import type { PlannedGate } from './plan.ts'

type Db = Kysely<Tables>

/** Begins to ask people about a stage, once. */
export const openGate = (db: Db, buildId: number, { stage, stageIndex, mode, approval }: PlannedGate) =>
  db
    .insertInto('build_gate')
    .values({
      build_id: buildId,
      stage_index: stageIndex,
      stage,
      mode,
      approval: jsonb(approval),
      until: approval.hours === undefined ? null : sql<string>`now() + make_interval(hours => ${approval.hours})`,
    })
    .onConflict((c) => c.doNothing())
    .execute()

export async function gatesOf(db: Db, buildId: number) {
  const rows = await db
    .selectFrom('build_gate')
    .select(['stage_index as stageIndex', 'stage', 'mode', 'approval', 'state', 'opened_at as openedAt', 'until'])
    .where('build_id', '=', buildId)
    .orderBy('stage_index')
    .execute()
  return rows.map(({ approval, ...row }) => ({ ...row, approval: Approval.parse(approval) }))
}

export const decisionsOf = (db: Db, buildId: number) =>
  db
    .selectFrom('build_decision')
    .select(['stage_index as stageIndex', 'name', 'pass', 'decided_at as at'])
    .where('build_id', '=', buildId)
    .orderBy('decided_at')
    .execute()

export const setGate = (db: Db, buildId: number, stageIndex: number, state: 'passed' | 'rejected' | 'expired') =>
  db
    .updateTable('build_gate')
    .set({ state })
    .where('build_id', '=', buildId)
    .where('stage_index', '=', stageIndex)
    .where('state', '=', 'waiting')
    .execute()

/** The build ended without the decision. */
export const closeGates = (db: Db, buildId: number) =>
  db
    .updateTable('build_gate')
    .set({ state: 'over' })
    .where('build_id', '=', buildId)
    .where('state', '=', 'waiting')
    .execute()

/** Stages that run again are asked about again. */
export const forgetGates = (db: Db, buildId: number, stages: number[]) =>
  db.deleteFrom('build_gate').where('build_id', '=', buildId).where('stage_index', 'in', stages).execute()

export const putDecision = (
  db: Db,
  decision: { buildId: number; stageIndex: number; accountId: number; name: string; pass: boolean },
) =>
  db
    .insertInto('build_decision')
    .values({
      build_id: decision.buildId,
      stage_index: decision.stageIndex,
      account_id: decision.accountId,
      name: decision.name,
      pass: decision.pass,
    })
    .execute()

export const expiredGates = (db: Db) =>
  db
    .selectFrom('build_gate')
    .select(['build_id as buildId', 'stage_index as stageIndex', 'stage'])
    .where('state', '=', 'waiting')
    .where('until', '<', sql<string>`now()`)
    .limit(100)
    .execute()

/** The name of the role that an account has in a team. */
export const roleIn = async (db: Db, teamId: number, accountId: number): Promise<string | undefined> =>
  (
    await db
      .selectFrom('team_member')
      .innerJoin('team_role', 'team_role.id', 'team_member.role_id')
      .select('team_role.name')
      .where('team_member.team_id', '=', teamId)
      .where('team_member.account_id', '=', accountId)
      .executeTakeFirst()
  )?.name
