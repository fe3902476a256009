import { job } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { statusChanged } from './statuses.queue.ts'
import { sendCommitStatus } from './statuses.service.ts'

export const module = defineModule({
  jobs: [job({ ...statusChanged, concurrency: 4, run: (ctx, { buildId }) => sendCommitStatus(ctx, buildId) })],
})
