import { buildIssues } from '@gantry/contract/trackers/issues'
import { z } from 'zod'
import { job, scheduled } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { updateIssues } from './issues.queue.ts'
import { readBuildIssues } from './issues.service.ts'
import { forgetIssues } from './issues.store.ts'
import { deliverDue } from './tell.service.ts'

export const module = defineModule({
  routes(route) {
    route(buildIssues, (ctx, { params }) => readBuildIssues(ctx, params.id, params.number))
  },
  jobs: [
    job({ ...updateIssues, schema: z.object({}), every: 30, run: deliverDue }),
    scheduled({ name: 'pipelines-forget-issues', every: 3600, run: ({ db }) => forgetIssues(db) }),
  ],
})
