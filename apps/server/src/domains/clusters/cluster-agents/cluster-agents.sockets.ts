import { longestFrame, tunnelPath } from '@gantry/tunnel/frames'
import { z } from 'zod'
import type { Sockets } from '../../../http/sockets/sockets.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { subscribe } from '../../../kernel/events/events.ts'
import { agentCame, agentWent, claim } from './cluster-agents.service.ts'
import { clusterOfAgent, findClusterAgent } from './cluster-agents.store.ts'
import { checkHealth } from '../health/health.service.ts'

/** A connection that breaks for a moment is back within this time; only then is its cluster checked. */
const graceMs = 2000
const pollMs = 60_000

const policy = 1008

/** What a trigger publishes when an agent's row is deleted. */
const goneAgents = { path: 'cluster-agent', content: z.object({ id: z.number() }) }

export const sockets: Sockets = (socket) => {
  socket(
    { path: tunnelPath, access: 'agent', credential: { find: findClusterAgent }, maxFrame: longestFrame },
    async (ctx, ws) => {
      const over = () => ws.close(policy, 'a newer manifest was made, or the cluster is no more')
      // Subscribed before the token is looked up, so that a deletion in between is not missed.
      const unsubscribe = subscribe(ctx.events, goneAgents, (agent) => {
        if (agent?.id === ctx.actor.id) over()
      })
      ws.once('close', unsubscribe)
      // Messages wait in the websocket until the lookup is done.
      ws.pause()
      const clusterId = await clusterOfAgent(ctx.db, ctx.actor.id)
      ws.resume()
      if (clusterId === undefined) return over()

      const { signal: _gone, ...rest } = ctx
      /** the check goes on after the websocket has closed, because the disconnect is what it checks */
      const look = (at: (ctx: Ctx, uuid: string) => Promise<unknown>): void =>
        void at({ ...rest, signal: AbortSignal.timeout(pollMs) }, clusterId).catch((error: unknown) =>
          ctx.log.warn({ err: error, environment: clusterId }, 'a cluster could not be looked at'),
        )
      const tunnel = ctx.ports.kube.tunnels.attach(
        clusterId,
        { send: (bytes, sent) => ws.send(bytes, sent), close: (code, reason) => ws.close(code, reason) },
        {
          claim: async (cluster, before) => {
            const taken = await claim(ctx, clusterId, cluster, before).catch((error: unknown) => {
              ctx.log.warn(
                { err: error, environment: clusterId, ip: ctx.ip },
                'which cluster an environment is could not be read',
              )
              throw error
            })
            if (!taken) {
              ctx.log.warn({ environment: clusterId, ip: ctx.ip }, 'the agent of another cluster was refused')
              look(checkHealth)
            }
            return taken
          },
          ready: () => {
            ctx.log.info({ environment: clusterId, ip: ctx.ip }, 'the agent of a cluster is connected')
            look(agentCame)
          },
        },
      )
      ws.on('message', (data) => tunnel.receive(Buffer.isBuffer(data) ? data : new Uint8Array()))
      ws.once('close', () => {
        tunnel.gone()
        ctx.log.info({ environment: clusterId }, 'the agent of a cluster is gone')
        setTimeout(() => look(agentWent), graceMs).unref()
      })
    },
  )
}
