import { terminals } from '@gantry/contract/pipelines/terminals'
import { makeTicket } from '../../../identity/sessions.ts'
import { defineModule } from '../../../module.ts'
import { findTarget, noteTarget } from './terminals.service.ts'
import { sockets } from './terminals.sockets.ts'

export const module = defineModule({
  routes(route) {
    route(terminals.open, async (ctx, { params: { id, number, job }, caller }) => {
      const target = await findTarget(ctx, { id, number, job })
      noteTarget(ctx, target)
      const url = `/api/v2/pipelines/${id}/builds/${number}/jobs/${job}/terminal`
      return {
        url,
        ticket: await makeTicket(ctx.db, caller, 'GET', url),
        seconds: ctx.config.buildTerminalSeconds,
        step: target.step?.name ?? null,
      }
    })
  },
  sockets,
})
