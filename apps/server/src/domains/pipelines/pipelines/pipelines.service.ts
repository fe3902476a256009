import { changedFields } from '@gantry/contract/documents'
import { Definition, type Variable } from '@gantry/contract/pipelines/definition'
import type { VariablesBody } from '@gantry/contract/pipelines/groups'
import {
  type Pipeline,
  PipelineDocument,
  type Repository,
  type Setting,
  type StoredSetting,
} from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { note } from '../../../kernel/audit.ts'
import { Fault, mustConfirm } from '../../../kernel/fault.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { sweepBlobs } from '../uploads/blobs.jobs.ts'
import { discardBuilds, runningBuilds } from '../builds/builds.store.ts'
import { groupTeam } from '../groups/groups.store.ts'
import { changePipelines, found, maskedDocument, sameHost, sealedRepository } from './changes.service.ts'
import { readPipeline } from './pipelines.read.ts'
import { maskedVariables } from './variables.ts'
import { deletePipeline, findPipeline, type PipelineKey, type StoredPipeline } from './pipelines.store.ts'

/** A pipeline by its number or uuid, or 404; with `appId` also 404 where it is in another group. */
export async function getPipeline(
  ctx: Ctx,
  key: PipelineKey,
  { appId, lock = false }: { appId?: number; lock?: boolean } = {},
): Promise<StoredPipeline> {
  const pipeline = await findPipeline(ctx.db, key, { lock })
  if (!pipeline || (appId !== undefined && pipeline.appId !== appId)) throw new Fault('missing', 'resource-missing')
  return pipeline
}

/** Connects to the repository and finds the branch, or throws a fault that names the cause. */
async function checkBranch(ctx: Ctx, { url, branch, username, password }: Repository): Promise<void> {
  const source = { kind: 'remote', url, username, password: password && open(ctx, password) } as const
  const { branches } = await ctx.ports.git.check(source, ctx.signal, !ctx.actor.admin)
  const names = branches.map((ref) => ref.name)
  if (!names.includes(branch))
    throw new Fault('invalid', 'pipelines-branch-unknown', { branch, branches: names.slice(0, 5).join(', ') })
}

export interface NewPipelineInput extends Pick<
  PipelineDocument,
  'appId' | 'projectName' | 'description' | 'repository' | 'variables'
> {
  definition?: Definition | undefined
}

/** `known`: the product itself has just created the repository and serves it, so it is not checked. */
export async function createPipeline(ctx: Ctx, input: NewPipelineInput, { known = false } = {}): Promise<Pipeline> {
  const teamId = await groupTeam(ctx.db, input.appId)
  if (teamId === undefined) throw new Fault('missing', 'resource-missing')
  note(ctx, { object: input.projectName, teamId })
  const document = PipelineDocument.parse({ ...input, definition: input.definition ?? { stages: [] } })
  if (document.repository && !known) await checkBranch(ctx, sealedRepository(ctx, document.repository, null))
  return inTx(ctx, async (ctx) => {
    const [made] = await changePipelines(ctx, [{ type: 'create', teamId, document }])
    return readPipeline(ctx.db, found(made).id)
  })
}

/** Updates the address of a repository that the product itself serves: its origin may differ between starts. */
export const moveRepository = (ctx: Ctx, id: number, url: string): Promise<void> =>
  inTx(ctx, async (ctx) => {
    const { repository } = await getPipeline(ctx, id, { lock: true })
    if (!repository || repository.url === url) return
    // the mask would not be kept for another host
    const password = repository.password && open(ctx, repository.password)
    await changePipelines(ctx, [{ type: 'set', id, fields: { repository: { ...repository, url, password } } }])
  })

/** Deletes a pipeline with its builds, logs and artifacts. */
export const removePipeline = (
  ctx: Ctx,
  key: PipelineKey,
  { confirm, ...of }: { appId?: number; confirm?: string } = {},
): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key, { ...of, lock: true })
    mustConfirm(confirm, pipeline.projectName)
    note(ctx, { object: pipeline.projectName, before: settingOf(pipeline) })
    const running = await runningBuilds(ctx.db, pipeline.id)
    if (running.length > 0)
      throw new Fault('conflict', 'pipelines-builds-running', {
        name: pipeline.projectName,
        builds: running.join(', '),
      })
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
  { stages, revision }: { stages: Definition['stages']; revision?: number | undefined },
): Promise<DefinitionWithRevision> =>
  inTx(ctx, async (ctx) => {
    const { id } = await getPipeline(ctx, key, { appId })
    const [after] = await changePipelines(ctx, [
      { type: 'set', id, revision, fields: { definition: Definition.parse({ stages }) } },
    ])
    const pipeline = found(after)
    return { ...pipeline.definition, revision: pipeline.revision }
  })

const settingOf = ({
  id: _,
  uuid: _uuid,
  teamId: _team,
  appId: _group,
  definition: _stages,
  ...setting
}: StoredPipeline): StoredSetting => maskedDocument(setting)

export const readSetting = async (ctx: Ctx, key: PipelineKey, appId: number): Promise<StoredSetting> =>
  settingOf(await getPipeline(ctx, key, { appId }))

export async function writeSetting(
  ctx: Ctx,
  key: PipelineKey,
  appId: number,
  { revision, appId: group, ...setting }: Setting & { appId?: number | undefined; revision?: number | undefined },
): Promise<StoredSetting> {
  const fields = { ...setting, ...(group === undefined ? {} : { appId: group }) }
  const stored = await getPipeline(ctx, key, { appId })
  const repository = fields.repository && sealedRepository(ctx, fields.repository, stored.repository)
  // the check calls an outside system and so runs before the transaction, which refuses where the repository changed
  // since
  if (repository && changedFields({ repository }, { repository: stored.repository }).length > 0)
    await checkBranch(ctx, repository)
  const [after] = await changePipelines(ctx, [
    { type: 'set', id: stored.id, revision: revision ?? stored.revision, fields },
  ])
  return settingOf(found(after))
}

/** Sets the variables alone; each other setting stays. */
export async function writeVariables(
  ctx: Ctx,
  key: PipelineKey,
  { variables, globalEnvs, revision }: VariablesBody,
): Promise<{ globalEnvs: Variable[]; revision: number }> {
  const { id } = await getPipeline(ctx, key)
  const fields = { variables: variables ?? globalEnvs ?? [] }
  const [after] = await changePipelines(ctx, [{ type: 'set', id, revision, fields }])
  const pipeline = found(after)
  return { globalEnvs: maskedVariables(pipeline.variables), revision: pipeline.revision }
}

export interface RepositoryCheck {
  repository: Omit<Repository, 'branch'> & { branch?: string | undefined }
  pipelineId?: number | undefined
}

/**
 * The connection check behind the form's button. A masked password means the stored one only while the host is the
 * same.
 */
export async function checkRepository(ctx: Ctx, teamId: number, { repository, pipelineId }: RepositoryCheck) {
  const { url, username, password } = repository
  note(ctx, { object: url })
  let given = password
  if (password === mask) {
    const stored = pipelineId === undefined ? undefined : await findPipeline(ctx.db, pipelineId)
    if (stored?.teamId !== teamId) throw new Fault('missing', 'resource-missing')
    const kept = sameHost(stored.repository?.url, url) ? stored.repository?.password : undefined
    given = kept ? open(ctx, kept) : ''
  }
  const source = { kind: 'remote', url, username, password: given } as const
  const { branches, head } = await ctx.ports.git.check(source, ctx.signal, !ctx.actor.admin)
  return {
    branches: branches.slice(0, 1000).map((ref) => ref.name),
    defaultBranch: head ?? '',
    commit: branches.find((ref) => ref.name === head)?.commit ?? '',
  }
}
