import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const SynchronizedNamespace = z.object({
  cluster: z.string(),
  namespace: z.string(),
  team: z.string(),
  stack: z.string(),
  done: z.boolean(),
  /** The number of pull secrets in the namespace now. */
  secrets: z.number().int(),
  problem: z.string(),
})
export type SynchronizedNamespace = z.infer<typeof SynchronizedNamespace>

export const pullSecrets = {
  synchronize: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/harbor/synchronize',
    access: 'user',
    asks: ['image_harbor_operate'],
    audit: 'pull-secret.synchronize',
    summary: 'Bring the rights to pull into every namespace of the caller’s teams at once; answers for each',
    data: z.array(SynchronizedNamespace),
    topics: [],
  }),
}
