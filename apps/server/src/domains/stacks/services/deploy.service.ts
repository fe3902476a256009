import type { Step } from '@gantry/contract/pipelines/definition'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { mustHold } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { isReason } from '../../../kernel/phrase.ts'
import { applyChanges } from './services.service.ts'
import { attemptKey } from '../revisions/deploy-key.store.ts'
import { lastOfDeploy } from '../revisions/revisions.store.ts'
import { findServiceByName, type ServiceRow } from './services.store.ts'
import { findStack } from '../stacks/stacks.store.ts'
import { serviceTypes } from './types/workload-types.ts'

type DeployStep = Extract<Step, { type: 'deploy' }>

export interface Deployment {
  teamId: number
  step: DeployStep
  /** host/path:tag, its digest, and the registry from which the cluster pulls it. */
  image: string
  digest: string
  registryId: number
  /** One deployment for each key and attempt, however often it is requested. */
  key: string
  attempt: number
  by: string
}

export interface Progress {
  state: 'running' | 'success' | 'failed'
  /** The progress as a line for the log. */
  line: string
  reason: { key: string; vars: Record<string, string | number> } | null
}

/** A deployment needs the permissions for an upgrade or a creation, and for its confirmation. */
async function mustBeAllowed(ctx: Ctx, { teamId, step }: Deployment, change: 'edit' | 'create'): Promise<void> {
  await mustHold(ctx, teamId, `stack_service_${change}`)
  if (change === 'edit' && step.confirm) await mustHold(ctx, teamId, 'stack_service_operate')
}

/**
 * The revision that an attempt follows: its own, or that of an earlier attempt if it is current and has not failed. So
 * a deployment whose agent was lost continues, a failed one begins again, and continuing needs the permissions too.
 */
async function followedRevision(ctx: Ctx, wanted: Deployment, service: ServiceRow): Promise<number | undefined> {
  const { key, attempt } = wanted
  const last = await lastOfDeploy(ctx.db, service.id, key)
  if (!last || last.deployKey === attemptKey(key, attempt)) return last?.revision
  if (last.revision !== service.revision || service.state === 'failed') return undefined
  await mustBeAllowed(ctx, wanted, last.revision === 1 ? 'create' : 'edit')
  return last.revision
}

/**
 * Deploys an image into a service, and returns the progress: the first call of an attempt starts it, later ones report.
 * Throws the fault of a refused start: a missing permission, or something impossible.
 */
export async function deployImage(ctx: Ctx, wanted: Deployment): Promise<Progress> {
  const { step, teamId } = wanted
  const stack = await findStack(ctx.db, step.stackUuid)
  if (stack?.teamId !== teamId) throw new Fault('missing', 'stacks-stack-unknown', { stack: step.stackUuid })
  const found = await findServiceByName(ctx.db, stack.id, step.service)
  const revision = found && (await followedRevision(ctx, wanted, found))
  if (!found || revision === undefined) {
    const image = { image: wanted.image, registryId: wanted.registryId }
    const origin = { by: wanted.by, deployKey: attemptKey(wanted.key, wanted.attempt), digest: wanted.digest }
    if (found) {
      await mustBeAllowed(ctx, wanted, 'edit')
      const withImage = (current: ServiceSpec): ServiceSpec => ({ ...current, ...image })
      await applyChanges(ctx, stack, [{ type: 'upgrade', id: found.id, spec: withImage }], origin)
    } else if (step.create) {
      await mustBeAllowed(ctx, wanted, 'create')
      const serviceType = 'business'
      const spec = serviceTypes[serviceType].schema.parse({ ...step.create, ...image })
      await applyChanges(ctx, stack, [{ type: 'create', name: step.service, serviceType, spec }], origin)
    } else throw new Fault('missing', 'stacks-service-unknown', { service: step.service, stack: stack.name })
    return { state: 'running', line: `deploying ${wanted.image} to ${stack.name}/${step.service}`, reason: null }
  }
  if (found.revision !== revision)
    return {
      state: 'failed',
      line: `${step.service} was changed by somebody else meanwhile`,
      reason: { key: 'stacks-changed-meanwhile', vars: { service: step.service } },
    }
  switch (found.state) {
    case 'upgraded':
      if (step.confirm) await applyChanges(ctx, stack, [{ type: 'confirm', id: found.id }])
      return {
        state: 'success',
        line: step.confirm
          ? `${step.service} is ready, confirmed`
          : `${step.service} is ready and waits to be confirmed`,
        reason: null,
      }
    case 'stable':
    case 'stopped':
      return { state: 'success', line: `${step.service} is ready`, reason: null }
    case 'failed': {
      const why = isReason(found.reason) ? found.reason : null
      return {
        state: 'failed',
        line: `${step.service} did not become ready`,
        reason: why ?? { key: 'stacks-not-ready-in-time', vars: { reason: '' } },
      }
    }
    case 'deleting':
    case 'cancelling':
    case 'rolling-back':
      return {
        state: 'failed',
        line: `${step.service} is ${found.state}`,
        reason: { key: 'stacks-changed-meanwhile', vars: { service: step.service } },
      }
    default:
      return { state: 'running', line: `${step.service} is ${found.state}`, reason: null }
  }
}
