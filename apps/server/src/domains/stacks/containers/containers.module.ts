import { containers, terminalPath } from '@gantry/contract/stacks/containers/containers'
import { attachment, stream } from '../../../http/reply.ts'
import { makeTicket } from '../../../identity/sessions.ts'
import { defineModule } from '../../../module.ts'
import { logPaths } from '../logs/log-files.service.ts'
import { readPart } from '../logs/log-parts.service.ts'
import { findTarget, logStream, noteTarget, replacePod } from './containers.service.ts'
import { startDebug } from './debug.service.ts'
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
    route(containers.debug, async (ctx, { params: { teamId, envId, id }, query }) => {
      const target = await findTarget(ctx, { teamId, envId, podId: id, name: query.container })
      noteTarget(ctx, target)
      return startDebug(ctx, target)
    })
    for (const action of ['start', 'restart', 'remove'] as const)
      route(containers[action], async (ctx, { params: { teamId, envId, id }, query }) => {
        const target = await findTarget(ctx, { teamId, envId, podId: id, name: query.container })
        noteTarget(ctx, target)
        return replacePod(target, action)
      })
    route(containers.log, async (ctx, { params, query }) => readPart(ctx, await findTarget(ctx, params), query))
    route(containers.paths, async (ctx, { params }) => logPaths(ctx, await findTarget(ctx, params)))
    route(containers.logFile, async (ctx, { params, query }) => {
      const target = await findTarget(ctx, params)
      return stream(logStream(ctx, target, query.previous === 'true'), {
        'content-disposition': attachment(`${target.pod.name}-${target.container}.log`),
      })
    })
  },
  sockets,
})
