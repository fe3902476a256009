import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import kafkajs from 'kafkajs'
import { kafka } from '@gantry/contract/log-shipping/kafka'
import { host } from '@gantry/contract/settings/host'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, describe, expect, test } from 'vitest'
import { labService } from '../../../test/lab.ts'
import { testApp } from '../../../test/test-app.ts'
import { createKafka, type KafkaTarget } from '../../adapters/kafka/kafka.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'

const lab = labService('kafka')
const brokers = (lab?.['KAFKA_BROKERS'] ?? '127.0.0.1:1').split(',')
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const closed = createOutbound()
const real = createKafka(outbound)
const servers: Server[] = []
const client = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING })
const admin = client.admin()
const topic = (what: string) => `gantry-${what}-${process.pid}-${Date.now()}`

const plain: KafkaTarget = { brokers, tls: false, ca: '', serverName: '', sasl: 'none', userName: '', password: '' }

afterAll(async () => {
  await admin.disconnect()
  for (const server of servers) server.close()
  await Promise.all([outbound.close(), closed.close()])
})

/** All records that a topic has at the time of the call. */
async function readAll(name: string): Promise<string[]> {
  const ends = await admin.fetchTopicOffsets(name)
  const wanted = ends.reduce((sum, { high }) => sum + Number(high), 0)
  const read: string[] = []
  if (wanted === 0) return read
  const consumer = client.consumer({ groupId: topic('reader') })
  await consumer.connect()
  await consumer.subscribe({ topic: name, fromBeginning: true })
  await new Promise<void>((done, failed) => {
    consumer
      .run({
        eachMessage: async ({ message }) => {
          read.push(message.value?.toString() ?? '')
          if (read.length >= wanted) done()
        },
      })
      .catch(failed)
  })
  await consumer.disconnect()
  return read
}

async function listening(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.skipIf(lab === undefined)('against a real Kafka (needs the lab: GANTRY_LAB)', () => {
  test('settings are tested, and missing topics are created', { timeout: 60_000 }, async () => {
    await admin.connect()
    const names = [topic('logs'), topic('audit')]
    await real.verify(plain, names)
    // a broker lists a topic a moment after it was created
    await eventually(async () => expect(await admin.listTopics()).toEqual(expect.arrayContaining(names)))
    await real.verify(plain, names)
  })

  test.for([
    ['a broker that is down', { brokers: ['127.0.0.1:1'] }, 'outbound-unreachable'],
    ['an unknown host', { brokers: ['no-such-host.invalid:9092'] }, 'outbound-unknown-host'],
    ['TLS with a broker without TLS', { tls: true }, 'kafka-no-tls|kafka-broken|outbound-timeout'],
    [
      'a login at a broker without',
      { sasl: 'plain', userName: 'u', password: 'secret-word' },
      'kafka-sasl|kafka-broken',
    ],
    ['a topic that Kafka does not allow', {}, 'kafka-topic-refused|kafka-broken'],
  ] as const)('%s is refused by its cause', { timeout: 60_000 }, async ([what, more, key]) => {
    const names = what.startsWith('a topic') ? ['no/topic'] : [topic('never')]
    const refused = real.verify({ ...plain, ...more } as KafkaTarget, names)
    await expect(refused).rejects.toMatchObject({ key: expect.stringMatching(`^(${key})$`) })
    await expect(refused).rejects.not.toMatchObject({ vars: { reason: expect.stringContaining('secret-word') } })
  })

  test('a forbidden address is not connected to', async () => {
    const guarded = createKafka(closed)
    await expect(guarded.verify(plain, [])).rejects.toMatchObject({ key: 'kafka-address-refused' })
  })

  test(
    'records arrive once and in order, even if the sender is killed and restarted',
    { timeout: 120_000 },
    async () => {
      const cuts = { left: 0 }
      const kafkaPort = {
        ...real,
        open: async (target: KafkaTarget) => {
          const sender = await real.open(target)
          return {
            ...sender,
            send: async (name: string, records: { key: string; value: string }[]) => {
              if (cuts.left-- > 0) throw new Error('killed before it was sent')
              await sender.send(name, records)
            },
          }
        },
      }
      const app = await testApp({ ports: { kafka: kafkaPort } })
      const auditTopic = topic('audit')
      const { audit: _, ...unset } = await app.admin.call(kafka.get)
      await app.admin.call(kafka.set, { body: { ...unset, enabled: true, brokers, auditTopic } })
      const { effectiveUrl: __, ...body } = await app.admin.call(host.get)
      const act = () => app.admin.call(host.set, { body })
      const again = () => app.db.updateTable('audit_shipper').set({ settle_until: null }).execute()
      for (let at = 0; at < 20; at++) await act()
      cuts.left = 1
      await app.reconcile()
      await again()
      await Promise.all([app.reconcile(), app.reconcile()])
      for (let at = 0; at < 20; at++) await act()
      await again()
      await app.reconcile()
      await again()
      await app.reconcile()
      const ids = (await readAll(auditTopic)).map((value) => Number((JSON.parse(value) as { id: string }).id))
      const rows = await app.db.selectFrom('audit_log').select('id').where('action', '=', 'host.update').execute()
      expect(ids).toHaveLength(41)
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      expect(ids).toEqual(expect.arrayContaining(rows.map(({ id }) => Number(id))))
      expect((await app.admin.call(kafka.get)).audit).toMatchObject({ waiting: 0, problem: '' })
    },
  )
})

test(
  'a certificate of an unknown CA and one for another name are refused with the cause',
  { timeout: 60_000 },
  async () => {
    const pem = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/certificates', name), 'utf8')
    const tls = (name: string) =>
      createTlsServer({ key: pem(`${name}-key.pem`), cert: pem(`${name}.pem`) }, (socket) =>
        socket.on('error', () => {}),
      )
    const [right, other] = [await listening(tls('server')), await listening(tls('other'))]
    const at = (broker: string, ca = '') => real.verify({ ...plain, brokers: [broker], tls: true, ca }, [])
    await expect(at(right)).rejects.toMatchObject({ key: 'outbound-tls-untrusted' })
    await expect(at(other, pem('ca.pem'))).rejects.toMatchObject({ key: 'outbound-tls-name' })
  },
)

test('a broker that closes the connection at once is reported as such', { timeout: 60_000 }, async () => {
  const broker = await listening(createTcpServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400\r\n\r\n')))
  await expect(real.verify({ ...plain, brokers: [broker] }, [])).rejects.toMatchObject({ key: 'kafka-broken' })
})
