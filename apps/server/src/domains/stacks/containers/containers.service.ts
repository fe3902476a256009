import { Readable } from 'node:stream'
import { labels } from '../../../adapters/kube/labels.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { clusterOf } from '../../clusters/public.ts'
import { identityOf } from '../stacks/naming.ts'
import { findStack, type StackRow } from '../stacks/stacks.store.ts'

export interface Target {
  cluster: Cluster
  /** Acts on the cluster on behalf of the caller, so that the cluster checks the team's permissions too. */
  kube: Cluster['kube']
  pod: PodRow
  container: string
  stack: StackRow
}

/**
 * Finds a container of one of the team's pods. The pod's labels name a stack; access requires that the stack is the
 * team's and that the pod is in that stack's own namespace, so that a label alone gives no access.
 */
export async function findTarget(
  ctx: Ctx,
  of: { teamId: number; envId: string; podId: string; name?: string | undefined },
): Promise<Target> {
  const missing = () => new Fault('missing', 'resource-missing')
  const cluster = await clusterOf(ctx, of.envId)
  const { rows } = await cluster.rows('pods', undefined, waits.round)
  const pod = rows.find((row) => row.uid === of.podId)
  const stackUuid = pod?.labels[labels.stack]
  if (!pod || stackUuid === undefined || !/^[0-9a-f-]{36}$/.test(stackUuid)) throw missing()
  const stack = await findStack(ctx.db, stackUuid)
  if (stack?.teamId !== of.teamId || stack.envId !== of.envId || stack.namespace !== pod.namespace) throw missing()
  const container = of.name ?? pod.containers.find((one) => one.role === 'main')?.name
  if (container === undefined || !pod.containers.some((one) => one.name === container)) throw missing()
  return { cluster, kube: cluster.kube.as(identityOf(of.teamId, ctx.actor.name)), pod, container, stack }
}

/** Names the container in the audit log. */
export const noteTarget = (ctx: Ctx, { stack, pod, container }: Target): void =>
  note(ctx, { object: `${stack.name}/${pod.name}/${container}` })

export const refOf = ({ pod }: Pick<Target, 'pod'>) => ({ name: pod.name, namespace: pod.namespace })

/** The reason why a log cannot be read, with what to do. */
export function logFault(error: unknown, previous: boolean): unknown {
  const message = (error as { message?: string }).message ?? ''
  if (previous && /previous terminated container/i.test(message)) return new Fault('missing', 'stacks-no-previous-log')
  if (/waiting to start|ContainerCreating|is not valid for pod|trying and failing to pull/i.test(message))
    return new Fault('conflict', 'stacks-log-not-yet')
  return kubeFault(error)
}

/** Streams the log that the cluster has kept. */
export function logStream(ctx: Ctx, target: Target, previous: boolean): Readable {
  async function* lines() {
    try {
      for await (const line of target.kube.log(refOf(target), {
        container: target.container,
        previous,
        signal: ctx.signal,
      }))
        yield `${line.text}\n`
    } catch (error) {
      throw logFault(error, previous)
    }
  }
  return Readable.from(lines())
}

/** Follows a log from its last lines on, as long as the container runs. */
export const followLog = (ctx: Ctx, target: Target, quantity: number) =>
  target.kube.log(refOf(target), {
    container: target.container,
    follow: true,
    tail: quantity,
    timestamps: true,
    signal: ctx.signal,
  })

export type Replacement = 'start' | 'restart' | 'remove'

/**
 * Deletes a pod so that its workload creates another, because Kubernetes neither starts nor restarts a single
 * container. A pod without a workload can only be removed.
 */
export async function replacePod({ kube, pod, container }: Target, how: Replacement): Promise<null> {
  if (pod.deleting !== undefined) throw new Fault('conflict', 'stacks-pod-leaving', { pod: pod.name })
  if (how !== 'remove' && pod.owner === undefined) throw new Fault('conflict', 'stacks-pod-alone', { pod: pod.name })
  const state = pod.containers.find(({ name }) => name === container)?.state
  if (how === 'start' && state === 'running') throw new Fault('conflict', 'stacks-container-runs', { container })
  try {
    await kube.remove(kinds.pods, refOf({ pod }), { uid: pod.uid })
  } catch (error) {
    throw kubeFault(error)
  }
  return null
}

/** Tried in order: small images have no bash, and some no shell at all. */
const shell = [
  '/bin/sh',
  '-c',
  'TERM=xterm-256color; export TERM; command -v bash >/dev/null 2>&1 && exec bash; exec sh',
] as const

export const openTerminal = (ctx: Ctx, target: Target) =>
  target.kube.exec(refOf(target), {
    container: target.container,
    command: [...shell],
    tty: true,
    stdin: true,
    signal: ctx.signal,
  })
