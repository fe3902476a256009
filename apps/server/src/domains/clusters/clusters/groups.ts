import type { V1IngressClass } from '@kubernetes/client-node'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { type Condition, holds } from '../../../adapters/kube/gateway.ts'
import type { KubeObject, Wire } from '../../../adapters/kube/objects.ts'
import { list, text } from '../../../adapters/kube/parse-object.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

/** A class that brings traffic into a cluster: a GatewayClass, or an IngressClass. */
interface Group {
  way: 'gateway' | 'ingress'
  name: string
  controller: string
  isDefault: boolean
  /** Features that a GatewayClass supports beyond the core. */
  features: readonly string[]
  createdAt: string
}

/** Objects of a kind; none if the cluster does not know the kind. */
export async function listKnown<T extends KubeObject>(
  kube: Kube,
  resource: kinds.Resource<T>,
  selection?: Parameters<Kube['list']>[1],
): Promise<T[]> {
  try {
    return (await kube.list(resource, selection, { limit: 1000 })).items
  } catch (error) {
    if (isKube(error, 'missing')) return []
    throw error
  }
}

export const defaultKey = 'ingressclass.kubernetes.io/is-default-class'

const common = ({ metadata }: KubeObject) => ({
  name: text(metadata?.name),
  createdAt: text(metadata?.creationTimestamp),
})

export const groupOfClass = (one: Wire<V1IngressClass>): Group => ({
  way: 'ingress',
  ...common(one),
  controller: text(one.spec?.controller),
  isDefault: one.metadata?.annotations?.[defaultKey] === 'true',
  features: [],
})

/**
 * The groups of a cluster, GatewayClasses first: where both have the same name, the GatewayClass is used. `others` open
 * nothing new, but what uses one already may stay: GatewayClasses that no controller accepts, and IngressClasses of a
 * GatewayClass's name.
 */
export async function classesOf(kube: Kube): Promise<{ groups: Group[]; others: Group[] }> {
  const [routing, classes] = await Promise.all([
    listKnown(kube, kinds.gatewayClasses),
    listKnown(kube, kinds.ingressClasses),
  ])
  const ingress = list(classes).map(groupOfClass)
  const gateways = list(routing).map((one) => {
    const { name, createdAt } = common(one)
    const supported: unknown = one.status?.supportedFeatures
    const features: unknown[] = Array.isArray(supported) ? supported : []
    const group: Group = {
      way: 'gateway',
      name,
      createdAt,
      controller: text(one.spec?.controllerName),
      isDefault: ingress.some((other) => other.name === name && other.isDefault),
      features: features.map((feature) =>
        text(typeof feature === 'object' && feature !== null && 'name' in feature ? feature.name : feature),
      ),
    }
    return { group, isAccepted: holds(list<Condition>(one.status?.conditions), 'Accepted') }
  })
  const accepted = gateways.filter(({ isAccepted }) => isAccepted).map(({ group }) => group)
  const groups = [...accepted, ...ingress.filter(({ name }) => accepted.every((one) => one.name !== name))]
  const all = [...gateways.map(({ group }) => group), ...ingress]
  return { groups, others: all.filter((one) => !groups.includes(one)) }
}

export const groupsOf = async (kube: Kube): Promise<Group[]> => (await classesOf(kube)).groups
