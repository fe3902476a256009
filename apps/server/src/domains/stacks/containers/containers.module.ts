import { containers, terminalPath } from '@gantry/contract/stacks/containers'
import { attachment, stream } from '../../../http/reply.ts'
import { makeTicket } from '../../../identity/sessions.ts'
import { defineModule } from '../../../module.ts'
import { findTarget, logStream, noteTarget, readLog, replacePod } from './containers.service.ts'
import { sockets } from './containers.sockets.ts'

export const module = defineModule({
  routes(route) {
    route(containers.execute, async (ctx, { params: { teamId, envId, id }, query, caller }) => {
      const target = await findTarget(ctx, { teamId, envId, podId: id, name: query.container })
      noteTarget(ctx, target)
      const parts: Record<string, string> = { teamId: String(teamId), envId, podId: id, name: target.container }
      const url = terminalPath.replaceAll(/:(\w+)/g, (_, name: string) => parts[name] ?? '')
      return { url, ticket: await makeTicket(ctx.db, caller, 'GET', url) }
    })
    for (const call of [containers.restart, containers.remove])
      route(call, async (ctx, { params: { teamId, envId, id }, query }) => {
        const target = await findTarget(ctx, { teamId, envId, podId: id, name: query.container })
        noteTarget(ctx, target)
        return replacePod(ctx, target)
      })
    route(containers.log, async (ctx, { params, query }) =>
      readLog(ctx, await findTarget(ctx, params), {
        quantity: query.quantity,
        previous: query.previous === 'true',
        from: query.referenceTimestamp,
      }),
    )
    route(containers.logFile, async (ctx, { params, query }) => {
      const target = await findTarget(ctx, params)
      return stream(logStream(ctx, target, query.previous === 'true'), {
        'content-disposition': attachment(`${target.pod.name}-${target.container}.log`),
      })
    })
  },
  sockets,
})
