import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import { clusterRows } from '../../clusters/public.read.ts'
import { registryRows } from '../../images/public.read.ts'

/** A secret of a namespace: to be applied or, if the fingerprint is null, to be removed. */
export interface PullSecretDue {
  stackId: number
  registryId: number
  fingerprint: string | null
}

/**
 * The secrets that namespaces of running stacks need: for the team's Harbors, and for the registries that their
 * services name. The sealed password identifies the password, because each change seals it anew.
 */
const wantedPulls = sql`
  select stack.id as stack_id, registry.id as registry_id,
    md5(concat_ws(' ', registry.url, registry.username, registry.password)) as fingerprint
  from (
    select stack.id as stack_id, registry.id as registry_id
    from stack join ${registryRows} registry on registry.harbor_id is not null and registry.team_id = stack.team_id
    union
    select service.stack_id, named.id::int
    from service
      cross join lateral (values (service.spec), (service.previous_spec)) as document (spec)
      cross join lateral jsonb_path_query(document.spec, '$.**.registryId ? (@.type() == "number")') as named (id)
  ) pair
    join stack on stack.id = pair.stack_id and stack.state = 'running'
    join ${registryRows} registry on registry.id = pair.registry_id and registry.username <> ''`

/** Stacks that triggers have marked as changed since a run last deleted marks; at most so many marks at once. */
export async function changedStacks(db: Db): Promise<{ marks: number[]; stacks: number[] }> {
  const rows = await db
    .selectFrom('pull_secret_change')
    .select(['id', 'stack_id'])
    .orderBy('id')
    .limit(10_000)
    .execute()
  return { marks: rows.map(({ id }) => id), stacks: rows.map(({ stack_id }) => stack_id) }
}

export const forgetChanges = (db: Db, marks: number[]) =>
  db
    .deleteFrom('pull_secret_change')
    .where(sql<boolean>`id = any(${marks}::bigint[])`)
    .execute()

/** Stacks where a secret could not be applied. */
export const failedStacks = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('pull_secret').select('stack_id').distinct().where('problem', 'is not', null).execute()).map(
    ({ stack_id }) => stack_id,
  )

/** What to do in these stacks; or everything in those of these teams, in case somebody changed it in the cluster. */
export async function duePullSecrets(
  db: Db,
  of: { stacks: number[] } | { teams: number[] | undefined },
): Promise<PullSecretDue[]> {
  const among = (stack: string) =>
    'stacks' in of
      ? sql`${sql.ref(`${stack}.id`)} = any(${[...new Set(of.stacks)]}::int[])`
      : sql`(${of.teams === undefined}::boolean or ${sql.ref(`${stack}.team_id`)} = any(${of.teams ?? []}::int[]))`
  const { rows } = await sql<PullSecretDue>`
    with wanted as (${wantedPulls} and ${among('stack')})
    select coalesce(wanted.stack_id, given.stack_id) as "stackId",
      coalesce(wanted.registry_id, given.registry_id) as "registryId", wanted.fingerprint
    from wanted full join pull_secret given
      on given.stack_id = wanted.stack_id and given.registry_id = wanted.registry_id
    join stack on stack.id = coalesce(wanted.stack_id, given.stack_id) and stack.state = 'running'
    where (${'teams' in of}::boolean or wanted.fingerprint is distinct from given.fingerprint or given.problem is not null)
      and ${among('stack')}
    order by 1, 2`.execute(db)
  return rows
}

export const noteApplied = (db: Db, { stackId, registryId, fingerprint }: PullSecretDue) =>
  db
    .insertInto('pull_secret')
    .values({ stack_id: stackId, registry_id: registryId, fingerprint })
    .onConflict((c) =>
      c.columns(['stack_id', 'registry_id']).doUpdateSet({ fingerprint, problem: null, applied_at: sql`now()` }),
    )
    .execute()

export const noteRemoved = (db: Db, { stackId, registryId }: PullSecretDue) =>
  db.deleteFrom('pull_secret').where('stack_id', '=', stackId).where('registry_id', '=', registryId).execute()

export const noteProblem = (db: Db, { stackId, registryId }: PullSecretDue, problem: Reason) =>
  db
    .insertInto('pull_secret')
    .values({ stack_id: stackId, registry_id: registryId, fingerprint: null, problem: jsonb(problem) })
    .onConflict((c) => c.columns(['stack_id', 'registry_id']).doUpdateSet({ problem: jsonb(problem) }))
    .execute()

/** Namespaces of running stacks of these teams, with the number of their secrets. */
export const namespacesWithSecrets = (db: Db, teams: number[] | undefined) =>
  db
    .selectFrom('stack')
    .innerJoin('team', 'team.id', 'stack.team_id')
    .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'stack.environment')
    .select([
      'stack.id',
      'stack.name as stack',
      'stack.namespace',
      'team.name as team',
      'environment.name as cluster',
      sql<number>`(select count(*)::int from pull_secret given where given.stack_id = stack.id
        and given.fingerprint is not null and given.problem is null)`.as('secrets'),
    ])
    .where('stack.state', '=', 'running')
    .$if(teams !== undefined, (q) => q.where('stack.team_id', 'in', teams?.length ? teams : [0]))
    .orderBy(byName('environment.name'))
    .orderBy(byName('stack.namespace'))
    .limit(1000)
    .execute()
