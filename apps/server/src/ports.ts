import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { createOutbound } from './adapters/outbound/outbound.ts'
import type { Ports } from './adapters/ports.ts'
import type { Config } from './config.ts'

/** The real outside world. `close` ends its connections. */
export function buildPorts(config: Config, _log: Logger): { ports: Ports; close: () => Promise<void> } {
  const outbound = createOutbound({
    allow: config.outboundAllow,
    proxy: config.outboundProxy,
    ca: config.caFile === undefined ? undefined : readFileSync(config.caFile, 'utf8'),
    own: config.sandboxRegistry === undefined ? [] : [`http://${config.sandboxRegistry}`],
  })
  return { ports: { outbound }, close: () => outbound.close() }
}
