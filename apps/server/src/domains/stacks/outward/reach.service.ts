import { createPrivateKey, X509Certificate } from 'node:crypto'
import { entriesOf, type Outward } from '@gantry/contract/stacks/outward'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { cidrContains, mask } from '@gantry/contract/validators'
import type { Kube } from '../../../adapters/kube/client.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { mustCertify } from '../../certificates/public.ts'
import { classesOf, clusterOf, listKnown } from '../../clusters/public.ts'
import { openingOf, timeoutNotes } from '../services/objects/routes.ts'
import { servicesOf } from '../services/services.store.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { certifiedHosts } from './certified.service.ts'
import { hasNamespace } from './claims.store.ts'
import { type Group, groupFor, type Placed } from './entrance.service.ts'

/** The IPv4 ranges of a cluster's pods, services and hosts. */
async function networksOf({ kube, rows }: Cluster): Promise<string[]> {
  const nodes = await listKnown(kube, kinds.nodes)
  const named = (await listKnown(kube, kinds.serviceCidrs)).flatMap(({ spec }) => spec?.cidrs ?? [])
  const api = (await kube.find(kinds.services, { name: 'kubernetes', namespace: 'default' }))?.spec?.clusterIP
  // without ServiceCIDR, assume a range around the API server's address
  const services = named.length > 0 ? named : api === undefined ? [] : [`${api}/16`]
  const podCidrs = nodes.flatMap(({ spec }) => spec?.podCIDRs ?? spec?.podCIDR ?? [])
  const hosts = nodes.flatMap(({ status }) => (status?.addresses ?? []).map(({ address }) => address))
  const known = podCidrs.length > 0 ? [] : (await rows('pods', undefined, waits.rows)).rows
  // if the network plugin sets no ranges on the hosts, derive them from the addresses of pods
  const around = known.flatMap(({ ip }) => (ip === '' || hosts.includes(ip) ? [] : [`${ip}/24`]))
  return [...services, ...podCidrs, ...new Set(around), ...hosts.map((one) => `${one}/32`)].filter((cidr) =>
    /^\d+(\.\d+){3}\/\d+$/.test(cidr),
  )
}

/** A name of the cluster's own DNS: `web.shop.svc`, with or without the cluster's domain. */
const inCluster = /^(?:.*\.)?([a-z0-9-]+)\.svc(?:\.cluster\.local)?$/

async function mustBeOutside(
  ctx: Ctx,
  cluster: Cluster,
  teamId: number,
  envId: string,
  { addresses, dns }: Extract<Outward, { type: 'external' }>,
): Promise<void> {
  if (dns !== undefined) {
    const namespace = inCluster.exec(dns)?.[1]
    const isLocal = /(^|\.)(localhost|local|internal|localdomain)$/.test(dns)
    if (namespace === undefined ? isLocal : !(await hasNamespace(ctx.db, { teamId, envId, namespace })))
      throw new Fault('invalid', 'external-name-refused', { name: dns })
    return
  }
  const networks = await networksOf(cluster)
  for (const address of addresses) {
    const network = networks.find((range) => cidrContains(range, address))
    if (network !== undefined) throw new Fault('invalid', 'external-address-of-cluster', { address })
  }
}

/** Refuses an invalid certificate, one for another host, and one with another key. A masked key was checked before. */
function mustFit(host: string, { certificate, key }: { certificate: string; key: string }): void {
  let parsed: X509Certificate
  let isKey: boolean
  try {
    parsed = new X509Certificate(certificate)
    isKey = key === mask || parsed.checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new Fault('invalid', 'outward-certificate-format', { host })
  }
  if (!isKey) throw new Fault('invalid', 'outward-certificate-key', { host })
  const known = host.startsWith('*.') ? `any${host.slice(1)}` : host
  if (parsed.checkHost(known) === undefined) throw new Fault('invalid', 'outward-certificate-host', { host })
}

/** Whether a cluster has only Windows hosts, on which no ingress controller runs. */
async function isWindows(kube: Kube): Promise<boolean> {
  const nodes = await listKnown(kube, kinds.nodes)
  return nodes.length > 0 && nodes.every(({ metadata }) => metadata?.labels?.['kubernetes.io/os'] === 'windows')
}

const mayTimeOut = ({ way, features, controller }: Group, seconds: number): boolean =>
  way === 'gateway' ? features.includes('HTTPRouteRequestTimeout') : timeoutNotes(controller, seconds) !== undefined

async function mustBeOpened(
  kube: Kube,
  outward: Exclude<Outward, { type: 'external' }>,
  placed: Placed | undefined,
): Promise<void> {
  const entries = entriesOf(outward)
  for (const { host, tls } of entries) if (tls && tls.certificateId === undefined) mustFit(host, tls)
  if (await isWindows(kube)) throw new Fault('conflict', 'windows-no-ingress')
  const entrance = await groupFor(kube, outward.group, placed)
  if (outward.group !== undefined && entrance.way === 'none') {
    const isRefused = (await classesOf(kube)).others.some(({ name }) => name === outward.group)
    throw new Fault('conflict', isRefused ? 'outward-group-refused' : 'outward-group-unknown', { group: outward.group })
  }
  for (const entry of entries) {
    if (openingOf(entry, entrance)) continue
    if (entrance.way === 'none') throw new Fault('conflict', 'ingress-host-missing')
    const { name, port, targets } = entry
    if (targets.length > 1) throw new Fault('conflict', 'outward-weights-unsupported', { name, group: entrance.group })
    throw new Fault('conflict', 'outward-port-unsupported', { name, port, group: entrance.group })
  }
  const seconds = outward.type === 'ingress' ? outward.timeoutSeconds : undefined
  if (seconds !== undefined && !mayTimeOut(entrance, seconds))
    throw new Fault('conflict', 'outward-timeout-unsupported', { group: entrance.group })
}

/** An outward document; of a service that exists, with its place in the cluster. */
type Reaching = Pick<ServiceSpec, 'outward'> & { placed?: Placed }

/**
 * Throws if the cluster does not allow a service's outward rules. It queries the cluster, so call it before the
 * transaction of the change; the cluster may still refuse the objects later.
 */
export async function mustReach(
  ctx: Ctx,
  { teamId, envId }: { teamId: number; envId: string },
  ...specs: readonly Reaching[]
): Promise<void> {
  const reaching = specs.flatMap(({ outward, placed }) => (outward ? [{ outward, placed }] : []))
  if (reaching.length === 0) return
  for (const { outward } of reaching) await mustCertify(ctx, teamId, certifiedHosts(outward))
  const cluster = await clusterOf(ctx, envId)
  try {
    for (const { outward, placed } of reaching)
      await (outward.type === 'external'
        ? mustBeOutside(ctx, cluster, teamId, envId, outward)
        : mustBeOpened(cluster.kube, outward, placed))
  } catch (error) {
    throw kubeFault(error)
  }
}

/** As `mustReach`, for services that a stack gets or changes: those that it has stay with their group. */
export async function mustReachIn(
  ctx: Ctx,
  at: { teamId: number; envId: string },
  stack: Pick<StackRow, 'id' | 'namespace'> | undefined,
  services: readonly { name: string; spec: Pick<ServiceSpec, 'outward'> }[],
): Promise<void> {
  const reaching = services.filter(({ spec }) => spec.outward)
  if (reaching.length === 0) return
  const ids = new Map(stack && (await servicesOf(ctx.db, stack.id)).map(({ id, name }) => [name, id]))
  const specs = reaching.map(({ name, spec: { outward } }): Reaching => {
    const id = ids.get(name)
    return { outward, ...(stack && id !== undefined && { placed: { namespace: stack.namespace, id } }) }
  })
  await mustReach(ctx, at, ...specs)
}
