import { Definition, Parameter, type Variable } from '@gantry/contract/pipelines/definition'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../db/json.ts'
import type { Tables } from '../../db/tables.gen.ts'
import { StoredVariables } from './variables.ts'

type Db = Kysely<Tables>

/** A pipeline is called by its number or its uuid. */
export type PipelineKey = number | string

/** As stored: the password is sealed. */
export interface StoredPipeline {
  id: number
  uuid: string
  teamId: number
  groupId: number
  name: string
  description: string
  repository: { url: string; branch: string; username: string; password: string | null } | null
  definition: Definition
  revision: number
  settingRevision: number
  timeoutMinutes: number
  keepBuilds: number
  concurrent: boolean
  agentLabels: string[]
  variables: Variable[]
  parameters: Parameter[]
}

const key = (value: PipelineKey) =>
  typeof value === 'number' ? sql<boolean>`pipeline.id = ${value}` : sql<boolean>`pipeline.uuid = ${value}::uuid`

export const pipelineTeam = async (db: Db, value: PipelineKey): Promise<number | undefined> =>
  (await db.selectFrom('pipeline').select('team_id').where(key(value)).executeTakeFirst())?.team_id

const Parameters = z.array(Parameter)

/** With `lock` the row stays as it is until the transaction ends. */
export async function findPipeline(
  db: Db,
  value: PipelineKey,
  { lock = false } = {},
): Promise<StoredPipeline | undefined> {
  const row = await db
    .selectFrom('pipeline')
    .selectAll()
    .where(key(value))
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    uuid: row.uuid,
    teamId: row.team_id,
    groupId: row.group_id,
    name: row.name,
    description: row.description,
    repository:
      row.repository_url === null
        ? null
        : {
            url: row.repository_url,
            branch: row.repository_branch,
            username: row.repository_username,
            password: row.repository_password,
          },
    definition: Definition.parse(row.definition),
    revision: row.definition_revision,
    settingRevision: row.setting_revision,
    timeoutMinutes: row.timeout_minutes,
    keepBuilds: row.keep_builds,
    concurrent: row.concurrent,
    agentLabels: row.agent_labels,
    variables: StoredVariables.parse(row.variables),
    parameters: Parameters.parse(row.parameters),
  }
}

export type NewPipeline = Omit<StoredPipeline, 'id' | 'uuid' | 'revision' | 'settingRevision'>

const columns = (pipeline: Omit<NewPipeline, 'teamId' | 'groupId' | 'definition'>) => ({
  name: pipeline.name,
  description: pipeline.description,
  repository_url: pipeline.repository?.url ?? null,
  repository_branch: pipeline.repository?.branch ?? '',
  repository_username: pipeline.repository?.username ?? '',
  repository_password: pipeline.repository?.password ?? null,
  timeout_minutes: pipeline.timeoutMinutes,
  keep_builds: pipeline.keepBuilds,
  concurrent: pipeline.concurrent,
  agent_labels: pipeline.agentLabels,
  variables: jsonb(pipeline.variables),
  parameters: jsonb(pipeline.parameters),
})

/** The new pipeline's id, or undefined where the team has one of that name. */
export const insertPipeline = async (db: Db, pipeline: NewPipeline): Promise<number | undefined> =>
  (
    await db
      .insertInto('pipeline')
      .values({
        ...columns(pipeline),
        team_id: pipeline.teamId,
        group_id: pipeline.groupId,
        definition: jsonb(pipeline.definition),
      })
      .onConflict((c) => c.constraint('pipeline_name').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updatePipeline = (db: Db, id: number, pipeline: Omit<NewPipeline, 'teamId' | 'groupId' | 'definition'>) =>
  db
    .updateTable('pipeline')
    .set({ ...columns(pipeline), setting_revision: sql`setting_revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

/** The new revision, or undefined where somebody saved since `revision`. */
export const updateDefinition = async (
  db: Db,
  id: number,
  definition: Definition,
  revision: number | undefined,
): Promise<number | undefined> =>
  (
    await db
      .updateTable('pipeline')
      .set((q) => ({
        definition: jsonb(definition),
        definition_revision: q('definition_revision', '+', 1),
        updated_at: sql`now()`,
      }))
      .where('id', '=', id)
      .$if(revision !== undefined, (q) => q.where('definition_revision', '=', revision ?? 0))
      .returning('definition_revision')
      .executeTakeFirst()
  )?.definition_revision

export const deletePipeline = (db: Db, id: number) => db.deleteFrom('pipeline').where('id', '=', id).execute()
