import { session } from '@gantry/contract/auth/session'
import type { Routes } from '../../http/route.ts'
import { endOne, endOthers, sessionsOf } from './sessions.service.ts'

export const routes: Routes = (route) => {
  route(session.sessions, (ctx, { caller }) => sessionsOf(ctx, caller))
  route(session.endSession, (ctx, { caller, params }) => endOne(ctx, caller, params.family))
  route(session.endOtherSessions, (ctx, { caller }) => endOthers(ctx, caller))
}
