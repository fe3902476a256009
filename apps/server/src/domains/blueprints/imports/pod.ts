import { isReservedLabel } from '@gantry/contract/stacks/spec-placement'
import { drainSeconds, usualTermination } from '@gantry/contract/stacks/usual'
import { annotations, labels } from '../../../adapters/kube/labels.ts'
import {
  commandOf,
  containersIn,
  environmentOf,
  mountsOf,
  passUsual,
  portsOf,
  putChecks,
  putExtra,
  resourcesOf,
  withoutUndefined,
  securityOf,
} from './containers.ts'
import type { Draft, Fields } from './fields.ts'
import { type Named, putPlacement } from './placement.ts'
import { type Claim, type Cluster, putVolumes } from './volumes.ts'

export interface PodOf {
  draft: Draft
  template: Fields
  /** The claim templates: each instance gets a claim from each. */
  templates: readonly Claim[]
  /** Whether the product exported it; then its reserved labels are not reported. */
  isOwn: boolean
  named: Named
}

/** Labels that the product itself sets. */
const marks = new Set<string>([labels.name, labels.managedBy])

function putLabels({ draft, isOwn }: PodOf, meta: Fields | undefined, cluster: Cluster): void {
  const found = meta?.fields('labels')
  for (const key of found?.keys() ?? []) {
    const value = found?.text(key) ?? ''
    const at = found?.place(key) ?? 0
    const isReserved = isReservedLabel(key) || marks.has(key)
    if (!isReserved) draft.push('labels', { key, value }, at)
    else if (!isOwn) cluster.tell.note(at, 'imports-label-reserved', { key: key.slice(0, 100) })
  }
}

const scrape = 'prometheus.io/'

function putAnnotations({ draft }: PodOf, meta: Fields | undefined): void {
  const found = meta?.fields('annotations')
  if (!found) return
  found.pass(annotations.restartedAt, 'kubectl.kubernetes.io/restartedAt')
  const port = found.has(`${scrape}port`) ? Number(found.text(`${scrape}port`)) : undefined
  if (found.has(`${scrape}scrape`) && found.text(`${scrape}scrape`) === 'true' && port !== undefined)
    draft.put('metrics', withoutUndefined({ port, path: found.text(`${scrape}path`) }), found.place(`${scrape}port`))
  const taken = [
    `${scrape}scrape`,
    `${scrape}port`,
    `${scrape}path`,
    annotations.restartedAt,
    'kubectl.kubernetes.io/restartedAt',
  ]
  for (const key of found.keys())
    if (!taken.includes(key)) draft.push('annotations', { key, value: found.text(key) ?? '' }, found.place(key))
}

function putSecurity(draft: Draft, pod: Fields, main: Fields): void {
  const own = pod.fields('securityContext')
  own?.usual('seccompProfile', { type: 'RuntimeDefault' })
  const ofPod = withoutUndefined({
    user: own?.figure('runAsUser'),
    group: own?.figure('runAsGroup'),
    volumeGroup: own?.figure('fsGroup'),
    nonRoot: own?.truth('runAsNonRoot'),
  })
  const security = { ...ofPod, ...securityOf(main) }
  if (Object.keys(security).length > 0) draft.put('security', security, pod.place('securityContext'))
}

function passPod(pod: Fields, isOwn: boolean): void {
  pod.usual('automountServiceAccountToken', false)
  pod.usual('enableServiceLinks', false, true)
  pod.usual('restartPolicy', 'Always')
  pod.usual('dnsPolicy', 'ClusterFirst')
  pod.usual('schedulerName', 'default-scheduler')
  for (const key of ['serviceAccountName', 'serviceAccount']) pod.usual(key, 'default', '')
  for (const key of ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace']) pod.usual(key, false)
  pod.usual('securityContext', {})
  if (isOwn) pod.pass('imagePullSecrets')
  else pod.leave('imagePullSecrets', 'imports-pull-secrets')
}

/** The container named after the service, or else the first. */
const mainOf = (containers: readonly { name: unknown; fields: Fields }[], service: string) =>
  containers.find(({ name }) => name === service) ?? containers[0]

/** Converts a pod template into a service's document. */
export function putPod(of: PodOf, cluster: Cluster): void {
  const { draft, template, isOwn } = of
  const { tell, sources } = cluster
  const meta = template.fields('metadata')
  meta?.pass('name', 'creationTimestamp', 'namespace')
  putLabels(of, meta, cluster)
  putAnnotations(of, meta)
  const pod = template.fields('spec')
  if (!pod) return tell.wrong(template.at, 'imports-no-pod', { name: draft.name })
  passPod(pod, isOwn)
  const named = containersIn(pod, 'containers', tell).map((fields) => ({ name: fields.text('name'), fields }))
  const main = mainOf(named, draft.name)?.fields
  if (!main) return tell.wrong(pod.at, 'imports-no-pod', { name: draft.name })
  passUsual(main)
  draft.put('image', main.text('image') ?? '', main.place('image'))
  const { command, arguments: args } = commandOf(main)
  draft.put('command', command, main.place('command'))
  draft.put('arguments', args, main.place('args'))
  draft.put('workingDirectory', main.text('workingDir'), main.place('workingDir'))
  const ports = portsOf(main, tell)
  draft.namedPorts = ports.named
  for (const { port, protocol, at } of ports.list) draft.push('ports', { port, protocol }, at)
  for (const { at, ...one } of environmentOf(main, sources, tell)) draft.push('environment', one, at)
  const { resources, gpu } = resourcesOf(main, tell)
  draft.put('resources', resources, main.place('resources'))
  draft.put('gpu', gpu, main.place('resources'))
  putChecks(draft, main, ports)
  putSecurity(draft, pod, main)
  const grace = pod.figure('terminationGracePeriodSeconds')
  const own = grace === undefined ? usualTermination : Math.max(1, grace - drainSeconds)
  if (own !== usualTermination) draft.put('terminationSeconds', own, pod.place('terminationGracePeriodSeconds'))
  putPlacement(draft, pod, of.named, isOwn, tell)
  const dns = pod.fields('dnsConfig')
  if (dns)
    draft.put(
      'dns',
      { servers: dns.words('nameservers') ?? [], searches: dns.words('searches') ?? [] },
      pod.place('dnsConfig'),
    )
  const mounts = mountsOf(main)
  const before = containersIn(pod, 'initContainers', tell).map((fields) => {
    const role = fields.has('restartPolicy') ? ('side' as const) : ('init' as const)
    return putExtra(draft, fields, role, sources, tell)
  })
  const beside = named
    .filter(({ fields }) => fields !== main)
    .map(({ fields }) => putExtra(draft, fields, 'side', sources, tell))
  putVolumes(draft, pod, mounts, [...before, ...beside], of.templates, cluster)
}
