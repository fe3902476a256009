import { buildImagesOf, type Definition, stepsOfDefinition } from '@gantry/contract/pipelines/definition'
import { dockerfileOf, registriesOfStep } from '@gantry/contract/pipelines/steps/image'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import type { StoredPipeline } from '../pipelines/pipelines.store.ts'
import { addressesOf } from '../served/mail.store.ts'
import { pipelinesAmong } from '../served/served.store.ts'
import type { Surroundings } from './rules.ts'
import { agentRows } from '../../agents/public.read.ts'
import { blueprintRows } from '../../blueprints/public.read.ts'
import { helmRepositoryTeamRows } from '../../helm/public.read.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

type NamedImage = NonNullable<ReturnType<Surroundings['buildImages']['get']>>

const agentsFor = (db: Db, teamId: number) =>
  db
    .selectFrom(agentRows.as('agent'))
    .select(['os_type as osType', 'executors', 'protocol', 'environment'])
    .select(sql<string[]>`labels || own_labels`.as('labels'))
    .where((q) => q.or([q('team_id', 'is', null), q('team_id', '=', teamId)]))
    .execute()

/** The team's stacks with these uuids, and the names of their services. */
async function stacksAmong(db: Db, teamId: number, uuids: readonly string[]): Promise<Surroundings['stacks']> {
  if (uuids.length === 0) return new Map()
  const rows = await db
    .selectFrom(stackRows.as('stack'))
    .select(['stack.uuid', 'stack.name'])
    .select(
      sql<string[]>`array(select service.name from ${serviceRows} service where service.stack_id = stack.id)`.as(
        'services',
      ),
    )
    .where('stack.team_id', '=', teamId)
    .where(sql<boolean>`stack.uuid::text = any(${uuids}::text[])`)
    .execute()
  return new Map(rows.map(({ uuid, name, services }) => [uuid, { name, services: new Set(services) }]))
}

const chartRepositoriesAmong = (db: Db, teamId: number, ids: readonly number[]) =>
  db
    .selectFrom(helmRepositoryTeamRows.as('helm_repository_team'))
    .select('repository_id as id')
    .where('team_id', '=', teamId)
    .where('repository_id', 'in', ids)
    .execute()

const blueprintsAmong = (db: Db, teamId: number, ids: readonly number[]) =>
  db
    .selectFrom(blueprintRows.as('blueprint'))
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', 'in', ids)
    .execute()

const hasCodeQualityServer = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('setting')
    .select('name')
    .where('name', '=', 'sonarqube')
    .where(sql<boolean>`value ->> 'url' <> ''`)
    .executeTakeFirst()) !== undefined

/** The existing objects that steps refer to. Queries only the kinds that are referred to. */
export async function namedBy(
  db: Db,
  { id, teamId }: Pick<StoredPipeline, 'id' | 'teamId'>,
  definition: Definition,
  of: {
    dockerfiles: (ids: number[]) => Promise<{ id: number }[]>
    registries: (ids: number[]) => Promise<{ id: number }[]>
    buildImages: (ids: number[]) => Promise<({ id: number } & NamedImage)[]>
  },
): Promise<
  Pick<
    Surroundings,
    | 'registries'
    | 'chartRepositories'
    | 'blueprints'
    | 'members'
    | 'dockerfiles'
    | 'buildImages'
    | 'codeQuality'
    | 'stacks'
    | 'pipelines'
  >
> {
  const steps = stepsOfDefinition(definition)
  const registries = steps.flatMap(registriesOfStep)
  const images = buildImagesOf(definition)
  const dockerfiles = steps.flatMap((step) => dockerfileOf(step) ?? [])
  const idsOf = async (ids: number[], find: (ids: number[]) => Promise<{ id: number }[]>) =>
    new Set(ids.length === 0 ? [] : (await find(ids)).map(({ id }) => id))
  const started = await pipelinesAmong(
    db,
    teamId,
    id,
    steps.flatMap((step) => (step.type === 'pipeline' ? [step.pipelineId] : [])),
  )
  return {
    pipelines: new Map(started.map(({ pipelineId, way }) => [pipelineId, way])),
    members: new Set(
      (
        await addressesOf(
          db,
          teamId,
          steps.flatMap((step) => (step.type === 'mail' ? step.to.filter((name) => !name.includes('@')) : [])),
        )
      ).keys(),
    ),
    chartRepositories: await idsOf(
      steps.flatMap((step) => (step.type === 'helm' ? [step.repositoryId] : [])),
      (ids) => chartRepositoriesAmong(db, teamId, ids),
    ),
    blueprints: await idsOf(
      steps.flatMap((step) => (step.type === 'blueprint' ? [step.blueprintId] : [])),
      (ids) => blueprintsAmong(db, teamId, ids),
    ),
    registries: await idsOf(registries, of.registries),
    dockerfiles: await idsOf(dockerfiles, of.dockerfiles),
    buildImages: new Map(images.length === 0 ? [] : (await of.buildImages(images)).map((image) => [image.id, image])),
    codeQuality: steps.some(({ type }) => type === 'code-quality') && (await hasCodeQualityServer(db)),
    stacks: await stacksAmong(
      db,
      teamId,
      steps.flatMap((step) => ('stackUuid' in step ? [step.stackUuid] : [])),
    ),
  }
}

export const demandsOf = async (
  db: Db,
  { teamId, agentLabels, parameters }: Pick<StoredPipeline, 'teamId' | 'agentLabels' | 'parameters'>,
): Promise<Pick<Surroundings, 'agents' | 'agentLabels' | 'parameters'>> => ({
  agents: await agentsFor(db, teamId),
  agentLabels,
  parameters: parameters.map(({ name }) => name),
})
