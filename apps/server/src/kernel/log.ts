import pino, { type Logger } from 'pino'
import { maskKnown } from './masking.ts'

/** One JSON object a line. The finished line is masked, so that a secret cannot slip through a field that nobody thought of. */
export const openLog = (level: string, write: (line: string) => void = (line) => process.stdout.write(line)): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    { write: (line: string) => write(maskKnown(line)) },
  )
