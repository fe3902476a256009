import { changedFields } from '@gantry/contract/documents'
import { Definition } from '@gantry/contract/pipelines/definition'
import { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import type { Variable } from '@gantry/contract/pipelines/parameters'
import { isEnded } from '@gantry/contract/pipelines/states'
import type { VariablesBody } from '@gantry/contract/pipelines/groups'
import type { Finding } from '@gantry/contract/pipelines/editing/lint'
import { type Pipeline, type Setting, type StoredSetting } from '@gantry/contract/pipelines/pipelines'
import { note } from '../../../kernel/audit.ts'
import { Fault, mustConfirm, mustExist } from '../../../kernel/fault.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { sweepBlobs } from '../uploads/blobs.jobs.ts'
import { discardBuilds, lockBuilds } from '../builds/builds.store.ts'
import { groupTeam } from '../groups/groups.store.ts'
import { changePipelines } from './changes.service.ts'
import { maskedDocument, sealedRepository } from './documents.ts'
import { refuseWrongNames } from './names.ts'
import { readPipeline } from './pipelines.read.ts'
import { lintPipeline } from '../lint/lint.service.ts'
import { checkBranch } from './repository.service.ts'
import { maskedVariables } from './variables.ts'
import { deletePipeline, findPipeline, type PipelineKey, pipelineId, type StoredPipeline } from './pipelines.store.ts'

/** A pipeline by its id or uuid, or 404; with `appId`, also 404 if it is in another group. */
export async function getPipeline(
  ctx: Ctx,
  key: PipelineKey,
  { appId, lock = false }: { appId?: number; lock?: boolean } = {},
): Promise<StoredPipeline> {
  const pipeline = await findPipeline(ctx.db, key, { lock })
  if (!pipeline || (appId !== undefined && pipeline.appId !== appId)) throw new Fault('missing', 'resource-missing')
  return pipeline
}

/** The id of a pipeline that the caller was admitted to by this key, or 404; its document is not read. */
export async function idOfPipeline({ db }: Ctx, key: PipelineKey): Promise<number> {
  return mustExist(typeof key === 'number' ? key : await pipelineId(db, key))
}

export interface NewPipelineInput extends Pick<
  PipelineDocument,
  'appId' | 'projectName' | 'description' | 'repository' | 'variables'
> {
  definition?: Definition | undefined
}

/** `known`: the repository is not checked, because it was just reached, or because the product serves it. */
export async function createPipeline(ctx: Ctx, input: NewPipelineInput, { known = false } = {}): Promise<Pipeline> {
  const teamId = mustExist(await groupTeam(ctx.db, input.appId))
  note(ctx, { object: input.projectName, teamId })
  const document = PipelineDocument.parse({ ...input, definition: input.definition ?? { stages: [] } })
  refuseWrongNames(ctx.lang, document)
  if (document.repository && !known) await checkBranch(ctx, teamId, sealedRepository(ctx, document.repository, null))
  return inTx(ctx, async (ctx) => {
    const [made] = await changePipelines(ctx, [{ type: 'create', teamId, document }])
    return readPipeline(ctx.db, mustExist(made).id)
  })
}

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
    // a concurrent retry may reopen one of them
    const locked = await lockBuilds(ctx.db, pipeline.id)
    const running = locked.filter(({ state }) => !isEnded(state)).map(({ number }) => number)
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

type KeptDefinition = Definition & { revision: number; text: string }

export async function readDefinition(ctx: Ctx, key: PipelineKey, appId: number): Promise<KeptDefinition> {
  const { definition, revision, definitionText } = await getPipeline(ctx, key, { appId })
  return { ...definition, revision, text: definitionText }
}

export const writeDefinition = (
  ctx: Ctx,
  key: PipelineKey,
  appId: number,
  {
    stages,
    revision,
    text,
  }: { stages: Definition['stages']; revision?: number | undefined; text?: string | undefined },
): Promise<KeptDefinition & { warnings: Finding[] }> =>
  inTx(ctx, async (ctx) => {
    const { id } = await getPipeline(ctx, key, { appId })
    const [after] = await changePipelines(ctx, [
      {
        type: 'set',
        id,
        revision,
        fields: { definition: Definition.parse({ stages }), ...(text !== undefined && { definitionText: text }) },
      },
    ])
    const pipeline = mustExist(after)
    const { definition, revision: now, definitionText } = pipeline
    const warnings = await lintPipeline(ctx, pipeline, definition.stages)
    return { ...definition, revision: now, text: definitionText, warnings }
  })

const settingOf = ({
  id: _,
  uuid: _uuid,
  teamId: _team,
  approvers: _approvers,
  appId: _group,
  definition: _stages,
  definitionText: _text,
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
  // the check calls an outside system, so it runs before the transaction, which refuses if the repository changed since
  if (repository && changedFields({ repository }, { repository: stored.repository }).length > 0)
    await checkBranch(ctx, stored.teamId, repository)
  const [after] = await changePipelines(ctx, [
    { type: 'set', id: stored.id, revision: revision ?? stored.revision, fields },
  ])
  return settingOf(mustExist(after))
}

/** Sets the variables only; other settings stay. */
export async function writeVariables(
  ctx: Ctx,
  key: PipelineKey,
  { variables, globalEnvs, revision }: VariablesBody,
): Promise<{ globalEnvs: Variable[]; revision: number }> {
  const { id } = await getPipeline(ctx, key)
  const fields = { variables: variables ?? globalEnvs ?? [] }
  const [after] = await changePipelines(ctx, [{ type: 'set', id, revision, fields }])
  const pipeline = mustExist(after)
  return { globalEnvs: maskedVariables(pipeline.variables), revision: pipeline.revision }
}
