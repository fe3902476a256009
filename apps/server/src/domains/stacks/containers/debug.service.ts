import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { debugRole, placeOf, teamRoleBinding } from '../reconcile/namespace-objects.ts'
import { refOf, type Target } from './containers.service.ts'

/** Half a day, because it cannot be removed before its pod. */
const runs = ['sleep', '43200']
const longestMs = 20_000
const pollMs = 200
/** Kubernetes never removes debug containers from a pod, so their number only grows. */
const most = 20

const isStopped = (reason: string | undefined): boolean =>
  /ErrImage|ImagePull|InvalidImageName|Create.*Error|RunContainerError/.test(reason ?? '')

/** Grants the team permission to start debug containers, if its stack was created without it. */
async function grant({ cluster, kube, stack }: Target): Promise<void> {
  const place = placeOf(stack)
  const right = {
    verb: 'patch',
    resource: kinds.pods,
    subresource: 'ephemeralcontainers',
    namespace: place.namespace,
  }
  const end = Date.now() + longestMs
  const [allowed] = await kube.can([right])
  if (allowed) return
  const role = debugRole(place)
  await cluster.kube.apply(kinds.roles, role)
  await cluster.kube.apply(kinds.roleBindings, teamRoleBinding(place, role))
  // the cluster's authorizer needs a moment to notice it
  while (Date.now() < end) {
    const [now] = await kube.can([right])
    if (now) return
    await sleep(pollMs)
  }
}

/** Starts a container with a shell beside one that has none, and returns its name once it runs. */
export async function startDebug(ctx: Ctx, target: Target): Promise<{ container: string }> {
  const { cluster, kube, pod, container } = target
  const ref = refOf(target)
  const image = ctx.config.debugImage
  if (pod.phase !== 'Running' || pod.deleting !== undefined)
    throw new Fault('conflict', 'container-not-running', { container })
  try {
    await grant(target)
    for (;;) {
      const { metadata, spec, status } = await kube.get(kinds.pods, ref)
      const present = spec?.ephemeralContainers ?? []
      const running = present.find(
        ({ name, targetContainerName }) =>
          targetContainerName === container &&
          status?.ephemeralContainerStatuses?.some((one) => one.name === name && one.state?.running),
      )
      if (running) return { container: running.name }
      if (present.length >= most) throw new Fault('conflict', 'debug-too-many', { pod: pod.name, most })
      const name = `debug-${randomBytes(3).toString('hex')}`
      const added = {
        name,
        image,
        imagePullPolicy: 'IfNotPresent',
        command: runs,
        targetContainerName: container,
        securityContext: { allowPrivilegeEscalation: false },
      }
      const patch = {
        metadata: { resourceVersion: metadata?.resourceVersion },
        spec: { ephemeralContainers: [...present, added] },
      }
      try {
        await kube.merge(kinds.pods, ref, patch, { subresource: 'ephemeralcontainers' })
      } catch (error) {
        // the pod has changed since it was read: read it again
        if (isKube(error, 'conflict')) continue
        throw error
      }
      return await started(ctx, { cluster, pod, name, image })
    }
  } catch (error) {
    throw kubeFault(error)
  }
}

async function started(
  ctx: Ctx,
  { cluster, pod, name, image }: Pick<Target, 'cluster' | 'pod'> & { name: string; image: string },
): Promise<{ container: string }> {
  const end = Date.now() + longestMs
  while (Date.now() < end && !ctx.signal.aborted) {
    const { rows } = await cluster.rows('pods', pod.namespace, waits.round)
    const one = rows.find(({ uid }) => uid === pod.uid)?.containers.find((row) => row.name === name)
    if (one?.state === 'running') return { container: name }
    if (one?.state === 'terminated' || isStopped(one?.reason))
      throw new Fault('conflict', 'debug-image-refused', { image, reason: one?.message ?? one?.reason ?? '' })
    await sleep(pollMs)
  }
  throw new Fault('unavailable', 'debug-slow', { image })
}
