import { defineModule } from '../../../module.ts'
import { type Job, scheduled } from '../../../kernel/jobs/jobs.ts'
import { banInactive } from '../password/credentials.store.ts'
import { publishUsers } from '../session/publish.ts'

const banWhoIsInactive = scheduled({
  name: 'auth-ban-inactive',
  every: '17 3 * * *',
  run: async (ctx) => {
    const banned = await banInactive(ctx.db)
    if (banned === 0) return
    await publishUsers(ctx)
    ctx.log.info({ banned }, 'users who did not sign in for too long are inactive now')
  },
})

export const jobs: Job[] = [banWhoIsInactive]

export const module = defineModule({ jobs })
