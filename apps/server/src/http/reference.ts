import type { Endpoint } from '@gantry/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

export function serveReference(_app: FastifyInstance, _endpoints: Endpoint[], _config: Config): void {}
