import { entriesOf } from '@gantry/contract/stacks/outward'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { TopologyLink } from '@gantry/contract/stacks/topology'
import { claimName } from '../services/objects/storage.ts'

/** The parts of a service that its dependencies are derived from. */
interface Linked {
  name: string
  requires: readonly string[]
  spec: ServiceSpec
}

/** Variables whose value may be just the name of a host. */
const saysHost = /(^|_)(HOST|HOSTS|HOSTNAME|ADDR|ADDRESS|SERVER|SERVERS|SERVICE|ENDPOINT|BROKER|BROKERS|URL|URI)$/i

/** A possible host, and its port: after a scheme, after a user, in a list of addresses, or at the beginning. */
const hostIn = /(?:^|:\/\/|[@,;\s])([a-z][a-z0-9-]*(?:\.[a-z0-9.-]+)?)(:\d{1,5})?(?=$|[/?,;\s])/g

/** The service that a host name in the namespace refers to: its own name, or a pod's, with or without domain. */
function serviceOf(host: string, namespace: string): string | undefined {
  const [first = '', second = '', ...more] = host.split('.')
  const isOwn = (domain: readonly string[]) =>
    domain.length === 0 || (domain[0] === namespace && (domain[1] ?? 'svc') === 'svc')
  if (isOwn(second === '' ? [] : [second, ...more])) return first
  return /^-\d+$/.test(first.slice(second.length)) && first.startsWith(second) && isOwn(more) ? second : undefined
}

/**
 * The services that the value of a variable names as hosts: `http://api:8080`, `user@db/shop`, `kafka-0.kafka:9092`,
 * `db` in `DB_HOST`. A single word, as in `ROLE=web`, names none.
 */
export function hostsIn(variable: string, value: string, namespace: string): string[] {
  const found = new Set<string>()
  for (const { 0: all, 1: host = '', 2: port = '' } of value.matchAll(hostIn)) {
    const isAddress = all.startsWith('://') || all.startsWith('@') || port !== '' || host.includes('.')
    const service = isAddress || saysHost.test(variable) ? serviceOf(host, namespace) : undefined
    if (service !== undefined) found.add(service)
  }
  return [...found]
}

/** The name of a claim; for a StatefulSet, with one for each instance, `*` stands for the instance. */
export const claimNamed = ({ name, spec }: Linked, volume: string): string =>
  spec.workload === 'statefulset' ? `${volume}-${name}-*` : claimName(name, volume)

/** All variables of a service except secret ones. */
const variablesOf = ({ environment, containers = [] }: ServiceSpec) =>
  [environment, ...containers.map((one) => one.environment)].flat().filter(({ secret }) => !secret)

/** What a service requires, routes to, calls and mounts in a stack with these service names. Each link once. */
export function linksOf(service: Linked, names: ReadonlySet<string>, namespace: string): TopologyLink[] {
  const { name: from, requires, spec } = service
  const links: TopologyLink[] = [
    ...requires.map((to) => ({ kind: 'requires' as const, from, to, by: '' })),
    ...entriesOf(spec.outward).flatMap((entry) =>
      entry.targets.map((target) => ({ kind: 'routes' as const, from, to: target.service, by: entry.name })),
    ),
    ...variablesOf(spec).flatMap(({ name, value }) =>
      hostsIn(name, value, namespace).map((to) => ({ kind: 'calls' as const, from, to, by: name })),
    ),
  ].filter(({ to }) => to !== from && names.has(to))
  for (const volume of spec.volumes ?? [])
    if (volume.type === 'claim')
      links.push({ kind: 'mounts', from, to: claimNamed(service, volume.name), by: volume.path })
    else if (volume.type === 'existing') links.push({ kind: 'mounts', from, to: volume.claim, by: volume.path })
  return [...new Map(links.toReversed().map((link) => [`${link.kind} ${link.to}`, link])).values()].toReversed()
}
