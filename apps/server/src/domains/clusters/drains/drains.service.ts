import type { V1Pod } from '@kubernetes/client-node'
import { waits } from '../../../adapters/kube/waits.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reason, reasonOf } from '../../../kernel/phrase.ts'
import { reconciler, type Round } from '../../../kernel/reconcile.ts'
import { type DrainEvent, type DrainPod, nextDrain, partOf, pauseOf, toleratesCordon, type Waiting } from './drain.ts'
import { runningDrains } from './draining.ts'
import { changeDrain, type DrainRow, findDrain } from './drains.store.ts'
import { notify } from '../../notifications/public.ts'
import { clusterOf } from '../clusters/connect.service.ts'
import { findCluster, teamsUsing } from '../clusters/clusters.store.ts'
import { publishHost } from '../hosts/host-node.ts'

/** Maximum of pods evicted at once: each one's controller has to start another elsewhere. */
const atOnce = 5

type Pod = Wire<V1Pod>

const nameOf = ({ metadata }: Pod) => ({ namespace: metadata?.namespace ?? '', pod: metadata?.name ?? '' })

const toDrainPod = ({ metadata, spec, status }: Pod, { startedAt }: DrainRow): DrainPod => {
  const controller = metadata?.ownerReferences?.find((owner) => owner.controller)
  return {
    bound: controller?.kind === 'DaemonSet' || metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined,
    finished: status?.phase === 'Succeeded' || status?.phase === 'Failed',
    back:
      toleratesCordon(spec?.tolerations ?? []) && Date.parse(metadata?.creationTimestamp ?? '') > Date.parse(startedAt),
    deleting: metadata?.deletionTimestamp !== undefined,
    controlled: controller !== undefined,
  }
}

/** A failure as a reason to store. Rethrows failures that do not come from the cluster. */
function clusterReason(error: unknown): Reason {
  const fault = kubeFault(error)
  if (!(fault instanceof Fault)) throw error
  return reasonOf(fault)
}

/** Evicts one pod within its disruption budget. Undefined if it was evicted or no longer exists. */
async function evict(kube: Kube, pod: Pod, signal: AbortSignal): Promise<Waiting | undefined> {
  const { namespace, pod: name } = nameOf(pod)
  const uid = pod.metadata?.uid
  try {
    await kube.evict({ namespace, name }, { signal, ...(uid === undefined ? {} : { uid }) })
    return undefined
  } catch (error) {
    if (isKube(error, 'missing', 'conflict')) return undefined
    // without a budget as the cause, the API server itself is overloaded
    const budget =
      isKube(error, 'throttled') && error.details?.causes?.find(({ reason }) => reason === 'DisruptionBudget')
    if (budget)
      return {
        namespace,
        pod: name,
        reason: { key: 'hosts-drain-budget', vars: { reason: budget.message ?? error.message } },
      }
    // two budgets over one pod, or a webhook that forbids it, concern this pod alone
    if (isKube(error, 'invalid', 'policy', 'terminating') || (isKube(error, 'server') && error.status === 500))
      return { namespace, pod: name, reason: { key: 'hosts-drain-refused', vars: { reason: error.message } } }
    throw error
  }
}

/** Reads the host once and evicts what can go, for as long as the round may write. */
async function lookAt(ctx: Ctx, drain: DrainRow, round: Round, signal: AbortSignal): Promise<DrainEvent> {
  const { kube } = await clusterOf(ctx, drain.environment)
  const node = await kube.find(kinds.nodes, { name: drain.host }, { signal })
  if (!node || node.metadata?.uid !== drain.nodeUid) return { is: 'gone' }
  if (node.spec?.unschedulable !== true) return { is: 'uncordoned' }

  const pods: Pod[] = []
  for await (const page of kube.pages(kinds.pods, { fields: `spec.nodeName=${drain.host}` }, { signal }))
    pods.push(...page.items)
  const of = (part: ReturnType<typeof partOf>) => pods.filter((pod) => partOf(toDrainPod(pod, drain)) === part)
  const because = (key: string) => (pod: Pod) => ({ ...nameOf(pod), reason: { key, vars: {} } })

  const evicted = of('evict')
  const waiting: Waiting[] = []
  for (let at = 0; at < evicted.length; at += atOnce) {
    if (at > 0 && !(await round.mayWrite())) break
    const results = await Promise.all(evicted.slice(at, at + atOnce).map((pod) => evict(kube, pod, signal)))
    waiting.push(...results.filter((one) => one !== undefined))
  }
  const [alone, ending] = [of('alone'), of('ends')]
  return {
    is: 'looked',
    remaining: evicted.length + alone.length + ending.length,
    waiting: [...waiting, ...alone.map(because('hosts-drain-alone')), ...ending.map(because('hosts-drain-ending'))],
    moved: waiting.length < evicted.length,
  }
}

/** Ends a maintenance, drained or not. Pods that are terminating still end. */
export const stopDrain = (ctx: Ctx, clusterId: string, host: string): Promise<void> =>
  inTx(ctx, async (ctx) => {
    const before = await findDrain(ctx.db, clusterId, host, { lock: true })
    const drain = nextDrain(before, { is: 'stopped' })
    if (!drain || drain === before) return
    await changeDrain(ctx.db, clusterId, host, drain)
    await publishHost(ctx, clusterId, host)
  })

const tones = { done: 'ok', stopped: 'warn', failed: 'bad' } as const

/** Notifies the user who started a drain of its end. A drain in a cluster of several teams belongs to no team. */
async function tellOutcome(ctx: Ctx, drain: DrainRow, state: DrainRow['state']): Promise<void> {
  if (state === 'draining') return
  const { environment, host, nodeUid } = drain
  const cluster = await findCluster(ctx.db, environment)
  const teams = await teamsUsing(ctx.db, environment)
  await notify(ctx, [drain.startedById], {
    kind: 'host',
    tone: tones[state],
    text: { key: `notifications-drain-${state}`, vars: { host, cluster: cluster?.name ?? '' } },
    teamId: Array.isArray(teams) && teams.length === 1 ? (teams[0] ?? null) : null,
    permission: 'resource_host_view',
    target: {
      route: 'cluster-host',
      params: { env_uuid: environment, host_name: host, host_ip: '-', host_uuid: nodeUid },
    },
  })
}

/** Idempotent: a pod that is terminating is not evicted again. */
async function reconcileDrain(
  ctx: Ctx,
  { environment, host }: { environment: string; host: string },
  round: Round,
): Promise<number> {
  const drain = await findDrain(ctx.db, environment, host)
  if (!drain) return 0
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(waits.drain)])
  const event = await lookAt(ctx, drain, round, signal).catch((error: unknown): DrainEvent => {
    if (signal.aborted && !ctx.signal.aborted) return { is: 'looked', ...drain, moved: true }
    return { is: isKube(error, 'forbidden') ? 'refused' : 'unanswered', reason: clusterReason(error) }
  })
  const next = nextDrain(drain, event) ?? drain
  await round.note(async (ctx) => {
    await changeDrain(ctx.db, environment, host, next)
    if (next.state !== drain.state) await tellOutcome(ctx, drain, next.state)
    await publishHost(ctx, environment, host)
  })
  return pauseOf(next)
}

export const drainReconciler = reconciler(runningDrains, reconcileDrain)
