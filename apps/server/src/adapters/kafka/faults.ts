import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../../kernel/fault.ts'
import { maskEchoes } from '../../kernel/secrets/masking.ts'
import { causesOf, certificateProblem, codeOf } from '../outbound/causes.ts'

/** The library's additions to its errors: the type of a protocol error, the broker of a connection. */
interface KafkaError extends Error {
  type?: unknown
  broker?: unknown
  originalError?: unknown
  errors?: unknown
}

/** The library puts some causes into its own fields. */
function* allOf(error: unknown, depth = 0): Generator<KafkaError> {
  if (depth > 5) return
  for (const one of causesOf(error) as Generator<KafkaError>) {
    yield one
    const more = Array.isArray(one.errors) && !(one instanceof AggregateError) ? (one.errors as unknown[]) : []
    for (const inner of [one.originalError, ...more]) yield* allOf(inner, depth + 1)
  }
}

const typesOf = (error: unknown): string[] =>
  [...allOf(error)].flatMap(({ type }) => (typeof type === 'string' ? [type] : []))

export const isUnknownTopic = (error: unknown): boolean => typesOf(error).includes('UNKNOWN_TOPIC_OR_PARTITION')

const byType: Record<string, PhraseKey> = {
  UNKNOWN_TOPIC_OR_PARTITION: 'kafka-topic-unknown',
  INVALID_TOPIC_EXCEPTION: 'kafka-topic-refused',
  POLICY_VIOLATION: 'kafka-topic-refused',
  INVALID_REPLICATION_FACTOR: 'kafka-topic-refused',
  INVALID_PARTITIONS: 'kafka-topic-refused',
  TOPIC_AUTHORIZATION_FAILED: 'kafka-forbidden',
  CLUSTER_AUTHORIZATION_FAILED: 'kafka-forbidden',
  SASL_AUTHENTICATION_FAILED: 'kafka-credentials',
  ILLEGAL_SASL_STATE: 'kafka-sasl',
  UNSUPPORTED_SASL_MECHANISM: 'kafka-sasl',
  MESSAGE_TOO_LARGE: 'kafka-too-large',
  RECORD_LIST_TOO_LARGE: 'kafka-too-large',
}

const byCode: Record<string, PhraseKey> = {
  ECONNREFUSED: 'outbound-unreachable',
  EHOSTUNREACH: 'outbound-unreachable',
  ENETUNREACH: 'outbound-unreachable',
  ETIMEDOUT: 'outbound-timeout',
  EPROTO: 'kafka-no-tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'kafka-no-tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'kafka-no-tls',
}

/** Causes that the library reports only in the message. */
const byWords: [RegExp, PhraseKey][] = [
  [/mechanism .* not supported|does not support.*mechanism|not supported by the server/i, 'kafka-sasl'],
  [/SASL .*(authentication|failed)|invalid credentials/i, 'kafka-credentials'],
  [/timeout|timed out|too late/i, 'outbound-timeout'],
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/, 'outbound-unreachable'],
]

interface About {
  brokers: string[]
  /** The requested topic; empty if only a connection was made. */
  topic: string
  /** Masked in the fault, because the broker may echo it. */
  password: string
}

/** Maps a failed exchange with Kafka to a fault. */
export function kafkaFault(error: unknown, { brokers, topic, password }: About): Fault {
  const errors = [...allOf(error)]
  const known = errors.find((one) => one instanceof Fault)
  if (known instanceof Fault)
    return known.key === 'outbound-refused'
      ? new Fault('invalid', 'kafka-address-refused', { host: brokers.join(', ') })
      : known
  const broker = errors.map((one) => one.broker).find((one) => typeof one === 'string')
  const host = broker ?? brokers.join(', ')
  const reason = maskEchoes(errors.at(-1)?.message ?? '', [password])
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
  const codes = errors.map(codeOf)
  const certificate = certificateProblem(codes)
  const key =
    (certificate && (`outbound-tls-${certificate}` as const)) ??
    typesOf(error)
      .map((type) => byType[type])
      .find((one) => one !== undefined) ??
    codes.map((code) => byCode[code]).find((one) => one !== undefined) ??
    (errors.some(({ name }) => name === 'KafkaJSSASLAuthenticationError') && !/not supported/i.test(reason)
      ? 'kafka-credentials'
      : undefined) ??
    byWords.find(([pattern]) => errors.some(({ message }) => pattern.test(message)))?.[1] ??
    'kafka-broken'
  const fault = new Fault('badGateway', key, { host, topic, reason: reason || '–' })
  fault.cause = error
  return fault
}
