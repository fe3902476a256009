import { maxPipelines, type Preview, type Selection } from '@gantry/contract/batch-edits/batches'
import type { Change } from '@gantry/contract/batch-edits/changes'
import { changedFields } from '@gantry/contract/documents'
import type { List } from '@gantry/contract/paging'
import type { Step } from '@gantry/contract/pipelines/definition'
import { mustHold } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Page, paged } from '../../../kernel/paging.ts'
import { sayReasonTo } from '../../../kernel/phrase.ts'
import { groupNames, groupTeam } from '../groups/groups.store.ts'
import { refuseWrongNames } from '../pipelines/names.ts'
import { mustBeDecided, validateDefinition, refuseSecrets } from '../pipelines/changes.service.ts'
import { documentOf, maskedDocument, withFields } from '../pipelines/documents.ts'
import { matchingPipelines } from '../pipelines/pipelines.read.ts'
import { findPipelines, type StoredPipeline } from '../pipelines/pipelines.store.ts'
import { namesOf } from './batches.store.ts'
import { changedSecrets, only, planOf, Refusal, refusalOf } from './plan.ts'

/** Otherwise anyone without the permission to review could turn the review off, or on again by a restore. */
export async function mustBeReviewer(ctx: Ctx, teamId: number, changes: readonly Change[]): Promise<void> {
  const sets = changes.some((change) => change.type === 'set' && change.field === 'review')
  if (sets) await mustHold(ctx, teamId, 'pipeline_review_operate')
}

/** The steps that changes add. */
const stepsIn = (changes: readonly Change[]): Step[] =>
  changes.flatMap((change): Step[] => {
    if (change.type === 'add-step') return [change.step]
    if (change.type !== 'set-step' || change.step !== 'deploy' || change.field !== 'create') return []
    return [{ type: 'deploy', name: change.where.step, create: change.value } as Step]
  })

/**
 * Refuses changes that the caller may make to no pipeline; secrets where no pipeline may have them, before they are
 * stored; and a group of another team, as if it did not exist.
 */
export async function mustBeAllowed(ctx: Ctx, teamId: number, changes: readonly Change[]): Promise<void> {
  await mustBeReviewer(ctx, teamId, changes)
  refuseSecrets(stepsIn(changes))
  for (const change of changes)
    if (change.type === 'set' && change.field === 'appId' && (await groupTeam(ctx.db, change.value)) !== teamId)
      throw new Fault('missing', 'resource-missing')
}

/** The team's pipelines with these ids. Throws 404 if any of them is not the team's. */
export async function pipelinesOf(ctx: Ctx, teamId: number, ids: readonly number[]): Promise<StoredPipeline[]> {
  const found = await findPipelines(ctx.db, teamId, ids)
  if (found.length < new Set(ids).size) throw new Fault('missing', 'resource-missing')
  return found
}

async function selected(ctx: Ctx, teamId: number, { ids, filter }: Selection): Promise<StoredPipeline[]> {
  if (ids) return pipelinesOf(ctx, teamId, ids)
  const { projectName = '', groupId, state = 'all', repository = '' } = filter ?? {}
  const matching = { name: projectName, groupId, state, repository }
  const found = await matchingPipelines(ctx.db, teamId, matching, maxPipelines + 1)
  if (found.length > maxPipelines) throw new Fault('invalid', 'batch-edits-too-many', { count: maxPipelines })
  return findPipelines(ctx.db, teamId, found)
}

type Examined = Omit<Preview, 'groupName' | 'reason'> & { refusal: Refusal | undefined; matched: boolean[] }

/** What the changes would make of one pipeline. Its repository is reached only when the batch runs. */
async function lookAt(ctx: Ctx, pipeline: StoredPipeline, changes: readonly Change[]): Promise<Examined> {
  const { id, appId, projectName, revision, teamId } = pipeline
  const { fields, refusal, matched } = planOf(pipeline, changes)
  const looked = { pipelineId: id, appId, projectName, revision, matched, before: {}, after: {}, secrets: [] }
  const refused = (why: Refusal): Examined => ({ ...looked, outcome: 'refused', refusal: why, path: why.path })
  if (refusal) return refused(refusal)
  const stored = documentOf(pipeline)
  try {
    refuseWrongNames(ctx.lang, fields, pipeline)
    if (Object.keys(fields).length > 0) await validateDefinition(ctx, teamId, fields, pipeline.approvers)
    const after = withFields(ctx, stored, fields)
    const changed = changedFields(stored, after)
    mustBeDecided(after, changed)
    return {
      ...looked,
      outcome: changed.length > 0 ? 'changed' : 'unchanged',
      refusal: undefined,
      path: '',
      before: maskedDocument(only(stored, changed)),
      after: maskedDocument(only(after, changed)),
      secrets: changedSecrets(only(stored, changed), only(after, changed)),
    }
  } catch (error) {
    const why = refusalOf(error)
    if (!why) throw error
    return refused(why)
  }
}

/** Refuses pipelines whose new name another pipeline of the team has, or would get too. */
async function refuseTaken(ctx: Ctx, teamId: number, all: Examined[]): Promise<Examined[]> {
  const nameOf = ({ after }: Examined) => after['projectName'] as string | undefined
  const names = all.flatMap((one) => nameOf(one) ?? [])
  if (names.length === 0) return all
  const taken = await namesOf(ctx.db, teamId, names)
  return all.map((one) => {
    const name = nameOf(one)
    if (name === undefined) return one
    const others = taken.has(name) && taken.get(name) !== one.pipelineId
    if (!others && names.filter((other) => other === name).length === 1) return one
    const refusal = new Refusal({ key: 'pipelines-name-taken', vars: { name } }, 'projectName')
    return { ...one, outcome: 'refused', refusal, path: refusal.path, before: {}, after: {}, secrets: [] }
  })
}

/** The first few names: the object of the audit entry. */
export const namesIn = (pipelines: readonly { projectName: string }[]): string =>
  pipelines.length === 0
    ? '–'
    : pipelines
        .slice(0, 5)
        .map(({ projectName }) => projectName)
        .join(', ') + (pipelines.length > 5 ? ' …' : '')

interface Validation {
  teamId: number
  selection: Selection
  changes: readonly Change[]
}

/** What changes would make of each selected pipeline; changes nothing. */
export async function previewBatch(
  ctx: Ctx,
  { teamId, selection, changes }: Validation,
  outcome: string,
  at: Page,
): Promise<
  List<Preview> & {
    counts: Record<Preview['outcome'], number>
    matched: number[]
    pipelines: { id: number; revision: number }[]
  }
> {
  await mustBeAllowed(ctx, teamId, changes)
  const pipelines = await selected(ctx, teamId, selection)
  note(ctx, { object: namesIn(pipelines), teamId, after: { pipelines: pipelines.length } })
  const looked: Examined[] = []
  for (const pipeline of pipelines) looked.push(await lookAt(ctx, pipeline, changes))
  const all = await refuseTaken(ctx, teamId, looked)
  const those = (wanted: Preview['outcome']) => all.filter((one) => one.outcome === wanted)
  const page = paged(outcome === '' || outcome === 'all' ? all : all.filter((one) => one.outcome === outcome), at)
  const groups = await groupNames(
    ctx.db,
    page.items.map(({ appId }) => appId),
  )
  return {
    ...page,
    items: page.items.map(({ refusal, matched: _, ...one }) => ({
      ...one,
      groupName: groups.get(one.appId) ?? '',
      reason: refusal ? sayReasonTo(ctx, refusal.reason) : '',
    })),
    counts: {
      changed: those('changed').length,
      unchanged: those('unchanged').length,
      refused: those('refused').length,
    },
    matched: changes.map((_, index) => all.filter((one) => one.matched[index]).length),
    pipelines: those('changed').map(({ pipelineId, revision }) => ({ id: pipelineId, revision })),
  }
}
