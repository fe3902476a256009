import { policy } from '@gantry/contract/auth/policy'
import { defineModule } from '../../../module.ts'
import { setPolicy } from './policy.service.ts'
import { readPolicy } from './policy.store.ts'

export const module = defineModule({
  routes(route) {
    route(policy.get, ({ db }) => readPolicy(db))
    route(policy.set, (ctx, { body }) => setPolicy(ctx, body))
  },
})
