import { demandOf, worseOf } from '@gantry/contract/stacks/demand'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { ServiceState } from '@gantry/contract/stacks/states'
import { topics } from '@gantry/contract/push/topics'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { emit } from '../../kernel/events.ts'
import { Fault } from '../../kernel/fault.ts'
import { usableRegistry } from '../images/public.ts'
import { excess, excessVars } from '../quotas/public.ts'
import { readService } from './live.service.ts'
import { withoutSecrets } from './secret-values.ts'
import {
  changeService,
  findService,
  findServiceByName,
  insertRevision,
  insertService,
  type KeptSpec,
  type ServiceRow,
} from './services.store.ts'
import { settling } from './settling.ts'
import { getStack, takenBy, usedBy } from './stacks.service.ts'
import { lockStack, type StackKey, type StackRow } from './stacks.store.ts'
import { nextServiceState, type ServiceEvent } from './states.ts'

/** What a change was asked by, where that is not a person at a form. */
export interface Asked {
  by: string
  /** The build step that asks, once. */
  deployKey: string | null
  /** What the image is pinned to, where it is known. */
  digest: string
}

const byPerson = (ctx: Ctx): Asked => ({ by: ctx.actor.name, deployKey: null, digest: '' })

/** A service of the team on that environment with its stack, or 404. */
export async function getService(
  ctx: Ctx,
  teamId: number,
  environment: string,
  id: number,
  { lock = false } = {},
): Promise<{ service: ServiceRow; stack: StackRow }> {
  const service = await findService(ctx.db, id, { lock })
  if (!service) throw new Fault('missing', 'resource-missing')
  return { service, stack: await getStack(ctx, teamId, service.stackId, environment) }
}

export async function getServiceByName(ctx: Ctx, stack: StackRow, name: string): Promise<ServiceRow> {
  const service = await findServiceByName(ctx.db, stack.id, name)
  if (!service) throw new Fault('missing', 'stacks-service-unknown', { service: name, stack: stack.name })
  return service
}

/** Throws where the stack's share is too small for what it would then use; the stack is locked, so two never fit together wrongly. */
async function mustFitStack(
  ctx: Ctx,
  stack: StackRow,
  serviceId: number | undefined,
  wanted: ServiceSpec,
  previous: ServiceSpec | null,
): Promise<void> {
  const locked = await lockStack(ctx.db, stack.id)
  if (!locked || locked.state === 'deleting') throw new Fault('conflict', 'stacks-being-deleted', { name: stack.name })
  const others = await usedBy(ctx, stack.id, serviceId)
  const demand = previous ? worseOf(demandOf(wanted), demandOf(previous)) : demandOf(wanted)
  const over = excess({ cpu: locked.cpu, memory: locked.memory }, others, demand)
  if (over)
    throw new Fault('conflict', `stacks-share-exceeded-${over.resource}`, { ...excessVars(over), stack: stack.name })
}

/** The state that follows, or 409 with what can be done instead. */
function next(service: ServiceRow, event: ServiceEvent): ServiceState {
  const state = nextServiceState(service.state, event)
  if (state === undefined) throw new Fault('conflict', `stacks-not-now-${service.state}`, { name: service.name })
  return state
}

export async function tellService(
  ctx: Ctx,
  stack: Pick<StackRow, 'id' | 'teamId'>,
  serviceId: number,
  state: string,
): Promise<void> {
  await emit(ctx, {
    topic: topics.stacks(stack.teamId),
    teamId: stack.teamId,
    content: { stackId: stack.id, serviceId, state },
  })
  await emit(ctx, { topic: topics.service(serviceId), teamId: stack.teamId, content: { serviceId, state } })
}

export const createService = (
  ctx: Ctx,
  teamId: number,
  stackKey: StackKey,
  name: string,
  given: ServiceSpec,
  asked = byPerson(ctx),
): Promise<ServiceDetail> =>
  inTx(ctx, async (ctx) => {
    const stack = await getStack(ctx, teamId, stackKey)
    note(ctx, { object: `${stack.name}/${name}` })
    if (given.registryId !== null) await usableRegistry(ctx, teamId, given.registryId)
    await mustFitStack(ctx, stack, undefined, given, null)
    const kept = { ...withoutSecrets(ctx, given, null), digest: asked.digest }
    note(ctx, { after: kept.spec })
    const id = await insertService(ctx.db, { ...kept, stackId: stack.id, name, actor: ctx.actor.name })
    if (id === undefined) throw new Fault('conflict', 'stacks-service-name-taken', { name, stack: stack.name })
    await insertRevision(ctx.db, { ...asked, serviceId: id, revision: 1, spec: kept.spec, action: 'create' })
    await tellService(ctx, stack, id, 'deploying')
    settling.tell(ctx)
    return readService(ctx, stack, id)
  })

interface Change {
  event: ServiceEvent
  /** What is wanted from now on. */
  wanted?: KeptSpec
  previous?: KeptSpec | null
  restart?: boolean
}

/** Makes one change of a locked service: state, revision, event; the cluster is told after the commit. */
async function change(ctx: Ctx, service: ServiceRow, stack: StackRow, what: Change, asked = byPerson(ctx)) {
  const state = next(service, what.event)
  if (what.wanted) await mustFitStack(ctx, stack, service.id, what.wanted.spec, what.previous?.spec ?? null)
  await changeService(ctx.db, service.id, {
    state,
    actor: ctx.actor.name,
    ...(what.wanted
      ? {
          wanted: what.wanted,
          newRevision: what.event === 'scale' ? 'replicas' : 'pods',
          // its pods go one after another: nothing of the share is free before the last has gone
          outgoing: takenBy(service),
        }
      : {}),
    ...(what.previous === undefined ? {} : { previous: what.previous }),
    ...(what.restart ? { restart: true } : {}),
  })
  if (what.wanted)
    await insertRevision(ctx.db, {
      serviceId: service.id,
      revision: service.revision + 1,
      spec: what.wanted.spec,
      digest: what.wanted.digest,
      action: what.event,
      by: asked.by,
      deployKey: asked.deployKey,
    })
  note(ctx, {
    object: `${stack.name}/${service.name}`,
    before: { state: service.state, ...(what.wanted ? { spec: service.spec } : {}) },
    after: { state, ...(what.wanted ? { spec: what.wanted.spec } : {}) },
  })
  await tellService(ctx, stack, service.id, state)
  settling.tell(ctx)
  return readService(ctx, stack, service.id)
}

/** Puts a new specification in place of a service's own, which is kept until the upgrade is confirmed, or returned to. */
export const upgradeService = (
  ctx: Ctx,
  teamId: number,
  environment: string,
  id: number,
  given: ServiceSpec,
  asked = byPerson(ctx),
): Promise<ServiceDetail> =>
  inTx(ctx, async (ctx) => {
    const { service, stack } = await getService(ctx, teamId, environment, id, { lock: true })
    if (given.registryId !== null) await usableRegistry(ctx, teamId, given.registryId)
    // what never ran is nothing to return to
    const keeps = service.state === 'stable'
    const { spec, secrets, digest } = service
    return change(
      ctx,
      service,
      stack,
      {
        event: 'upgrade',
        wanted: { ...withoutSecrets(ctx, given, secrets), digest: asked.digest },
        ...(keeps ? { previous: { spec, secrets, digest } } : {}),
      },
      asked,
    )
  })

const goBack = (ctx: Ctx, teamId: number, environment: string, id: number, event: 'cancel' | 'rollBack') =>
  inTx(ctx, async (ctx) => {
    const { service, stack } = await getService(ctx, teamId, environment, id, { lock: true })
    next(service, event)
    if (!service.previous) throw new Fault('conflict', 'stacks-nothing-to-return-to', { name: service.name })
    return change(ctx, service, stack, { event, wanted: service.previous, previous: null })
  })

export const cancelUpgrade = (ctx: Ctx, teamId: number, environment: string, id: number) =>
  goBack(ctx, teamId, environment, id, 'cancel')

export const rollBack = (ctx: Ctx, teamId: number, environment: string, id: number) =>
  goBack(ctx, teamId, environment, id, 'rollBack')

export const confirmUpgrade = (ctx: Ctx, teamId: number, environment: string, id: number): Promise<ServiceDetail> =>
  inTx(ctx, async (ctx) => {
    const { service, stack } = await getService(ctx, teamId, environment, id, { lock: true })
    return change(ctx, service, stack, { event: 'confirm', previous: null })
  })

export const scaleService = (
  ctx: Ctx,
  teamId: number,
  environment: string,
  id: number,
  replicas: number | undefined,
): Promise<ServiceDetail> =>
  inTx(ctx, async (ctx) => {
    if (replicas === undefined) throw new Fault('invalid', 'replicas-range')
    const { service, stack } = await getService(ctx, teamId, environment, id, { lock: true })
    const { spec, secrets, digest } = service
    return change(ctx, service, stack, { event: 'scale', wanted: { spec: { ...spec, replicas }, secrets, digest } })
  })

/** Makes the pods of services anew, one after another. */
export const restartServices = (
  ctx: Ctx,
  teamId: number,
  environment: string,
  stack: StackRow,
  names: string[],
): Promise<null> =>
  inTx(ctx, async (ctx) => {
    for (const name of new Set(names)) {
      const { id } = await getServiceByName(ctx, stack, name)
      const { service } = await getService(ctx, teamId, environment, id, { lock: true })
      await change(ctx, service, stack, { event: 'restart', restart: true })
    }
    note(ctx, { object: `${stack.name}/${names.join(', ')}` })
    return null
  })

export const removeService = (ctx: Ctx, teamId: number, environment: string, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { service, stack } = await getService(ctx, teamId, environment, id, { lock: true })
    next(service, 'remove')
    note(ctx, { object: `${stack.name}/${service.name}`, before: { state: service.state, spec: service.spec } })
    await changeService(ctx.db, id, { state: 'deleting', actor: ctx.actor.name })
    await tellService(ctx, stack, id, 'deleting')
    settling.tell(ctx)
    return null
  })
