import { releases } from '@gantry/contract/blueprints/releases'
import { permissionsOf } from '@gantry/contract/endpoint'
import type { Step } from '@gantry/contract/pipelines/definition'
import { mustHold } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { isReason, sayInLog } from '../../../kernel/phrase.ts'
import { attemptKey, findStack, type Progress, servicesOf, type StackRow } from '../../stacks/public.ts'
import { decide, type Decision, isReady, upgradeStack } from './releases.service.ts'
import { lastDeploy } from './releases.store.ts'

export interface BlueprintDeployment {
  teamId: number
  step: Extract<Step, { type: 'blueprint' }>
  inputs: Record<string, string>
  /** Inputs whose values contain a secret of the build. */
  masked: readonly string[]
  /** There is one release per key and attempt, however often it is requested. */
  key: string
  attempt: number
}

const nameOf = ({ teamId, envId, name }: StackRow) => ({ teamId, envId, stackName: name })

/** Upgrades a stack for a step of a build. An attempt's first call starts the release, later ones report progress. */
export async function upgradeOfStep(ctx: Ctx, wanted: BlueprintDeployment): Promise<Progress> {
  const { teamId, step } = wanted
  await mustHold(ctx, teamId, ...permissionsOf(releases.upgrade.access))
  if (step.confirm) await mustDecide(ctx, teamId)
  const stack = await findStack(ctx.db, step.stackUuid)
  if (stack?.teamId !== teamId) throw new Fault('missing', 'stacks-stack-unknown', { stack: step.stackUuid })
  return (await progressOf(ctx, wanted, stack)) ?? begin(ctx, wanted, stack)
}

const mustDecide = (ctx: Ctx, teamId: number) => mustHold(ctx, teamId, ...permissionsOf(releases.confirm.access))

const running = (line: string): Progress => ({ state: 'running', line, reason: null })

async function begin(ctx: Ctx, wanted: BlueprintDeployment, stack: StackRow): Promise<Progress> {
  const { step, inputs, masked } = wanted
  const source = { blueprintId: step.blueprintId, inputs, masked }
  try {
    const { version } = await upgradeStack(ctx, nameOf(stack), source, attemptKey(wanted.key, wanted.attempt))
    return running(`upgrading ${stack.name} to ${version}`)
  } catch (error) {
    if (!(error instanceof Fault) || error.status !== 409) throw error
    // another call of this attempt may have been first
    const begun = await progressOf(ctx, wanted, stack)
    if (begun) return begun
    if (error.key === 'blueprints-nothing-changes')
      return { state: 'success', line: `nothing changes in ${stack.name}`, reason: null }
    // services settle by themselves, so the step waits up to its own time limit
    if (error.key === 'blueprints-not-settled' || error.key.startsWith('stacks-not-now-'))
      return running(`not begun yet: ${sayInLog(error)}`)
    throw error
  }
}

/** Decides the release of this step, never one that was started later. */
async function decided(ctx: Ctx, stack: StackRow, decision: Decision, id: number, done: Progress) {
  try {
    await decide(ctx, nameOf(stack), decision, id)
  } catch (error) {
    // somebody else decided it at the same moment; the next call reports how
    if (error instanceof Fault && error.key === 'blueprints-no-release') return running(`${stack.name} was decided`)
    throw error
  }
  return done
}

/** Progress of this attempt's release, or of an earlier attempt's as long as that is not decided. */
async function progressOf(
  ctx: Ctx,
  { teamId, step, key, attempt }: BlueprintDeployment,
  stack: StackRow,
): Promise<Progress | undefined> {
  const { name: stackName } = stack
  const release = await lastDeploy(ctx.db, stack.id, key)
  const isOwn = release?.deploy_key === attemptKey(key, attempt)
  if (!release || (!isOwn && release.state !== 'open')) return undefined
  if (release.state === 'returned')
    return {
      state: 'failed',
      line: `somebody went back from the release of ${stackName}`,
      reason: { key: 'blueprints-release-returned', vars: { stack: stackName } },
    }
  if (release.state === 'confirmed') return { state: 'success', line: `${stackName} is confirmed`, reason: null }
  const services = await servicesOf(ctx.db, stack.id)
  if (isReady(release, services)) {
    if (!step.confirm)
      return { state: 'success', line: `${stackName} is ready and waits to be confirmed`, reason: null }
    const done: Progress = { state: 'success', line: `${stackName} is ready, confirmed`, reason: null }
    return decided(ctx, stack, 'confirm', release.id, done)
  }
  const brought = services.filter(({ name }) => release.made.includes(name) || release.changed.includes(name))
  const failed = brought.find(({ state }) => state === 'failed')
  if (!failed) return running(`${stackName}: ${brought.map(({ name, state }) => `${name} is ${state}`).join(', ')}`)
  if (!isOwn) {
    await mustDecide(ctx, teamId)
    return decided(ctx, stack, 'cancel', release.id, running(`${stackName} goes back from the attempt before`))
  }
  return {
    state: 'failed',
    line: `${stackName}/${failed.name} did not become ready`,
    reason: isReason(failed.reason) ? failed.reason : { key: 'stacks-not-ready-in-time', vars: { reason: '' } },
  }
}
