import type { Endpoint } from '@gantry/contract/endpoint'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pressure } from './pressure.ts'
import type { Server } from './server.ts'

export interface Metrics {
  observe: (endpoint: Endpoint, status: number, seconds: number) => void
  text: () => Promise<string>
}

/** Scrapes are less frequent than this, and gathering takes noticeable time. */
const freshMs = 2_000
/** A longer block is logged. */
const warnLagMs = 200

export function openMetrics({ database: { pool }, log, draining }: Server, pressure: Pressure): Metrics {
  const registry = new Registry()
  const calls = new Histogram({
    name: 'gantry_call_seconds',
    help: 'How long calls took, by endpoint and status',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  gauge(
    'gantry_event_loop_blocked_seconds',
    'Longest block of the event loop in the last second',
    () => pressure.last().blockedMs / 1000,
  )
  gauge('gantry_database_connections', 'Connections to the database', () => pool.totalCount)
  gauge('gantry_database_waiting', 'Calls that wait for a connection', () => pool.waitingCount)
  gauge('gantry_draining', '1 while the process ends', () => (draining.signal.aborted ? 1 : 0))

  // Node cannot tell which function blocked; the calls of that second show where to search.
  pressure.watch((second) => {
    if (second.blockedMs > warnLagMs) log.warn(second, 'the event loop was blocked')
  })

  let last = { at: -Infinity, text: Promise.resolve('') }
  let isProcessMeasured = false
  const text = () => {
    // These wake an idle process a hundred times a second, so they start at the first scrape.
    if (!isProcessMeasured) collectDefaultMetrics({ register: registry, prefix: 'gantry_' })
    isProcessMeasured = true
    if (performance.now() - last.at > freshMs) last = { at: performance.now(), text: registry.metrics() }
    return last.text
  }

  return {
    observe: ({ method, path }, status, seconds) => calls.observe({ method, path, status }, seconds),
    text,
  }
}
