import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { uuid } from '../ids.ts'
import { dnsName } from '../validators.ts'
import { clusterTopic } from './topics.ts'

/** A way for traffic into a cluster, and the hosts that take it. */
export const IngressGroup = z.object({
  /** An accepted GatewayClass or an IngressClass; `gateway` if both exist under one name. */
  way: z.enum(['gateway', 'ingress']),
  name: z.string(),
  controller: z.string(),
  isDefault: z.boolean(),
  hosts: z.array(z.object({ name: z.string(), ip: z.string(), ready: z.boolean() })),
  createdAt: z.string(),
})
export type IngressGroup = z.infer<typeof IngressGroup>

const env = z.strictObject({ env: uuid })

/** As an IngressClass spells it: a domain, a slash and a path, at most 250 characters. */
const controller = z
  .string()
  .trim()
  .min(1, 'ingress-controller-format')
  .max(250, 'ingress-controller-format')
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/, 'ingress-controller-format')

export const ingressGroups = {
  list: endpoint({
    method: 'GET',
    path: '/resource-manager/api/ingress-groups/environments/:env',
    access: { owner: 'environment', by: 'env', permission: 'resource_ingress_view' },
    summary: 'Ingress groups of a cluster',
    params: env,
    data: z.array(IngressGroup),
    topics: [clusterTopic],
  }),
  /** Creates an IngressClass: a GatewayClass comes with its controller. */
  create: endpoint({
    method: 'POST',
    path: '/resource-manager/api/ingress-groups/environments/:env',
    access: { owner: 'environment', by: 'env', permission: 'resource_ingress_create' },
    audit: 'ingress-group.create',
    summary: 'Add an ingress group for a controller that runs in the cluster',
    params: env,
    body: z.strictObject({ name: dnsName(63), controller, isDefault: z.boolean().default(false) }),
    data: IngressGroup,
    topics: [clusterTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/resource-manager/api/ingress-groups/environments/:env/:name',
    access: { owner: 'environment', by: 'env', permission: 'resource_ingress_delete' },
    audit: 'ingress-group.delete',
    summary: 'Delete an ingress group that no ingress uses',
    // Other clients may have created longer names in the cluster.
    params: z.strictObject({ env: uuid, name: dnsName() }),
    data: z.null(),
    topics: [clusterTopic],
  }),
}
