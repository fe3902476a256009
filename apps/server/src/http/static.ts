import type { FastifyInstance } from 'fastify'
import { Fault } from '../kernel/fault.ts'
import type { Server } from './server.ts'

export async function serveConsole(app: FastifyInstance, _server: Server): Promise<void> {
  app.setNotFoundHandler((request) => {
    throw new Fault('missing', 'path-missing', { method: request.method, path: request.url.slice(0, 200) })
  })
}
