import { LogSettings } from '@gantry/contract/log-shipping/collection'
import { KafkaSettings, saslMechanisms } from '@gantry/contract/log-shipping/kafka'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { configOf } from './fluent-bit.ts'

const kafka = KafkaSettings.parse({
  enabled: true,
  brokers: ['kafka.test:9092'],
  tls: true,
  ca: '',
  serverName: '',
  sasl: 'none',
  userName: '',
  password: '',
  logTopic: 'logs',
  auditTopic: '',
})
const { environments: _, ...logs } = LogSettings.parse({
  environments: [],
  allTeams: true,
  teamIds: [],
  excluded: [],
  streams: 'all',
  multiline: 'none',
  linesPerSecond: 1000,
  image: 'fluent/fluent-bit:3.2.2',
  memory: 128,
})

interface Config {
  pipeline: Record<'inputs' | 'filters' | 'outputs', Record<string, string>[]>
}
const read = (text: string) => parse(text) as Config

/** Arbitrary input, of which the contract accepts a part. */
const typed = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom(
    'a:1\n- name: exec',
    '${KAFKA_PASSWORD}',
    "a'b",
    'a"b',
    'a#b',
    '@INCLUDE /etc/passwd',
    '*_x_*',
    'a,b',
  ),
)

test('no accepted name adds anything to the configuration', () => {
  fc.assert(
    fc.property(typed, typed, typed, typed, fc.constantFrom(...saslMechanisms), (broker, topic, user, space, sasl) => {
      const kafkaGiven = KafkaSettings.safeParse({
        ...kafka,
        brokers: [`${broker}:9092`],
        logTopic: topic,
        userName: user,
        password: user,
        sasl,
      })
      const logsGiven = LogSettings.safeParse({ ...logs, environments: [], excluded: [space] })
      const given = {
        kafka: kafkaGiven.success ? kafkaGiven.data : { ...kafka, sasl, userName: 'u', password: user },
        logs: logsGiven.success ? logsGiven.data : logs,
      }
      const text = configOf(given)
      const { pipeline } = read(text)
      expect(pipeline.inputs.map(({ name }) => name)).toEqual(['tail'])
      expect(pipeline.filters.map(({ name }) => name)).toEqual(['lua', 'kubernetes', 'grep', 'grep'])
      expect(pipeline.outputs.map(({ name }) => name)).toEqual(['kafka'])
      expect(pipeline.outputs[0]).toMatchObject({ brokers: given.kafka.brokers[0], topics: given.kafka.logTopic })
      const read2 = [...text.matchAll(/\$\{\w*\}?/g)].map(([variable]) => variable)
      expect(read2).toEqual(sasl === 'none' ? [] : ['${KAFKA_USER}', '${KAFKA_PASSWORD}'])
    }),
  )
})

test.each([
  [{ tls: false, sasl: 'none' }, 'plaintext', undefined],
  [{ tls: true, sasl: 'none' }, 'ssl', 'https'],
  [{ tls: true, sasl: 'scram-sha-256', serverName: 'kafka', ca: 'pem' }, 'sasl_ssl', 'none'],
  [{ tls: false, sasl: 'plain' }, 'sasl_plaintext', undefined],
] as const)('%j is %s', (more, protocol, identification) => {
  const [output] = read(configOf({ kafka: { ...kafka, ...more }, logs })).pipeline.outputs
  expect(output?.['rdkafka.security.protocol']).toBe(protocol)
  expect(output?.['rdkafka.ssl.endpoint.identification.algorithm']).toBe(identification)
})

test('without any team nothing is collected', () => {
  const filters = read(configOf({ kafka, logs: { ...logs, allTeams: false } })).pipeline.filters
  expect(filters.at(-1)?.['regex']).toContain('^(0)$')
})
