import { z } from 'zod'
import { type Job, job } from '../../../kernel/jobs/jobs.ts'
import { discardBuilds, surplusBuilds } from '../builds/builds.store.ts'
import { expireGates } from '../jobs/gates.service.ts'
import { collectLost } from './leases.service.ts'
import { inTx } from '../../../kernel/context.ts'

const lost = job({
  name: 'pipelines-collect-lost',
  schema: z.object({}),
  every: 5,
  async run(ctx) {
    await collectLost(ctx)
  },
})

const gates = job({
  name: 'pipelines-expire-gates',
  schema: z.object({}),
  every: 60,
  run: expireGates,
})

/** Deletes all but the newest builds of pipelines with that setting. */
const retention = job({
  name: 'pipelines-keep-builds',
  schema: z.object({}),
  every: 600,
  async run(ctx) {
    const limited = await ctx.db
      .selectFrom('pipeline')
      .select(['id', 'keep_builds'])
      .where('keep_builds', '>', 0)
      .execute()
    for (const { id, keep_builds: keep } of limited)
      await inTx(ctx, async (ctx) => {
        const surplus = await surplusBuilds(ctx.db, id, keep)
        if (surplus.length > 0) await discardBuilds(ctx.db, id, surplus)
      })
  },
})

export const jobs: Job[] = [lost, gates, retention]
