import { artifactRepository } from '@gantry/contract/artifact-repository/artifact-repository'
import { defineModule } from '../../module.ts'
import { readRepository, saveRepository } from './settings.service.ts'

export const module = defineModule({
  routes(route) {
    route(artifactRepository.get, (ctx) => readRepository(ctx))
    route(artifactRepository.set, (ctx, { body }) => saveRepository(ctx, body))
  },
})
