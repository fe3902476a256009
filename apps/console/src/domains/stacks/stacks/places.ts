import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { Stack } from '@gantry/contract/stacks/stacks'
import type { Outward } from '@gantry/contract/stacks/outward'
import type { Sizes } from '../spec/sizes.ts'
import { spellingOf } from '../outward/spelling.ts'
import { to, type Search, type To } from '../../../ui/link.tsx'

type PlacedService = Pick<ServiceSummary, 'id' | 'name' | 'envId' | 'stackId' | 'stackUuid' | 'stackName'> & {
  /** A `ServiceType`, whose schema is not loaded by everything that links to a service. */
  type: string
}
type PlacedStack = Pick<Stack, 'id' | 'uuid' | 'name' | 'envId'>

/** The product from whose page the user came: part of the address, for the way back. */
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

/** The usage of one pod of a service. */
export const toMonitor = (service: PlacedService, pod: string): To =>
  to('container-monitor', { ...params(service), container_name: pod, from: 'appcenter' })

/** A stack by its number, which its topics use. */
export const toStack = (stack: PlacedStack): To =>
  to('stack', { env_id: stack.envId, stack_name: stack.name, stack_id: stack.id })

/** A stack's traces, or its part of the service mesh. */
export const toTraffic = (stack: PlacedStack & Pick<Stack, 'envName'>, name: 'app-jaeger' | 'app-kiali'): To =>
  to(name, { env_name: stack.envName, env_id: stack.envId, stack_name: stack.name, stack_id: stack.id })

export const toAddService = (stack: PlacedStack): To =>
  to('service-add', { env_id: stack.envId, stack_name: stack.name, stack_id: stack.uuid })

/** The editor of a new `outward` service. */
export const toAddOutward = (stack: PlacedStack, type: Outward['type']): To =>
  to('service-add-outward', {
    env_id: stack.envId,
    stack_name: stack.name,
    stack_id: stack.uuid,
    kind: spellingOf(type),
  })

/** `sizes`: the initial requests and limits of the form. */
export const toUpgrade = (service: PlacedService & Pick<ServiceSummary, 'type'>, sizes?: Sizes): To => {
  const place = {
    env_id: service.envId,
    stack_name: service.stackName,
    stack_id: service.stackUuid,
    sname: service.name,
    service_id: service.id,
  }
  return service.type === 'business'
    ? to('service-upgrade', place, sizes)
    : to('service-upgrade-outward', { ...place, kind: spellingOf(service.type) })
}
