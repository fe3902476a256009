import { changedFields } from '@gantry/contract/documents'
import { type Definition, stepsOfDefinition, type Variable } from '@gantry/contract/pipelines/definition'
import type { Parameter } from '@gantry/contract/pipelines/parameters'
import type { PipelineDocument, Repository } from '@gantry/contract/pipelines/pipelines'
import { illegalKeys } from '@gantry/contract/validators'
import { mustHold } from '../../../identity/access.ts'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { keepSecret, shown } from '../../../kernel/secrets/secrets.ts'
import { refuseOthersRepositories } from '../../images/public.ts'
import { groupTeam } from '../groups/groups.store.ts'
import { areOfTeam } from '../reviews/reviews.store.ts'
import { findPipeline, insertPipeline, lockPipelines, type StoredPipeline, updatePipeline } from './pipelines.store.ts'
import { insertRevision, revisionsSince } from './revisions.store.ts'
import { maskedParameters, refuseUnsound, sealedParameters } from './parameters.ts'
import { maskedVariables, refuseReserved, sealedVariables } from './variables.ts'

/**
 * A change of one pipeline. `revision`: the one on which it is based; without it the change applies to the present one.
 */
export type PipelineChange =
  | { type: 'create'; teamId: number; document: PipelineDocument }
  | { type: 'set'; id: number; fields: Partial<PipelineDocument>; revision?: number | undefined }

/**
 * Applies changes of pipelines, all or none; the only way to change a pipeline. Each builds on the result of the one
 * before, and creates a revision unless nothing differs. A mask stands for the stored secret. Returns the resulting
 * pipelines, in the order of the changes.
 *
 * 404 for an unknown pipeline; 409 where a change would overwrite what somebody else changed since its `revision`, or
 * where the team already has a pipeline with that name.
 */
export const changePipelines = (ctx: Ctx, changes: readonly PipelineChange[]): Promise<StoredPipeline[]> =>
  inTx(ctx, async (ctx) => {
    await lockPipelines(
      ctx.db,
      changes.flatMap((change) => (change.type === 'set' ? [change.id] : [])),
    )
    const done: StoredPipeline[] = []
    for (const change of changes)
      done.push(change.type === 'create' ? await create(ctx, change) : await set(ctx, change))
    return done
  })

async function create(
  ctx: Ctx,
  { teamId, document: given }: Extract<PipelineChange, { type: 'create' }>,
): Promise<StoredPipeline> {
  await mustBeSound(ctx, teamId, given)
  const document = { ...given, ...sealed(ctx, given) }
  const name = document.projectName
  const id = await insertPipeline(ctx.db, teamId, document)
  if (id === undefined) throw new Fault('conflict', 'pipelines-name-taken', { name })
  const after = maskedDocument(document)
  const fields = Object.keys(after)
  await insertRevision(ctx.db, {
    pipelineId: id,
    revision: 1,
    document: after,
    fields,
    action: 'create',
    by: ctx.actor.name,
  })
  note(ctx, { object: name, after })
  return found(await findPipeline(ctx.db, id))
}

async function set(
  ctx: Ctx,
  { id, fields, revision }: Extract<PipelineChange, { type: 'set' }>,
): Promise<StoredPipeline> {
  const pipeline = found(await findPipeline(ctx.db, id))
  note(ctx, { object: pipeline.projectName })
  const { appId } = fields
  if (appId !== undefined && (await groupTeam(ctx.db, appId)) !== pipeline.teamId)
    throw new Fault('missing', 'resource-missing')
  await mustBeSound(ctx, pipeline.teamId, fields)
  const before = documentOf(pipeline)
  const after = { ...before, ...fields, ...sealed(ctx, fields, before) }
  const changed = changedFields(before, after)
  if (changed.length === 0) return pipeline
  // who may not review could otherwise turn the review off
  if (changed.includes('review')) await mustHold(ctx, pipeline.teamId, 'pipeline_review_operate')
  await mustBeCurrent(ctx, pipeline, revision, changed)
  const next = pipeline.revision + 1
  await updatePipeline(ctx.db, id, next, after).catch(
    brokenConstraint('pipeline_name', new Fault('conflict', 'pipelines-name-taken', { name: after.projectName })),
  )
  const [was, is] = [maskedDocument(before), maskedDocument(after)]
  await insertRevision(ctx.db, {
    pipelineId: id,
    revision: next,
    document: is,
    fields: changed,
    action: 'change',
    by: ctx.actor.name,
  })
  const only = (document: PipelineDocument) => Object.fromEntries(changed.map((field) => [field, document[field]]))
  note(ctx, { before: only(was), after: only(is) })
  return { ...pipeline, ...after, revision: next }
}

export function found(pipeline: StoredPipeline | undefined): StoredPipeline {
  if (!pipeline) throw new Fault('missing', 'resource-missing')
  return pipeline
}

const documentOf = ({ id: _, uuid: _uuid, teamId: _team, revision: _revision, ...document }: StoredPipeline) => document

/** The document with its secrets masked. */
export const maskedDocument = <D extends Pick<PipelineDocument, 'repository' | 'variables' | 'parameters'>>(
  document: D,
): D => ({
  ...document,
  repository: document.repository && { ...document.repository, password: shown(document.repository.password) },
  variables: maskedVariables(document.variables),
  parameters: maskedParameters(document.parameters),
})

/** Seals the secrets among `fields` for storage. */
const sealed = (
  ctx: Ctx,
  fields: Partial<PipelineDocument>,
  stored?: PipelineDocument,
): Partial<Pick<PipelineDocument, 'repository' | 'variables' | 'parameters'>> => ({
  ...(fields.repository && { repository: sealedRepository(ctx, fields.repository, stored?.repository ?? null) }),
  ...(fields.variables && { variables: sealedVariables(ctx, fields.variables, stored?.variables ?? []) }),
  ...(fields.parameters && { parameters: sealedParameters(ctx, fields.parameters, stored?.parameters ?? []) }),
})

const hostOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : URL.parse(url)?.host)

export const sameHost = (a: string | undefined, b: string | undefined): boolean => hostOf(a) === hostOf(b)

/** The mask stands for the stored password, but only while the host is the same. */
export const sealedRepository = (ctx: Ctx, given: Repository, stored: Repository | null): Repository => ({
  ...given,
  password: keepSecret(ctx, given.password, stored?.password ?? null, sameHost(given.url, stored?.url)) ?? '',
})

/**
 * Throws 409, with who and what, where a change of `fields` would overwrite what somebody else changed since its
 * revision. Changes of other fields do not conflict.
 */
async function mustBeCurrent(
  ctx: Ctx,
  pipeline: StoredPipeline,
  revision: number | undefined,
  fields: string[],
): Promise<void> {
  if (revision === undefined || revision === pipeline.revision) return
  const since = await revisionsSince(ctx.db, pipeline.id, revision)
  const touching = since.filter((one) => one.fields.some((field) => fields.includes(field)))
  // a missing revision may have changed anything: the previous release writes none
  const isWhole = since.length === pipeline.revision - revision
  if (isWhole && touching.length === 0) return
  const touched = fields.filter((field) => touching.some((one) => one.fields.includes(field)))
  throw new Fault('conflict', 'pipelines-changed-since', {
    name: pipeline.projectName,
    revision: pipeline.revision,
    yours: revision,
    by: [...new Set(touching.map(({ by }) => by))].join(', ') || '?',
    fields: touched.join(', ') || '?',
  })
}

/** Checks what no schema can of the given fields. */
async function mustBeSound(ctx: Ctx, teamId: number, fields: Partial<PipelineDocument>): Promise<void> {
  const { variables = [], parameters = [], definition, review } = fields
  if (review && !(await areOfTeam(ctx.db, teamId, review))) throw new Fault('invalid', 'pipelines-review-strangers')
  refuseTwice(variables)
  refuseTwice(parameters)
  refuseReserved(parameters.map(({ name }) => name))
  refuseUnsendable(parameters)
  refuseUnsound(parameters)
  if (!definition) return
  refuseSecrets(definition)
  await refuseOthersRepositories(ctx, teamId, definition)
}

const refuseTwice = (list: readonly (Variable | Parameter)[]): void => {
  const names = list.map((one) => one.name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Fault('invalid', 'pipelines-variable-twice', { name: twice })
}

/** A build's parameters are keys of its request body, and these keys are refused in every body. */
function refuseUnsendable(parameters: readonly Parameter[]): void {
  const name = parameters.map((parameter) => parameter.name).find((one) => illegalKeys.has(one))
  if (name !== undefined) throw new Fault('invalid', 'pipelines-parameter-illegal', { name })
}

/**
 * A definition may contain no secret: everybody who may view the pipeline sees it, and it goes to agents, revisions and
 * the trail.
 */
function refuseSecrets(definition: Definition): void {
  for (const step of stepsOfDefinition(definition)) {
    const secret = step.type === 'deploy' ? step.create?.environment.find((one) => one.secret) : undefined
    if (secret) throw new Fault('invalid', 'pipelines-definition-secret', { step: step.name, name: secret.name })
  }
}
