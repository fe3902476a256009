import { environments } from '@gantry/contract/clusters/environments'
import { products } from '@gantry/contract/products/products'
import { quotas } from '@gantry/contract/quotas/quotas'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'

/** The permission that confirm, cancel, roll back, scale and restart take. */
export const operate = 'stack_service_operate'

/** What is out of date after anything was done to a service. */
export const serviceReads = [
  services.list,
  services.get,
  services.brief,
  services.containers,
  services.events,
  stacks.list,
  stacks.ofProduct,
  stacks.get,
  stacks.yaml,
] as const

/** What is out of date after a stack was made, changed or deleted. */
export const stackReads = [
  stacks.list,
  stacks.ofProduct,
  stacks.get,
  stacks.yaml,
  quotas.ofTeam,
  quotas.onEnvironment,
  products.list,
  products.get,
] as const

/** Clusters that the team may use, for who may see them. */
export function useClusters(teamId: number) {
  const may = useMay('resource_cluster_view')
  return useRead(environments.ofTeam, { params: { teamId } }, { enabled: may, staleMs: 30_000 })
}
