import { running } from '@gantry/contract/pipelines/running'
import { z } from 'zod'
import { job } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { pinBuild, removeDue } from './retention.service.ts'

export const module = defineModule({
  routes(route) {
    route(running.pin, (ctx, { params, body }) => pinBuild(ctx, params.id, params.number, body.pinned))
  },
  jobs: [job({ name: 'pipelines-keep-builds', schema: z.object({}), every: 600, timeoutSeconds: 500, run: removeDue })],
})
