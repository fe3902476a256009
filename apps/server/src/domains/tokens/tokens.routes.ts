import { tokens } from '@gantry/contract/tokens/tokens'
import type { Routes } from '../../http/route.ts'
import { createToken, removeToken } from './tokens.service.ts'
import { listTokens } from './tokens.store.ts'

export const routes: Routes = (route) => {
  route(tokens.list, (ctx, { params }) => listTokens(ctx.db, params.teamId))
  route(tokens.create, (ctx, { params, body }) => createToken(ctx, params.teamId, params.alias, body))
  route(tokens.remove, (ctx, { params }) => removeToken(ctx, params.id))
}
