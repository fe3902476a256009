import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { to, type Search, type To } from '../../../ui/link.tsx'

type PlacedService = Pick<ServiceSummary, 'id' | 'name' | 'type' | 'envId' | 'stackId' | 'stackUuid' | 'stackName'>
type PlacedStack = Pick<Stack, 'id' | 'uuid' | 'name' | 'envId'>

/** The product that one came from: it stays in the address, and so in the way back. */
export interface FromProduct {
  id: number
  name: string
}

const params = (service: PlacedService) => ({
  env_id: service.envId,
  stack_id: service.stackId,
  stack_uuid: service.stackUuid,
  stack_name: service.stackName,
  service_id: service.id,
  service_name: service.name,
  service_type: service.type,
})

export const toService = (service: PlacedService, search?: Search, from?: FromProduct): To =>
  from
    ? to(
        'product-containers',
        { ...params(service), product_id: from.id, app_name: from.name, from: 'product' },
        search,
      )
    : to('containers', { ...params(service), from: 'appcenter' }, search)

/** What one pod of a service uses. */
export const toMonitor = (service: PlacedService, pod: string): To =>
  to('container-monitor', { ...params(service), container_name: pod, from: 'appcenter' })

export const toAddService = (stack: PlacedStack): To =>
  to('service-add', { env_id: stack.envId, stack_name: stack.name, stack_id: stack.uuid })

export const toUpgrade = (service: PlacedService): To =>
  to('service-upgrade', {
    env_id: service.envId,
    stack_name: service.stackName,
    stack_id: service.stackUuid,
    sname: service.name,
    service_id: service.id,
  })
