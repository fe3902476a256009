import { z } from 'zod'
import { id } from '../ids.ts'
import {
  addressValue,
  cidrContains,
  dnsName,
  duplicates,
  ipv4,
  plainToken,
  serviceName,
  urlPath,
} from '../validators.ts'
import { labelKey, labelValue } from '../label-validators.ts'
import { port } from './spec-container.ts'

/**
 * Services without pods: what a stack reaches outside its cluster, and how it is reached from there. Everything else in
 * such a service's document is empty.
 */

/** A DNS name with at least one dot, in lower case. */
const hostName = z
  .string()
  .trim()
  .max(253, 'host-format')
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/, 'host-format')

/** Also the hosts below a name: `*.example.com`. */
const routedHost = z
  .string()
  .trim()
  .max(253, 'host-format')
  .regex(/^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/, 'host-format')

/** Ranges that never belong to another machine: this host, link-local, multicast, reserved. */
const neverOutside = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3']

const outsideAddress = ipv4.refine(
  (address) => Number.isNaN(addressValue(address)) || !neverOutside.some((range) => cidrContains(range, address)),
  'external-address-refused',
)

export const External = z
  .strictObject({
    type: z.literal('external'),
    /** Addresses outside the cluster. Either these or a name. */
    addresses: z
      .array(outsideAddress)
      .max(50, 'list-too-long')
      .refine((list) => duplicates(list).length === 0, 'external-addresses-unique')
      .default([]),
    dns: hostName.optional(),
    /** The ports at those addresses, under which other services of the cluster reach them. */
    ports: z
      .array(z.strictObject({ port, protocol: z.enum(['TCP', 'UDP']).default('TCP') }))
      .max(50, 'list-too-long')
      .refine((ports) => duplicates(ports.map((p) => `${p.port}/${p.protocol}`)).length === 0, 'ports-unique')
      .default([]),
  })
  .superRefine(({ addresses, dns, ports }, ctx) => {
    const tell = (message: string, path: string) => ctx.addIssue({ code: 'custom', message, path: [path] })
    if (addresses.length === 0 && dns === undefined) tell('external-address-required', 'addresses')
    if (addresses.length > 0 && dns !== undefined) tell('external-one-of', 'dns')
    if (addresses.length > 0 && ports.length === 0) tell('external-ports-required', 'ports')
  })

/**
 * A certificate of the platform that is allocated to the team, by its id; or an entered one, with its chain and its
 * private key, which is stored encrypted and never shown again.
 */
const certificate = {
  certificateId: id.optional(),
  certificate: z.string().trim().max(64_000, 'certificate-format').default(''),
  key: z.string().trim().max(16_000, 'certificate-format').default(''),
}

function mustBeWhole(given: z.output<z.ZodObject<typeof certificate>>, ctx: z.RefinementCtx): void {
  const isEntered = given.certificateId === undefined
  for (const [name, missing] of [
    ['certificate', 'certificate-required'],
    ['key', 'certificate-key-required'],
  ] as const)
    if ((given[name] !== '') !== isEntered)
      ctx.addIssue({ code: 'custom', message: isEntered ? missing : 'certificate-one-of', path: [name] })
}

export const Certificate = z.strictObject(certificate).superRefine(mustBeWhole)
export type Certificate = z.infer<typeof Certificate>

const names = { min: 1, max: 40 }
/** The range that Kubernetes uses for ports of hosts. */
const nodePorts = { from: 30_000, to: 32_767 }

const rulePort = port.refine((value) => value < nodePorts.from || value > nodePorts.to, 'rule-port-reserved')

export const LbProtocol = z.enum(['HTTP', 'HTTPS', 'WebSocket', 'WSS', 'TCP', 'TLS', 'UDP'])
export type LbProtocol = z.infer<typeof LbProtocol>

/** Rules of http and https share a port by host and path. All others need a port of their own. */
export type Family = 'http' | 'https' | 'tcp' | 'udp'
export const familyOf = (protocol: LbProtocol): Family =>
  protocol === 'HTTP' || protocol === 'WebSocket'
    ? 'http'
    : protocol === 'HTTPS' || protocol === 'WSS'
      ? 'https'
      : protocol === 'UDP'
        ? 'udp'
        : 'tcp'
const isRouted = (protocol: LbProtocol): boolean => familyOf(protocol).startsWith('http')

const isLabel = (text: string): boolean => {
  const [key = '', value = '', ...more] = text.split('=')
  return (
    more.length === 0 && text.includes('=') && labelKey.safeParse(key).success && labelValue.safeParse(value).success
  )
}

/** `foo=bar;tier=web` */
const labelsText = z
  .string()
  .trim()
  .max(1000, 'rule-labels-format')
  .refine((text) => text === '' || text.split(';').every(isLabel), 'rule-labels-format')
  .default('')

/** The labels of a rule, by their keys. */
export const labelsOfRule = (text: string): Record<string, string> =>
  Object.fromEntries(text === '' ? [] : text.split(';').map((pair) => pair.split('=') as [string, string]))

export const Rule = z
  .strictObject({
    name: plainToken.min(names.min, 'rule-name-required').max(names.max, 'name-too-long'),
    protocol: LbProtocol.default('HTTP'),
    port: rulePort,
    /** For HTTP; empty: every host. */
    host: z.union([z.literal(''), routedHost], 'host-format').default(''),
    /** For HTTP: the beginning of the requests' paths. */
    path: urlPath.default('/'),
    targets: z
      .array(
        z.strictObject({
          service: serviceName,
          port,
          weight: z.number().int('weight-range').min(1, 'weight-range').max(10, 'weight-range').default(1),
        }),
      )
      .min(1, 'rule-target-required')
      .max(20, 'list-too-long')
      .refine(
        (list) => duplicates(list.map((one) => `${one.service}:${one.port}`)).length === 0,
        'rule-targets-unique',
      ),
    /** Only those pods of the targets that have all of these labels. */
    labels: labelsText,
  })
  .superRefine(({ protocol, host, path, targets }, ctx) => {
    const tell = (message: string, at: string) => ctx.addIssue({ code: 'custom', message, path: [at] })
    if (familyOf(protocol) === 'https' && host === '') tell('rule-host-required', 'host')
    if (isRouted(protocol)) return
    if (host !== '') tell('rule-host-only-http', 'host')
    if (path !== '/') tell('rule-host-only-http', 'path')
    if (targets.length > 1) tell('rule-one-target', 'targets')
  })
export type Rule = z.infer<typeof Rule>

/** The name of an ingress group: a GatewayClass or an IngressClass of the cluster. */
const groupName = dnsName()

type Tell = (message: string, ...path: (string | number)[]) => void
/** Reports an entry that repeats an earlier one, at the later one. */
function tellTwice(keys: readonly string[], message: string, at: (index: number) => (string | number)[], tell: Tell) {
  const seen = new Set<string>()
  for (const [index, key] of keys.entries()) {
    if (seen.has(key)) tell(message, ...at(index))
    seen.add(key)
  }
}

export const LoadBalancer = z
  .strictObject({
    type: z.literal('lb'),
    /** Absent: the cluster's default ingress group. */
    group: groupName.optional(),
    rules: z.array(Rule).min(1, 'rules-required').max(550, 'rules-too-many'),
    /** For hosts that are served over HTTPS. */
    certificates: z
      .array(z.strictObject({ host: routedHost, ...certificate }).superRefine(mustBeWhole))
      .max(50, 'list-too-long')
      .optional(),
  })
  .superRefine(({ rules, certificates = [] }, ctx) => {
    const tell: Tell = (message, ...path) => ctx.addIssue({ code: 'custom', message, path })
    const certified = certificates.map(({ host }) => host)
    tellTwice(certified, 'ingress-hosts-unique', (at) => ['certificates', at, 'host'], tell)
    for (const [at, { protocol, host }] of rules.entries())
      if (familyOf(protocol) === 'https' && host !== '' && !certified.includes(host))
        tell('rule-certificate-missing', 'rules', at, 'host')
    const named = rules.map(({ name }) => name)
    tellTwice(named, 'rule-names-unique', (at) => ['rules', at, 'name'], tell)
    const places = rules.map(({ port: own, host, path }) => `${own} ${host}${path}`)
    tellTwice(places, 'rules-same-place', (at) => ['rules', at, 'port'], tell)
    const families = new Map<number, Family>()
    for (const [at, { port: own, protocol }] of rules.entries()) {
      const family = familyOf(protocol)
      const known = families.get(own) ?? family
      if (known !== family) tell('rules-port-of-two', 'rules', at, 'port')
      families.set(own, known)
    }
  })

export const Ingress = z
  .strictObject({
    type: z.literal('ingress'),
    group: groupName,
    hosts: z
      .array(
        z.strictObject({
          host: routedHost,
          /** With a certificate: HTTPS on port 443; otherwise HTTP on port 80. */
          tls: Certificate.optional(),
          paths: z
            .array(z.strictObject({ path: urlPath.default('/'), service: serviceName, port }))
            .min(1, 'ingress-path-required')
            .max(50, 'list-too-long'),
        }),
      )
      .min(1, 'ingress-host-required')
      .max(50, 'list-too-long'),
    /** The time limit of a request; absent: the controller's own. */
    timeoutSeconds: z.number().int('seconds-range').min(1, 'seconds-range').max(3600, 'seconds-range').optional(),
  })
  .superRefine(({ hosts }, ctx) => {
    const tell: Tell = (message, ...path) => ctx.addIssue({ code: 'custom', message, path })
    const all = hosts.map(({ host }) => host)
    tellTwice(all, 'ingress-hosts-unique', (at) => ['hosts', at, 'host'], tell)
    for (const [row, { paths }] of hosts.entries()) {
      const own = paths.map(({ path }) => path)
      tellTwice(own, 'ingress-paths-unique', (at) => ['hosts', row, 'paths', at, 'path'], tell)
    }
  })

export const Outward = z.discriminatedUnion('type', [External, LoadBalancer, Ingress])
export type Outward = z.infer<typeof Outward>
export type OutwardInput = z.input<typeof Outward>

/** A way in, the common form of the rules of all types. */
export interface Entry {
  name: string
  family: Family
  port: number
  host: string
  path: string
  targets: readonly { service: string; port: number; weight: number }[]
  labels: Record<string, string>
  tls: Certificate | undefined
  /** Its place in the document. */
  at: (string | number)[]
}

/** The ways in that a service opens; an external service opens none. */
export function entriesOf(outward: Outward | undefined): Entry[] {
  switch (outward?.type) {
    case 'lb':
      return outward.rules.map(({ name, protocol, labels, ...rule }, at) => ({
        ...rule,
        name,
        family: familyOf(protocol),
        labels: labelsOfRule(labels),
        tls: familyOf(protocol) === 'https' ? outward.certificates?.find(({ host }) => host === rule.host) : undefined,
        at: ['rules', at],
      }))
    case 'ingress':
      return outward.hosts.flatMap(({ host, tls, paths }, row) =>
        paths.map(({ path, service, port: own }, at) => ({
          name: `${host}${path}`,
          family: tls ? ('https' as const) : ('http' as const),
          port: tls ? 443 : 80,
          host,
          path,
          targets: [{ service, port: own, weight: 1 }],
          labels: {},
          tls,
          at: ['hosts', row, 'paths', at],
        })),
      )
    default:
      return []
  }
}
