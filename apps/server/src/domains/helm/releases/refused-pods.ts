import { setTimeout as sleep } from 'node:timers/promises'
import type { Kube } from '../../../adapters/kube/client.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { ManifestObject } from './manifest.ts'

/** An object whose pods the cluster refuses to create, and its message. */
interface RefusedPods {
  object: string
  message: string
}

/** A rolling upgrade may be refused a pod until an old one is gone. */
const patienceMs = 10_000
const pauseMs = 250

interface Inspection {
  /** Its controller has neither created a pod yet nor been refused one. */
  waits: boolean
  refusal?: string | undefined
}

interface Conditions {
  conditions?: { type?: string; status?: string; message?: string }[] | undefined
}

const failureIn = (of: Conditions | undefined): string | undefined =>
  of?.conditions?.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True')?.message

/** The event in which a controller without a condition for it reports the refusal. */
async function eventOf(kube: Kube, namespace: string, uid: string | undefined): Promise<string | undefined> {
  const { items } = await kube.list(kinds.events, { namespace })
  return items.findLast(({ reason, involvedObject }) => reason === 'FailedCreate' && involvedObject.uid === uid)
    ?.message
}

async function lookAt(kube: Kube, { kind, namespace, name }: ManifestObject): Promise<Inspection> {
  const settled: Inspection = { waits: false }
  const at = { namespace, name }
  const byEvent = async (uid: string | undefined, wanted: number, made: number): Promise<Inspection> =>
    made >= Math.min(wanted, 1) ? settled : { waits: true, refusal: await eventOf(kube, namespace, uid) }
  switch (kind) {
    case 'Deployment': {
      const { metadata, spec, status } = (await kube.find(kinds.deployments, at)) ?? {}
      if (spec === undefined || spec.paused === true) return settled
      const [updated, all] = [status?.updatedReplicas ?? 0, status?.replicas ?? 0]
      const isSeen = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0)
      // an upgrade needs only its first pod: the others follow as the old ones go
      const isMade = updated >= (spec.replicas ?? 1) || (updated > 0 && all > updated)
      return { waits: !isSeen || !isMade, refusal: isSeen ? failureIn(status) : undefined }
    }
    case 'ReplicaSet': {
      const { metadata, spec, status } = (await kube.find(kinds.replicaSets, at)) ?? {}
      const isSeen = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0)
      return { waits: !isSeen || (status?.replicas ?? 0) < (spec?.replicas ?? 1), refusal: failureIn(status) }
    }
    case 'StatefulSet': {
      const { metadata, spec, status } = (await kube.find(kinds.statefulSets, at)) ?? {}
      return byEvent(metadata?.uid, spec?.replicas ?? 1, status?.replicas ?? 0)
    }
    case 'DaemonSet': {
      const { metadata, status } = (await kube.find(kinds.daemonSets, at)) ?? {}
      return byEvent(metadata?.uid, status?.desiredNumberScheduled ?? 1, status?.currentNumberScheduled ?? 0)
    }
    case 'Job': {
      const { metadata, spec, status } = (await kube.find(kinds.jobs, at)) ?? {}
      const made = (status?.active ?? 0) + (status?.succeeded ?? 0) + (status?.failed ?? 0)
      return byEvent(metadata?.uid, spec === undefined || spec.suspend === true ? 0 : 1, made)
    }
    default:
      return settled
  }
}

/**
 * Waits at most ten seconds until the pods of these objects are created, and returns the objects whose pods are refused
 * by then: the cluster accepts every object, and only later refuses pods beyond the quota.
 */
export async function refusedPods(
  kube: Kube,
  namespace: string,
  objects: readonly ManifestObject[],
  signal: AbortSignal,
): Promise<RefusedPods[]> {
  const own = objects.filter((one) => one.namespace === namespace)
  for (const until = performance.now() + patienceMs; ;) {
    const looks = await Promise.all(own.map((one) => lookAt(kube, one)))
    const refused = own.flatMap(({ kind, name }, at): RefusedPods[] => {
      const message = looks[at]?.refusal
      return message === undefined ? [] : [{ object: `${kind} ${name}`, message }]
    })
    const isSettled = refused.length === 0 && looks.every(({ waits }) => !waits)
    if (isSettled || performance.now() > until) return refused
    await sleep(pauseMs, undefined, { signal })
  }
}
