import type { Drift } from '@gantry/contract/stacks/drift'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { KubeObject } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, scoped } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { clusterOf } from '../../clusters/public.ts'
import { isConfiguredAs, withConfiguration } from '../../config-centre/public.ts'
import { isAsFound } from '../adoption/adopted.ts'
import { isOpen } from '../copies/copy.ts'
import { placeFor, type ApplyTarget } from '../reconcile/apply.service.ts'
import { unsettledServices } from '../reconcile/reconciling.ts'
import { changed } from '../services/answer.service.ts'
import { forgetApplied } from '../services/changes.store.ts'
import { readService } from '../services/live.service.ts'
import { asWanted } from '../services/secret-values.ts'
import { getService, publishService } from '../services/services.service.ts'
import { findService, type ServiceRow, servicesOf } from '../services/services.store.ts'
import type { ServiceObject } from '../services/types/workload-type.ts'
import { workloadOf } from '../services/types/workload-types.ts'
import { runningStacks, type StackRow } from '../stacks/stacks.store.ts'
import { differences, type FieldDrift } from './differences.ts'
import { noteDrift } from './drift.store.ts'
import { withDrift } from './kept-fields.ts'

/** Whether the cluster should have exactly what was applied: no change is in progress, and no copy exists. */
const isComparable = (service: ServiceRow): boolean =>
  (service.state === 'stable' || service.state === 'stopped' || service.state === 'upgraded') &&
  !isOpen(service.copy) &&
  !isAsFound(service)

/** Secrets are not compared, as their values would have to be read; nor are Jobs, as one that has run stays so. */
const isCompared = ({ resource }: ServiceObject): boolean => resource !== kinds.secrets && resource !== kinds.jobs

interface Applied extends ServiceObject {
  object: KubeObject
}

/** None if a changed configuration waits for the next start of the pods: then a comparison would be meaningless. */
async function objectsOf(ctx: Ctx, { of }: Pick<ApplyTarget, 'of'>): Promise<Applied[]> {
  const { spec, version } = await withConfiguration(ctx, of.teamId, asWanted(ctx, of))
  if (version !== null && !(await isConfiguredAs(ctx, of.id, version))) return []
  return workloadOf(of)
    .objects(of, spec)
    .flatMap((one) => (one.object && isCompared(one) ? [{ ...one, object: one.object }] : []))
}

interface ObjectDrift extends FieldDrift {
  of: Applied
}

async function look(cluster: Cluster, place: ApplyTarget, objects: readonly Applied[]) {
  const found: ObjectDrift[] = []
  for (const of of objects) {
    const live = await cluster.kube.find(of.resource, { name: of.name, namespace: place.of.namespace })
    const changes = live
      ? differences(of.object, live)
      : [{ path: [], wanted: of.object, live: undefined, by: '', at: null }]
    found.push(...changes.map((one) => ({ ...one, of })))
  }
  return found
}

interface Examined {
  cluster: Cluster
  stack: StackRow
  service: ServiceRow
  place: ApplyTarget
  found: ObjectDrift[]
}

/** Compares now; undefined while the service is changing. */
async function lookAt(ctx: Ctx, teamId: number, envId: string, id: number): Promise<Examined | undefined> {
  const { service, stack } = await getService(ctx, teamId, envId, id)
  if (!isComparable(service) || stack.state !== 'running') return undefined
  try {
    const cluster = await clusterOf(ctx, stack.envId)
    const place = await placeFor(ctx, cluster, stack, service)
    const found = await look(cluster, place, await objectsOf(ctx, place))
    await noteFound(ctx, stack, service, found.length)
    return { cluster, stack, service, place, found }
  } catch (error) {
    throw kubeFault(error)
  }
}

async function noteFound(ctx: Ctx, stack: StackRow, service: ServiceRow, count: number): Promise<void> {
  if (await noteDrift(ctx.db, service, count)) await publishService(ctx, stack, service.id, service.state)
}

const longest = 500
const line = (value: unknown): string | null =>
  value === undefined ? null : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, longest)

const isKeepable = (service: ServiceRow, one: ObjectDrift): boolean => {
  const { name, spec } = service
  const wanted = one.of.resource === workloadOf(service).resource ? withDrift(name, spec, one) : undefined
  return wanted !== undefined && ServiceSpec.safeParse(wanted).success
}

export async function driftOf(ctx: Ctx, teamId: number, envId: string, id: number): Promise<Drift> {
  const looked = await lookAt(ctx, teamId, envId, id)
  if (!looked) return { settled: false, fields: [] }
  const { service, found } = looked
  return {
    settled: true,
    fields: found.map((one) => ({
      object: `${one.of.resource.kind} ${one.of.name}`,
      field: one.path.join('.').replaceAll('.[', '['),
      wanted: one.path.length === 0 ? one.of.name : line(one.wanted),
      live: line(one.live),
      by: one.by,
      at: one.at,
      keeps: isKeepable(service, one),
    })),
  }
}

async function mustLook(ctx: Ctx, teamId: number, envId: string, id: number): Promise<Examined> {
  const looked = await lookAt(ctx, teamId, envId, id)
  if (!looked) throw new Fault('conflict', 'drift-unsettled')
  note(ctx, {
    object: `${looked.stack.name}/${looked.service.name}`,
    before: { changed: looked.found.map(({ of, path }) => `${of.resource.kind} ${path.join('.')}`) },
  })
  if (looked.found.length === 0) throw new Fault('conflict', 'drift-none', { name: looked.service.name })
  return looked
}

/** Makes the changes the next revision of the service. All or none: a part of a change might not make sense. */
export async function keepDrift(ctx: Ctx, teamId: number, envId: string, id: number): Promise<ServiceDetail> {
  const { stack, service, found } = await mustLook(ctx, teamId, envId, id)
  const misfit = found.find((one) => !isKeepable(service, one))
  if (misfit)
    throw new Fault('conflict', 'drift-no-place', {
      field: `${misfit.of.resource.kind} ${misfit.path.join('.') || misfit.of.name}`,
    })
  const spec = found.reduce((now, one) => withDrift(service.name, now, one) ?? now, service.spec)
  const onlyNumber = found.every(({ path }) => path.join('.') === 'spec.replicas')
  const { revision } = service
  return changed(
    ctx,
    stack,
    onlyNumber
      ? { type: 'scale', id, replicas: spec.replicas, revision }
      : { type: 'edit', id, spec: ServiceSpec.parse(spec), revision },
  )
}

type Fields = Record<string, unknown>

/**
 * A merge patch that removes what others added, which an apply does not: it deletes a field, and writes a list with a
 * foreign item as it is applied.
 */
function removalOf(object: KubeObject, found: readonly ObjectDrift[]): Fields | undefined {
  const patch: Fields = {}
  for (const { path } of found.filter(({ wanted }) => wanted === undefined)) {
    let to = patch
    let from: unknown = object
    for (const [at, part] of path.entries()) {
      const below: unknown = (from as Fields | undefined)?.[part]
      if (path.length === at + 1) to[part] = null
      else if (path[at + 1]?.startsWith('[')) {
        to[part] = below
        break
      } else {
        to[part] ??= {}
        to = to[part] as Fields
        from = below
      }
    }
  }
  return Object.keys(patch).length > 0 ? patch : undefined
}

/** Applies again what others changed. */
export async function putBack(ctx: Ctx, teamId: number, envId: string, id: number): Promise<ServiceDetail> {
  const { stack, service, place, cluster, found } = await mustLook(ctx, teamId, envId, id)
  try {
    for (const [of, changes] of Map.groupBy(found, (one) => one.of)) {
      const kube = of.own ? cluster.kube : place.kube
      await kube.apply(of.resource, of.object)
      const removal = removalOf(of.object, changes)
      if (removal) await kube.merge(of.resource, { name: of.name, namespace: place.of.namespace }, removal)
    }
  } catch (error) {
    throw kubeFault(error)
  }
  const now = await findService(ctx.db, id)
  // the service was changed meanwhile, and this may have overwritten the change: apply it again
  if (now && now.generation !== service.generation) {
    await forgetApplied(ctx.db, id)
    unsettledServices.wakeAfterCommit(ctx)
  } else if (now) await noteFound(ctx, stack, now, 0)
  note(ctx, { after: { putBack: found.length } })
  return readService(ctx, stack, id, 0)
}

interface Comparison {
  stack: StackRow
  service: ServiceRow
  object: KubeObject
}

/** Compares all settled services of a cluster, with one list request for each kind of object. */
async function compareOn(ctx: Ctx, clusterId: string, stacks: readonly StackRow[]): Promise<void> {
  const cluster = await clusterOf(ctx, clusterId)
  const wanted = new Map<ServiceObject['resource'], Map<string, Comparison>>()
  const counts = new Map<ServiceRow, number>()
  for (const stack of stacks)
    for (const service of (await servicesOf(ctx.db, stack.id)).filter(isComparable)) {
      const place = await placeFor(ctx, cluster, stack, service)
      counts.set(service, 0)
      for (const { resource, name, object } of await objectsOf(ctx, place)) {
        const of = wanted.get(resource) ?? new Map<string, Comparison>()
        wanted.set(resource, of.set(`${stack.namespace}/${name}`, { stack, service, object }))
      }
    }
  for (const [resource, of] of wanted) {
    for await (const { items } of cluster.kube.pages(resource, { labels: 'app.kubernetes.io/managed-by=gantry' }))
      for (const live of items) {
        const key = `${live.metadata?.namespace}/${live.metadata?.name}`
        const one = of.get(key)
        if (!one) continue
        of.delete(key)
        counts.set(one.service, (counts.get(one.service) ?? 0) + differences(one.object, live).length)
      }
    // a missing workload is reported as the service's own state
    for (const { service, object } of of.values())
      if (object.metadata?.name !== service.name) counts.set(service, (counts.get(service) ?? 0) + 1)
  }
  for (const stack of stacks)
    for (const [service, count] of counts) if (service.stackId === stack.id) await noteFound(ctx, stack, service, count)
}

/** Notes which services others changed. Clusters are compared in parallel: an unreachable one delays no other. */
export async function compareAll(ctx: Ctx): Promise<void> {
  const stacks = Map.groupBy(await runningStacks(ctx.db), ({ envId }) => envId)
  const failed = (clusterId: string) => (error: unknown) => {
    if (!isKube(error) && !(error instanceof Fault)) throw error
    ctx.log.warn({ err: error, environment: clusterId }, 'it is not known what others changed in a cluster')
  }
  await Promise.all(Array.from(stacks, ([env, of]) => compareOn(scoped(ctx), env, of).catch(failed(env))))
}
