import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { isKube } from '../../../adapters/kube/errors.ts'
import type { Kube, RemoveOptions } from '../../../adapters/kube/client.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import type { KubeObject } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import type { Round } from '../../../kernel/reconcile.ts'
import { listKnown } from '../../clusters/public.ts'
import { noteConfigured, withConfiguration } from '../../config-centre/public.ts'
import { withCertificates } from '../outward/certified.service.ts'
import { isAsFound } from '../adoption/adopted.ts'
import { takeOver } from '../adoption/take-over.service.ts'
import { entranceFor } from '../outward/entrance.service.ts'
import { pullCredential } from '../../images/public.ts'
import { copyName, isOpen } from '../copies/copy.ts'
import { dividedIn } from '../copies/ways-in.service.ts'
import { pinned } from '../revisions/pins.service.ts'
import { pullSecret, pullSecretName, type ServiceOf } from '../services/objects/service-objects.ts'
import { asWanted } from '../services/secret-values.ts'
import { noteApplied, noteTaken } from '../services/changes.store.ts'
import type { ServiceRow } from '../services/services.store.ts'
import { registriesOf } from '../services/document.service.ts'
import type { ServiceObject, WorkloadType } from '../services/types/workload-type.ts'
import { workloadOf } from '../services/types/workload-types.ts'
import { identityOf } from '../stacks/naming.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { isGrantedLater, type NamespaceOf, placeOf, rolesFor, teamRoleBinding } from './namespace-objects.ts'

/** `later`: the cluster is not ready for it yet. `not`: another server has taken over. */
type Done = 'applied' | 'later' | 'not'

const needsGrant = ({ resource, object }: ServiceObject): boolean => object !== undefined && isGrantedLater(resource)

/**
 * Grants the team the permissions that these objects need besides the usual ones. If the product's own account may not
 * grant them, a service still runs without a disruption budget, but not without its claims.
 */
async function grant(
  ctx: Ctx,
  { kube }: Cluster,
  as: Kube,
  place: NamespaceOf,
  objects: readonly ServiceObject[],
): Promise<'granted' | 'later' | 'without budget'> {
  const resources = [...new Set(objects.filter(needsGrant).map(({ resource }) => resource))]
  if (resources.length === 0) return 'granted'
  const { namespace } = place
  const allowed = await as.can(resources.map((resource) => ({ verb: 'patch', resource, namespace })))
  if (!allowed.includes(false)) return 'granted'
  try {
    for (const role of rolesFor(place, resources)) {
      await kube.apply(kinds.roles, role)
      await kube.apply(kinds.roleBindings, teamRoleBinding(place, role))
    }
    // the cluster's authorizer needs a moment to notice it
    return 'later'
  } catch (error) {
    const onlyBudget = resources.every((resource) => resource === kinds.disruptionBudgets)
    if (!onlyBudget || !isKube(error, 'forbidden')) throw error
    ctx.log.warn({ err: error, namespace }, 'a service runs without a disruption budget')
    return 'without budget'
  }
}

/** Deletes an object. If neither the team nor the product may access its kind, it never existed. */
async function removeObject(
  { kube }: Cluster,
  as: Kube,
  { resource, name, own }: ServiceObject,
  namespace: string,
  options?: RemoveOptions,
): Promise<boolean> {
  if (!own && !isGrantedLater(resource)) return as.remove(resource, { name, namespace }, options)
  try {
    return await kube.remove(resource, { name, namespace }, options)
  } catch (error) {
    // a cluster without the kind has no such object
    if (isKube(error, 'forbidden', 'missing')) return false
    throw error
  }
}

/** The existing objects of a service that are no longer wanted, among the kinds of which it may have any number. */
async function prunable(
  { kube }: Cluster,
  { prunes = [] }: Pick<WorkloadType, 'prunes'>,
  of: ServiceOf,
  kept: readonly ServiceObject[],
): Promise<ServiceObject[]> {
  const selection = { namespace: of.namespace, labels: `${labels.service}=${of.id}` }
  const found: ServiceObject[] = []
  for (const resource of prunes)
    for (const { metadata } of await listKnown(kube, resource, selection)) {
      const name = metadata?.name ?? ''
      const own = resource === kinds.networkPolicies ? ({ own: true } as const) : {}
      if (!kept.some((one) => one.resource === resource && one.name === name))
        found.push({ resource, name, object: undefined, ...own })
    }
  return found
}

/** Where the objects of a service are written, on behalf of the user who requested the change. */
export interface ApplyTarget {
  kube: Kube
  of: ServiceOf & ServiceRow
  pulls: (() => Promise<unknown>)[]
}

export async function placeFor(ctx: Ctx, cluster: Cluster, stack: StackRow, service: ServiceRow): Promise<ApplyTarget> {
  const kube = cluster.kube.as(identityOf(stack.teamId, service.actor))
  const pulls = await Promise.all(registriesOf(service.spec).map((id) => pullCredential(ctx, stack.teamId, id)))
  const secrets = pulls.flatMap((pull) => (pull === undefined ? [] : [pull]))
  const { entrance } = await entranceFor(cluster.kube, service.spec, { namespace: stack.namespace, id: service.id })
  const of = {
    ...placeOf(stack),
    ...service,
    pullSecrets: secrets.map(({ id }) => pullSecretName(id)),
    ...(entrance && { entrance, divided: await dividedIn(ctx.db, stack.id) }),
  }
  return { kube, of, pulls: secrets.map((pull) => () => kube.apply(kinds.secrets, pullSecret(of, pull))) }
}

/** Applies objects in order, and deletes those that are no longer wanted. */
export async function applyObjects(
  ctx: Ctx,
  cluster: Cluster,
  { kube, of, pulls }: Pick<ApplyTarget, 'kube' | 'pulls'> & { of: ServiceOf },
  all: readonly ServiceObject[],
  round: Round,
  type: Pick<WorkloadType, 'prunes'> = {},
): Promise<Done> {
  if (!(await round.mayWrite())) return 'not'
  const granted = await grant(ctx, cluster, kube, of, all)
  if (granted === 'later') return 'later'
  const objects = granted === 'granted' ? all : all.filter(({ resource }) => resource !== kinds.disruptionBudgets)
  const gone = [
    ...objects.filter(({ object }) => object === undefined),
    ...(await prunable(cluster, type, of, objects)),
  ]
  const applied = await round.inTurn([
    ...pulls,
    ...objects.flatMap(({ resource, object, own }) =>
      object ? [() => (own ? cluster.kube : kube).apply(resource, object)] : [],
    ),
    // last, when the newest pods no longer need them
    ...gone.toReversed().map((object) => () => removeObject(cluster, kube, object, of.namespace)),
  ])
  return applied ? 'applied' : 'not'
}

/**
 * The objects to apply for a service. An existing Job stays unchanged: its template is immutable, and its pods continue
 * with the configuration that they began with. The next revision, or a restart, replaces it.
 */
function writable(type: WorkloadType, of: ServiceOf, spec: ServiceSpec, standing: KubeObject | undefined) {
  const objects = type.objects(of, spec)
  if (!standing) return objects
  return type.isConfigured?.(standing, spec) ? objects.filter(({ resource }) => resource !== type.resource) : []
}

/** Applies a service's specification, with tags as digests, so that the cluster checks the team's permissions too. */
export async function applyService(
  ctx: Ctx,
  cluster: Cluster,
  stack: StackRow,
  wanted: ServiceRow,
  round: Round,
): Promise<Done> {
  const { adopted } = wanted
  if (adopted) {
    if (!(await round.mayWrite())) return 'not'
    const of = { ...placeOf(stack), ...wanted }
    const taken = adopted.taken ? 'taken' : await takeOver(cluster.kube, of, adopted, workloadOf(wanted).resource)
    if (taken === 'later') return 'later'
    if (!adopted.taken) await noteTaken(ctx.db, wanted.id, adopted)
    if (taken === 'taken' && isAsFound(wanted)) {
      await noteApplied(ctx.db, wanted.id, wanted.generation)
      return 'applied'
    }
  }
  const service = await pinned(ctx, stack, wanted, round)
  if (!service) return 'not'
  const place = await placeFor(ctx, cluster, stack, service)
  const { kube, of } = place
  const type = workloadOf(service)
  let standing: KubeObject | undefined
  if (type.isSpent && type.resource) {
    const { resource } = type
    const ref = { name: of.name, namespace: of.namespace }
    // the team may not have access yet to the first object of its kind: it is granted below
    standing = await kube.find(resource, ref).catch((error: unknown) => {
      if (isGrantedLater(resource) && isKube(error, 'forbidden')) return undefined
      throw error
    })
    if (standing && type.isSpent(standing, of)) {
      await round.inTurn([() => kube.remove(resource, ref, { dependants: 'Foreground' })])
      return 'later'
    }
  }
  const read = await withConfiguration(ctx, stack.teamId, asWanted(ctx, service))
  const whole = await withCertificates(ctx, stack.teamId, read.spec)
  const done = await applyObjects(ctx, cluster, place, writable(type, of, whole, standing), round, type)
  if (done !== 'applied') return done
  const isNewest = !standing || type.isConfigured?.(standing, whole)
  const noted = await round.inTurn([
    ...(isNewest ? [() => noteConfigured(ctx, service.id, read.version)] : []),
    () => noteApplied(ctx.db, service.id, service.generation),
  ])
  return noted ? 'applied' : 'not'
}

/** Deletes objects, the last first. `leaving`: some of them still exist. */
export async function removeObjects(
  cluster: Cluster,
  { kube, of }: Pick<ApplyTarget, 'kube'> & { of: ServiceOf },
  objects: readonly ServiceObject[],
  round: Round,
  workload: ServiceObject['resource'] = kinds.deployments,
): Promise<'gone' | 'leaving' | 'not'> {
  let left = false
  const wrote = await round.inTurn(
    objects.toReversed().map((object) => async () => {
      const dependants = object.resource === workload ? 'Foreground' : 'Background'
      if (await removeObject(cluster, kube, object, of.namespace, { dependants })) left = true
    }),
  )
  return wrote ? (left ? 'leaving' : 'gone') : 'not'
}

/** What a copy shares with its service. */
const isShared = (resource: ServiceObject['resource']): boolean =>
  resource === kinds.disruptionBudgets || resource === kinds.persistentVolumeClaims

/** Deletes all claims of a service with their data, including those that a StatefulSet created. */
const dropClaims = ({ kube }: Cluster, of: ServiceOf): Promise<void> =>
  kube.removeAll(kinds.persistentVolumeClaims, { namespace: of.namespace, labels: `${labels.service}=${of.id}` })

/** Deletes the objects of a service except those with user data. True once nothing is left. */
export async function clearService(
  cluster: Cluster,
  stack: StackRow,
  service: ServiceRow,
  round: Round,
): Promise<boolean> {
  const kube = cluster.kube.as(identityOf(stack.teamId, service.actor))
  const of = { ...placeOf(stack), ...service }
  const type = workloadOf(service)
  const copy = { ...of, name: copyName(service.name), copyOf: service.name }
  const objects = [
    ...type.objects(of, service.spec),
    ...(await prunable(cluster, type, of, [])),
    ...(isOpen(service.copy) ? type.objects(copy, service.spec).filter(({ resource }) => !isShared(resource)) : []),
  ]
  const going = objects.filter(({ stays }) => !stays)
  const left = await removeObjects(cluster, { kube, of }, going, round, type.resource)
  if (left !== 'gone') return false
  if (service.dropClaims) await dropClaims(cluster, of)
  return true
}
