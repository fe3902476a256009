/** The agent's own log: one JSON object a line on standard output, in the shape of the server's. Never a build's data. */
export type Log = (level: 'debug' | 'info' | 'warn' | 'error', msg: string, more?: Record<string, unknown>) => void

export const log: Log = (level, msg, more = {}) => {
  process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...more, msg })}\n`)
}

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
