import { z } from 'zod'
import { type Job, job } from '../../kernel/jobs.ts'
import { addresses } from './environments.store.ts'
import { checkHealth } from './health.service.ts'

/** All at once, each within its own budget: one that hangs delays no other. */
const check = job({
  name: 'clusters-check-health',
  schema: z.object({}),
  every: 30,
  retry: { limit: 0, delaySeconds: 1 },
  async run(ctx) {
    const failed = (environment: string) => (error: unknown) =>
      ctx.log.error({ err: error, environment }, 'a cluster could not be looked at')
    await Promise.all((await addresses(ctx.db)).map(({ uuid }) => checkHealth(ctx, uuid).catch(failed(uuid))))
  },
})

export const jobs: Job[] = [check]
