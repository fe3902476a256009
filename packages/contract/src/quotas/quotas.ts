import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'

/** CPU in cores, memory in GiB; null = no limit. */
export const Amount = z.strictObject({
  cpu: z.number().min(0, 'quota-negative').max(1_000_000).nullable(),
  memory: z.number().min(0, 'quota-negative').max(10_000_000).nullable(),
})
export type Amount = z.infer<typeof Amount>

export const Quota = z.object({
  envUuid: z.string(),
  envName: z.string(),
  /** What the team may have. */
  hard: Amount,
  /** The sum of its stacks' shares. */
  allocated: z.object({ cpu: z.number(), memory: z.number() }),
})
export type Quota = z.infer<typeof Quota>

export const quotas = {
  ofTeam: endpoint({
    method: 'GET',
    path: '/resource-manager/api/quotas/tenants/:teamId',
    access: { team: 'teamId' },
    summary: "A team's quota on each of its clusters",
    params: z.strictObject({ teamId: id }),
    data: z.array(Quota),
  }),
  onEnvironment: endpoint({
    method: 'GET',
    path: '/resource-manager/api/quotas/tenants/:teamId/environments/:envId',
    access: { team: 'teamId' },
    summary: "A team's quota on one cluster",
    params: z.strictObject({ teamId: id, envId: uuid }),
    data: Quota,
  }),
  set: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/quotas/tenants/:tenant',
    access: 'admin',
    audit: 'quota.set',
    summary: "Set a team's quota on a cluster; never below what its stacks have",
    params: z.strictObject({ tenant: id }),
    body: z.strictObject({ envUuid: uuid, hard: Amount }),
    data: Quota,
  }),
}
