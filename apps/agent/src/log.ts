/** The agent's own log: JSON objects on standard output, one per line, like the server's. No data of builds. */
export type Log = (level: 'debug' | 'info' | 'warn' | 'error', msg: string, more?: Record<string, unknown>) => void

export const log: Log = (level, msg, more = {}) => {
  process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...more, msg })}\n`)
}

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
