import { services, type Container, type ServiceDetail } from '@gantry/contract/stacks/services'
import type { z } from 'zod'
import { useRead } from '../../../api/hooks.ts'
import { until } from '../services/reads.ts'
import { isSettled } from '../services/service-states.ts'

export type Row = z.infer<typeof Container>

/** A service's containers, live. */
export function useContainers(service: ServiceDetail) {
  const { teamId, envId, id } = service
  const input = { params: { teamId, envId, id }, query: { pageSize: -1 } }
  return useRead(services.containers, input, {
    keep: false,
    of: { serviceId: id },
    every: until(
      (data) =>
        isSettled(service) && data.items.every(({ ready, state }) => ready && state.toLowerCase() === 'running'),
    ),
  })
}

/** Identifies a container of the service: pods' names are unique in a namespace, and readable in an address. */
export const keyOf = ({ podName, name }: Pick<Row, 'podName' | 'name'>): string => `${podName}/${name}`

/** The part of a pod's name that is specific to the pod: `6d5f8c9b7-x2x9k` of `web-6d5f8c9b7-x2x9k` for `web`. */
export const shortPod = (podName: string, serviceName: string): string =>
  podName.startsWith(`${serviceName}-`) ? podName.slice(serviceName.length + 1) : podName

export const canLog = ({ state }: Row): boolean =>
  !['waiting', 'containercreating', 'podinitializing', 'pending'].includes(state.toLowerCase())

export const canExec = ({ state }: Row): boolean => state.toLowerCase() === 'running'
