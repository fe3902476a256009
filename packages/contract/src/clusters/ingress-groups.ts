import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { uuid } from '../ids.ts'

/** An ingress controller of a cluster (an IngressClass), and the hosts that take its traffic. */
export const IngressGroup = z.object({
  name: z.string(),
  controller: z.string(),
  isDefault: z.boolean(),
  hosts: z.array(z.object({ name: z.string(), ip: z.string(), ready: z.boolean() })),
  createdAt: z.string(),
})
export type IngressGroup = z.infer<typeof IngressGroup>

export const ingressGroups = {
  list: endpoint({
    method: 'GET',
    path: '/resource-manager/api/ingress-groups/environments/:env',
    access: { owner: 'environment', by: 'env', permission: 'resource_ingress_view' },
    summary: 'Ingress groups of a cluster',
    params: z.strictObject({ env: uuid }),
    data: z.array(IngressGroup),
  }),
}
