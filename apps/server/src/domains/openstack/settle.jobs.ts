import { z } from 'zod'
import { type Job, job } from '../../kernel/jobs.ts'
import { finishOpenStack } from './openstack.service.ts'
import { staleRemovals } from './openstack.store.ts'
import { finishZone } from './zones.service.ts'
import { staleZones } from './zones.store.ts'

/** What a call left half done, because the cluster or the server failed: all at once, so that a dead cluster delays no other. */
const settle = job({
  name: 'openstack-settle',
  schema: z.object({}),
  every: 30,
  retry: { limit: 0, delaySeconds: 0 },
  async run(ctx) {
    const zones = (await staleZones(ctx.db)).map(({ environment, uuid }) => finishZone(ctx, environment, uuid))
    const failed = (await Promise.allSettled(zones)).filter(({ status }) => status === 'rejected')
    const openstacks = (await staleRemovals(ctx.db)).map(({ environment, uuid }) =>
      finishOpenStack(ctx, environment, uuid),
    )
    failed.push(...(await Promise.allSettled(openstacks)).filter(({ status }) => status === 'rejected'))
    for (const outcome of failed)
      if (outcome.status === 'rejected') ctx.log.warn({ err: outcome.reason }, 'a zone is not removed yet')
  },
})

export const jobs: Job[] = [settle]
