import { Resources } from '@gantry/contract/stacks/spec-container'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { labels, managed } from '../../../adapters/kube/labels.ts'
import type { KubeObject, Ref } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { labelsOf, type ServiceOf } from '../services/objects/service-objects.ts'
import type { WorkloadType } from '../services/types/workload-type.ts'
import type { Adopted } from './adopted.ts'
import { heldByUs } from './ownership.ts'

/** `gone`: somebody has deleted the workload meanwhile. `later`: the cluster's controllers have not handled it yet. */
type Taken = 'taken' | 'later' | 'gone'

interface Taking {
  kube: Kube
  of: ServiceOf
  adopted: Adopted
  ref: Ref & { namespace: string }
  /** The labels that its pods get. */
  marks: Record<string, string>
}

interface Marked {
  metadata?: { labels?: Record<string, string> }
}
const bears = (one: Marked | undefined, marks: Record<string, string>): boolean =>
  Object.entries(marks).every(([key, value]) => one?.metadata?.labels?.[key] === value)

const labelled = (marks: Record<string, string>) => ({ metadata: { labels: marks } })

const isPartOf =
  (...owners: (KubeObject | undefined)[]) =>
  ({ metadata }: KubeObject): boolean =>
    metadata?.ownerReferences?.some(({ uid }) => owners.some((one) => one?.metadata?.uid === uid)) ?? false

const selection = ({ ref: { namespace }, adopted }: Taking) => ({
  namespace,
  labels: Object.entries(adopted.labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(','),
})

async function podsOf(taking: Taking, ...owners: KubeObject[]) {
  const found = []
  for await (const { items } of taking.kube.pages(kinds.pods, selection(taking))) found.push(...items)
  return found.filter(isPartOf(...owners))
}

/** Labels running pods. Returns whether there was one to label. */
async function markPods(
  { kube, ref: { namespace } }: Taking,
  pods: Awaited<ReturnType<typeof podsOf>>,
  marks: Record<string, string>,
): Promise<boolean> {
  const bare = pods.filter((pod) => !bears(pod, marks))
  for (const { metadata } of bare)
    await kube
      .merge(kinds.pods, { name: metadata?.name ?? '', namespace }, labelled(marks))
      // the pod ended meanwhile
      .catch((error: unknown) => {
        if (!isKube(error, 'missing')) throw error
      })
  return bare.length > 0
}

const revisionNote = 'deployment.kubernetes.io/revision'

/**
 * A Deployment does not replace pods while its template equals that of its ReplicaSet. So it is paused, both templates
 * get the labels, and it is resumed once its controller has seen that they are equal.
 */
async function takeDeployment(taking: Taking): Promise<Taken> {
  const { kube, ref, marks } = taking
  const found = await kube.find(kinds.deployments, ref)
  if (!found) return 'gone'
  const all = await kube.list(kinds.replicaSets, selection(taking))
  const revision = found.metadata?.annotations?.[revisionNote]
  const set = all.items
    .filter(isPartOf(found))
    .find(({ metadata }) => metadata?.annotations?.[revisionNote] === revision)
  if (!set) return 'later'
  if (!bears(found.spec?.template, marks)) {
    await kube.merge(kinds.deployments, ref, { spec: { paused: true, template: labelled(marks) } })
    return 'later'
  }
  if (found.spec?.paused) {
    if (!bears(set.spec?.template, marks)) {
      const name = set.metadata?.name ?? ''
      await kube.merge(kinds.replicaSets, { name, namespace: ref.namespace }, { spec: { template: labelled(marks) } })
      return 'later'
    }
    const { observedGeneration = 0, updatedReplicas = 0 } = found.status ?? {}
    // otherwise the controller might not have seen the set's template, and would create another set
    if (observedGeneration < (found.metadata?.generation ?? 0) || updatedReplicas !== (set.status?.replicas ?? 0))
      return 'later'
    await kube.merge(kinds.deployments, ref, { spec: { paused: null } })
    return 'later'
  }
  return (await markPods(taking, await podsOf(taking, set), marks)) ? 'later' : 'taken'
}

/** Labels the claims of its pods, so that they can be deleted with the service like those of others. */
async function markClaims({ kube, of, ref }: Taking, templates: readonly string[], pods: readonly KubeObject[]) {
  for (const { metadata } of pods)
    for (const template of templates)
      await kube
        .merge(
          kinds.persistentVolumeClaims,
          { name: `${template}-${metadata?.name ?? ''}`, namespace: ref.namespace },
          labelled(labelsOf(of)),
        )
        .catch((error: unknown) => {
          if (!isKube(error, 'missing')) throw error
        })
}

/** Says from which revision of the template a pod was made. */
const hashLabel = 'controller-revision-hash'
/** The same for a DaemonSet, which numbers its templates. */
const countLabel = 'pod-template-generation'
const countNote = 'deprecated.daemonset.template.generation'

/**
 * The update strategy is set to `OnDelete` while the template gets the labels; then the pods get them, together with
 * the revision of the template. The strategy is restored once the controller has seen that all pods are up to date.
 */
async function takeSet(
  { kube, ref, marks, adopted }: Taking,
  resource: typeof kinds.statefulSets | typeof kinds.daemonSets,
  found: Awaited<ReturnType<typeof setOf>>,
  mark: () => Promise<boolean>,
): Promise<Taken> {
  const { isMarked, strategy, isSeen, isWhole } = found
  if (!isMarked) {
    await kube.merge<KubeObject>(resource, ref, {
      spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null }, template: labelled(marks) },
    })
    return 'later'
  }
  if (!isSeen || (await mark())) return 'later'
  if (strategy !== 'OnDelete') return 'taken'
  if (!isWhole) return 'later'
  await kube.merge<KubeObject>(resource, ref, { spec: { updateStrategy: adopted.strategy } })
  return 'later'
}

interface RolloutState {
  metadata?: { generation?: number }
  spec?: { template?: Marked; updateStrategy?: { type?: string } }
  status?: { observedGeneration?: number }
}

const setOf = (found: RolloutState, marks: Record<string, string>, [updated, all]: [number, number]) => ({
  isMarked: bears(found.spec?.template, marks),
  strategy: found.spec?.updateStrategy?.type,
  isSeen: (found.status?.observedGeneration ?? 0) >= (found.metadata?.generation ?? 0),
  isWhole: updated === all,
})

async function takeStatefulSet(taking: Taking): Promise<Taken> {
  const { kube, ref, marks } = taking
  const found = await kube.find(kinds.statefulSets, ref)
  if (!found) return 'gone'
  const { updatedReplicas = 0, replicas = 0, updateRevision = '' } = found.status ?? {}
  return takeSet(taking, kinds.statefulSets, setOf(found, marks, [updatedReplicas, replicas]), async () => {
    const pods = await podsOf(taking, found)
    const templates = (found.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '')
    if (!(await markPods(taking, pods, { ...marks, [hashLabel]: updateRevision }))) return false
    await markClaims(taking, templates, pods)
    return true
  })
}

async function takeDaemonSet(taking: Taking): Promise<Taken> {
  const { kube, ref, marks } = taking
  const found = await kube.find(kinds.daemonSets, ref)
  if (!found) return 'gone'
  const { updatedNumberScheduled = 0, currentNumberScheduled = 0 } = found.status ?? {}
  const count = found.metadata?.annotations?.[countNote]
  const standing = setOf(found, marks, [updatedNumberScheduled, currentNumberScheduled])
  return takeSet(taking, kinds.daemonSets, standing, async () =>
    markPods(taking, await podsOf(taking, found), {
      ...marks,
      ...(count === undefined ? {} : { [countLabel]: count }),
    }),
  )
}

/** Labels what it starts from now on; running Jobs keep their templates. */
async function takeCronJob(taking: Taking): Promise<Taken> {
  const { kube, of, ref, marks } = taking
  const found = await kube.find(kinds.cronJobs, ref)
  if (!found) return 'gone'
  if (!bears(found.spec?.jobTemplate.spec?.template, marks))
    await kube.merge(kinds.cronJobs, ref, {
      spec: { jobTemplate: { ...labelled(labelsOf(of)), spec: { template: labelled(marks) } } },
    })
  const { items } = await kube.list(kinds.jobs, { namespace: ref.namespace })
  const started = items.filter(isPartOf(found))
  await markPods(taking, started.length > 0 ? await podsOf(taking, ...started) : [], marks)
  return 'taken'
}

const ways = new Map<WorkloadType['resource'], (taking: Taking) => Promise<Taken>>([
  [kinds.deployments, takeDeployment],
  [kinds.statefulSets, takeStatefulSet],
  [kinds.daemonSets, takeDaemonSet],
  [kinds.cronJobs, takeCronJob],
])

/** Labels an object for the service, and makes the product the manager of its fields. */
async function adopt<T extends KubeObject>({ kube, of, ref }: Taking, resource: kinds.Resource<T>): Promise<void> {
  const found = await kube.find(resource, ref)
  if (!found) return
  const marks = labelsOf(of)
  const now = bears(found, marks) ? found : await kube.merge(resource, ref, labelled(marks))
  const managedFields = heldByUs({ ...now, apiVersion: kinds.apiVersionOf(resource) })
  const resourceVersion = now.metadata?.resourceVersion
  if (managedFields) await kube.merge(resource, ref, { metadata: { resourceVersion, managedFields } })
}

const usual = Resources.parse({})

/** Default limits for pods whose containers have none, until the service's document, which has limits, is applied. */
const limitsOf = (of: ServiceOf) => ({
  metadata: {
    name: 'gantry-adopted',
    namespace: of.namespace,
    labels: { ...managed, [labels.team]: String(of.teamId), [labels.stack]: of.stackUuid },
  },
  spec: {
    limits: [
      {
        type: 'Container',
        default: { cpu: usual.cpu, memory: usual.memory },
        defaultRequest: { cpu: usual.cpuRequest, memory: usual.memoryRequest },
      },
    ],
  },
})

/**
 * Takes over a running workload without replacing a pod. Uses the product's own account, because an administrator
 * handed it over. Continues where it was interrupted.
 */
export async function takeOver(
  kube: Kube,
  of: ServiceOf,
  adopted: Adopted,
  resource: WorkloadType['resource'],
): Promise<Taken> {
  const marks = { ...labelsOf(of), [labels.revision]: String(of.podRevision) }
  const taking: Taking = { kube, of, adopted, marks, ref: { name: of.name, namespace: of.namespace } }
  if (adopted.unlimited) await kube.apply(kinds.limitRanges, limitsOf(of))
  const taken = await (ways.get(resource) ?? (() => Promise.resolve('gone' as const)))(taking)
  if (taken !== 'taken' || !resource) return taken
  await adopt(taking, resource)
  if (adopted.address) await adopt(taking, kinds.services)
  // only Deployments and StatefulSets have a disruption budget
  if (resource === kinds.deployments || resource === kinds.statefulSets) await adopt(taking, kinds.disruptionBudgets)
  return 'taken'
}
