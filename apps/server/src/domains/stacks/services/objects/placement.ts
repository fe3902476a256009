import type { V1Affinity, V1PodSpec } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Placement } from '@gantry/contract/stacks/spec-placement'
import { labels } from '../../../../adapters/kube/labels.ts'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import { selectorOf, type ServiceOf } from './service-objects.ts'

const topology = { hosts: 'kubernetes.io/hostname', zones: 'topology.kubernetes.io/zone' } as const

/** Requirements for hosts, as expressions that must all hold. */
const hostRules = ({ os, hosts = [], zone }: Placement) => [
  ...(os === undefined ? [] : [{ key: 'kubernetes.io/os', operator: 'In', values: [os] }]),
  ...hosts.map(({ key, values, not }) =>
    values.length === 0
      ? { key, operator: not ? 'DoesNotExist' : 'Exists' }
      : { key, operator: not ? 'NotIn' : 'In', values },
  ),
  ...(zone === undefined ? [] : [{ key: topology.zones, operator: 'In', values: [zone] }]),
]

const onHostsOf = (service: string) => ({
  labelSelector: { matchLabels: { [labels.name]: service } },
  topologyKey: topology.hosts,
})

function affinityOf(of: ServiceOf, placement: Placement): Wire<V1Affinity> {
  const rules = hostRules(placement)
  const { beside = [], apart = [] } = placement
  const node = {
    ...(rules.length === 0
      ? {}
      : { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: rules }] } }),
    // hosts that are dedicated to the team are preferred; others stay possible
    ...(of.podDedicated
      ? {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 100,
              preference: {
                matchExpressions: [{ key: labels.dedicated, operator: 'In', values: [String(of.teamId)] }],
              },
            },
          ],
        }
      : {}),
  }
  return {
    ...(Object.keys(node).length > 0 ? { nodeAffinity: node } : {}),
    ...(beside.length > 0
      ? { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: beside.map(onHostsOf) } }
      : {}),
    ...(apart.length > 0
      ? { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: apart.map(onHostsOf) } }
      : {}),
  }
}

/** The rules for which hosts may run its pods. */
export function placementOf(
  of: ServiceOf,
  { placement = {} }: ServiceSpec,
): Pick<Wire<V1PodSpec>, 'os' | 'affinity' | 'tolerations' | 'topologySpreadConstraints'> {
  const affinity = affinityOf(of, placement)
  const tolerations = [
    ...(of.podDedicated
      ? [{ key: labels.dedicated, operator: 'Equal', value: String(of.teamId), effect: 'NoSchedule' }]
      : []),
    ...(placement.tolerations ?? []).map(({ key, value, effect }) => ({
      key,
      ...(value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }),
      ...(effect === undefined ? {} : { effect }),
    })),
  ]
  return {
    ...(placement.os === undefined ? {} : { os: { name: placement.os } }),
    ...(Object.keys(affinity).length > 0 ? { affinity } : {}),
    ...(tolerations.length > 0 ? { tolerations } : {}),
    ...(placement.spread === undefined
      ? {}
      : {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: topology[placement.spread],
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: selectorOf(of) },
            },
          ],
        }),
  }
}
