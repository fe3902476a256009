import { credentials } from '@gantry/contract/pipelines/credentials'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { changeCredential, createCredential, readCredential, removeCredential } from './credentials.service.ts'
import { listCredentials } from './credentials.store.ts'

export const module = defineModule({
  routes(route) {
    route(credentials.list, (ctx, { params, query }) =>
      listCredentials(ctx.db, params.teamId, query.keyword ?? '', page(query)),
    )
    route(credentials.get, (ctx, { params }) => readCredential(ctx, params.teamId, params.credentialId))
    route(credentials.create, (ctx, { params, body }) => createCredential(ctx, params.teamId, body))
    route(credentials.update, (ctx, { params, query, body }) =>
      changeCredential(ctx, params.teamId, params.credentialId, query.revision, body),
    )
    route(credentials.remove, (ctx, { params }) => removeCredential(ctx, params.teamId, params.credentialId))
  },
})
