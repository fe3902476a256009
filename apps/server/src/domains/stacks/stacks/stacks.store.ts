import type { List } from '@gantry/contract/paging'
import type { Amount } from '@gantry/contract/quotas/quotas'
import { serviceStateGroups, type StackState } from '@gantry/contract/stacks/states'
import { type RawBuilder, sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import { anyContains, anyOf, onlyPage, rowCount, withTotal } from '../../../db/list.ts'
import { prepared } from '../../../db/open.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { blueprintRows, stackReleaseRows } from '../../blueprints/public.read.ts'
import { catalogRows, catalogTemplateRows } from '../../catalog/public.read.ts'
import { clusterRows, namespaceRows } from '../../clusters/public.read.ts'
import { productRows } from '../../products/public.read.ts'

export interface StackRow {
  id: number
  uuid: string
  teamId: number
  teamName: string
  name: string
  description: string
  envId: string
  envName: string
  namespace: string
  productId: number | null
  productName: string
  blueprintId: number | null
  blueprintVersion: string
  catalogId: number | null
  catalogName: string
  templateId: number | null
  templateVersion: string
  /** The TOSCA version of the template that it was deployed from; null without one. */
  toscaVersion: string | null
  /** Whether its pods are to be part of the cluster's Istio mesh. */
  istio: boolean
  /** Whether a release waits for a decision. */
  inRelease: boolean
  state: StackState
  reason: unknown
  cpu: number | null
  memory: number | null
  actor: string
  serviceNum: number
  healthyNum: number
  driftNum: number
  createdAt: string
}

const rows = (db: Db) =>
  db
    .selectFrom('stack')
    .innerJoin('team', 'team.id', 'stack.team_id')
    .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'stack.environment')
    .leftJoin(productRows.as('product'), 'product.id', 'stack.product_id')
    .leftJoin(blueprintRows.as('blueprint'), 'blueprint.id', 'stack.blueprint_id')
    .leftJoin(catalogTemplateRows.as('catalog_template'), 'catalog_template.id', 'stack.template_id')
    .leftJoin(catalogRows.as('catalog'), 'catalog.id', 'catalog_template.catalog_id')
    .select([
      'stack.id',
      'stack.uuid',
      'stack.team_id as teamId',
      'team.name as teamName',
      'stack.name',
      'stack.description',
      'stack.environment as envId',
      'environment.name as envName',
      'stack.namespace',
      'stack.product_id as productId',
      sql<string>`coalesce(product.name, '')`.as('productName'),
      'stack.blueprint_id as blueprintId',
      sql<string>`coalesce(blueprint.version, '')`.as('blueprintVersion'),
      'catalog.id as catalogId',
      sql<string>`coalesce(catalog.name, '')`.as('catalogName'),
      'stack.template_id as templateId',
      sql<string>`coalesce(catalog_template.version, '')`.as('templateVersion'),
      sql<string | null>`coalesce(blueprint.tosca_version, catalog_template.tosca_version)`.as('toscaVersion'),
      'stack.istio',
      sql<boolean>`exists (select from ${stackReleaseRows} r where r.stack_id = stack.id and r.state = 'open')`.as(
        'inRelease',
      ),
      'stack.state',
      'stack.reason',
      'stack.cpu',
      'stack.memory',
      'stack.actor',
      'stack.created_at as createdAt',
    ])
    .select((q) => [
      q.selectFrom('service').whereRef('service.stack_id', '=', 'stack.id').$call(rowCount).as('serviceNum'),
      q
        .selectFrom('service')
        .whereRef('service.stack_id', '=', 'stack.id')
        .where('service.state', 'in', serviceStateGroups.healthy)
        .$call(rowCount)
        .as('healthyNum'),
      q
        .selectFrom('service')
        .whereRef('service.stack_id', '=', 'stack.id')
        .where('service.drift', '>', 0)
        .$call(rowCount)
        .as('driftNum'),
    ])

export type StackKey = number | string

const key = (value: StackKey) =>
  typeof value === 'number' ? sql<boolean>`stack.id = ${value}` : sql<boolean>`stack.uuid = ${value}::uuid`

export const findStack = (db: Db, value: StackKey): Promise<StackRow | undefined> =>
  rows(db).where(key(value)).executeTakeFirst()

export const findStacks = (db: Db, ids: readonly number[]): Promise<StackRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : rows(db).where('stack.id', 'in', ids).execute()

export const runningStacks = (db: Db): Promise<StackRow[]> =>
  rows(db).where('stack.state', '=', 'running').orderBy('stack.id').execute()

/** Stacks that failed for this reason, on all clusters. */
export const failedStacks = (db: Db, key: string): Promise<StackRow[]> =>
  rows(db)
    .where('stack.state', '=', 'failed')
    .where(sql<boolean>`stack.reason ->> 'key' = ${key}`)
    .orderBy('stack.id')
    .execute()

export const findStackByName = (
  db: Db,
  teamId: number,
  clusterId: string,
  name: string,
): Promise<StackRow | undefined> =>
  rows(db)
    .where('stack.team_id', '=', teamId)
    .where('stack.environment', '=', clusterId)
    .where('stack.name', '=', name)
    .executeTakeFirst()

export const stackTeam = async (db: Db, value: StackKey): Promise<number | undefined> =>
  (await db.selectFrom('stack').modifyFront(prepared).select('team_id').where(key(value)).executeTakeFirst())?.team_id

export async function listStacks(
  db: Db,
  teamId: number,
  filter: {
    environment?: string
    productId?: number
    state?: StackState
    keyword: string
    /** Whether the keyword may also be in the name of a service. */
    orService?: boolean
    /** A condition that one of its services must fulfil. */
    having?: RawBuilder<boolean>
  },
  at: Page,
): Promise<List<StackRow>> {
  const matching = db
    .selectFrom('stack')
    .where('stack.team_id', '=', teamId)
    .$if(filter.environment !== undefined, (q) => q.where('stack.environment', '=', filter.environment ?? ''))
    .$if(filter.productId !== undefined, (q) => q.where('stack.product_id', '=', filter.productId ?? 0))
    .$if(filter.state !== undefined, (q) => q.where('stack.state', '=', filter.state ?? 'running'))
    .$if(filter.having !== undefined, (q) =>
      q.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('service')
            .select('service.id')
            .whereRef('service.stack_id', '=', 'stack.id')
            .where(filter.having ?? sql<boolean>`true`),
        ),
      ),
    )
    .$if(filter.keyword !== '', (q) =>
      q.where((eb) => {
        const named = anyContains(['stack.name'], filter.keyword)
        const service = eb
          .selectFrom('service')
          .select('service.id')
          .whereRef('service.stack_id', '=', 'stack.id')
          .where(anyContains(['service.name'], filter.keyword))
        return filter.orService ? eb.or([named, eb.exists(service)]) : named
      }),
    )
  const onPage = matching.select('stack.id').orderBy('stack.natural_name').orderBy('stack.id').$call(onlyPage(at))
  const page = rows(db).where(anyOf('stack.id', onPage)).orderBy('stack.natural_name').orderBy('stack.id')
  const found = await withTotal(db, page, matching, at, {
    narrowed: filter.keyword !== '' || filter.state !== undefined || filter.having !== undefined,
  })
  return toList(found.rows, found.total, at)
}

export const insertStack = async (
  db: Db,
  stack: {
    teamId: number
    environment: string
    productId: number | null
    name: string
    description: string
    namespace: string
    quota: Amount
    actor: string
  },
): Promise<number> =>
  (
    await db
      .insertInto('stack')
      .values({
        team_id: stack.teamId,
        environment: stack.environment,
        product_id: stack.productId,
        name: stack.name,
        description: stack.description,
        namespace: stack.namespace,
        cpu: stack.quota.cpu,
        memory: stack.quota.memory,
        actor: stack.actor,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** Serializes decisions about the owner of a namespace's name until this transaction ends. */
export const serialiseNamespace = (db: Db, namespace: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`namespace ${namespace}`}, 0))`.execute(db)

/** The cluster of an environment; null if it has not been read yet. */
const clusterOf = (clusterId: string) => sql`(select cluster from ${clusterRows} environment where uuid = ${clusterId})`

/** All environments of the same cluster, because an earlier release let a cluster be joined twice. */
const onCluster = (clusterId: string) =>
  sql<string>`(select uuid from ${clusterRows} environment where uuid = ${clusterId} or cluster = ${clusterOf(clusterId)})`

/**
 * Whether the namespace belonged, on this cluster, to another stack of the team that was deleted without deleting the
 * namespace.
 */
export const wasStackOf = async (
  db: Db,
  { teamId, namespace, envId }: Pick<StackRow, 'teamId' | 'namespace' | 'envId'>,
  uuid: string,
): Promise<boolean> =>
  (await db
    .selectFrom(namespaceRows.as('given'))
    .select('given.namespace')
    .where('given.namespace', '=', namespace)
    .where('given.team_id', '=', teamId)
    .where('given.held', '=', true)
    .where(sql<boolean>`given.stack_uuid::text = ${uuid}`)
    .where(sql<boolean>`(given.cluster is null or given.cluster = ${clusterOf(envId)})`)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('stack').select('stack.id').whereRef('stack.uuid', '=', 'given.stack_uuid'))),
    )
    .executeTakeFirst()) !== undefined

/** Whether another stack uses the same namespace of the same cluster, from when a cluster could be joined twice. */
export const isInUse = async (db: Db, { id, namespace, envId }: StackRow): Promise<boolean> =>
  (await db
    .selectFrom('stack')
    .select('id')
    .where('namespace', '=', namespace)
    .where('id', '!=', id)
    .where('environment', 'in', onCluster(envId))
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * Whether a namespace is a stack's on this cluster, or ever was another team's on any, because what is left of that is
 * found by the name.
 */
export const isNamespaceTaken = async (
  db: Db,
  { namespace, environment, teamId }: { namespace: string; environment: string; teamId: number },
): Promise<boolean> =>
  (await db
    .selectFrom(namespaceRows.as('given'))
    .leftJoin('stack', 'stack.uuid', 'given.stack_uuid')
    .select('given.namespace')
    .where('given.namespace', '=', namespace)
    .where(({ or, and, eb }) =>
      or([
        sql<boolean>`given.team_id is distinct from ${teamId}`,
        and([eb('stack.id', 'is not', null), eb('given.environment', 'in', onCluster(environment))]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Namespaces that are, or ever were, other teams' on this cluster. */
export const namespacesOfOthers = async (
  db: Db,
  { envId, teamId }: Pick<StackRow, 'envId' | 'teamId'>,
): Promise<string[]> =>
  (
    await db
      .selectFrom(namespaceRows.as('given'))
      .select('given.namespace')
      .distinct()
      .where(sql<boolean>`given.team_id is distinct from ${teamId}`)
      .where('given.environment', 'in', onCluster(envId))
      .execute()
  ).map(({ namespace }) => namespace)

/**
 * Locks a stack until the transaction ends, which serializes decisions about its share. Rows that refer to it may still
 * be added: blocking these too could deadlock with a transaction that has locked one of its services and adds one.
 */
export const lockStack = (db: Db, id: number) =>
  db
    .selectFrom('stack')
    .select(['id', 'state', 'cpu', 'memory', 'team_id as teamId', 'environment', 'name', 'namespace'])
    .select(['description', 'product_id as productId'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Sets what the stack was deployed from, or upgraded with. */
export const setOrigin = (
  db: Db,
  id: number,
  { blueprintId, templateId }: { blueprintId: number | null; templateId: number | null },
  istio?: boolean,
) =>
  db
    .updateTable('stack')
    .set({ blueprint_id: blueprintId, template_id: templateId, ...(istio === undefined ? {} : { istio }) })
    .where('id', '=', id)
    .execute()

export const moveStack = (db: Db, id: number, namespace: string) =>
  db.updateTable('stack').set({ namespace }).where('id', '=', id).execute()

/** Has all stacks of an environment created again, except those that are being deleted. */
export const recreateStacks = (db: Db, clusterId: string) =>
  db
    .updateTable('stack')
    .set({ state: 'creating', reason: null })
    .where('environment', '=', clusterId)
    .where('state', '!=', 'deleting')
    .execute()

export const updateStack = (
  db: Db,
  id: number,
  change: { description?: string; productId?: number | null; quota?: Amount },
) =>
  db
    .updateTable('stack')
    .set({
      ...(change.description === undefined ? {} : { description: change.description }),
      ...(change.productId === undefined ? {} : { product_id: change.productId }),
      ...(change.quota === undefined ? {} : { cpu: change.quota.cpu, memory: change.quota.memory }),
    })
    .where('id', '=', id)
    .execute()

/** Sets a requested state. A running round of the previous generation ends first. */
export const setStackState = (db: Db, id: number, state: StackState) =>
  db.updateTable('stack').set({ state, reason: null }).where('id', '=', id).execute()

/**
 * Stores the result of reconciling a stack. False if something else was requested since it was read; that takes
 * precedence, and is reconciled next.
 */
export const noteReconciled = async (
  db: Db,
  stack: Pick<StackRow, 'id' | 'state' | 'cpu' | 'memory'>,
  state: StackState,
  reason: { key: string; vars: Record<string, string | number> } | null = null,
): Promise<boolean> => {
  const done = await db
    .updateTable('stack')
    .set({ state, reason: reason && jsonb(reason) })
    .where('id', '=', stack.id)
    .where('state', '=', stack.state)
    .where(sql<boolean>`(cpu, memory) is not distinct from (${stack.cpu}::float8, ${stack.memory}::float8)`)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

/** False if it is already gone. */
export const deleteStack = async (db: Db, id: number): Promise<boolean> =>
  (await db.deleteFrom('stack').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n

/** False if it is already being deleted or gone: one of several concurrent calls succeeds. */
export const markDeleting = async (db: Db, id: number): Promise<boolean> => {
  const marked = await db
    .updateTable('stack')
    .set({ state: 'deleting', reason: null })
    .where('id', '=', id)
    .where('state', '<>', 'deleting')
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n
}
