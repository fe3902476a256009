import { defineModule } from '../../../module.ts'
import { scoped } from '../../../kernel/context.ts'
import { type Job, scheduled } from '../../../kernel/jobs/jobs.ts'
import { addresses } from '../clusters/clusters.store.ts'
import { checkHealth } from './health.service.ts'

/** All clusters at once, each with its own time limit, so that one that hangs delays no other. */
const check = scheduled({
  name: 'clusters-check-health',
  every: 30,
  retry: { limit: 0, delaySeconds: 1 },
  async run(ctx) {
    const look = async ({ uuid }: { uuid: string }): Promise<void> => {
      const own = scoped(ctx)
      await checkHealth(own, uuid).catch((error: unknown) =>
        own.log.error({ err: error, environment: uuid }, 'a cluster could not be looked at'),
      )
    }
    await Promise.all((await addresses(ctx.db)).map(look))
  },
})

export const jobs: Job[] = [check]

export const module = defineModule({ jobs })
