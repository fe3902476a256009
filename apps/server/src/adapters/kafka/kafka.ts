import { isIP, connect as tcpConnect, type Socket } from 'node:net'
import { checkServerIdentity, rootCertificates, connect as tlsConnect } from 'node:tls'
import type { Admin, ISocketFactoryArgs, Kafka as Client, KafkaConfig } from 'kafkajs'
import type { KafkaSettings } from '@gantry/contract/log-shipping/kafka'
import { pinnedLookup } from '../outbound/lookup.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { isUnknownTopic, kafkaFault } from './faults.ts'

/** With the password in clear text. */
export type KafkaTarget = Pick<
  KafkaSettings,
  'brokers' | 'tls' | 'ca' | 'serverName' | 'sasl' | 'userName' | 'password'
>

export interface KafkaRecord {
  key: string
  value: string
}

export interface KafkaSender {
  /** Resolves once every in-sync replica has the records. Records with equal keys keep their order. */
  send: (topic: string, records: KafkaRecord[]) => Promise<void>
  close: () => Promise<void>
}

/** Sends records to Kafka. Faults name the cause: `kafka-…` and the `outbound-…` ones of addresses and TLS. */
export interface Kafka {
  /** Logs in and reads each topic; creates those that do not exist. At most 25 s for the login and for each topic. */
  verify: (target: KafkaTarget, topics: string[], signal?: AbortSignal) => Promise<void>
  open: (target: KafkaTarget, signal?: AbortSignal) => Promise<KafkaSender>
}

const waits = { connect: 5_000, request: 10_000, whole: 25_000 }

/** A name that always needs a lookup, so that the address of a literal is checked too. */
const checkedName = 'broker.invalid'

/**
 * Checks every connection when it is made, also to the brokers that the first one names: Kafka decides their addresses.
 */
const socketsOf =
  (outbound: Outbound, { serverName }: KafkaTarget, refused: (error: Error) => void) =>
  ({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket => {
    const bare = host.replaceAll(/[[\]]/g, '')
    const url = `http://${isIP(bare) === 6 ? `[${bare}]` : bare}:${port}`
    const at = {
      host: checkedName,
      port,
      lookup: ((name, options, done) => {
        outbound.admit(url).then(
          (pinned) => pinnedLookup(pinned)(name, options, done),
          (error: Error) => {
            refused(error)
            done(error, '', 0)
          },
        )
      }) satisfies Outbound['lookup'],
    }
    // the library's types do not say that it may be missing
    if (!(ssl as unknown)) return tcpConnect(at, onConnect).setKeepAlive(true, 60_000)
    const expected = serverName === '' ? bare : serverName
    return tlsConnect(
      {
        ...ssl,
        ...at,
        servername: isIP(expected) === 0 ? expected : '',
        checkServerIdentity: (_, certificate) => checkServerIdentity(expected, certificate),
      },
      onConnect,
    ).setKeepAlive(true, 60_000)
  }

const saslOf = ({ sasl, userName: username, password }: KafkaTarget): Pick<KafkaConfig, 'sasl'> =>
  sasl === 'none' ? {} : { sasl: { mechanism: sasl, username, password } as NonNullable<KafkaConfig['sasl']> }

export function createKafka(outbound: Outbound): Kafka {
  /** `faults`: the fault that kept a connection from being tried; the library passes on only its message. */
  const clientOf = async (target: KafkaTarget): Promise<{ client: Client; faults: { refusal?: Error } }> => {
    // not read by a server that sends nothing to Kafka
    const { default: kafkajs } = await import('kafkajs')
    const faults: { refusal?: Error } = {}
    const extra = [target.ca, outbound.ca ?? ''].filter((pem) => pem !== '')
    const ca = target.ca === '' ? [...rootCertificates, ...extra] : extra
    const client = new kafkajs.Kafka({
      clientId: 'gantry',
      brokers: target.brokers,
      ...(target.tls && { ssl: { ca, minVersion: 'TLSv1.2' } }),
      ...saslOf(target),
      socketFactory: socketsOf(outbound, target, (error) => (faults.refusal = error)),
      connectionTimeout: waits.connect,
      authenticationTimeout: waits.connect,
      requestTimeout: waits.request,
      // the caller decides whether and when to try again
      retry: { retries: 0 },
      logLevel: kafkajs.logLevel.NOTHING,
    })
    return { client, faults }
  }

  const attemptOf =
    (target: KafkaTarget, faults: { refusal?: Error }, signal?: AbortSignal) =>
    async <T>(topic: string, work: Promise<T>): Promise<T> => {
      const deadline = AbortSignal.any([AbortSignal.timeout(waits.whole), ...(signal ? [signal] : [])])
      try {
        return await until(work, deadline)
      } catch (error) {
        throw kafkaFault(faults.refusal ?? error, { brokers: target.brokers, topic, password: target.password })
      }
    }

  async function ensure(admin: Admin, topic: string): Promise<void> {
    try {
      await admin.fetchTopicMetadata({ topics: [topic] })
    } catch (error) {
      if (!isUnknownTopic(error)) throw error
      // its leaders are elected shortly after, and senders try again
      await admin.createTopics({ topics: [{ topic }], waitForLeaders: false, timeout: waits.request })
    }
  }

  return {
    async verify(target, topics, signal) {
      const { client, faults } = await clientOf(target)
      const attempt = attemptOf(target, faults, signal)
      const admin = client.admin()
      try {
        await attempt('', admin.connect())
        for (const topic of topics) await attempt(topic, ensure(admin, topic))
      } finally {
        await admin.disconnect().catch(() => undefined)
      }
    },

    async open(target, signal) {
      const { client, faults } = await clientOf(target)
      const attempt = attemptOf(target, faults, signal)
      const producer = client.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 })
      const close = () => producer.disconnect().catch(() => undefined)
      await attempt('', producer.connect()).catch(async (error: unknown) => {
        await close()
        throw error
      })
      return {
        close,
        send: async (topic, messages) => {
          await attempt(topic, producer.send({ topic, messages, acks: -1, timeout: waits.request }))
        },
      }
    },
  }
}

function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(Object.assign(new Error('too late'), { code: 'ETIMEDOUT' }))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
