import pino, { type Bindings, type Logger } from 'pino'
import { masker, openSecrets, type Secrets, withoutTokens } from './secrets/masking.ts'

/** The secrets that are masked in each logger's lines. */
const searched = new WeakMap<Logger, Secrets>()

/** The log and the secrets of one call, job or object. */
export interface Scope {
  log: Logger
  /** Every secret that was sent, opened, sealed or generated for it: its log lines show none of them. */
  secrets: Secrets
  /**
   * Those secrets that the caller sent, in fields that are declared secret. Only these are masked in the audit row:
   * masking secrets that the caller does not know would reveal whether a guess is right.
   */
  told: Secrets
}

export function openScope(log: Logger, bindings: Bindings): Scope {
  const [own, secrets] = [log.child(bindings), openSecrets()]
  searched.set(own, secrets)
  return { log: own, secrets, told: openSecrets(secrets) }
}

/** Masks values only, so that a secret chosen to look like a line's keys does not break the line. */
const inValues = (line: string, hide: (text: string) => string): string =>
  `${JSON.stringify(JSON.parse(line, (_, value: unknown) => (typeof value === 'string' ? hide(value) : value)))}\n`

/**
 * One JSON object per line. The finished line is masked, so that a secret cannot slip through an unforeseen field.
 * `own` are the installation's secrets, which no team stores: they are masked in all lines. A call's secrets are masked
 * in the lines of that call.
 */
export function openLog(
  level: string,
  write: (line: string) => void = (line) => process.stdout.write(line),
  own: readonly string[] = [],
): Logger {
  const hideOwn = masker(own)
  const destination = {
    // makes the library set `lastLogger` to the logger that writes
    [pino.symbols.needsMetadataGsym]: true as const,
    lastLogger: undefined as Logger | undefined,
    write(line: string) {
      const secrets = this.lastLogger && searched.get(this.lastLogger)
      write(inValues(line, (text) => withoutTokens(hideOwn(secrets ? secrets.hide(text) : text))))
    },
  }
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    destination,
  )
}
