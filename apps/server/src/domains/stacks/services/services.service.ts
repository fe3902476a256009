import { changedFields } from '@gantry/contract/documents'
import { worseOf } from '@gantry/contract/stacks/demand'
import type { ServiceSpec, ServiceType } from '@gantry/contract/stacks/spec'
import type { ServiceState } from '@gantry/contract/stacks/states'
import { serviceTopic, stacksTopic } from '@gantry/contract/stacks/topics'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { refuseOthersImage, usableRegistry } from '../../images/public.ts'
import { excess, excessVars } from '../../quotas/public.ts'
import { withoutSecrets } from './secret-values.ts'
import {
  changeService,
  findService,
  findServiceByName,
  insertRevision,
  insertService,
  type KeptSpec,
  revisionOfDeploy,
  revisionsOf,
  type ServiceRow,
  specOf,
} from './services.store.ts'
import { unsettledServices, unsettledStacks } from '../reconcile/reconciling.ts'
import { getStack, takenBy, publishStack, usedBy } from '../stacks/stacks.service.ts'
import { findStack, lockStack, setStackState, type StackRow } from '../stacks/stacks.store.ts'
import { nextServiceState, type ServiceEvent } from './states.ts'
import { workloadTypes } from './workload-types.ts'

/** The source of a change that a user did not make in a form. */
export interface Origin {
  by: string
  /** The key of the build step that asks, once. */
  deployKey: string | null
  /** The digest that the image is pinned to, if known. */
  digest: string
}

/** Who asks for a change of a service. The account is told how it went; of a build's deployment the build tells. */
const asker = ({ actor }: Ctx, { deployKey }: Origin) => ({
  actor: actor.name,
  actorId: actor.kind === 'user' && deployKey === null ? actor.id : null,
})

const byPerson = (ctx: Ctx): Origin => ({ by: ctx.actor.name, deployKey: null, digest: '' })

/** A service of the team in that environment with its stack, or 404. */
export async function getService(
  ctx: Ctx,
  teamId: number,
  environment: string,
  id: number,
): Promise<{ service: ServiceRow; stack: StackRow }> {
  const service = await findService(ctx.db, id)
  if (!service) throw new Fault('missing', 'resource-missing')
  return { service, stack: await getStack(ctx, teamId, service.stackId, environment) }
}

export async function getServiceByName(ctx: Ctx, stack: StackRow, name: string): Promise<ServiceRow> {
  const service = await findServiceByName(ctx.db, stack.id, name)
  if (!service) throw new Fault('missing', 'stacks-service-unknown', { service: name, stack: stack.name })
  return service
}

/** Throws where the share of the locked stack is too small for what it would then use. */
async function mustFitStack(
  ctx: Ctx,
  stack: StackRow,
  service: { id?: number; type: ServiceType },
  wanted: ServiceSpec,
  previous: ServiceSpec | null,
): Promise<void> {
  const others = await usedBy(ctx, stack.id, service.id)
  const { demand } = workloadTypes[service.type]
  const over = excess(stack, others, previous ? worseOf(demand(wanted), demand(previous)) : demand(wanted))
  if (over)
    throw new Fault('conflict', `stacks-share-exceeded-${over.resource}`, { ...excessVars(over), stack: stack.name })
}

/**
 * Throws 409, with who and what, where somebody changed the service since the revision on which a change is based. A
 * field that was changed and changed back does not conflict.
 */
async function mustBeCurrent(ctx: Ctx, service: ServiceRow, revision: number | undefined): Promise<void> {
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

/** The next state, or 409 with what can be done instead. */
function next(service: ServiceRow, event: ServiceEvent): ServiceState {
  const state = nextServiceState(service.state, event)
  if (state === undefined) throw new Fault('conflict', `stacks-not-now-${service.state}`, { name: service.name })
  return state
}

export async function publishService(
  ctx: Ctx,
  { id: stackId, teamId }: Pick<StackRow, 'id' | 'teamId'>,
  serviceId: number,
  state: ServiceState | 'deleted',
): Promise<void> {
  await publish(ctx, stacksTopic, { teamId }, { stackId, serviceId, state })
  await publish(ctx, serviceTopic, { serviceId }, { serviceId, state })
}

/** Wakes the reconciler of a stack's services, and first of the stack, if that failed. */
async function reconcileSoon(ctx: Ctx, stack: StackRow): Promise<void> {
  if (stack.state === 'failed') {
    await setStackState(ctx.db, stack.id, 'creating')
    await publishStack(ctx, stack, 'creating')
    unsettledStacks.wakeAfterCommit(ctx)
  } else unsettledServices.wakeAfterCommit(ctx)
}

/**
 * A change of one service. `revision`: the one on which it is based. An upgrade that is a function is computed from the
 * service once it is locked.
 */
export type Change =
  | { type: 'create'; name: string; serviceType: ServiceType; spec: ServiceSpec }
  | {
      type: 'upgrade'
      id: number
      spec: ServiceSpec | ((current: ServiceSpec) => ServiceSpec)
      revision?: number | undefined
    }
  | { type: 'scale'; id: number; replicas: number; revision?: number | undefined }
  | { type: 'confirm' | 'cancel' | 'rollBack' | 'restart' | 'remove'; id: number }

/**
 * Applies changes of a stack's services, all or none; the only way to change a service. The stack is locked meanwhile,
 * so that each change builds on the result of the one before, and two never exceed a share together. The cluster is
 * updated after the commit. Returns the services' ids, in the order of the changes.
 *
 * 404 for a service that the stack does not have; 409 where it cannot be changed so now, was changed since the change's
 * `revision`, or would not fit into the share.
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
    const names: string[] = []
    /** Noted before the attempt, so that the audit row of a refused change names the service too. */
    const about = (name: string): void => {
      names.push(name)
      note(ctx, { object: `${stack.name}/${names.join(', ')}` })
    }
    const ids: number[] = []
    for (const change of changes) {
      if (change.type === 'create') {
        about(change.name)
        ids.push(await create(ctx, stack, change, origin))
      } else {
        const service = await lockService(ctx, stack, change.id)
        about(service.name)
        await alter(ctx, stack, service, change, origin)
        ids.push(service.id)
      }
    }
    await reconcileSoon(ctx, stack)
    return ids
  })

async function lockService(ctx: Ctx, stack: StackRow, id: number): Promise<ServiceRow> {
  const service = await findService(ctx.db, id, { lock: true })
  if (service?.stackId !== stack.id) throw new Fault('missing', 'resource-missing')
  return service
}

async function mustRun(ctx: Ctx, { teamId }: StackRow, { registryId, image }: ServiceSpec): Promise<void> {
  if (registryId !== null) await usableRegistry(ctx, teamId, registryId)
  refuseOthersImage(ctx, teamId, image)
}

/** A build step that repeats its call because the answer was lost changes nothing. */
const isDone = async (ctx: Ctx, { id }: ServiceRow, { deployKey }: Origin): Promise<boolean> =>
  deployKey !== null && (await revisionOfDeploy(ctx.db, id, deployKey)) !== undefined

async function create(
  ctx: Ctx,
  stack: StackRow,
  { name, serviceType: type, spec: given }: Extract<Change, { type: 'create' }>,
  origin: Origin,
): Promise<number> {
  const known = await findServiceByName(ctx.db, stack.id, name)
  if (known && (await isDone(ctx, known, origin))) return known.id
  await mustRun(ctx, stack, given)
  await mustFitStack(ctx, stack, { type }, given, null)
  const kept = { ...withoutSecrets(ctx, given, null), digest: origin.digest }
  note(ctx, { after: kept.spec })
  const id = await insertService(ctx.db, { ...kept, stackId: stack.id, name, type, ...asker(ctx, origin) })
  if (id === undefined) throw new Fault('conflict', 'stacks-service-name-taken', { name, stack: stack.name })
  await insertRevision(ctx.db, { ...origin, serviceId: id, revision: 1, spec: kept.spec, action: 'create' })
  await publishService(ctx, stack, id, 'deploying')
  return id
}

interface Outcome {
  /** The new specification. */
  wanted?: KeptSpec
  /** What a rollback returns to from now on; null: nothing. */
  previous?: KeptSpec | null
}

/** The result of a change. */
async function outcomeOf(
  ctx: Ctx,
  stack: StackRow,
  service: ServiceRow,
  change: Exclude<Change, { type: 'create' }>,
  origin: Origin,
): Promise<Outcome> {
  const { spec, secrets, digest } = service
  switch (change.type) {
    case 'upgrade': {
      await mustBeCurrent(ctx, service, change.revision)
      const given = typeof change.spec === 'function' ? change.spec(spec) : change.spec
      await mustRun(ctx, stack, given)
      const wanted = { ...withoutSecrets(ctx, given, secrets), digest: origin.digest }
      // a service that never ran is nothing to return to
      return service.state === 'stable' ? { wanted, previous: { spec, secrets, digest } } : { wanted }
    }
    case 'scale':
      await mustBeCurrent(ctx, service, change.revision)
      return { wanted: { spec: { ...spec, replicas: change.replicas }, secrets, digest } }
    case 'cancel':
    case 'rollBack':
      if (!service.previous) throw new Fault('conflict', 'stacks-nothing-to-return-to', { name: service.name })
      return { wanted: service.previous, previous: null }
    case 'confirm':
      return { previous: null }
    case 'restart':
    case 'remove':
      return {}
  }
}

/** Applies one change to a locked service: state, revision, event. */
async function alter(
  ctx: Ctx,
  stack: StackRow,
  service: ServiceRow,
  change: Exclude<Change, { type: 'create' }>,
  origin: Origin,
): Promise<void> {
  if (await isDone(ctx, service, origin)) return
  const { type } = change
  const state = next(service, type)
  const { wanted, previous } = await outcomeOf(ctx, stack, service, change, origin)
  if (wanted) await mustFitStack(ctx, stack, service, wanted.spec, previous?.spec ?? null)
  await changeService(ctx.db, service.id, {
    state,
    ...asker(ctx, origin),
    ...(wanted && {
      wanted,
      newRevision: type === 'scale' ? 'replicas' : 'pods',
      // its pods go one by one: nothing of the share is free before the last has gone
      outgoing: takenBy(service),
    }),
    ...(previous === undefined ? {} : { previous }),
    ...(type === 'restart' ? { restart: true } : {}),
  })
  if (wanted)
    await insertRevision(ctx.db, {
      serviceId: service.id,
      revision: service.revision + 1,
      spec: wanted.spec,
      digest: wanted.digest,
      action: type,
      by: origin.by,
      deployKey: origin.deployKey,
    })
  const shows = wanted ?? (type === 'remove' ? service : undefined)
  note(ctx, {
    before: { state: service.state, ...(shows ? { spec: service.spec } : {}) },
    after: { state, ...(wanted ? { spec: wanted.spec } : {}) },
  })
  await publishService(ctx, stack, service.id, state)
}
