import { Approval, deployTypes } from '@gantry/contract/pipelines/definition'
import { Parameter } from '@gantry/contract/pipelines/parameters'
import { sql } from 'kysely'
import { z } from 'zod'
import { asWritten, jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { helmReleaseRows } from '../../helm/public.read.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'
import { Approvers, namedBy } from '../reviews/approvers.ts'
import { gateAfter } from '../reviews/decision-states.ts'
import type { PlannedGate } from './plan.ts'

/** Opens the gate of a stage, once. */
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
    .innerJoin('build', 'build.id', 'build_gate.build_id')
    .select(['stage_index as stageIndex', 'stage', 'mode', 'approval', 'build_gate.state', 'opened_at as openedAt'])
    .select(['until', 'build.approvers'])
    .where('build_id', '=', buildId)
    .orderBy('stage_index')
    .execute()
  return rows.map(({ approval: stored, approvers, ...row }) => {
    const approval = Approval.parse(stored)
    return { ...row, approval, named: namedBy(approval, Approvers.nullable().parse(approvers)) }
  })
}
export type StoredGate = Awaited<ReturnType<typeof gatesOf>>[number]

export const hasApprovers = async (db: Db, buildId: number): Promise<boolean> =>
  (await db
    .selectFrom('build')
    .select('id')
    .where('id', '=', buildId)
    .where('approvers', 'is not', null)
    .executeTakeFirst()) !== undefined

export const setApprovers = (db: Db, buildId: number, approvers: Approvers) =>
  db
    .updateTable('build')
    .set({ approvers: jsonb(approvers) })
    .where('id', '=', buildId)
    .execute()

/** The parameters of a build's revision; undefined if it has none, such as a draft. */
export async function parametersOfRevision(db: Db, buildId: number): Promise<Parameter[] | undefined> {
  const row = await db
    .selectFrom('build')
    .innerJoin('pipeline_revision', (join) =>
      join
        .onRef('pipeline_revision.pipeline_id', '=', 'build.pipeline_id')
        .onRef('pipeline_revision.revision', '=', 'build.revision'),
    )
    .select(sql`coalesce(pipeline_revision.document -> 'parameters', '[]')`.as('parameters'))
    .where('build.id', '=', buildId)
    .executeTakeFirst()
  return row && z.array(Parameter).parse(row.parameters)
}

const Values = z.record(z.string(), z.string()).nullable()

export async function decisionsOf(db: Db, buildId: number) {
  const rows = await db
    .selectFrom('build_decision')
    .select(['stage_index as stageIndex', 'account_id as accountId', 'name', 'pass', 'reason', 'counts'])
    .select(['decided_at as at', 'parameters'])
    .where('build_id', '=', buildId)
    .orderBy('decided_at')
    .execute()
  return rows.map(({ parameters, ...row }) => ({ ...row, parameters: Values.parse(parameters) ?? {} }))
}

/** The present parameters of a build; secret ones are sealed. */
export async function filledIn(db: Db, buildId: number) {
  const { parameters, secrets } = await db
    .selectFrom('build')
    .select(['parameters', 'secret_parameters as secrets'])
    .where('id', '=', buildId)
    .executeTakeFirstOrThrow()
  return { values: z.record(z.string(), z.string()).parse(parameters), secrets }
}

/**
 * Existing objects that a stage deploys: the services of its steps, releases of charts, and all services of a stack
 * that gets a blueprint, because only the deployment knows which of them change.
 */
export async function deployedBy(db: Db, buildId: number, stageIndex: number) {
  const { rows } = await sql<{ stack: string; service: string }>`
    select distinct stack.name as stack, there.name as service
    from build
    left join pipeline_revision as revision
      on revision.pipeline_id = build.pipeline_id and revision.revision = build.revision
    cross join lateral jsonb_path_query(coalesce(revision.document -> 'definition', build.definition),
      '$.stages[$at].**?(@.type == $types[*])',
      jsonb_build_object('at', ${stageIndex}::int, 'types', ${jsonb(deployTypes)})) as step
    join ${stackRows} stack on stack.uuid::text = step ->> 'stackUuid' and stack.team_id = build.team_id
    cross join lateral (
      select name from ${serviceRows} service
      where stack_id = stack.id and state <> 'deleting'
        and (step ->> 'type' = 'blueprint' or step ->> 'type' = 'deploy' and name = step ->> 'service')
      union all
      select name from ${helmReleaseRows} release
      where stack_id = stack.id and state <> 'uninstalling'
        and step ->> 'type' = 'helm' and name = step ->> 'release'
    ) as there
    where build.id = ${buildId}
    order by 1, 2`.execute(db)
  return rows
}

/** Closes waiting gates; the time that a build waited for them after it began does not count in its duration. */
async function endGates(db: Db, buildId: number, state: StoredGate['state'], stageIndex?: number): Promise<void> {
  await sql`
    with ended as (
      update build_gate set state = ${state}, ended_at = now()
      where build_id = ${buildId} and state = 'waiting' and ${stageIndex ?? sql`stage_index`} = stage_index
      returning opened_at
    )
    update build set waited_seconds = waited_seconds
      + (select sum(extract(epoch from now() - greatest(opened_at, started_at))) from ended)
    where id = ${buildId} and started_at is not null and exists (select from ended)`.execute(db)
}

export const setGate = (db: Db, buildId: number, stageIndex: number, state: StoredGate['state']) =>
  endGates(db, buildId, state, stageIndex)

/** The build ended without the decision. */
export const closeGates = (db: Db, buildId: number) => endGates(db, buildId, gateAfter.waiting.end)

/** Deletes the gates of stages that run again, so that people are asked again; earlier decisions no longer count. */
export async function forgetGates(db: Db, buildId: number, stages: number[]): Promise<void> {
  await db.deleteFrom('build_gate').where('build_id', '=', buildId).where('stage_index', 'in', stages).execute()
  await discountDecisions(db, buildId, stages)
}

/** Decisions about these stages no longer count. */
export const discountDecisions = (db: Db, buildId: number, stages: number[]) =>
  db
    .updateTable('build_decision')
    .set({ counts: false })
    .where('build_id', '=', buildId)
    .where('stage_index', 'in', stages)
    .where('counts', '=', true)
    .execute()

interface NewDecision {
  buildId: number
  stageIndex: number
  accountId: number
  name: string
  pass: boolean
  reason: string
  /** Secret values are masked. */
  parameters: Record<string, string>
}

export const putDecision = (db: Db, decision: NewDecision) =>
  db
    .insertInto('build_decision')
    .values({
      build_id: decision.buildId,
      stage_index: decision.stageIndex,
      account_id: decision.accountId,
      name: decision.name,
      pass: decision.pass,
      reason: decision.reason,
      parameters: asWritten(decision.parameters),
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
