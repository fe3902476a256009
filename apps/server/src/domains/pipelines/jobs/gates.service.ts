import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { brokenConstraint } from '../../../db/constraint.ts'
import { mustHold } from '../../../identity/access.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type BuildRow, findBuild, lockBuildById, setParameters, setReason } from '../builds/builds.store.ts'
import { triggererOf } from '../builds/to-run.store.ts'
import { parametersOfBuild } from '../pipelines/parameters.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { decisionsOf, expiredGates, gatesOf, putDecision, roleIn, setGate } from './gates.store.ts'
import { advance } from './jobs.service.ts'
import { lockJobs } from './jobs.store.ts'

type Gate = Awaited<ReturnType<typeof gatesOf>>[number]

interface Decision {
  pass: boolean
  parameters: Record<string, string>
}

/** Decides about a stage that waits. Of several decisions at once one counts; each person decides once. */
export const decide = (ctx: Ctx, key: PipelineKey, number: number, stage: string, decision: Decision): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    const { pass } = decision
    note(ctx, { object: `${pipeline.projectName} #${number} ${stage}`, after: { pass } })
    const found = await findBuild(ctx.db, pipeline.id, number)
    if (!found) throw new Fault('missing', 'resource-missing')
    await lockJobs(ctx.db, found.id)
    const build = await lockBuildById(ctx.db, found.id)
    const gate = (await gatesOf(ctx.db, found.id)).find((one) => one.stage === stage)
    if (!build || !gate) throw new Fault('missing', 'resource-missing')
    await mustBeAsked(ctx, build, gate)
    if (gate.state !== 'waiting' || build.state !== 'waiting')
      throw new Fault('conflict', 'pipelines-gate-decided', { stage, state: gate.state })
    const wanted = gate.approval.parameters
    const unknown = Object.keys(decision.parameters).find((name) => !wanted.includes(name))
    if (unknown !== undefined) throw new Fault('invalid', 'pipelines-parameter-unknown', { name: unknown })
    const { name, id: accountId } = ctx.actor
    await putDecision(ctx.db, { buildId: build.id, stageIndex: gate.stageIndex, accountId, name, pass }).catch(
      brokenConstraint('build_decision_once', new Fault('conflict', 'pipelines-gate-once', { stage })),
    )
    if (!pass) {
      await setGate(ctx.db, build.id, gate.stageIndex, 'rejected')
      await setReason(ctx.db, build.id, { key: 'pipelines-gate-rejected', vars: { stage, name } })
    } else {
      if (wanted.length > 0) {
        const asked = pipeline.parameters.filter((parameter) => wanted.includes(parameter.name))
        const { parameters, secrets } = parametersOfBuild(ctx, asked, decision.parameters)
        await setParameters(ctx.db, build.id, parameters, secrets)
      }
      const agreed = (await decisionsOf(ctx.db, build.id)).filter((one) => one.stageIndex === gate.stageIndex)
      if (agreed.length < gate.approval.count) return null
      await setGate(ctx.db, build.id, gate.stageIndex, 'passed')
    }
    await advance(ctx, build.id)
    return null
  })

/**
 * Requires that the actor may decide: for a manual stage the permission to start builds; for an approval that to approve,
 * being named, and not being who the build acts for. Administrators need not be named.
 */
async function mustBeAsked(ctx: Ctx, build: BuildRow, { mode, stage, approval }: Gate): Promise<void> {
  await mustHold(ctx, build.teamId, mode === 'manual' ? 'pipeline_build_execute' : 'pipeline_review_operate')
  const { actor } = ctx
  if (mode === 'approve') {
    const { actor: triggerer } = await triggererOf(ctx.db, build.id)
    if (triggerer?.kind === 'user' && triggerer.id === actor.id)
      throw new Fault('forbidden', 'pipelines-gate-own', { stage })
  }
  const { users, roles } = approval
  if (actor.admin || (users.length === 0 && roles.length === 0) || users.includes(actor.name)) return
  const role = roles.length === 0 ? undefined : await roleIn(ctx.db, build.teamId, actor.id)
  if (role !== undefined && roles.includes(role)) return
  throw new Fault('forbidden', 'pipelines-gate-others', { stage, who: [...users, ...roles].join(', ') })
}

/** Ends builds for which nobody decided in time. Safe to run on any replica at any time. */
export async function expireGates(ctx: Ctx): Promise<void> {
  for (const { buildId, stageIndex, stage } of await expiredGates(ctx.db))
    await inTx(ctx, async (ctx) => {
      await lockJobs(ctx.db, buildId)
      const build = await lockBuildById(ctx.db, buildId)
      const gate = (await gatesOf(ctx.db, buildId)).find((one) => one.stageIndex === stageIndex)
      if (build?.state !== 'waiting' || gate?.state !== 'waiting') return
      await setGate(ctx.db, buildId, stageIndex, 'expired')
      const vars = { stage, hours: gate.approval.hours ?? 0 }
      await setReason(ctx.db, buildId, { key: 'pipelines-gate-expired', vars })
      await advance(ctx, buildId)
    })
}
