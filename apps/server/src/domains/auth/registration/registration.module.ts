import { session } from '@gantry/contract/auth/session'
import { joinHeader } from '@gantry/contract/envelope'
import { defineModule } from '../../../module.ts'
import { accountsThatWait } from './registration.decisions.ts'
import { register } from './register.service.ts'

export const module = defineModule({
  routes(route) {
    route(session.register, (ctx, { body, header }) => register(ctx, body, header(joinHeader)))
  },
  decisions: [accountsThatWait],
})
