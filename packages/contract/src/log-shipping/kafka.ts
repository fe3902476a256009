import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { secret } from '../secret.ts'
import { kafkaTopic } from './topics.ts'

const host = String.raw`([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])`
const portOf = (broker: string): number => Number(broker.slice(broker.lastIndexOf(':') + 1))

/** `host:port`; an IPv6 address in brackets. */
const broker = z
  .string()
  .trim()
  .max(260, { error: 'kafka-broker', abort: true })
  .regex(new RegExp(`^${host}:[0-9]{1,5}$`), { error: 'kafka-broker', abort: true })
  .refine((text) => portOf(text) >= 1 && portOf(text) <= 65_535, 'kafka-broker')

/** Kafka's own rule for topic names. */
const topicName = z
  .string()
  .trim()
  .max(249, 'kafka-topic')
  .regex(/^[A-Za-z0-9._-]*$/, 'kafka-topic')
  .refine((name) => name !== '.' && name !== '..', 'kafka-topic')

export const saslMechanisms = ['none', 'plain', 'scram-sha-256', 'scram-sha-512'] as const

const shape = {
  enabled: z.boolean(),
  brokers: z
    .array(broker)
    .max(20, 'kafka-brokers')
    .refine((all) => new Set(all).size === all.length, 'kafka-twice'),
  tls: z.boolean(),
  /** PEM of the authority of the brokers' certificates; empty: the usual ones, and that of GANTRY_CA_FILE. */
  ca: z.string().trim().max(65_536, 'text-too-long'),
  /** The name in the brokers' certificates, if it is not one of their addresses. */
  serverName: z
    .string()
    .trim()
    .max(253, 'kafka-server-name')
    .regex(/^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)?$/, 'kafka-server-name'),
  sasl: z.enum(saslMechanisms),
  userName: z
    .string()
    .max(200, 'text-too-long')
    .regex(/^\P{Cc}*$/u, 'text-hidden-characters'),
  /** Reads return a mask; saving the mask keeps it while brokers and user name are unchanged. */
  password: secret(
    z
      .string()
      .max(500, 'text-too-long')
      .regex(/^\P{Cc}*$/u, 'text-hidden-characters'),
  ),
  /** The topic for logs of containers. */
  logTopic: topicName,
  /** The topic for records of the audit log; empty: they are not sent. */
  auditTopic: topicName,
}

export const KafkaSettings = z.strictObject(shape)
export type KafkaSettings = z.infer<typeof KafkaSettings>

const Body = z.strictObject({ ...shape, revision: z.number().int() }).superRefine((given, ctx) => {
  const problem = (path: keyof KafkaSettings, message: string) =>
    ctx.addIssue({ code: 'custom', path: [path], message })
  if (given.auditTopic !== '' && given.auditTopic === given.logTopic) problem('auditTopic', 'kafka-topics-alike')
  if (!given.enabled) return
  if (given.brokers.length === 0) problem('brokers', 'kafka-brokers')
  if (given.logTopic === '') problem('logTopic', 'kafka-topic')
  if (given.sasl !== 'none' && given.userName === '') problem('userName', 'kafka-user-missing')
  if (given.sasl !== 'none' && given.password === '') problem('password', 'kafka-password-missing')
  if (given.tls && given.serverName !== '' && given.ca === '') problem('ca', 'kafka-server-name-ca')
})

const Saved = KafkaSettings.extend({
  /** The revision on which an edit is based. */
  revision: z.number().int(),
  /** The progress of sending the records of the audit log. */
  audit: z.object({
    /** The number of unsent records; of very many at least this number. */
    waiting: z.number().int(),
    /** When the oldest unsent record was written; null: none. */
    since: z.string().nullable(),
    /** When records last arrived; null: never yet. */
    sentAt: z.string().nullable(),
    /** Why the last attempt failed, in the caller's language; otherwise empty. */
    problem: z.string(),
  }),
})
export type SavedKafkaSettings = z.infer<typeof Saved>

export const kafka = {
  get: endpoint({
    method: 'GET',
    path: '/resource-manager/api/kafka',
    access: { system: 'system_setting_view' },
    summary: 'The Kafka that logs and records of the audit log are sent to, and how far the records are sent',
    data: Saved,
    topics: [kafkaTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/kafka',
    access: 'admin',
    audit: 'kafka.update',
    summary:
      'Set the Kafka that logs are sent to. It is tried first, and topics that do not exist are created; a refusal saves nothing',
    body: Body,
    data: Saved,
    topics: [kafkaTopic],
  }),
}
