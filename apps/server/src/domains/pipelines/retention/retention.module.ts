import { running } from '@gantry/contract/pipelines/running'
import { scheduled } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { pinBuild, removeDue } from './retention.service.ts'

export const module = defineModule({
  routes(route) {
    route(running.pin, (ctx, { params, body }) => pinBuild(ctx, params.id, params.number, body.pinned))
  },
  jobs: [scheduled({ name: 'pipelines-keep-builds', every: 600, timeoutSeconds: 500, run: removeDue })],
})
