import { session } from '@gantry/contract/auth/session'
import type { Routes } from '../../http/route.ts'
import { register } from './register.service.ts'

export const routes: Routes = (route) => {
  route(session.register, (ctx, { body }) => register(ctx, body))
}
