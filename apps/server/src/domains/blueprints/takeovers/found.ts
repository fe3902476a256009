import type { V1LabelSelector, V1PodTemplateSpec, V1Service } from '@kubernetes/client-node'
import type { Vars } from '@gantry/tosca/problems'
import type { FoundWorkload } from '@gantry/contract/blueprints/takeovers'
import { labels } from '../../../adapters/kube/labels.ts'
import type { KubeObject, Wire } from '../../../adapters/kube/objects.ts'
import type { Adopted } from '../../stacks/public.ts'

/** Objects of a namespace, as far as they matter to a takeover. */
export interface Found {
  workloads: Workload[]
  services: Wire<V1Service>[]
  budgets: Selecting[]
  autoscalers: { name: string; target: string }[]
}

/** A workload of any kind, as read from the cluster. */
export interface Workload {
  kind: FoundWorkload['kind']
  object: KubeObject & { spec?: Record<string, unknown>; status?: Record<string, unknown> }
}

interface Selecting extends KubeObject {
  spec?: { selector?: Wire<V1LabelSelector> }
}

export interface Why {
  key: string
  vars: Vars
}

export const nameOf = ({ metadata }: KubeObject): string => metadata?.name ?? ''

type Template = Wire<V1PodTemplateSpec>

export function templateOf({ kind, object: { spec } }: Workload): Template {
  const of = kind === 'CronJob' ? (spec?.['jobTemplate'] as { spec?: Record<string, unknown> } | undefined)?.spec : spec
  return of?.['template'] ?? {}
}

const podLabelsOf = (one: Workload): Record<string, string> => templateOf(one).metadata?.labels ?? {}

const selects = (selector: Record<string, string> | undefined, one: Workload): boolean => {
  const wanted = Object.entries(selector ?? {})
  return wanted.length > 0 && wanted.every(([key, value]) => podLabelsOf(one)[key] === value)
}

/** Names of the objects that a part of a template refers to, by referring field. */
export function namesIn(
  part: unknown,
  fields: Readonly<Record<string, string>>,
  found = new Set<string>(),
): Set<string> {
  if (Array.isArray(part)) for (const one of part) namesIn(one, fields, found)
  else if (typeof part === 'object' && part !== null)
    for (const [key, value] of Object.entries(part)) {
      const name: unknown = fields[key] && (value as Record<string, unknown> | null)?.[fields[key]]
      if (typeof name === 'string') found.add(name)
      namesIn(value, fields, found)
    }
  return found
}
export const configMapFields = { configMapKeyRef: 'name', configMapRef: 'name', configMap: 'name' }
export const secretFields = { secretKeyRef: 'name', secretRef: 'name', secret: 'secretName' }

/** An object as the import reads it: kind, name and content without status. */
export const bare = (kind: string, { metadata: _, ...object }: KubeObject, name: string): string => {
  const { status: __, ...rest } = object as KubeObject & { status?: unknown }
  return JSON.stringify({ ...rest, apiVersion: 'v1', kind, metadata: { name } })
}

const portsIn = (one: Workload): ReadonlyMap<string, number> =>
  new Map(
    (templateOf(one).spec?.containers ?? []).flatMap(({ ports = [] }) =>
      ports.flatMap(({ name, containerPort }) => (name === undefined ? [] : [[name, containerPort] as const])),
    ),
  )

type Ports = NonNullable<Adopted['address']>['ports']

function addressOf(one: Workload, service: Wire<V1Service> | undefined): Adopted['address'] {
  if (!service) return undefined
  const named = portsIn(one)
  const ports = (service.spec?.ports ?? []).flatMap(({ name, port, targetPort = port, protocol = 'TCP' }): Ports => {
    const target = typeof targetPort === 'number' ? targetPort : named.get(targetPort)
    if (target === undefined || (protocol !== 'TCP' && protocol !== 'UDP')) return []
    return [{ ...(name === undefined ? {} : { name }), port, target, protocol }]
  })
  return { headless: service.spec?.clusterIP === 'None', ports }
}

const isUnlimited = (one: Workload): boolean => {
  const { containers = [], initContainers = [] } = templateOf(one).spec ?? {}
  return [...containers, ...initContainers].some(
    ({ resources }) => resources?.limits?.['cpu'] === undefined || resources.limits['memory'] === undefined,
  )
}

/** What a taken-over workload keeps: its immutable fields, and the address at which others reach it. */
export function adoptedOf(one: Workload, { services }: Found): Adopted {
  const { kind, object } = one
  const spec = object.spec ?? {}
  const selector = (spec['selector'] ?? { matchLabels: {} }) as Adopted['selector'] & Wire<V1LabelSelector>
  const selecting = services.filter((service) => selects(service.spec?.selector, one))
  const kept = Object.assign({}, selector.matchLabels, ...selecting.map((service) => service.spec?.selector))
  const address = addressOf(
    one,
    selecting.find((service) => nameOf(service) === nameOf(object)),
  )
  const { serviceName, podManagementPolicy, volumeClaimTemplates } = spec
  return {
    taken: false,
    selector,
    labels: kept as Record<string, string>,
    strategy: spec['updateStrategy'],
    ...(kind === 'StatefulSet' && {
      fixed: { serviceName, podManagementPolicy, ...(volumeClaimTemplates ? { volumeClaimTemplates } : {}) },
    }),
    ...(address && { address }),
    unlimited: isUnlimited(one),
  }
}

const figure = (of: Record<string, unknown> | undefined, key: string): number => Number(of?.[key] ?? 0)

/** Whether a rollout is in progress or paused. */
function isMoving({ kind, object: { metadata, spec, status } }: Workload): boolean {
  if (kind === 'CronJob') return false
  if (figure(status, 'observedGeneration') < (metadata?.generation ?? 0) || spec?.['paused'] === true) return true
  if (kind === 'DaemonSet') return figure(status, 'updatedNumberScheduled') !== figure(status, 'currentNumberScheduled')
  if (figure(status, 'updatedReplicas') !== figure(status, 'replicas')) return true
  return figure(status, 'replicas') !== figure(spec, 'replicas')
}

const isByHand = ({ kind, object: { spec } }: Workload): boolean => {
  const strategy = spec?.['updateStrategy'] as
    | { type?: string; rollingUpdate?: { partition?: number } | null }
    | undefined
  const isSet = kind === 'StatefulSet' || kind === 'DaemonSet'
  return isSet && (strategy?.type !== 'RollingUpdate' || (strategy.rollingUpdate?.partition ?? 0) > 0)
}

/** The first field of a Service that the product would change; undefined if there is none. */
function addressFault(service: Wire<V1Service>): string | undefined {
  const { type = 'ClusterIP', sessionAffinity = 'None', externalIPs = [] } = service.spec ?? {}
  if (type !== 'ClusterIP') return `type: ${type}`
  if (sessionAffinity !== 'None') return `sessionAffinity: ${sessionAffinity}`
  return externalIPs.length > 0 ? 'externalIPs' : undefined
}

/** Why a workload cannot be taken over as it is; empty if it can. */
export function faultsOf(one: Workload, found: Found): Why[] {
  const { kind, object } = one
  const name = nameOf(object)
  const of = { kind, name }
  const faults: Why[] = []
  const tell = (key: string, vars: Vars = {}) => faults.push({ key: `takeovers-${key}`, vars: { ...of, ...vars } })
  if (isMoving(one)) tell('moving')
  if (isByHand(one)) tell('by-hand')
  const own: Record<string, string> = { [labels.managedBy]: 'gantry', [labels.name]: name }
  const { labels: kept } = adoptedOf(one, found)
  for (const [key, value] of Object.entries(kept))
    if (key.startsWith('gantry.dev/') || (own[key] ?? value) !== value) tell('selector', { label: `${key}=${value}` })
  const scaler = found.autoscalers.find(({ target }) => target === `${kind} ${name}`)
  if (scaler) tell('scaled', { scaler: scaler.name })
  for (const budget of found.budgets) {
    const isOurs = selects(budget.spec?.selector?.matchLabels, one)
    if (isOurs !== (nameOf(budget) === name) && (isOurs || nameOf(budget) === name))
      tell('budget', { budget: nameOf(budget) })
  }
  const address = found.services.find((service) => nameOf(service) === name)
  if (address && !selects(address.spec?.selector, one)) tell('address-elsewhere')
  const fault = address && addressFault(address)
  if (fault) tell('address', { fault })
  return faults
}
