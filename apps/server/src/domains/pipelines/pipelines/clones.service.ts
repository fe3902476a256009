import type { Group } from '@gantry/contract/pipelines/groups'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { mustHoldInOneOf } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { createGroup, getGroup } from '../groups/groups.service.ts'
import { groupTeam, groupVariables, setGroupVariables } from '../groups/groups.store.ts'
import { cloneTriggers } from '../triggers/clones.service.ts'
import { changePipelines } from './changes.service.ts'
import { documentOf, unsealed } from './documents.ts'
import { readPipeline } from './pipelines.read.ts'
import { getPipeline } from './pipelines.service.ts'
import { findPipeline, type PipelineKey, pipelinesOfGroup, type StoredPipeline } from './pipelines.store.ts'

/** Clones a pipeline, with its secrets only within its team, so that nobody takes them elsewhere. */
export const clonePipeline = (
  ctx: Ctx,
  key: PipelineKey,
  { projectName, appId }: { projectName: string; appId?: number | undefined },
): Promise<Pipeline> =>
  inTx(ctx, async (ctx) => {
    const source = await getPipeline(ctx, key)
    const target = appId ?? source.appId
    const teamId = mustExist(await groupTeam(ctx.db, target))
    if (teamId !== source.teamId) await mustHoldInOneOf(ctx, [teamId], 'pipeline_pipeline_create')
    const id = await cloneInto(ctx, source, { teamId, appId: target, projectName })
    note(ctx, { object: `${source.projectName} → ${projectName}` })
    return readPipeline(ctx.db, id)
  })

/** Clones a group with its variables and all of its pipelines, all or none. */
export const cloneGroup = (
  ctx: Ctx,
  key: PipelineKey,
  { name, suffix, teamId: given }: { name: string; suffix: string; teamId?: number | undefined },
): Promise<Group> =>
  inTx(ctx, async (ctx) => {
    const { appId, teamId: own } = await getPipeline(ctx, key)
    const teamId = given ?? own
    if (teamId !== own)
      await mustHoldInOneOf(ctx, [teamId], 'pipeline_group_create', 'pipeline_group_edit', 'pipeline_pipeline_create')
    const source = await getGroup(ctx, own, appId)
    const { id } = await createGroup(ctx, teamId, { name, description: source.description })
    const { variables } = await groupVariables(ctx.db, appId)
    const kept = teamId === own ? variables : variables.map((one) => (one.secret ? { ...one, value: '' } : one))
    await setGroupVariables(ctx.db, id, { variables: kept, revision: 1 }, ctx.actor.name)
    for (const pipelineId of await pipelinesOfGroup(ctx.db, appId)) {
      const pipeline = mustExist(await findPipeline(ctx.db, pipelineId))
      const projectName = pipeline.projectName + suffix
      if ([...projectName].length > 30)
        throw new Fault('invalid', 'pipelines-clone-name-too-long', { name: pipeline.projectName, suffix })
      await cloneInto(ctx, pipeline, { teamId, appId: id, projectName })
    }
    note(ctx, { object: `${source.name} → ${name}`, teamId })
    return getGroup(ctx, teamId, id)
  })

interface Target {
  teamId: number
  appId: number
  projectName: string
}

async function cloneInto(ctx: Ctx, source: StoredPipeline, { teamId, ...named }: Target): Promise<number> {
  // reviewers are users and roles of the team
  const review = teamId === source.teamId ? source.review : null
  const document = { ...unsealed(ctx, documentOf(source), teamId === source.teamId), ...named, review }
  const [clone] = await changePipelines(ctx, [
    { type: 'create', teamId, document, ...(teamId === source.teamId && { approvers: source.approvers }) },
  ])
  const { id } = mustExist(clone)
  await cloneTriggers(ctx, source, { id, teamId })
  return id
}
