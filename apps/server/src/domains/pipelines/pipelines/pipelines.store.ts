import { Definition } from '@gantry/contract/pipelines/definition'
import { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { Parameter } from '@gantry/contract/pipelines/parameters'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { type Jsonb, jsonb } from '../../../db/json.ts'
import { prepared } from '../../../db/open.ts'
import type { Db, Tables } from '../../../db/tables.gen.ts'
import { Approvers } from '../reviews/approvers.ts'
import { inOrder, orderOf } from './key-order.ts'
import { StoredVariables } from './variables.ts'

/** A pipeline's id or uuid. */
export type PipelineKey = number | string

/** As stored, with sealed secrets. */
export interface StoredPipeline extends PipelineDocument {
  id: number
  uuid: string
  teamId: number
  revision: number
  /** The approvers that its definition names. */
  approvers: Approvers
}

const key = (value: PipelineKey) =>
  typeof value === 'number' ? sql<boolean>`pipeline.id = ${value}` : sql<boolean>`pipeline.uuid = ${value}::uuid`

export const pipelineTeam = async (db: Db, value: PipelineKey): Promise<number | undefined> =>
  (await db.selectFrom('pipeline').modifyFront(prepared).select('team_id').where(key(value)).executeTakeFirst())
    ?.team_id

export const pipelineId = async (db: Db, value: PipelineKey): Promise<number | undefined> =>
  (await db.selectFrom('pipeline').select('id').where(key(value)).executeTakeFirst())?.id

/** The teams of those pipelines that exist, by pipeline id. */
export const pipelineTeams = async (db: Db, ids: readonly number[]): Promise<Map<number, number>> => {
  const rows = await db
    .selectFrom('pipeline')
    .select(['id', 'team_id'])
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row.team_id]))
}

const Parameters = z.array(Parameter)

/** Omits default conditions of a text, so that the previous release can read it. */
const storedParameter = ({ kind, required, values, pattern, ...plain }: Parameter) =>
  kind === 'text' && !required && pattern === '' ? plain : { ...plain, kind, required, values, pattern }

/** Settings that no query filters by: they have no columns, but are stored together as JSON. */
const Settings = z.object(
  PipelineDocument.omit({
    appId: true,
    projectName: true,
    description: true,
    repository: true,
    definition: true,
    timeoutMinutes: true,
    keepBuilds: true,
    concurrent: true,
    agentLabels: true,
    variables: true,
    parameters: true,
  }).shape,
)

type Row = Selectable<Tables['pipeline']>

const toStoredPipeline = (row: Row): StoredPipeline => ({
  id: row.id,
  uuid: row.uuid,
  teamId: row.team_id,
  // the previous release increments the other two
  revision: Math.max(row.revision, row.definition_revision, row.setting_revision),
  approvers: Approvers.parse(row.approvers),
  ...Settings.parse(row.settings),
  appId: row.group_id,
  projectName: row.name,
  description: row.description,
  repository:
    row.repository_url === null
      ? null
      : {
          url: row.repository_url,
          branch: row.repository_branch,
          username: row.repository_username,
          password: row.repository_password ?? '',
          privateKey: row.repository_private_key ?? '',
          knownHosts: row.repository_known_hosts,
          credentialId: row.repository_credential_id,
        },
  definition: inOrder(Definition.parse(row.definition), row.definition_order),
  timeoutMinutes: row.timeout_minutes,
  keepBuilds: row.keep_builds,
  concurrent: row.concurrent,
  agentLabels: row.agent_labels,
  variables: StoredVariables.parse(row.variables),
  parameters: Parameters.parse(row.parameters),
})

/** With `lock` the row stays locked until the transaction ends. */
export async function findPipeline(
  db: Db,
  value: PipelineKey,
  { lock = false } = {},
): Promise<StoredPipeline | undefined> {
  const row = await db
    .selectFrom('pipeline')
    .selectAll()
    .where(key(value))
    .$if(lock, (q) => q.forNoKeyUpdate())
    .executeTakeFirst()
  return row && toStoredPipeline(row)
}

/** Those of these pipelines that are the team's, ordered by name. */
export const findPipelines = async (db: Db, teamId: number, ids: readonly number[]): Promise<StoredPipeline[]> =>
  (
    await db
      .selectFrom('pipeline')
      .selectAll()
      .where('team_id', '=', teamId)
      .where(sql<boolean>`id = any(${ids}::int[])`)
      .orderBy('natural_name')
      .execute()
  ).map(toStoredPipeline)

const columns = (document: PipelineDocument) => ({
  group_id: document.appId,
  name: document.projectName,
  description: document.description,
  repository_url: document.repository?.url ?? null,
  repository_branch: document.repository?.branch ?? '',
  repository_username: document.repository?.username ?? '',
  repository_password: document.repository?.password || null,
  repository_private_key: document.repository?.privateKey || null,
  repository_known_hosts: document.repository?.knownHosts ?? '',
  repository_credential_id: document.repository?.credentialId ?? null,
  definition: jsonb(document.definition),
  definition_order: jsonb(orderOf(document.definition)),
  timeout_minutes: document.timeoutMinutes,
  keep_builds: document.keepBuilds,
  concurrent: document.concurrent,
  agent_labels: document.agentLabels,
  variables: jsonb(document.variables),
  parameters: jsonb(document.parameters.map(storedParameter)),
  settings: jsonb(Settings.parse(document)),
})

/** Returns the new pipeline's id; undefined if the team has a pipeline with that name. */
export const insertPipeline = async (
  db: Db,
  teamId: number,
  document: PipelineDocument,
  approvers: Approvers,
): Promise<number | undefined> =>
  (
    await db
      .insertInto('pipeline')
      .values({ team_id: teamId, ...columns(document), approvers: jsonb(approvers) })
      .onConflict((c) => c.constraint('pipeline_name').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updatePipeline = (
  db: Db,
  id: number,
  revision: number,
  document: PipelineDocument,
  approvers: Approvers,
) =>
  db
    .updateTable('pipeline')
    .set({
      ...columns(document),
      approvers: jsonb(approvers),
      // keeps settings that only a newer release knows
      settings: sql<Jsonb>`settings || ${jsonb(Settings.parse(document))}`,
      revision,
      definition_revision: revision,
      setting_revision: revision,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()

/** Locks pipelines until the transaction ends, in the order of their ids to prevent deadlocks. */
export const lockPipelines = (db: Db, ids: number[]) =>
  db
    .selectFrom('pipeline')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export const deletePipeline = (db: Db, id: number) => db.deleteFrom('pipeline').where('id', '=', id).execute()

/** The ids of a group's pipelines, ordered by name. */
export const pipelinesOfGroup = async (db: Db, groupId: number): Promise<number[]> =>
  (await db.selectFrom('pipeline').select('id').where('group_id', '=', groupId).orderBy('natural_name').execute()).map(
    ({ id }) => id,
  )
