import { Definition, type Parameter, type Variable } from '@gantry/contract/pipelines/definition'
import type { Pipeline, Repository, Setting, StoredSetting } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { mustHoldInOneOf } from '../../kernel/access.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { keepSecret, open, shown } from '../../kernel/secrets.ts'
import { sweepBlobs } from './blobs.jobs.ts'
import { discardBuilds, runningBuilds } from './builds.store.ts'
import { groupTeam } from './groups.store.ts'
import { readPipeline } from './pipelines.read.ts'
import {
  deletePipeline,
  findPipeline,
  insertPipeline,
  type PipelineKey,
  type StoredPipeline,
  updateDefinition,
  updatePipeline,
} from './pipelines.store.ts'
import { maskedVariables, sealedVariables } from './variables.ts'

/** A pipeline by its number or uuid, or 404; with `appId` also 404 where it is in another group. */
export async function getPipeline(
  ctx: Ctx,
  key: PipelineKey,
  { appId, lock = false }: { appId?: number; lock?: boolean } = {},
): Promise<StoredPipeline> {
  const pipeline = await findPipeline(ctx.db, key, { lock })
  if (!pipeline || (appId !== undefined && pipeline.groupId !== appId)) throw new Fault('missing', 'resource-missing')
  return pipeline
}

const hostOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : URL.parse(url)?.host)

type StoredRepository = StoredPipeline['repository']

/** The mask stands for the stored password, and only while the host is the same. */
const sealedRepository = (ctx: Ctx, given: Repository | null, stored: StoredRepository): StoredRepository =>
  given && {
    ...given,
    password: keepSecret(ctx, given.password, stored?.password ?? null, hostOf(given.url) === hostOf(stored?.url)),
  }

const sameRepository = (a: StoredRepository, b: StoredRepository): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Reaches the repository and finds the branch, or throws a fault that names the cause. */
async function checkBranch(ctx: Ctx, repository: NonNullable<StoredRepository>): Promise<void> {
  const { url, branch, username, password } = repository
  const source = { kind: 'remote', url, username, password: password === null ? '' : open(ctx, password) } as const
  const { branches } = await ctx.ports.git.check(source, ctx.signal)
  const names = branches.map((ref) => ref.name)
  if (!names.includes(branch))
    throw new Fault('invalid', 'pipelines-branch-unknown', { branch, branches: names.slice(0, 5).join(', ') })
}

export interface NewPipelineInput {
  appId: number
  projectName: string
  description: string
  repository: Repository | null
  definition?: Definition | undefined
  variables: Variable[]
}

/** `known`: the repository is one that the product itself has just made and serves, which needs no look. */
export async function createPipeline(ctx: Ctx, input: NewPipelineInput, { known = false } = {}): Promise<Pipeline> {
  const teamId = await groupTeam(ctx.db, input.appId)
  if (teamId === undefined) throw new Fault('missing', 'resource-missing')
  await mustHoldInOneOf(ctx, [teamId], 'pipeline_pipeline_create')
  note(ctx, { object: input.projectName, teamId, after: input })
  const repository = sealedRepository(ctx, input.repository, null)
  if (repository && !known) await checkBranch(ctx, repository)
  return inTx(ctx, async (ctx) => {
    const id = await insertPipeline(ctx.db, {
      teamId,
      groupId: input.appId,
      name: input.projectName,
      description: input.description,
      repository,
      definition: input.definition ?? { stages: [] },
      timeoutMinutes: 0,
      keepBuilds: 0,
      concurrent: true,
      agentLabels: [],
      variables: sealedVariables(ctx, input.variables, []),
      parameters: [],
    })
    if (id === undefined) throw new Fault('conflict', 'pipelines-name-taken', { name: input.projectName })
    return readPipeline(ctx.db, id)
  })
}

/** Where the product itself serves a pipeline's repository from now on: its origin may differ from one start to the next. */
export const moveRepository = (ctx: Ctx, id: number, url: string): Promise<void> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, id, { lock: true })
    if (pipeline.repository && pipeline.repository.url !== url)
      await updatePipeline(ctx.db, id, { ...pipeline, repository: { ...pipeline.repository, url } })
  })

/** Deletes a pipeline with its builds, logs and artifacts. */
export const removePipeline = (ctx: Ctx, key: PipelineKey, appId?: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key, { ...(appId === undefined ? {} : { appId }), lock: true })
    note(ctx, { object: pipeline.name, before: settingOf(pipeline) })
    const running = await runningBuilds(ctx.db, pipeline.id)
    if (running.length > 0)
      throw new Fault('conflict', 'pipelines-builds-running', { name: pipeline.name, builds: running.join(', ') })
    await discardBuilds(ctx.db, pipeline.id)
    await deletePipeline(ctx.db, pipeline.id)
    await sweepBlobs(ctx)
    return null
  })

type DefinitionWithRevision = Definition & { revision: number }

export async function readDefinition(ctx: Ctx, key: PipelineKey, appId: number): Promise<DefinitionWithRevision> {
  const { definition, revision } = await getPipeline(ctx, key, { appId })
  return { ...definition, revision }
}

export const writeDefinition = (
  ctx: Ctx,
  key: PipelineKey,
  appId: number,
  input: { stages: Definition['stages']; revision?: number | undefined },
): Promise<DefinitionWithRevision> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key, { appId })
    const definition = Definition.safeParse({ stages: input.stages })
    if (!definition.success) throw definition.error
    note(ctx, { object: pipeline.name, before: pipeline.definition, after: definition.data })
    const revision = await updateDefinition(ctx.db, pipeline.id, definition.data, input.revision)
    if (revision === undefined) throw new Fault('conflict', 'pipelines-definition-changed', { name: pipeline.name })
    return { ...definition.data, revision }
  })

const settingOf = (pipeline: StoredPipeline): StoredSetting => ({
  revision: pipeline.settingRevision,
  projectName: pipeline.name,
  description: pipeline.description,
  repository: pipeline.repository && { ...pipeline.repository, password: shown(pipeline.repository.password) },
  timeoutMinutes: pipeline.timeoutMinutes,
  keepBuilds: pipeline.keepBuilds,
  concurrent: pipeline.concurrent,
  agentLabels: pipeline.agentLabels,
  variables: maskedVariables(pipeline.variables),
  parameters: pipeline.parameters,
})

export const readSetting = async (ctx: Ctx, key: PipelineKey, appId: number): Promise<StoredSetting> =>
  settingOf(await getPipeline(ctx, key, { appId }))

const refuseTwice = (list: (Variable | Parameter)[]): void => {
  const names = list.map((one) => one.name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Fault('invalid', 'pipelines-variable-twice', { name: twice })
}

export async function writeSetting(
  ctx: Ctx,
  key: PipelineKey,
  appId: number,
  input: Setting & { revision?: number | undefined },
): Promise<StoredSetting> {
  refuseTwice(input.variables)
  refuseTwice(input.parameters)
  const stored = await getPipeline(ctx, key, { appId })
  const repository = sealedRepository(ctx, input.repository, stored.repository)
  // the check asks an outside system and so runs before the transaction, which looks again
  if (repository && !sameRepository(repository, stored.repository)) await checkBranch(ctx, repository)
  return inTx(ctx, async (ctx) => {
    const before = await getPipeline(ctx, stored.id, { appId, lock: true })
    const { revision = stored.settingRevision } = input
    if (revision !== before.settingRevision)
      throw new Fault('conflict', 'pipelines-definition-changed', { name: before.name })
    await updatePipeline(ctx.db, before.id, {
      name: input.projectName,
      description: input.description,
      repository,
      timeoutMinutes: input.timeoutMinutes,
      keepBuilds: input.keepBuilds,
      concurrent: input.concurrent,
      agentLabels: input.agentLabels,
      variables: sealedVariables(ctx, input.variables, before.variables),
      parameters: input.parameters,
    }).catch(
      brokenConstraint('pipeline_name', new Fault('conflict', 'pipelines-name-taken', { name: input.projectName })),
    )
    const after = settingOf(await getPipeline(ctx, before.id))
    note(ctx, { object: before.name, before: settingOf(before), after })
    return after
  })
}

export interface RepositoryCheck {
  repository: Omit<Repository, 'branch'> & { branch?: string | undefined }
  pipelineId?: number | undefined
}

/** The check behind the form's button. A masked password is the stored one only while the host is the same. */
export async function checkRepository(ctx: Ctx, teamId: number, { repository, pipelineId }: RepositoryCheck) {
  const { url, username, password } = repository
  note(ctx, { object: url })
  let given = password
  if (password === mask) {
    const stored = pipelineId === undefined ? undefined : await findPipeline(ctx.db, pipelineId)
    if (stored?.teamId !== teamId) throw new Fault('missing', 'resource-missing')
    const kept = hostOf(stored.repository?.url) === hostOf(url) ? (stored.repository?.password ?? null) : null
    given = kept === null ? '' : open(ctx, kept)
  }
  const { branches, head } = await ctx.ports.git.check({ kind: 'remote', url, username, password: given }, ctx.signal)
  return {
    branches: branches.slice(0, 1000).map((ref) => ref.name),
    defaultBranch: head ?? '',
    commit: branches.find((ref) => ref.name === head)?.commit ?? '',
  }
}
