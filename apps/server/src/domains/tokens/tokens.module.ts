import { tokens } from '@gantry/contract/tokens/tokens'
import { defineModule } from '../../module.ts'
import { createToken, removeToken } from './tokens.service.ts'
import { listTokens, teamOfToken } from './tokens.store.ts'

export const module = defineModule({
  routes(route) {
    route(tokens.list, (ctx, { params }) => listTokens(ctx.db, params.teamId))
    route(tokens.create, (ctx, { params, body }) => createToken(ctx, params.teamId, params.alias, body))
    route(tokens.remove, (ctx, { params }) => removeToken(ctx, params.id))
  },
  owners: [{ kind: 'api-token', teamOf: (db, id) => teamOfToken(db, Number(id)) }],
})
