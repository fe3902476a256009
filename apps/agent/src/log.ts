/** The agent's own log: one JSON object a line on standard output, in the shape of the server's. Never a build's data. */
export type Log = (level: 'debug' | 'info' | 'warn' | 'error', msg: string, more?: Record<string, unknown>) => void

const levels = { debug: 20, info: 30, warn: 40, error: 50 }

export const log: Log = (level, msg, more = {}) => {
  process.stdout.write(`${JSON.stringify({ level: levels[level], time: Date.now(), name: 'agent', msg, ...more })}\n`)
}

export const said = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
