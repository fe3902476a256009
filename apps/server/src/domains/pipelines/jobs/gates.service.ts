import type { Build } from '@gantry/contract/pipelines/builds'
import type { Parameter } from '@gantry/contract/pipelines/parameters'
import { mask } from '@gantry/contract/validators'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { mustHold } from '../../../identity/access.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import {
  type BuildRow,
  findBuild,
  findBuildById,
  lockBuildById,
  setParameters,
  setReason,
} from '../builds/builds.store.ts'
import { maskedParameters, maskedValues, parametersOfBuild } from '../pipelines/parameters.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey, StoredPipeline } from '../pipelines/pipelines.store.ts'
import { decisionEvent, gateAfter } from '../reviews/decision-states.ts'
import { deciderOf, excludedFrom, type Obstacle, obstacleOf, permissionOf, whoMay } from '../reviews/deciders.ts'
import {
  decisionsOf,
  deployedBy,
  discountDecisions,
  expiredGates,
  filledIn,
  gatesOf,
  parametersOfRevision,
  putDecision,
  setGate,
  type StoredGate,
} from './gates.store.ts'
import { advance, publishState } from './jobs.service.ts'
import { lockJobs } from './jobs.store.ts'

type Declaring = Pick<StoredPipeline, 'parameters'>
type FilledIn = Awaited<ReturnType<typeof filledIn>>

interface Decision {
  pass: boolean
  parameters: Record<string, string>
  expected?: Record<string, string> | undefined
  reason: string
}

/**
 * Records a decision about a waiting stage. One of several concurrent decisions counts. Each person decides once for
 * the present values: an approval with other values discounts the earlier ones.
 */
export const decide = (
  ctx: Ctx,
  key: PipelineKey,
  number: number,
  stage: string,
  { pass, parameters, expected = {}, reason }: Decision,
): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    note(ctx, { object: `${pipeline.projectName} #${number} ${stage}`, after: { pass, reason } })
    const found = mustExist(await findBuild(ctx.db, pipeline.id, number))
    await lockJobs(ctx.db, found.id)
    const build = await lockBuildById(ctx.db, found.id)
    const gate = (await gatesOf(ctx.db, found.id)).find((one) => one.stage === stage)
    if (!build || !gate) throw new Fault('missing', 'resource-missing')
    await mustHold(ctx, build.teamId, permissionOf(gate.mode))
    note(ctx, {
      action: pass ? (gate.mode === 'manual' ? 'build.start-stage' : 'build.approve-stage') : 'build.reject-stage',
    })
    const obstacle = await obstacleTo(ctx, build, gate)
    if (obstacle) throw await refusal(ctx, obstacle, build, gate)
    const { stageIndex, approval } = gate
    const unknown = Object.keys(parameters).find((name) => !approval.parameters.includes(name))
    if (unknown !== undefined) throw new Fault('invalid', 'pipelines-parameter-unknown', { name: unknown })
    const values = pass ? await agreeOn(ctx, build, pipeline, gate, parameters, expected) : {}
    note(ctx, { after: { pass, reason, ...(pass ? { parameters: values } : {}) } })
    const agreed = (await countedDecisions(ctx, build.id, gate)).filter((one) => one.pass).length
    const { name, id: accountId } = ctx.actor
    await putDecision(ctx.db, {
      buildId: build.id,
      stageIndex,
      accountId,
      name,
      pass,
      reason,
      parameters: values,
    })
    const event = decisionEvent(pass, agreed, approval.count)
    if (event === 'pass') {
      await publishState(ctx, build, build.state)
      await decisionsChanged(ctx, build.teamId)
      return null
    }
    await setGate(ctx.db, build.id, stageIndex, gateAfter.waiting[event])
    if (event === 'reject') {
      const key = reason === '' ? 'pipelines-gate-rejected' : 'pipelines-gate-rejected-because'
      await setReason(ctx.db, build.id, { key, vars: { stage, name, reason } })
    }
    await advance(ctx, build.id)
    return null
  })

/**
 * Fills in the values of an approval, and returns all values that are approved, secrets masked. Refused if they are not
 * the ones that the approver expects, who would approve what they have not seen.
 */
async function agreeOn(
  ctx: Ctx,
  build: BuildRow,
  pipeline: Declaring,
  gate: StoredGate,
  given: Record<string, string>,
  expected: Record<string, string>,
): Promise<Record<string, string>> {
  const names = gate.approval.parameters
  if (names.length === 0) return {}
  const before = await filledIn(ctx.db, build.id)
  const declared = await declaredFor(ctx, build, pipeline, gate, before)
  const current = new Map(maskedParameters(declared).map(({ name, defaultValue }) => [name, defaultValue]))
  if (Object.entries(expected).some(([name, value]) => current.get(name) !== value))
    throw new Fault('conflict', 'pipelines-gate-values-changed', { stage: gate.stage })
  const after = await fillIn(ctx, build.id, declared, before, given)
  if (after) await discountDecisions(ctx.db, build.id, [gate.stageIndex])
  return valuesOf(after ?? before, names)
}

const valuesOf = ({ values, secrets }: FilledIn, names: readonly string[]): Record<string, string> => {
  const masked = maskedValues(values, secrets)
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(masked, name)).map((name) => [name, masked[name] ?? '']),
  )
}

const countedDecisions = async (ctx: Ctx, buildId: number, { stageIndex }: StoredGate) =>
  (await decisionsOf(ctx.db, buildId)).filter((one) => one.stageIndex === stageIndex && one.counts)

async function obstacleTo(ctx: Ctx, build: BuildRow, gate: StoredGate): Promise<Obstacle | undefined> {
  const question = {
    waits: gate.state === 'waiting' && build.state === 'waiting',
    named: gate.named,
    requesters: excludedFrom(gate.mode, build),
    decided: (await countedDecisions(ctx, build.id, gate)).map(({ accountId }) => accountId),
  }
  return obstacleOf(question, await deciderOf(ctx, build.teamId, permissionOf(gate.mode)))
}

async function refusal(ctx: Ctx, obstacle: Obstacle, { teamId }: BuildRow, gate: StoredGate): Promise<Fault> {
  const { stage, state, approval } = gate
  switch (obstacle) {
    case 'over':
      return new Fault('conflict', 'pipelines-gate-decided', { stage, state })
    case 'twice':
      return new Fault('conflict', 'pipelines-gate-once', { stage })
    case 'own':
      return new Fault('forbidden', 'pipelines-gate-own', { stage })
    case 'lacking':
    case 'unnamed': {
      const who = await whoMay(ctx, teamId, permissionOf(gate.mode), [...approval.users, ...approval.roles])
      return who === ''
        ? new Fault('forbidden', 'pipelines-gate-lacking', { stage })
        : new Fault('forbidden', 'pipelines-gate-others', { stage, who })
    }
  }
}

/**
 * Adds what the actor needs to decide about the stage that the build waits for: the values to fill in, what it deploys,
 * and why they may not decide.
 */
export async function withQuestion(ctx: Ctx, pipeline: Declaring, build: Build): Promise<Build> {
  const stage = build.stages.find(({ gate }) => gate?.state === 'waiting')
  if (build.state !== 'waiting' || !stage?.gate) return build
  const stored = await findBuildById(ctx.db, build.queueId)
  const gate = (await gatesOf(ctx.db, build.queueId)).find((one) => one.stage === stage.name)
  if (!stored || !gate) return build
  const obstacle = await obstacleTo(ctx, stored, gate)
  if (obstacle) stage.gate.obstacle = sayTo(ctx, await refusal(ctx, obstacle, stored, gate))
  const now = await filledIn(ctx.db, stored.id)
  stage.gate.fields = maskedParameters(await declaredFor(ctx, stored, pipeline, gate, now))
  stage.gate.deploys = await deployedBy(ctx.db, stored.id, gate.stageIndex)
  return build
}

/**
 * The parameters that an approval fills in, with their present values. They are declared by the build's revision; for a
 * draft or a definition in the repository, by the pipeline's settings.
 */
async function declaredFor(
  ctx: Ctx,
  build: BuildRow,
  pipeline: Declaring,
  { approval }: StoredGate,
  { values: now, secrets }: FilledIn,
): Promise<Parameter[]> {
  return (
    ((await parametersOfRevision(ctx.db, build.id)) ?? pipeline.parameters)
      .filter(({ name }) => approval.parameters.includes(name) && Object.hasOwn(now, name))
      // a value that nobody fills in stays as it is
      .map((one) => ({
        ...one,
        kind: secrets.includes(one.name) ? ('secret' as const) : one.kind,
        defaultValue: now[one.name] ?? '',
      }))
  )
}

/** Fills in values of an approval, and returns all values after that; undefined if none differs. */
async function fillIn(
  ctx: Ctx,
  buildId: number,
  declared: Parameter[],
  before: FilledIn,
  given: Record<string, string>,
): Promise<FilledIn | undefined> {
  const { values: now, secrets: sealed } = before
  const { parameters, secrets } = parametersOfBuild(ctx, declared, given)
  const changed = Object.entries(given).filter(([name, value]) =>
    sealed.includes(name) ? value !== mask && !isSecret(ctx, now[name] ?? '', value) : value !== now[name],
  )
  if (changed.length === 0) return undefined
  const values = Object.fromEntries(changed.map(([name]) => [name, parameters[name] ?? '']))
  const isSealed = secrets.filter((name) => Object.hasOwn(values, name))
  await setParameters(ctx.db, buildId, values, isSealed)
  return { values: { ...now, ...values }, secrets: [...sealed, ...isSealed] }
}

/** Whether a value equals the sealed one; false if that cannot be opened. */
function isSecret(ctx: Ctx, sealed: string, value: string): boolean {
  if (sealed === '') return value === ''
  try {
    return open(ctx, sealed) === value
  } catch {
    return false
  }
}

/** Ends builds for which nobody decided in time. Safe to run concurrently on any replica. */
export async function expireGates(ctx: Ctx): Promise<void> {
  for (const { buildId, stageIndex, stage } of await expiredGates(ctx.db))
    await inTx(ctx, async (ctx) => {
      await lockJobs(ctx.db, buildId)
      const build = await lockBuildById(ctx.db, buildId)
      const gate = (await gatesOf(ctx.db, buildId)).find((one) => one.stageIndex === stageIndex)
      if (build?.state !== 'waiting' || gate?.state !== 'waiting') return
      await setGate(ctx.db, buildId, stageIndex, gateAfter.waiting.expire)
      const vars = { stage, hours: gate.approval.hours ?? 0 }
      await setReason(ctx.db, buildId, { key: 'pipelines-gate-expired', vars })
      await advance(ctx, buildId)
    }).catch((error: unknown) => {
      // a build that cannot be advanced does not keep others from it
      ctx.log.error({ err: error, buildId }, 'a stage that nobody decided about in time could not be closed')
    })
}
