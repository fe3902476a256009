import { definitionFile } from '@gantry/contract/pipelines/editing/definition-file'
import { job } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { definitionWanted } from './definition-files.queue.ts'
import { readDefinitionFile, takeOverDefinition } from './definition-files.service.ts'
import { readDefinitionOf } from './read-definition.service.ts'

export const module = defineModule({
  routes(route) {
    route(definitionFile.read, (ctx, { params }) => readDefinitionFile(ctx, params.id))
    route(definitionFile.takeOver, (ctx, { params, body }) => takeOverDefinition(ctx, params.id, body))
  },
  jobs: [job({ ...definitionWanted, concurrency: 8, run: (ctx, { buildId }) => readDefinitionOf(ctx, buildId) })],
})
