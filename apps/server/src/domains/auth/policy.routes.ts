import { policy } from '@gantry/contract/auth/policy'
import type { Routes } from '../../http/route.ts'
import { setPolicy } from './policy.service.ts'
import { readPolicy } from './policy.store.ts'

export const routes: Routes = (route) => {
  route(policy.get, ({ db }) => readPolicy(db))
  route(policy.set, (ctx, { body }) => setPolicy(ctx, body))
}
