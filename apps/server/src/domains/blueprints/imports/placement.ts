import { labels } from '../../../adapters/kube/labels.ts'
import { withoutUndefined } from './containers.ts'
import type { Draft, Fields } from './fields.ts'
import { jsonOf } from './fields.ts'
import type { Reporter } from './telling.ts'

const keys = { os: 'kubernetes.io/os', host: 'kubernetes.io/hostname', zone: 'topology.kubernetes.io/zone' } as const
const spreads: Record<string, string> = { [keys.host]: 'hosts', [keys.zone]: 'zones' }

/** The service whose pods match a selector; undefined if none or several do. */
export type Named = (selector: unknown) => string | undefined

interface Host {
  key: string
  values: string[]
  not: boolean
}

/** The host rules of a pod, all of which must hold. */
function hostsOf(
  pod: Fields,
  affinity: Fields | undefined,
  tell: Reporter,
): { hosts: Host[]; os?: string; zone?: string } {
  const hosts: Host[] = []
  let os = pod.fields('os')?.text('name')
  let zone: string | undefined
  const add = (host: Host, at: number) => {
    const [only] = host.values
    const isOne = host.values.length === 1 && !host.not && only !== undefined
    if (host.key === keys.os && isOne) os ??= only
    else if (host.key === keys.zone && isOne && zone === undefined) zone = only
    else if (host.key === keys.host) tell.note(at, 'imports-one-host')
    else hosts.push(host)
  }
  const selected = pod.fields('nodeSelector')
  for (const key of selected?.keys() ?? [])
    add({ key, values: [selected?.text(key) ?? ''], not: false }, selected?.place(key) ?? 0)
  const node = affinity?.fields('nodeAffinity')
  const [term, ...more] =
    node?.fields('requiredDuringSchedulingIgnoredDuringExecution')?.rows('nodeSelectorTerms') ?? []
  for (const { at } of more) tell.note(at, 'imports-host-choice')
  for (const row of term?.rows('matchExpressions') ?? []) {
    const key = row.text('key') ?? ''
    const operator = row.text('operator') ?? ''
    const values = row.words('values') ?? []
    if (/^(Not)?(In|Exists)$|^DoesNotExist$/.test(operator))
      add({ key, values, not: operator === 'NotIn' || operator === 'DoesNotExist' }, row.at)
    else tell.note(row.at, 'imports-host-operator', { operator: operator.slice(0, 30) })
  }
  return { hosts, ...(os === undefined ? {} : { os }), ...(zone === undefined ? {} : { zone }) }
}

/** Services whose hosts the pods must share, or must avoid. */
function neighboursOf(affinity: Fields | undefined, key: string, named: Named, tell: Reporter): string[] {
  const rows = affinity?.fields(key)?.rows('requiredDuringSchedulingIgnoredDuringExecution') ?? []
  return rows.flatMap((row) => {
    const selector = row.cell('labelSelector')
    const on = row.text('topologyKey')
    const name = on === keys.host && selector ? named(jsonOf(selector)) : undefined
    if (selector) row.pass('labelSelector')
    if (name === undefined) tell.note(row.at, 'imports-neighbour')
    return name ?? []
  })
}

/** Reads which hosts the pods may run on. */
export function putPlacement(draft: Draft, pod: Fields, named: Named, isOwn: boolean, tell: Reporter): void {
  const affinity = pod.fields('affinity')
  const { hosts, os, zone } = hostsOf(pod, affinity, tell)
  // the product itself adds the preference for dedicated hosts
  if (isOwn) affinity?.fields('nodeAffinity')?.pass('preferredDuringSchedulingIgnoredDuringExecution')
  const beside = neighboursOf(affinity, 'podAffinity', named, tell)
  const apart = neighboursOf(affinity, 'podAntiAffinity', named, tell)
  let spread: string | undefined
  for (const row of pod.rows('topologySpreadConstraints')) {
    const key = row.text('topologyKey') ?? ''
    row.usual('maxSkew', 1)
    row.usual('whenUnsatisfiable', 'ScheduleAnyway')
    row.pass('labelSelector')
    if (spread === undefined && spreads[key] !== undefined) spread = spreads[key]
    else tell.note(row.at, 'imports-spread')
  }
  const tolerations = pod.rows('tolerations').flatMap((row) => {
    const key = row.text('key')
    const operator = row.text('operator') ?? 'Equal'
    const value = row.text('value')
    const effect = row.text('effect')
    if (isOwn && key === labels.dedicated) return []
    if (key === undefined) tell.note(row.at, 'imports-toleration')
    return key === undefined
      ? []
      : withoutUndefined({ key, value: operator === 'Exists' ? undefined : (value ?? ''), effect })
  })
  const placement = withoutUndefined({
    os,
    hosts: hosts.length > 0 ? hosts : undefined,
    zone,
    beside: beside.length > 0 ? beside : undefined,
    apart: apart.length > 0 ? apart : undefined,
    spread,
    tolerations: tolerations.length > 0 ? tolerations : undefined,
  })
  if (Object.keys(placement).length > 0) draft.put('placement', placement, pod.place('affinity'))
}
