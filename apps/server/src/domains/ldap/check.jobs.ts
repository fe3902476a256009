import { enqueue, job, type Job, scheduled } from '../../kernel/jobs/jobs.ts'
import { checkQueue, checkServer } from './check.service.ts'
import { allServers } from './servers.store.ts'

const checkOne = job({
  ...checkQueue,
  // a directory that hangs blocks only one of these
  concurrency: 4,
  run: (ctx, { ldapId }) => checkServer(ctx, ldapId),
})

const checkAll = scheduled({
  name: 'ldap-check',
  every: 60,
  retry: { limit: 0, delaySeconds: 0 },
  run: async (ctx) => {
    for (const { id } of await allServers(ctx.db)) await enqueue(ctx, checkQueue, { ldapId: id }, { key: String(id) })
  },
})

export const jobs: Job[] = [checkOne, checkAll]
