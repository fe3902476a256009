import { ownHostKey, type Taint } from '@gantry/contract/clusters/hosts'
import { labels } from '../../../adapters/kube/labels.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { firstFew } from '../../../kernel/phrase.ts'
import { stopDrain } from '../drains/drains.service.ts'
import { findDrain, forgetDrain } from '../drains/drains.store.ts'
import { mayUse } from '../clusters/clusters.store.ts'
import { withKubeFaults, changeNode, type Changing, hostToChange, refuseController, publishHost } from './host-node.ts'
import { teamNames } from '../../teams/public.read.ts'
import { stackNamespaces } from './hosts.read.ts'

function refuseOwn(key: string): void {
  if (ownHostKey(key)) throw new Fault('invalid', 'hosts-own-key', { key })
}

type Kept = 'labels' | 'annotations'

/** Maximum of labels and of annotations per host, besides those of the cluster and the product. */
const maxLabels = 64

/** Sets a label or an annotation, or (null) removes it. */
async function setKey(ctx: Ctx, env: string, kept: Kept, host: string, key: string, value: string | null) {
  note(ctx, { object: `${host}: ${key}` })
  refuseOwn(key)
  const changing = await hostToChange(ctx, env, host)
  const before = changing.node.metadata?.[kept]?.[key] ?? null
  note(ctx, { object: `${host}: ${key}`, before: { value: before }, after: { value } })
  if (before !== value)
    await changeNode(ctx, env, changing, ({ metadata }) => {
      const given = Object.keys(metadata?.[kept] ?? {}).filter((one) => one !== key && !ownHostKey(one))
      if (value !== null && given.length >= maxLabels)
        throw new Fault('conflict', `hosts-too-many-${kept}`, { host, count: maxLabels })
      return { metadata: { [kept]: { [key]: value } } }
    })
  return null
}

interface KeyOf {
  host: string
  key: string
}

export const setLabel = (ctx: Ctx, env: string, { host, key, value }: KeyOf & { value: string }) =>
  setKey(ctx, env, 'labels', host, key, value)
export const removeLabel = (ctx: Ctx, env: string, { host, key }: KeyOf) => setKey(ctx, env, 'labels', host, key, null)
export const setAnnotation = (ctx: Ctx, env: string, { host, key, value }: KeyOf & { value: string }) =>
  setKey(ctx, env, 'annotations', host, key, value)
export const removeAnnotation = (ctx: Ctx, env: string, { host, key }: KeyOf) =>
  setKey(ctx, env, 'annotations', host, key, null)

const taintKey = ({ key, effect }: Pick<Taint, 'key' | 'effect'>): string => `${key}:${effect}`

/**
 * Replaces the taints that are not reserved. Refused, like a drain, on a host that must stay in service, because the
 * effect would be the same.
 */
export async function setTaints(ctx: Ctx, env: string, host: string, taints: Taint[]): Promise<null> {
  note(ctx, { object: host })
  if (new Set(taints.map(taintKey)).size < taints.length) throw new Fault('invalid', 'hosts-taint-twice')
  for (const { key } of taints) refuseOwn(key)
  const changing = await hostToChange(ctx, env, host)
  const before = (changing.node.spec?.taints ?? []).filter(({ key }) => !ownHostKey(key))
  note(ctx, { before: { taints: before }, after: { taints } })
  const known = new Set(before.map(({ key, effect }) => `${key}:${effect}`))
  if (taints.some((taint) => taint.effect !== 'PreferNoSchedule' && !known.has(taintKey(taint))))
    await refuseController(ctx, changing)
  await changeNode(ctx, env, changing, ({ spec }) => ({
    spec: { taints: [...(spec?.taints ?? []).filter(({ key }) => ownHostKey(key)), ...taints] },
  }))
  return null
}

/** Cordons or uncordons a host. A host in maintenance is uncordoned by the end of the maintenance. */
export async function cordon(ctx: Ctx, env: string, host: string, enable: boolean): Promise<null> {
  const changing = await hostToChange(ctx, env, host)
  const unschedulable = changing.node.spec?.unschedulable === true
  note(ctx, { before: { cordoned: unschedulable }, after: { cordoned: enable } })
  if (enable) await refuseController(ctx, changing)
  const drain = (await findDrain(ctx.db, env, host))?.state
  if (!enable && drain === 'draining') throw new Fault('conflict', 'hosts-in-maintenance', { host })
  // once pods may start again a finished maintenance is over: a later cordon is only a cordon
  if (drain === 'done' && !(enable && unschedulable)) await stopDrain(ctx, env, host)
  if (unschedulable !== enable) await setSchedulable(ctx, env, changing, !enable)
  return null
}

export const setSchedulable = (ctx: Ctx, env: string, changing: Changing, schedulable: boolean) =>
  changeNode(ctx, env, changing, () => ({ spec: { unschedulable: schedulable ? null : true } }))

/**
 * Dedicates a host to one team's stacks, or (null) returns it to all: a taint keeps others out, a label attracts the
 * team's own. Pods of others stay until they end or are drained.
 */
export async function dedicate(ctx: Ctx, env: string, host: string, teamId: number | null): Promise<null> {
  const changing = await hostToChange(ctx, env, host)
  const before = changing.node.metadata?.labels?.[labels.dedicated]
  // a dedicated host that came to run the control plane or this product can still be returned
  if (teamId !== null || before === undefined) await refuseController(ctx, changing)
  note(ctx, { before: { teamId: before === undefined ? null : Number(before) }, after: { teamId } })
  if (teamId !== null) {
    const name = (await teamNames(ctx.db, [teamId])).get(teamId)
    if (name === undefined) throw new Fault('invalid', 'resource-missing')
    if (!(await mayUse(ctx.db, env, teamId))) throw new Fault('conflict', 'hosts-team-not-here', { team: name })
  }
  const value = teamId === null ? null : String(teamId)
  await changeNode(ctx, env, changing, ({ spec }) => ({
    metadata: { labels: { [labels.dedicated]: value } },
    spec: {
      taints: [
        ...(spec?.taints ?? []).filter(({ key }) => key !== labels.dedicated),
        ...(value === null ? [] : [{ key: labels.dedicated, value, effect: 'NoSchedule' }]),
      ],
    },
  }))
  return null
}

/** Lets a host take ingress traffic: ingress controllers select their nodes by the label. */
export async function setIngress(ctx: Ctx, env: string, host: string, enable: boolean): Promise<null> {
  const changing = await hostToChange(ctx, env, host)
  const before = changing.node.metadata?.labels?.[labels.ingress] === 'true'
  note(ctx, { before: { ingress: before }, after: { ingress: enable } })
  if (enable && changing.node.status?.nodeInfo?.operatingSystem === 'windows')
    throw new Fault('conflict', 'hosts-windows-ingress', { host })
  if (before !== enable)
    await changeNode(ctx, env, changing, () => ({ metadata: { labels: { [labels.ingress]: enable ? 'true' : null } } }))
  return null
}

/** Deletes a host from its cluster without draining it; refused while pods of stacks run there. */
export async function removeHost(ctx: Ctx, env: string, host: string): Promise<null> {
  const changing = await hostToChange(ctx, env, host)
  await refuseController(ctx, changing)
  const { kube } = changing.cluster
  const stacks = await stackNamespaces(ctx.db, env)
  const running: string[] = []
  try {
    for await (const { items } of kube.pages(kinds.pods, { fields: `spec.nodeName=${host}` }))
      for (const { metadata, status } of items) {
        const stack = stacks.get(metadata?.namespace ?? '')
        const finished = status?.phase === 'Succeeded' || status?.phase === 'Failed'
        if (stack !== undefined && !finished) running.push(`${stack}/${metadata?.name ?? ''}`)
      }
  } catch (error) {
    throw kubeFault(error)
  }
  if (running.length > 0)
    throw new Fault('conflict', 'hosts-in-use', {
      host,
      count: running.length,
      pods: firstFew(running),
    })
  const uid = changing.node.metadata?.uid
  note(ctx, { before: { labels: changing.node.metadata?.labels ?? {}, taints: changing.node.spec?.taints ?? [] } })
  await withKubeFaults(kube.remove(kinds.nodes, { name: host }, uid === undefined ? {} : { uid }))
  return inTx(ctx, async (ctx) => {
    await forgetDrain(ctx.db, env, host)
    await publishHost(ctx, env, host)
    return null
  })
}
