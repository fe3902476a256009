import { dockerfiles } from '@gantry/contract/dockerfiles/dockerfiles'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { search } from './dockerfiles.search.ts'
import {
  changeDockerfile,
  cloneDockerfile,
  createDockerfile,
  getDockerfile,
  removeDockerfile,
} from './dockerfiles.service.ts'
import { listDockerfiles } from './dockerfiles.store.ts'

export const module = defineModule({
  routes(route) {
    route(dockerfiles.list, (ctx, { params, query }) =>
      listDockerfiles(ctx.db, params.teamId, query.keyword ?? '', page(query)),
    )
    route(dockerfiles.get, (ctx, { params }) => getDockerfile(ctx, params.teamId, params.dockerfileId))
    route(dockerfiles.create, (ctx, { params, body }) => createDockerfile(ctx, params.teamId, body))
    route(dockerfiles.update, (ctx, { params, body }) => changeDockerfile(ctx, params.teamId, body))
    route(dockerfiles.clone, (ctx, { params, body }) =>
      cloneDockerfile(ctx, params.teamId, params.dockerfileId, body.name),
    )
    route(dockerfiles.remove, (ctx, { params }) => removeDockerfile(ctx, params.teamId, params.dockerfileId))
  },
  search: [search],
})
