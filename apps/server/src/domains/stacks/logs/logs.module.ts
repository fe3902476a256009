import { setTimeout as sleep } from 'node:timers/promises'
import { id, uuid } from '@gantry/contract/ids'
import { followServicePath, ofPod, serviceLogs } from '@gantry/contract/stacks/containers/logs'
import { z } from 'zod'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { sendMessage } from '../../../kernel/flow.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { defineModule } from '../../../module.ts'
import { clusterOf } from '../../clusters/public.ts'
import { getService } from '../services/services.service.ts'
import { identityOf } from '../stacks/naming.ts'
import { followService } from './follow.service.ts'
import { searchLogs } from './search.service.ts'

const params = z.strictObject({ teamId: id, envId: uuid, id })
type Of = z.output<typeof params>

async function placeOf(ctx: Ctx, { teamId, envId, id }: Of) {
  const { stack, service } = await getService(ctx, teamId, envId, id)
  const cluster = await clusterOf(ctx, stack.envId)
  const kube = cluster.kube.as(identityOf(teamId, ctx.actor.name))
  return { cluster, kube, serviceId: service.id, namespace: stack.namespace }
}

/** Lines are sent in batches: after this time, or at this many lines or bytes. */
const flushMs = 50
const flushLines = 500
const flushLength = 256 * 1024

export const module = defineModule({
  routes(route) {
    route(serviceLogs.search, async (ctx, { params, query }) => {
      const { cluster, kube, ...of } = await placeOf(ctx, params)
      return searchLogs(ctx, cluster, kube, { ...of, ...query })
    })
  },
  sockets(socket) {
    socket(
      {
        path: followServicePath,
        access: { team: 'teamId', permission: 'stack_container_view' },
        params,
        query: z.strictObject({
          quantity: z.coerce.number().int().min(0).max(5000).default(500),
          pod: ofPod,
          previous: z.enum(['true', 'false']).default('true'),
        }),
      },
      async (ctx, ws, { params, query }) => {
        let end = ''
        let following: ReturnType<typeof followService> | undefined
        try {
          const { cluster, kube, ...of } = await placeOf(ctx, params)
          following = followService(ctx, cluster, kube, { ...of, ...query, previous: query.previous === 'true' })
          await following.ready
          while (!ctx.signal.aborted) {
            const news = following.news()
            if (news) await sendMessage(ws, JSON.stringify(news))
            const lines = following.take(flushLines, flushLength)
            const frame = lines.map(({ key, entry: { at, text } }) => [key, at, text])
            // Wait, so that a browser that is slower than the logs slows the reading down.
            if (lines.length > 0) await sendMessage(ws, JSON.stringify({ lines: frame }))
            if (lines.length < flushLines) await sleep(flushMs)
          }
        } catch (error) {
          const fault = kubeFault(error)
          end = fault instanceof Fault ? sayTo(ctx, fault) : ''
          if (!(fault instanceof Fault) && !ctx.signal.aborted) ctx.log.warn({ err: error }, 'following logs ended')
        } finally {
          following?.close()
        }
        if (ctx.signal.aborted) return
        ws.send(JSON.stringify({ end }))
        ws.close(1000)
      },
    )
  },
})
