import type { DryRun } from '@gantry/contract/stacks/preview/dry-run'
import { type ServiceSpec, typeOf } from '@gantry/contract/stacks/spec'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { KubeObject } from '../../../adapters/kube/objects.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say, sayTo } from '../../../kernel/phrase.ts'
import { clusterOf } from '../../clusters/public.ts'
import { withConfiguration } from '../../config-centre/public.ts'
import { withCertificates } from '../outward/certified.service.ts'
import { mustReach } from '../outward/reach.service.ts'
import { placeFor } from '../reconcile/apply.service.ts'
import { isGrantedLater } from '../reconcile/namespace-objects.ts'
import { mustRun } from '../services/document.service.ts'
import { asWanted, withoutSecrets } from '../services/secret-values.ts'
import type { ServiceRow } from '../services/services.store.ts'
import type { ServiceObject } from '../services/types/workload-type.ts'
import { workloadOf } from '../services/types/workload-types.ts'
import type { StackRow } from '../stacks/stacks.store.ts'

/** Whether the cluster refuses the object itself; any other error means that the cluster does not answer. */
const isRefusal = (error: unknown): boolean =>
  isKube(error, 'invalid', 'forbidden', 'quota', 'policy', 'missing', 'conflict', 'terminating', 'too-large')

/** A service as it would be at its next revision. */
function asItWouldBe(ctx: Ctx, stack: StackRow, name: string, given: ServiceSpec, current?: ServiceRow): ServiceRow {
  const kept = { ...withoutSecrets(ctx, given, current?.secrets ?? null), digest: '', pins: null }
  const now = new Date().toISOString()
  const before = current ?? {
    id: 0,
    stackId: stack.id,
    name,
    type: typeOf(given),
    state: 'deploying' as const,
    reason: null,
    revision: 0,
    previous: null,
    outgoing: { cpu: 0, memory: 0 },
    generation: 0,
    applied: 0,
    restartedAt: null,
    actorId: null,
    requires: [],
    releaseId: null,
    dropClaims: false,
    copy: null,
    adopted: null,
    instances: null,
    scaling: { low: 0, cpu: null, memory: null, last: null, trouble: null },
    drift: 0,
    createdAt: now,
    updatedAt: now,
  }
  return {
    ...before,
    ...kept,
    podRevision: before.revision + 1,
    podDigest: '',
    podDedicated: true,
    actor: ctx.actor.name,
  }
}

/** Compares two objects without what the API server maintains itself. */
function isSame(before: KubeObject, after: KubeObject): boolean {
  const own = (object: KubeObject & { status?: unknown }) => {
    const { status: _, metadata, ...rest } = object
    return JSON.stringify([rest, metadata?.labels ?? {}, metadata?.annotations ?? {}])
  }
  return own(before) === own(after)
}

type PreviewedObject = DryRun['objects'][number]

/** Tries one object; undefined if it neither exists nor is wanted. Throws if the cluster does not answer. */
async function tryOne(
  ctx: Ctx,
  { kube }: Cluster,
  writer: Kube,
  namespace: string,
  { resource, name, object }: ServiceObject,
  isSpent: ((present: KubeObject) => boolean) | undefined,
  budget: () => number,
): Promise<PreviewedObject | undefined> {
  const preview = { kind: resource.kind, name, refusal: '' }
  let change: PreviewedObject['change'] = 'create'
  try {
    const before = await kube.find(resource, { name, namespace }, { budget: budget() }).catch((error: unknown) => {
      // a cluster without the kind, or an account without access to it: we have no such object
      if (isKube(error, 'missing', 'forbidden')) return undefined
      throw error
    })
    if (!object) return before && { ...preview, change: 'remove' }
    if (before) change = 'change'
    // a Job that has run is deleted and created again
    if (before && isSpent?.(before)) return { ...preview, change }
    const after = await writer.apply(resource, object, { dryRun: true, budget: budget() })
    return { ...preview, change: before && isSame(before, after) ? 'none' : change }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const fault = kubeFault(error)
    if (!(fault instanceof Fault)) throw error
    return { ...preview, change, refusal: sayTo(ctx, fault) }
  }
}

/** The reason why a cluster does not answer; rethrows other errors. */
function silence(ctx: Ctx, error: unknown): string {
  const fault = kubeFault(error)
  if (!(fault instanceof Fault)) throw error
  return sayTo(ctx, fault)
}

/**
 * Sends the objects of a service to its cluster as a dry run, on behalf of the team: its admission, policies and quotas
 * are checked, and nothing is stored. A cluster that does not answer costs a bounded wait and is reported. Throws if
 * the product itself would refuse the change.
 */
export async function dryRun(
  ctx: Ctx,
  stack: StackRow,
  name: string,
  given: ServiceSpec,
  current?: ServiceRow,
): Promise<DryRun> {
  note(ctx, { object: `${stack.name}/${name}` })
  await mustReach(ctx, stack, { ...given, ...(current && { placed: { ...stack, id: current.id } }) })
  await mustRun(ctx, stack, name, given, current ? { current: current.spec } : {})
  if (stack.state !== 'running') return { objects: [], silent: say(ctx.lang, 'preview-no-namespace') }
  const service = asItWouldBe(ctx, stack, name, given, current)
  const end = Date.now() + waits.preview
  const budget = () => Math.max(end - Date.now(), 1)
  try {
    const cluster = await clusterOf(ctx, stack.envId)
    const { kube, of } = await placeFor(ctx, cluster, stack, service)
    const type = workloadOf(service)
    const read = await withConfiguration(ctx, stack.teamId, asWanted(ctx, service))
    const all = type.objects(of, await withCertificates(ctx, stack.teamId, read.spec))
    const { namespace } = stack
    const later = [...new Set(all.map(({ resource }) => resource).filter(isGrantedLater))]
    const allowed = await kube.can(
      later.map((resource) => ({ verb: 'patch', resource, namespace })),
      { budget: budget() },
    )
    // the team gets these permissions with the first of its services that needs them
    const ungranted = new Set(later.filter((_, at) => !allowed[at]))
    const answers = await Promise.allSettled(
      all.map((object) => {
        const writer = object.own || ungranted.has(object.resource) ? cluster.kube : kube
        const isSpent = object.resource === type.resource ? type.isSpent : undefined
        const spent = isSpent && ((present: KubeObject) => isSpent(present, of))
        return tryOne(ctx, cluster, writer, namespace, object, spent, budget)
      }),
    )
    const [failed] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
    return {
      objects: answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : [])),
      silent: failed === undefined ? '' : silence(ctx, failed),
    }
  } catch (error) {
    return { objects: [], silent: silence(ctx, error) }
  }
}
