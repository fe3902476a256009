import { changedFields } from '@gantry/contract/documents'
import { buildImagesOf, type Definition, type Step, stepsOfDefinition } from '@gantry/contract/pipelines/definition'
import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import type { Parameter, Variable } from '@gantry/contract/pipelines/parameters'
import { dockerfileOf } from '@gantry/contract/pipelines/steps/image'
import { illegalKeys } from '@gantry/contract/validators'
import { mustHold } from '../../../identity/access.ts'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { imagesForJobs, linkBuildImages } from '../../build-images/public.ts'
import { dockerfilesOf, linkDockerfiles } from '../../dockerfiles/public.ts'
import { refuseOthersRepositories } from '../../images/public.ts'
import { mustFit } from '../credentials/credentials.service.ts'
import { groupTeam } from '../groups/groups.store.ts'
import { type Approvers, noApprovers } from '../reviews/approvers.ts'
import { approversOf } from '../reviews/approvers.service.ts'
import { areOfTeam } from '../reviews/reviews.store.ts'
import { findPipeline, insertPipeline, lockPipelines, type StoredPipeline, updatePipeline } from './pipelines.store.ts'
import { insertRevision, revisionsSince } from './revisions.store.ts'
import { documentOf, maskedDocument, sealed, withFields } from './documents.ts'
import { refuseWrongNames } from './names.ts'
import { refuseUnsound } from './parameters.ts'
import { refuseReserved } from './variables.ts'

/** A change of one pipeline. `revision` is the one that it is based on; without it, the present one. */
export type PipelineChange =
  | { type: 'create'; teamId: number; document: PipelineDocument; approvers?: Approvers }
  | { type: 'set'; id: number; fields: Partial<PipelineDocument>; revision?: number | undefined }

/**
 * Applies changes of pipelines, all or none; the only way to change a pipeline. Each is applied to the result of the
 * one before, and creates a revision unless nothing differs. A mask stands for the stored secret. Returns the resulting
 * pipelines, in the order of the changes.
 *
 * 404 for an unknown pipeline; 409 if a change would overwrite what somebody else changed since its `revision`, or if
 * the team already has a pipeline with that name.
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
  { teamId, document: given, approvers: known }: Extract<PipelineChange, { type: 'create' }>,
): Promise<StoredPipeline> {
  const approvers = await validateDefinition(ctx, teamId, given, known)
  mustBeDecided(given, [])
  const document = { ...given, ...sealed(ctx, given) }
  const name = document.projectName
  const id = await insertPipeline(ctx.db, teamId, document, approvers ?? noApprovers)
  if (id === undefined) throw new Fault('conflict', 'pipelines-name-taken', { name })
  await linkDockerfiles(ctx.db, id, dockerfilesIn(given.definition))
  await linkBuildImages(ctx.db, id, buildImagesOf(given.definition))
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
  return mustExist(await findPipeline(ctx.db, id))
}

async function set(
  ctx: Ctx,
  { id, fields, revision }: Extract<PipelineChange, { type: 'set' }>,
): Promise<StoredPipeline> {
  const pipeline = mustExist(await findPipeline(ctx.db, id))
  note(ctx, { object: pipeline.projectName })
  const { appId } = fields
  if (appId !== undefined && (await groupTeam(ctx.db, appId)) !== pipeline.teamId)
    throw new Fault('missing', 'resource-missing')
  const approvers = (await validateDefinition(ctx, pipeline.teamId, fields, pipeline.approvers)) ?? pipeline.approvers
  const before = documentOf(pipeline)
  refuseWrongNames(ctx.lang, fields, before)
  const after = withFields(ctx, before, fields)
  const changed = changedFields(before, after)
  if (changed.length === 0) return pipeline
  mustBeDecided(after, changed)
  // anyone without the permission to review could otherwise turn the review off
  if (changed.includes('review')) await mustHold(ctx, pipeline.teamId, 'pipeline_review_operate')
  await mustBeCurrent(ctx, pipeline, revision, changed)
  const next = pipeline.revision + 1
  await updatePipeline(ctx.db, id, next, after, approvers).catch(
    brokenConstraint('pipeline_name', new Fault('conflict', 'pipelines-name-taken', { name: after.projectName })),
  )
  if (changed.includes('definition')) {
    await linkDockerfiles(ctx.db, id, dockerfilesIn(after.definition))
    await linkBuildImages(ctx.db, id, buildImagesOf(after.definition))
  }
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
  return { ...pipeline, ...after, approvers, revision: next }
}

/** Refuses a definition file without a repository, and new stages that the definition file would override. */
export function mustBeDecided(
  { definitionFile, repository, projectName }: PipelineDocument,
  changed: readonly string[],
): void {
  if (!definitionFile) return
  if (!repository) throw new Fault('invalid', 'pipelines-file-without-repository', { name: projectName })
  if (changed.includes('definition') && !changed.includes('definitionFile'))
    throw new Fault('conflict', 'pipelines-file-decides', { name: projectName, path: definitionFile.path })
}

/**
 * Throws 409, with the authors and fields, if a change of `fields` would overwrite a change made since its revision.
 * Changes of other fields do not conflict.
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
  // a revision that is not stored, as by the previous release, may have changed anything
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

/**
 * Checks the fields beyond their schema. Returns the approvers that the definition names, if it is given; `known` are
 * those that its names stood for before.
 */
export async function validateDefinition(
  ctx: Ctx,
  teamId: number,
  fields: Partial<PipelineDocument>,
  known?: Approvers,
): Promise<Approvers | undefined> {
  const { variables = [], parameters = [], definition, repository, review } = fields
  await mustFit(ctx, teamId, repository)
  if (review && !(await areOfTeam(ctx.db, teamId, review))) throw new Fault('invalid', 'pipelines-review-strangers')
  refuseTwice(variables)
  refuseTwice(parameters)
  refuseReserved(parameters.map(({ name }) => name))
  refuseUnsendable(parameters)
  refuseUnsound(parameters)
  if (!definition) return undefined
  refuseSecrets(stepsOfDefinition(definition))
  await refuseOthersRepositories(ctx, teamId, definition)
  await refuseOthersDockerfiles(ctx, teamId, definition)
  await refuseOthersImages(ctx, teamId, definition)
  return approversOf(ctx, teamId, definition, known)
}

const dockerfilesIn = (definition: Definition): number[] => [
  ...new Set(stepsOfDefinition(definition).flatMap((step) => dockerfileOf(step) ?? [])),
]

async function refuseOthersDockerfiles(ctx: Ctx, teamId: number, definition: Definition): Promise<void> {
  const own = new Set((await dockerfilesOf(ctx.db, teamId, dockerfilesIn(definition))).map(({ id }) => id))
  const step = stepsOfDefinition(definition).find((one) => !own.has(dockerfileOf(one) ?? NaN) && dockerfileOf(one))
  if (step) throw new Fault('invalid', 'pipelines-dockerfile-unknown', { step: step.name })
}

async function refuseOthersImages(ctx: Ctx, teamId: number, definition: Definition): Promise<void> {
  const wanted = buildImagesOf(definition)
  if (wanted.length === 0) return
  const own = new Set((await imagesForJobs(ctx.db, teamId, wanted)).map(({ id }) => id))
  const job = definition.stages
    .flatMap(({ jobs }) => jobs)
    .find(({ image, services }) => [image, ...services.map((one) => one.image)].some((id) => id && !own.has(id)))
  if (job) throw new Fault('invalid', 'pipelines-build-image-unknown', { job: job.name })
}

const refuseTwice = (list: readonly (Variable | Parameter)[]): void => {
  const names = list.map((one) => one.name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Fault('invalid', 'pipelines-variable-twice', { name: twice })
}

/** Refuses names that no request body may have as keys, since a build's parameters are sent as such keys. */
function refuseUnsendable(parameters: readonly Parameter[]): void {
  const name = parameters.map((parameter) => parameter.name).find((one) => illegalKeys.has(one))
  if (name !== undefined) throw new Fault('invalid', 'pipelines-parameter-illegal', { name })
}

/**
 * Refuses secrets in steps, because everybody who may view the pipeline sees its steps, and agents, revisions and the
 * audit log get them.
 */
export function refuseSecrets(steps: readonly Step[]): void {
  for (const step of steps) {
    const secret = step.type === 'deploy' && step.create ? secretIn(step.create) : undefined
    if (secret !== undefined)
      throw new Fault('invalid', 'pipelines-definition-secret', { step: step.name, name: secret })
  }
}

/** The first secret of a service: the name of a variable of any container, or the path of a file. */
const secretIn = ({
  environment,
  containers = [],
  files = [],
}: NonNullable<(Step & { type: 'deploy' })['create']>): string | undefined =>
  [environment, ...containers.map((one) => one.environment)].flat().find((one) => one.secret)?.name ??
  files.find((one) => one.secret)?.path
