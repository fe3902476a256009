import { kafka } from '@gantry/contract/log-shipping/kafka'
import { host } from '@gantry/contract/settings/host'
import { mask } from '@gantry/contract/validators'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/test-app.ts'
import type { Kafka, KafkaTarget } from '../../adapters/kafka/kafka.ts'
import { Fault } from '../../kernel/fault.ts'

/** What arrived, and how the fake Kafka answers next. */
const arrived: { topic: string; value: string }[] = []
const tried: { target: KafkaTarget; topics: string[] }[] = []
let failing: Fault | undefined
let maxBytes = Infinity
let afterSend = () => {}

const fake: Kafka = {
  verify: async (target, topics) => {
    tried.push({ target, topics })
    if (failing) throw failing
  },
  open: async () => ({
    close: async () => {},
    send: async (topic, records) => {
      if (failing) throw failing
      if (records.reduce((sum, { value }) => sum + value.length, 0) > maxBytes)
        throw new Fault('badGateway', 'kafka-too-large', { host: 'kafka.test', topic })
      arrived.push(...records.map(({ value }) => ({ topic, value })))
      afterSend()
    },
  }),
}
const app = await testApp({ ports: { kafka: fake } })

const settings = {
  enabled: true,
  brokers: ['kafka.test:9093'],
  tls: true,
  ca: '',
  serverName: '',
  sasl: 'scram-sha-512' as const,
  userName: 'gantry',
  password: 'hunter2hunter2',
  logTopic: 'logs',
  auditTopic: 'audit',
}
const save = (more: object = {}, revision = 0) =>
  app.admin.call(kafka.set, { body: { ...settings, ...more, revision } as never })

beforeEach(async () => {
  arrived.length = tried.length = 0
  failing = undefined
  maxBytes = Infinity
  afterSend = () => {}
  await app.db.deleteFrom('setting').where('name', '=', 'kafka').execute()
  await app.db.deleteFrom('audit_shipment').execute()
  await app.db
    .updateTable('audit_shipper')
    .set({ problem: null, failures: 0, sent_at: null, settle_until: null })
    .execute()
})

const refused = new Fault('badGateway', 'kafka-credentials', { host: 'kafka.test:9093' })

describe('settings of Kafka', () => {
  test('are tested with the password and both topics, and shown without the password', async () => {
    const saved = await save()
    expect(saved).toMatchObject({ enabled: true, password: mask, revision: 1 })
    expect(tried).toMatchObject([{ target: { password: 'hunter2hunter2' }, topics: ['logs', 'audit'] }])
    const { value } = await app.db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'kafka')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(value)).not.toContain('hunter2')
  })

  test('that do not work are refused with the cause, and nothing is saved', async () => {
    failing = refused
    await expect(save()).rejects.toMatchObject({ status: 502, key: 'kafka-credentials' })
    expect(await app.admin.call(kafka.get)).toMatchObject({ enabled: false, brokers: [], revision: 0 })
  })

  test('that are disabled are not tested', async () => {
    await save({ enabled: false })
    expect(tried).toEqual([])
  })

  test.each([
    ['another broker', { brokers: ['evil.test:9093'] }],
    ['one broker more', { brokers: ['kafka.test:9093', 'evil.test:9093'] }],
    ['another port', { brokers: ['kafka.test:9094'] }],
    ['another user', { userName: 'other' }],
    ['no encryption', { tls: false }],
  ])('with %s never use the stored password', async (_, change) => {
    await save()
    tried.length = 0
    await expect(save({ password: mask, ...change }, 1)).rejects.toMatchObject({
      status: 400,
      key: 'kafka-password-again',
    })
    expect(tried).toEqual([])
    await save({ password: mask, logTopic: 'other' }, 1)
    expect(tried).toMatchObject([{ target: { password: 'hunter2hunter2' } }])
  })

  test.each([
    [{ brokers: [] }, 'brokers'],
    [{ brokers: Array.from({ length: 21 }, (_, at) => `b${at}:9092`) }, 'brokers'],
    [{ brokers: ['kafka.test'] }, 'brokers.0'],
    [{ brokers: ['kafka.test:0'] }, 'brokers.0'],
    [{ brokers: ['kafka.test:70000'] }, 'brokers.0'],
    [{ brokers: ['user@kafka.test:9092'] }, 'brokers.0'],
    [{ brokers: ['a:1', 'a:1'] }, 'brokers'],
    [{ logTopic: '..' }, 'logTopic'],
    [{ logTopic: 'a b' }, 'logTopic'],
    [{ auditTopic: 'logs' }, 'auditTopic'],
    [{ sasl: 'kerberos' }, 'sasl'],
    [{ password: '' }, 'password'],
    [{ serverName: 'kafka' }, 'ca'],
  ])('refuse %j', async (wrong, path) => {
    await expect(save(wrong)).rejects.toMatchObject({ status: 400, problems: [{ path }] })
  })

  test('with an invalid CA, or based on an outdated revision, are refused', async () => {
    await expect(save({ ca: 'no certificate' })).rejects.toMatchObject({ status: 400, key: 'kafka-ca' })
    await save()
    await expect(save()).rejects.toMatchObject({ status: 409, key: 'kafka-settings-changed' })
  })
})

interface Sent {
  id: string
  action: string
  after: unknown
}
const sent = (): Sent[] => arrived.map(({ value }) => JSON.parse(value) as Sent)
/** Changes the host settings `count` times: each adds a row to the audit log. */
async function act(count: number): Promise<void> {
  const { effectiveUrl: _, ...body } = await app.admin.call(host.get)
  for (let at = 0; at < count; at++) await app.admin.call(host.set, { body })
}
const due = () => app.db.updateTable('audit_shipper').set({ settle_until: null }).execute()
const ordered = (ids: string[]) => ids.toSorted((a, b) => Number(a) - Number(b))

describe('records of the audit log', () => {
  test('are sent once and in order, from the moment that a topic is set', async () => {
    await act(2)
    await save()
    await act(3)
    await app.reconcile()
    await app.reconcile()
    expect(sent().map(({ action }) => action)).toEqual(['kafka.update', 'host.update', 'host.update', 'host.update'])
    expect(new Set(arrived.map(({ topic }) => topic))).toEqual(new Set(['audit']))
    const ids = sent().map(({ id }) => id)
    expect(ids).toEqual(ordered(ids))
    const { audit } = await app.admin.call(kafka.get)
    expect(audit).toMatchObject({ waiting: 0, since: null, problem: '' })
    expect(audit.sentAt).not.toBeNull()
  })

  test('contain no secret', async () => {
    await save()
    await app.reconcile()
    expect(arrived).toHaveLength(1)
    expect(JSON.stringify(arrived)).not.toContain('hunter2')
    expect(sent()[0]?.after).toMatchObject({ userName: 'gantry', brokers: ['kafka.test:9093'] })
  })

  test('wait while Kafka is down, which is shown, and are sent once it is back', async () => {
    await save()
    await app.reconcile()
    failing = new Fault('unavailable', 'outbound-unreachable', { host: 'kafka.test:9093' })
    await act(2)
    await app.reconcile()
    const { audit } = await app.admin.call(kafka.get)
    expect(audit).toMatchObject({ waiting: 2, problem: expect.stringContaining('kafka.test:9093') })
    expect(audit.since).not.toBeNull()
    failing = undefined
    await due()
    await app.reconcile()
    expect(sent()).toHaveLength(3)
    expect((await app.admin.call(kafka.get)).audit).toMatchObject({ waiting: 0, problem: '' })
  })

  test('are sent again and not lost if a server ends between sending and forgetting them', async () => {
    await save()
    await act(2)
    afterSend = () => {
      throw new Error('killed')
    }
    await app.reconcile()
    expect(sent()).toHaveLength(3)
    afterSend = () => {}
    await act(1)
    await due()
    await app.reconcile()
    const ids = sent().map(({ id }) => id)
    expect(ids).toHaveLength(7)
    expect(ids.slice(0, 3)).toEqual(ids.slice(3, 6))
    expect(ids.slice(3)).toEqual(ordered(ids.slice(3)))
  })

  test('are sent by one server at a time', async () => {
    await save()
    await act(3)
    await Promise.all([app.reconcile(), app.reconcile()])
    const ids = sent().map(({ id }) => id)
    expect(ids).toHaveLength(4)
    expect(ids).toEqual(ordered(ids))
  })

  test('are sent in smaller batches, or without details, if the broker refuses larger ones', async () => {
    await save()
    await act(4)
    maxBytes = 600
    await app.reconcile()
    const ids = sent().map(({ id }) => id)
    expect(ids).toHaveLength(5)
    expect(ids).toEqual(ordered(ids))
  })

  test('are neither sent nor kept once Kafka is disabled', async () => {
    await save()
    await act(2)
    await save({ password: mask, enabled: false }, 1)
    await app.reconcile()
    expect(arrived).toEqual([])
    expect((await app.admin.call(kafka.get)).audit.waiting).toBe(0)
  })
})
