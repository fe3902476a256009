import { changedFields } from '@gantry/contract/documents'
import { scalesItself } from '@gantry/contract/stacks/scaling/autoscaling'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { ServiceState } from '@gantry/contract/stacks/states'
import { namespacesInUseTopic } from '@gantry/contract/clusters/topics'
import { serviceTopic, stacksTopic, waysTopic } from '@gantry/contract/stacks/topics'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import type { ExistingChange, Change, Origin } from './change.ts'
import { copyOf, mustStandBeside, suffix } from '../copies/copies.rules.ts'
import {
  isReplacedInSteps,
  mustBeCurrent,
  mustBePaused,
  mustBeOnItsOwn,
  mustBeTranslated,
  mustFitStack,
  mustScale,
  next,
} from './rules.service.ts'
import { mustRun } from './document.service.ts'
import { claimPlaces } from '../outward/claims.service.ts'
import { hasSecrets, withoutSecrets } from './secret-values.ts'
import { changeService, deleteService, insertService, lockServices, repeatApplying } from './changes.store.ts'
import { findService, findServiceByName, type KeptSpec, type ServiceRow, specIn } from './services.store.ts'
import { insertRevision, keptAt, revisionOfDeploy } from '../revisions/revisions.store.ts'
import { unsettledServices, unsettledStacks } from '../reconcile/reconciling.ts'
import { scaledServices } from '../scaling/scaling.store.ts'
import { isOpen, type StoredCopy } from '../copies/copy.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import { getStack, takenBy, publishStack } from '../stacks/stacks.service.ts'
import { findStack, lockStack, setStackState, type StackRow } from '../stacks/stacks.store.ts'

/** The user who requests a change, for notifications; not for the deployment of a build, which notifies by itself. */
const requestedBy = ({ actor }: Ctx, { deployKey }: Pick<Origin, 'deployKey'>) => ({
  actor: actor.name,
  actorId: actor.kind === 'user' && deployKey === null ? actor.id : null,
})

const byPerson = (ctx: Ctx): Origin => ({ by: ctx.actor.name, deployKey: null, digest: '' })

/** A service of the team in that environment with its stack, or 404. */
export async function getService(
  ctx: Ctx,
  teamId: number,
  clusterId: string,
  id: number,
): Promise<{ service: ServiceRow; stack: StackRow }> {
  const service = mustExist(await findService(ctx.db, id))
  return { service, stack: await getStack(ctx, teamId, service.stackId, clusterId) }
}

export async function getServiceByName(ctx: Ctx, stack: StackRow, name: string): Promise<ServiceRow> {
  const service = await findServiceByName(ctx.db, stack.id, name)
  if (!service) throw new Fault('missing', 'stacks-service-unknown', { service: name, stack: stack.name })
  return service
}

/** States in which a service waits, or may wait for a step of its copy, for a decision. */
const decided: ReadonlySet<string> = new Set<ServiceState>(['upgrading', 'upgraded'])

/** `before` is the state before the change; without it, what waits for a decision is unchanged. */
export async function publishService(
  ctx: Ctx,
  { id: stackId, teamId }: Pick<StackRow, 'id' | 'teamId'>,
  serviceId: number,
  state: ServiceState | 'deleted',
  before?: ServiceState,
): Promise<void> {
  await publish(ctx, stacksTopic, { teamId }, { stackId, serviceId, state })
  await publish(ctx, serviceTopic, { serviceId }, { serviceId, state })
  if (state === 'deleted') {
    await publish(ctx, namespacesInUseTopic, { teamId })
    await publish(ctx, waysTopic, {})
  }
  scaledServices.wakeAfterCommit(ctx)
  if (before !== undefined && (decided.has(before) || decided.has(state))) await decisionsChanged(ctx, teamId)
}

/** Wakes the reconciler of a stack's services, or of the stack first if that failed. */
async function reconcileSoon(ctx: Ctx, stack: StackRow): Promise<void> {
  if (stack.state === 'failed') {
    await setStackState(ctx.db, stack.id, 'creating')
    await publishStack(ctx, stack, 'creating')
    unsettledStacks.wakeAfterCommit(ctx)
  } else unsettledServices.wakeAfterCommit(ctx)
}

/**
 * Applies changes of a stack's services, all or none; the only way to change a service. The stack is locked, so that
 * each change is applied to the result of the one before, and concurrent ones never exceed a share together. The
 * cluster is updated after the commit. Returns the services' ids, in the order of the changes.
 *
 * 404 for a service that the stack does not have; 409 if it cannot be changed so in its state, was changed since the
 * change's `revision`, or would not fit into the share.
 */
export const applyChanges = (
  ctx: Ctx,
  { id: stackId, name }: Pick<StackRow, 'id' | 'name'>,
  changes: readonly Change[],
  origin = byPerson(ctx),
): Promise<number[]> =>
  inTx(ctx, async (ctx) => {
    const locked = await lockStack(ctx.db, stackId)
    const stack = locked && locked.state !== 'deleting' ? await findStack(ctx.db, stackId) : undefined
    if (!stack) throw new Fault('conflict', 'stacks-being-deleted', { name })
    await lockServices(
      ctx.db,
      changes.flatMap((one) => (one.type === 'create' ? [] : [one.id])),
    )
    const names: string[] = []
    const made = { ...origin, planned: changes.flatMap((one) => (one.type === 'create' ? [one.name] : [])) }
    /** Noted before the attempt, so that the audit entry of a refused change names the service too. */
    const about = (name: string): void => {
      names.push(name)
      note(ctx, { object: `${stack.name}/${names.join(', ')}` })
    }
    const ids: number[] = []
    for (const change of changes) {
      if (change.type === 'create') {
        about(change.name)
        ids.push(await create(ctx, stack, change, made))
      } else {
        const service = await lockService(ctx, stack, change.id)
        about(service.name)
        await alter(ctx, stack, service, change, made)
        ids.push(service.id)
      }
    }
    await reconcileSoon(ctx, stack)
    return ids
  })

/** Has services applied again, because something that they refer to has changed, such as a certificate. */
export async function applyAgain(ctx: Ctx, ids: readonly number[], which?: { failed: boolean }): Promise<void> {
  if (ids.length === 0) return
  await lockServices(ctx.db, ids)
  for (const { id, stackId, state } of await repeatApplying(ctx.db, ids, which)) {
    const stack = await findStack(ctx.db, stackId)
    if (stack) await publishService(ctx, stack, id, state)
  }
  unsettledServices.wakeAfterCommit(ctx)
}

async function lockService(ctx: Ctx, stack: StackRow, id: number): Promise<ServiceRow> {
  const service = await findService(ctx.db, id, { lock: true })
  if (service?.stackId !== stack.id) throw new Fault('missing', 'resource-missing')
  return service
}

/** A build step that repeats its call because the answer was lost changes nothing. */
const isDone = async (ctx: Ctx, { id }: ServiceRow, { deployKey }: Origin): Promise<boolean> =>
  deployKey !== null && (await revisionOfDeploy(ctx.db, id, deployKey)) !== undefined

async function create(
  ctx: Ctx,
  stack: StackRow,
  { name, serviceType: type, spec: given, requires = [], pinned, adopted }: Extract<Change, { type: 'create' }>,
  origin: Origin,
): Promise<number> {
  const known = await findServiceByName(ctx.db, stack.id, name)
  if (known && (await isDone(ctx, known, origin))) return known.id
  mustBeTranslated(stack, origin)
  if (name.endsWith(suffix)) throw new Fault('invalid', 'stacks-name-of-copy', { name })
  await mustRun(ctx, stack, name, given, origin)
  await mustFitStack(ctx, stack, { type }, given, null)
  const kept = { ...withoutSecrets(ctx, given, null), digest: origin.digest, pins: null, ...pinned }
  note(ctx, { after: kept.spec })
  const id = await insertService(ctx.db, {
    ...kept,
    stackId: stack.id,
    name,
    type,
    requires,
    adopted: adopted ?? null,
    releaseId: origin.release ?? null,
    ...requestedBy(ctx, origin),
  })
  if (id === undefined) throw new Fault('conflict', 'stacks-service-name-taken', { name, stack: stack.name })
  await claimPlaces(ctx, stack, id, given)
  await insertRevision(ctx.db, { ...origin, serviceId: id, revision: 1, kept, changes: null, action: 'create' })
  await publishService(ctx, stack, id, 'deploying')
  await publish(ctx, namespacesInUseTopic, { teamId: stack.teamId })
  return id
}

interface Outcome {
  /** The new specification. */
  wanted?: KeptSpec
  /** What a rollback returns to from now on; null for nothing. */
  previous?: KeptSpec | null
  copy?: StoredCopy
}

/** A number of instances that a user sets pauses autoscaling until it is resumed. */
const pausedIn = ({ autoscaling }: ServiceSpec, paused: boolean): Pick<ServiceSpec, 'autoscaling'> =>
  autoscaling ? { autoscaling: { ...autoscaling, paused } } : {}

/** Whether a change only concerns the number of instances. */
const isOfNumber = (type: ExistingChange['type']): boolean => type === 'scale' || type === 'resume'

async function outcomeOf(
  ctx: Ctx,
  stack: StackRow,
  service: ServiceRow,
  change: ExistingChange,
  origin: Origin,
): Promise<Outcome> {
  const { spec, secrets, digest, pins } = service
  const now = { spec, secrets, digest, pins }
  // a service that never ran cannot be returned to
  const isWhole = service.state === 'stable' || service.state === 'stopped'
  switch (change.type) {
    case 'upgrade': {
      if (change.kept) return { wanted: change.kept }
      mustBeTranslated(stack, origin)
      await mustBeCurrent(ctx, service, change.revision)
      const given = typeof change.spec === 'function' ? change.spec(spec) : change.spec
      await mustRun(ctx, stack, service.name, given, { ...origin, current: spec })
      const wanted = { ...withoutSecrets(ctx, given, secrets), digest: origin.digest, pins: null, ...change.pinned }
      return isWhole && isReplacedInSteps(given) ? { wanted, previous: now } : { wanted }
    }
    case 'edit': {
      mustBeTranslated(stack, origin)
      await mustBeCurrent(ctx, service, change.revision)
      await mustRun(ctx, stack, service.name, change.spec, { ...origin, current: spec })
      return { wanted: { ...withoutSecrets(ctx, change.spec, secrets), digest: origin.digest, pins: null } }
    }
    case 'return': {
      mustBeTranslated(stack, origin)
      await mustBeCurrent(ctx, service, change.revision)
      const wanted = await mustKeep(ctx, service, change.to)
      await mustRun(ctx, stack, service.name, wanted.spec, { ...origin, current: spec })
      return isWhole && isReplacedInSteps(wanted.spec) ? { wanted, previous: now } : { wanted }
    }
    case 'bluegreen':
    case 'gray': {
      mustBeTranslated(stack, origin)
      await mustBeCurrent(ctx, service, change.revision)
      await mustRun(ctx, stack, service.name, change.spec, { ...origin, current: spec })
      await mustStandBeside(ctx, service, change.spec)
      const wanted = { ...withoutSecrets(ctx, change.spec, secrets), digest: origin.digest, pins: null }
      return { wanted, previous: now, copy: copyOf(service, change) }
    }
    case 'goOn':
      return service.copy ? { copy: { ...service.copy, goOn: true } } : {}
    case 'scale':
      mustScale(service)
      await mustBeCurrent(ctx, service, change.revision)
      return { wanted: { ...now, spec: { ...spec, replicas: change.replicas, ...pausedIn(spec, true) } } }
    case 'resume':
      mustBePaused(service)
      await mustBeCurrent(ctx, service, change.revision)
      return { wanted: { ...now, spec: { ...spec, ...pausedIn(spec, false) } } }
    case 'cancel':
    case 'rollBack': {
      if (!service.previous) throw new Fault('conflict', 'stacks-nothing-to-return-to', { name: service.name })
      const why = change.type === 'cancel' ? change.why : undefined
      const copy = service.copy && why ? { copy: { ...service.copy, why } } : {}
      return { wanted: service.previous, previous: null, ...copy }
    }
    case 'confirm':
      // until the copy has been taken over, a rollback is still possible
      return isOpen(service.copy) ? {} : { previous: null }
    case 'restart':
    case 'remove':
      return {}
  }
}

/** The stored service at a revision; 409 if the values of its secrets were not stored yet. */
async function mustKeep(ctx: Ctx, service: ServiceRow, revision: number): Promise<KeptSpec> {
  const kept = mustExist(await keptAt(ctx.db, service, revision))
  if (kept.secrets === null && hasSecrets(kept.spec))
    throw new Fault('conflict', 'stacks-revision-secrets', { name: service.name, revision })
  return kept
}

/** Deletes a service here only: its cluster is gone or does not answer, so its objects remain there. */
async function forget(ctx: Ctx, stack: StackRow, service: ServiceRow): Promise<void> {
  await deleteService(ctx.db, service.id)
  note(ctx, { before: { state: service.state, spec: service.spec }, after: { forgotten: true } })
  await publishService(ctx, stack, service.id, 'deleted', service.state)
}

/** Applies one change to a locked service: state, revision, event. */
async function alter(
  ctx: Ctx,
  stack: StackRow,
  service: ServiceRow,
  change: ExistingChange,
  origin: Origin,
): Promise<void> {
  if (await isDone(ctx, service, origin)) return
  const { type } = change
  mustBeOnItsOwn(stack, service, type, origin)
  if (change.type === 'remove' && change.forget) return forget(ctx, stack, service)
  const state = next(service, change)
  const { wanted, previous, copy } = await outcomeOf(ctx, stack, service, change, origin)
  if (wanted) await mustFitStack(ctx, stack, service, wanted.spec, previous?.spec ?? null, copy ?? null)
  if (wanted) await claimPlaces(ctx, stack, service.id, wanted.spec)
  await changeService(ctx.db, service.id, {
    state,
    ...(origin.byRule ? { actor: service.actor, actorId: service.actorId } : requestedBy(ctx, origin)),
    ...(wanted && {
      wanted,
      // with a copy, the service's own pods have not been changed
      newRevision: isOpen(service.copy) ? service.copy.before : isOfNumber(type) ? 'replicas' : 'pods',
      // pods are replaced one by one: nothing of the share is free until the last has gone
      outgoing: takenBy(service),
      freshScaling: scalesItself(wanted.spec) && !scalesItself(service.spec),
    }),
    ...(previous === undefined ? {} : { previous }),
    ...(copy === undefined ? {} : { copy }),
    ...(type === 'restart' ? { restart: true } : {}),
    ...(change.type === 'remove' && change.dropClaims ? { dropClaims: true } : {}),
    ...(origin.release === undefined ? {} : { release: origin.release }),
  })
  if (wanted)
    await insertRevision(ctx.db, {
      serviceId: service.id,
      revision: service.revision + 1,
      kept: wanted,
      changes: changedFields(service.spec, specIn(service.type, wanted.spec)),
      action: type,
      by: origin.by,
      deployKey: origin.deployKey,
    })
  const shows = wanted ?? (type === 'remove' ? service : undefined)
  note(ctx, {
    before: { state: service.state, ...(shows ? { spec: service.spec } : {}) },
    after: { state, ...(wanted ? { spec: wanted.spec } : {}) },
  })
  await publishService(ctx, stack, service.id, state, service.state)
}
