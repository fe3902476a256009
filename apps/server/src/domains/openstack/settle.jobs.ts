import { scoped } from '../../kernel/context.ts'
import { type Job, scheduled } from '../../kernel/jobs/jobs.ts'
import { finishOpenStack } from './openstack.service.ts'
import { staleRemovals } from './openstack.store.ts'
import { finishZone } from './zones.service.ts'
import { staleZones } from './zones.store.ts'

/** Continues what calls left unfinished after a failure; concurrently, so that a dead cluster delays no other. */
const settle = scheduled({
  name: 'openstack-settle',
  every: 30,
  retry: { limit: 0, delaySeconds: 0 },
  async run(ctx) {
    const each = (finish: typeof finishZone) => (stale: { environment: string; uuid: string }) => {
      const own = scoped(ctx)
      return finish(own, stale.environment, stale.uuid).catch((error: unknown) =>
        own.log.warn({ err: error }, 'a zone is not removed yet'),
      )
    }
    await Promise.all((await staleZones(ctx.db)).map(each(finishZone)))
    await Promise.all((await staleRemovals(ctx.db)).map(each(finishOpenStack)))
  },
})

export const jobs: Job[] = [settle]
