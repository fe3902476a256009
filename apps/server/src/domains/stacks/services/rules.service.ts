import { changedFields } from '@gantry/contract/documents'
import { sum, worseOf } from '@gantry/contract/stacks/demand'
import type { ServiceSpec, ServiceType } from '@gantry/contract/stacks/spec'
import { workloadKinds } from '@gantry/contract/stacks/spec-run'
import type { ServiceState } from '@gantry/contract/stacks/states'
import { isLower, platformVersion } from '@gantry/tosca/version'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { excess, excessVars } from '../../quotas/public.ts'
import { besides, type StoredCopy } from '../copies/copy.ts'
import { revisionsOf, specOf } from '../revisions/revisions.store.ts'
import { usedBy } from '../stacks/stacks.service.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import type { ExistingChange, Change, Origin } from './change.ts'
import type { ServiceRow } from './services.store.ts'
import { nextServiceState, type ServiceEvent, settledAs } from './states.ts'
import { serviceTypes } from './types/workload-types.ts'

/** Throws if the locked stack's share is too small for the services after the change. */
export async function mustFitStack(
  ctx: Ctx,
  stack: StackRow,
  service: { id?: number; type: ServiceType },
  wanted: ServiceSpec,
  previous: ServiceSpec | null,
  copy: StoredCopy | null = null,
): Promise<void> {
  const others = await usedBy(ctx, stack.id, service.id)
  const { demand } = serviceTypes[service.type]
  const own = previous ? worseOf(demand(wanted), demand(previous)) : demand(wanted)
  const over = excess(stack, others, copy ? sum(own, besides(copy, wanted)) : own)
  if (over)
    throw new Fault('conflict', `stacks-share-exceeded-${over.resource}`, { ...excessVars(over), stack: stack.name })
}

/**
 * Throws 409, with the author and the fields, if somebody changed the service since the revision that a change is based
 * on. A field that was changed and changed back does not conflict.
 */
export async function mustBeCurrent(ctx: Ctx, service: ServiceRow, revision: number | undefined): Promise<void> {
  if (revision === undefined || revision === service.revision) return
  const known = await specOf(ctx.db, service, revision)
  const fields = known ? changedFields(known, service.spec) : []
  if (known && fields.length === 0) return
  const [latest] = await revisionsOf(ctx.db, service.id, 1)
  throw new Fault('conflict', 'stacks-changed-since', {
    name: service.name,
    revision: service.revision,
    yours: revision,
    by: latest?.by ?? service.actor,
    fields: fields.join(', ') || '?',
  })
}

/** Whether an old version can be kept beside the new one: not for Jobs, CronJobs and services without pods. */
export const isReplacedInSteps = ({ workload = 'deployment', outward }: ServiceSpec): boolean =>
  outward === undefined && workload !== 'job' && workload !== 'cronjob'

export function mustScale({ name, type, spec: { workload = 'deployment' } }: ServiceRow): void {
  if (type !== 'business') throw new Fault('conflict', 'outward-not-scaled', { name })
  if (workload !== 'deployment' && workload !== 'statefulset')
    throw new Fault('conflict', 'stacks-not-scaled', { name, workload: workloadKinds[workload] })
}

export function mustBePaused({ name, spec: { autoscaling } }: ServiceRow): void {
  if (!autoscaling?.paused) throw new Fault('conflict', 'scaling-not-paused', { name })
}

/** Refuses a change while the stack's blueprint is of a lower version than the platform's and is not translated. */
export function mustBeTranslated({ toscaVersion }: StackRow, { release }: Origin): void {
  if (release === undefined && toscaVersion !== null && isLower(toscaVersion))
    throw new Fault('invalid', 'tips-tosaca-version', { version: platformVersion })
}

/** Refuses to change or restore one service of an open release, which is decided as a whole. */
export function mustBeOnItsOwn(stack: StackRow, service: ServiceRow, type: Change['type'], { release }: Origin): void {
  if (service.releaseId === null || service.releaseId === release) return
  // a restart continues where it failed; a service with something to return to would lose that
  if (type === 'restart' && !(service.state === 'failed' && service.previous)) return
  throw new Fault('conflict', 'stacks-in-release', { name: service.name, stack: stack.name })
}

/** The event of a change. A service that is not replaced in steps has no upgrade to decide. */
function eventOf({ state, spec }: ServiceRow, { type }: ExistingChange): ServiceEvent {
  if (type === 'bluegreen' || type === 'gray') return 'beside'
  if (type === 'resume') return 'scale'
  if (type !== 'upgrade' && type !== 'return') return type
  return state === 'stable' && !isReplacedInSteps(spec) ? 'edit' : 'upgrade'
}

/** The changes that are possible while a copy is open. */
const ofCopies = new Set<ExistingChange['type']>(['goOn', 'confirm', 'cancel', 'rollBack', 'remove'])

/** The next state, or 409 with what can be done instead. */
export function next(service: ServiceRow, change: ExistingChange): ServiceState {
  const hasCopy = service.copy?.ended === null
  if (hasCopy && !ofCopies.has(change.type)) throw new Fault('conflict', 'stacks-copy-open', { name: service.name })
  if (change.type === 'goOn' && !(hasCopy && service.state === 'upgrading' && service.copy?.type === 'gray'))
    throw new Fault('conflict', 'stacks-gray-none', { name: service.name })
  const after = nextServiceState(service.state, eventOf(service, change))
  // without a copy, the new version is already running, and nothing is left to do
  const state = after === 'confirming' && !hasCopy ? nextServiceState(after, settledAs(service.spec)) : after
  if (state === undefined) throw new Fault('conflict', `stacks-not-now-${service.state}`, { name: service.name })
  return state
}
