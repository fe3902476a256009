import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { listensOnLoopback } from '../config.ts'
import { Fault } from '../kernel/fault.ts'
import { hashToken } from '../identity/sessions.ts'
import { bearerOf } from './admit.ts'
import type { Metrics } from './metrics.ts'
import type { Server } from './server.ts'

/** Readiness is queried often; an answer of this age is good enough. */
const freshMs = 500

/** `visit` counts a call against its address. */
export function serveHealth(app: FastifyInstance, server: Server, metrics: Metrics, visit: (ip: string) => void): void {
  const { config, database, draining } = server

  let last = { at: 0, ok: Promise.resolve(false) }
  const databaseAnswers = () => {
    if (Date.now() - last.at > freshMs)
      last = {
        at: Date.now(),
        ok: sql`select 1`.execute(database.db).then(
          () => true,
          () => false,
        ),
      }
    return last.ok
  }

  app.get('/livez', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const state = draining.signal.aborted ? 'draining' : (await databaseAnswers()) ? 'ok' : 'database-away'
    if (state !== 'ok') reply.code(503).header('retry-after', 2)
    return { status: state }
  })

  app.get('/metrics', async (request, reply) => {
    visit(request.ip)
    const { metricsToken } = config
    const given = bearerOf(request.headers.authorization) ?? ''
    const open = metricsToken === undefined && listensOnLoopback(config)
    if (!open && (metricsToken === undefined || !timingSafeEqual(hashToken(given), hashToken(metricsToken))))
      throw new Fault('unauthenticated', 'header-required')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.text())
  })
}
