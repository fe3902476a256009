import pino, { type Bindings, type Logger } from 'pino'
import { masker, openSecrets, type Secrets, withoutTokens } from './secrets/masking.ts'

/** Whose lines are searched for what. */
const searched = new WeakMap<Logger, Secrets>()

/** What one call, job or object says and must not say. */
export interface Scope {
  log: Logger
  /** Every secret that was sent, opened, sealed or made for it: the lines of its log show none of them. */
  secrets: Secrets
  /**
   * Those of them that the caller sent, in fields that are declared secret. The audit row is searched for these alone: searched for
   * one that the caller does not know, it would tell whether a guess is right.
   */
  told: Secrets
}

export function openScope(log: Logger, bindings: Bindings): Scope {
  const [own, secrets] = [log.child(bindings), openSecrets()]
  searched.set(own, secrets)
  return { log: own, secrets, told: openSecrets(secrets) }
}

/** Values alone: a secret that is chosen to look like a line's keys does not break it. */
const inValues = (line: string, hide: (text: string) => string): string =>
  `${JSON.stringify(JSON.parse(line, (_, value: unknown) => (typeof value === 'string' ? hide(value) : value)))}\n`

/**
 * One JSON object a line. The finished line is masked, so that a secret cannot slip through a field that nobody thought of. `own`
 * are the installation's secrets, which no team stores: all lines are searched for them, and each for its call's.
 */
export function openLog(
  level: string,
  write: (line: string) => void = (line) => process.stdout.write(line),
  own: readonly string[] = [],
): Logger {
  const hideOwn = masker(own)
  const destination = {
    // the library then says which logger writes
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
