import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { deploymentRow } from '../../../adapters/kube/rows/workload-rows.ts'
import { instancesOf } from '@gantry/contract/stacks/scaling/autoscaling'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import type { Round } from '../../../kernel/reconcile.ts'
import { noteConfigured, withConfiguration } from '../../config-centre/public.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import { countRequests } from '../access-log/access-log.service.ts'
import { applyObjects, type ApplyTarget, placeFor, removeObjects } from '../reconcile/apply.service.ts'
import { observe, type Seen } from '../reconcile/observe.ts'
import { measure } from '../scaling/measure.service.ts'
import { pinned } from '../revisions/pins.service.ts'
import { noteApplied, noteCopy } from '../services/changes.store.ts'
import { address } from '../services/objects/common-objects.ts'
import { podsOf, type ServiceOf } from '../services/objects/service-objects.ts'
import { asWanted, withSecrets } from '../services/secret-values.ts'
import { applyAgain, applyChanges } from '../services/services.service.ts'
import { isUnsettled } from '../services/states.ts'
import type { ServiceRow } from '../services/services.store.ts'
import type { ServiceObject } from '../services/types/workload-type.ts'
import { workloadOf } from '../services/types/workload-types.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import {
  broken,
  copyName,
  divided,
  isDistinct,
  type Requests,
  type StoredCopy,
  turnOf,
  waitsForPerson,
  weightOf,
} from './copy.ts'
import { routesTo } from './ways-in.service.ts'

/** The interval at which a ready step is checked for its rule and the end of its pause. */
const watchMs = 1000
/** The same if the use of resources or requests have to be measured too. */
const measureMs = 5000
/** The interval at which changes in progress are checked. */
const pollMs = 250

/** The result of a round: the outcome to conclude with, or when to look again. */
type Copied = { seen: Seen } | { again: number }

interface Side {
  ctx: Ctx
  cluster: Cluster
  stack: StackRow
  service: ServiceRow
  copy: StoredCopy
  round: Round
}

/** Where to apply the copy: under its own name, with the claims of the service. */
const copyOf = (place: ApplyTarget, { name, podRevision }: ServiceRow): ApplyTarget => ({
  ...place,
  of: { ...place.of, name: copyName(name), copyOf: name, only: podRevision },
})

/** The objects of the copy: without claims, which it shares, and without a budget, since the service's own applies. */
const copyObjects = ({ of }: { of: ServiceOf }, service: ServiceRow, spec: ServiceSpec): ServiceObject[] =>
  workloadOf(service)
    .objects(of, spec)
    .filter(({ resource, stays }) => !stays && resource !== kinds.disruptionBudgets)

/**
 * Claims that only the new specification names: they belong to the service, and the copy shares them. Existing ones
 * keep the old specification until the service itself is upgraded, because a claim that has grown cannot shrink.
 */
function keptObjects({ of }: ApplyTarget, service: ServiceRow, spec: ServiceSpec): ServiceObject[] {
  const kept = (one: ServiceSpec) =>
    workloadOf(service)
      .objects(of, one)
      .filter(({ stays }) => stays)
  const there = service.previous ? kept(service.previous.spec) : []
  return kept(spec).filter((one) => !there.some(({ resource, name }) => resource === one.resource && name === one.name))
}

/** The Kubernetes service of the service: for the pods of one revision, or for all its pods. */
function addressOf(side: Side, { of }: ApplyTarget, only: number | null): ServiceObject {
  const { service } = side
  // while the old pods answer, their ports are used
  const spec = only === null || only === service.podRevision ? service.spec : (service.previous?.spec ?? service.spec)
  return address(only === null ? of : { ...of, only }, spec)
}

/**
 * Makes the Kubernetes service, and then the ways in to it, use the pods of one revision, or all pods; `weight` is the
 * percentage of requests that ways in send to the copy instead. Undefined once all have followed.
 */
async function direct(side: Side, only: number | null, weight: number | null = null): Promise<Copied | undefined> {
  const { ctx, cluster, stack, service, copy, round } = side
  const note = (told: boolean) =>
    round.note((ctx) => noteCopy(ctx.db, service, { ...copy, directions: { only, weight, told } }))
  if (copy.directions?.only !== only || copy.directions.weight !== weight) {
    const place = await placeFor(ctx, cluster, stack, service)
    const done = await applyObjects(ctx, cluster, place, [addressOf(side, place, only)], round)
    if (done !== 'applied') return { again: done === 'later' ? pollMs : 0 }
    await note(!isDistinct(copy))
    return { again: 0 }
  }
  if (!isDistinct(copy)) return undefined
  const ways = await routesTo(ctx.db, service)
  if (!copy.directions.told) {
    // this repairs a way in that failed because of the copy's part
    await applyAgain(
      ctx,
      ways.map(({ id }) => id),
      { failed: true },
    )
    await note(true)
    return { again: 0 }
  }
  if (ways.some(({ state }) => isUnsettled(state))) return { again: pollMs }
  const failed = ways.find(({ state }) => state === 'failed')
  if (weight === null || !failed) return undefined
  return rollBackCopy(side, { key: 'stacks-gray-way', vars: { step: copy.step + 1, way: failed.name } })
}

/** Like `direct`, while a copy that gets requests is being removed; after that, the address stays with all pods. */
const directLeaving = async (side: Side, only: number | null): Promise<Copied | undefined> =>
  only !== null && side.copy.directions?.only === null ? undefined : direct(side, only)

/** Brings a service with an open copy a step closer to what is wanted of both. */
export async function reconcileCopy(side: Side): Promise<Copied> {
  switch (side.service.state) {
    case 'upgrading':
      return startCopy(side)
    case 'confirming':
      return confirmCopy(side)
    default:
      return removeCopy(side)
  }
}

/** Starts the copy beside the service; for a gray one, the service's instances make room as far as it is ready. */
async function startCopy(given: Side): Promise<Copied> {
  const { ctx, cluster, stack, copy, round } = given
  const service = await pinned(ctx, stack, given.service, round)
  if (!service) return { again: 0 }
  const side = { ...given, service }
  const { podRevision } = copy.before
  const waits = isDistinct(copy) ? await direct(side, podRevision, copy.directions?.weight) : undefined
  if (waits) return waits
  const ownPlace = await placeFor(ctx, cluster, stack, service)
  const place = copyOf(ownPlace, service)
  const before = service.previous ? instancesOf(service.previous.spec, service.instances) : 0
  const split = divided(copy, before, instancesOf(service.spec, service.instances))
  if (service.applied < service.generation) {
    const read = await withConfiguration(ctx, stack.teamId, withSecrets(ctx, service))
    const objects = [
      ...keptObjects(ownPlace, service, read.spec),
      ...copyObjects(place, service, { ...read.spec, replicas: split.new }),
    ]
    const done = await applyObjects(ctx, cluster, place, objects, round)
    if (done !== 'applied') return { again: done === 'later' ? pollMs : 0 }
    const noted = await round.inTurn([
      () => noteConfigured(ctx, service.id, read.version),
      () => noteApplied(ctx.db, service.id, service.generation),
    ])
    if (!noted) return { again: 0 }
  }
  const pods = await podsOf(cluster.kube, place.of)
  const seen = observe(deploymentRow(await cluster.kube.get(kinds.deployments, place.of)), pods)
  if (copy.type === 'bluegreen') return { seen }
  const why = broken(
    copy,
    pods,
    seen.outcome === 'hopeless' ? seen.reason : null,
    await useOf(side),
    await requestsOf(side),
  )
  if (why) return rollBackCopy(side, why)
  if (seen.outcome !== 'ready') return { seen: { ...seen, outcome: copy.since === null ? seen.outcome : 'waiting' } }
  return stand(side, split.old, seen)
}

/** What each of the new instances uses in percent of its limit, if the rule needs it and the cluster reports it. */
async function useOf({ cluster, stack, service, copy }: Side): Promise<readonly number[]> {
  const { metric } = copy.rule
  if (!metric || copy.since === null) return []
  const { use } = await measure(cluster.kube, stack.namespace, service)
  return metric.name === 'cpu_percent' ? use.cpu : use.memory
}

/** The requests of the step, if the rule needs them and the controller's log tells them. */
async function requestsOf({ ctx, stack, service, copy }: Side): Promise<Requests | undefined> {
  if (copy.rule.failed === undefined || copy.since === null) return undefined
  try {
    const ways = await routesTo(ctx.db, service)
    return await countRequests(ctx, stack, { name: service.name, ways, since: copy.since })
  } catch (error) {
    // the other rules decide
    if (!(error instanceof Fault)) throw error
    return undefined
  }
}

/** All new instances of a step are ready: waits until its pause is over, then begins the next step. */
async function stand(side: Side, old: number, seen: Seen): Promise<Copied> {
  const { ctx, cluster, stack, service, copy, round } = side
  if (copy.since === null) {
    const waits = copy.by === 'requests' ? await direct(side, copy.before.podRevision, weightOf(copy)) : undefined
    if (waits) return waits
    const { kube, of } = await placeFor(ctx, cluster, stack, service)
    const scaled = await round.inTurn([() => kube.merge(kinds.deployments, of, { spec: { replicas: old } })])
    if (!scaled) return { again: 0 }
    await round.note(async (ctx) => {
      const ready = { ...copy, since: new Date().toISOString() }
      await noteCopy(ctx.db, service, ready)
      if (waitsForPerson(ready)) await decisionsChanged(ctx, stack.teamId)
    })
    return { again: 0 }
  }
  const turn = turnOf(copy, new Date())
  if (turn === 'last') return { seen }
  if (turn === 'wait') return { again: copy.rule.metric || copy.rule.failed !== undefined ? measureMs : watchMs }
  const next = { ...copy, step: copy.step + 1, since: null, goOn: false }
  await round.note((ctx) => noteCopy(ctx.db, service, next, { again: true }))
  return { again: 0 }
}

/** Rolls the upgrade back by the rule of a step, as if somebody had cancelled it. */
async function rollBackCopy({ ctx, stack, service }: Side, why: Reason): Promise<Copied> {
  const origin = { by: service.actor, deployKey: null, digest: '', byRule: true } as const
  try {
    await applyChanges(ctx, stack, [{ type: 'cancel', id: service.id, why }], origin)
  } catch (error) {
    // somebody has decided meanwhile
    if (!(error instanceof Fault && error.kind === 'conflict')) throw error
  }
  return { again: 0 }
}

/** Applies what the service itself is to be, except its address, and waits until all of its instances are ready. */
async function adoptCopy(side: Side): Promise<Copied | undefined> {
  const { ctx, cluster, stack, service, round } = side
  const place = await placeFor(ctx, cluster, stack, service)
  if (service.applied < service.generation) {
    const read = await withConfiguration(ctx, stack.teamId, asWanted(ctx, service))
    const all = workloadOf(service).objects(place.of, read.spec)
    const objects = all.filter(({ resource }) => resource !== kinds.services)
    const done = await applyObjects(ctx, cluster, place, objects, round)
    if (done !== 'applied') return { again: done === 'later' ? pollMs : 0 }
    const noted = await round.inTurn([
      () => noteConfigured(ctx, service.id, read.version),
      () => noteApplied(ctx.db, service.id, service.generation),
    ])
    if (!noted) return { again: 0 }
  }
  const seen = await workloadOf(service).observe(cluster.kube, { ...place.of, ...service })
  return seen.outcome === 'ready' ? undefined : { seen }
}

/** Removes the copy once it gets no requests; then the address of the service selects all its pods again. */
async function leave(side: Side, only: number | null): Promise<Copied> {
  const { ctx, cluster, stack, service, round } = side
  const waits = await directLeaving(side, only)
  if (waits) return waits
  const place = copyOf(await placeFor(ctx, cluster, stack, service), service)
  const left = await removeObjects(cluster, place, copyObjects(place, service, service.spec), round)
  if (left !== 'gone') return { again: left === 'leaving' ? pollMs : 0 }
  return (await direct(side, null)) ?? { seen: { outcome: 'ready', reason: null, digest: undefined } }
}

/**
 * Confirmed: upgrades the service itself, and then removes the copy. Meanwhile requests go only to the copy if it is as
 * large as the service, else to all pods.
 */
async function confirmCopy(side: Side): Promise<Copied> {
  const { service, copy } = side
  const isWhole = copy.type === 'bluegreen' || (copy.by === 'requests' && weightOf(copy) === 100)
  const only = isWhole ? service.podRevision : null
  const waits = await directLeaving(side, only)
  return waits ?? (await adoptCopy(side)) ?? leave(side, only)
}

/**
 * Cancelled or rolled back: restores the service before the copy is removed. If its own pods were never changed, they
 * get all requests at once, because the copy may be failing.
 */
async function removeCopy(side: Side): Promise<Copied> {
  const { podRevision } = side.service
  const waits = side.copy.directions?.only === podRevision ? await direct(side, podRevision) : undefined
  return waits ?? (await adoptCopy(side)) ?? leave(side, podRevision)
}
