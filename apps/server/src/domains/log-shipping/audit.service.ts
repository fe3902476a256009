import { kafkaTopic } from '@gantry/contract/log-shipping/topics'
import type { KafkaSender } from '../../adapters/kafka/kafka.ts'
import type { Ctx } from '../../kernel/context.ts'
import { publish } from '../../kernel/events/events.ts'
import { Fault } from '../../kernel/fault.ts'
import { reasonOf } from '../../kernel/phrase.ts'
import { reconciler, type Round } from '../../kernel/reconcile.ts'
import { auditShipping } from './audit.rows.ts'
import { nextRecords, noteFailure, noteSent } from './audit.store.ts'
import { opened } from './kafka.service.ts'
import { clearShipments, findKafka } from './kafka.store.ts'

/** Maximum of records read and of bytes sent at once; by default a broker accepts one mebibyte at a time. */
const together = { records: 500, bytes: 700_000 }
const pause = { first: 1_000, most: 60_000 }

interface Waiting {
  id: string
  value: string | undefined
  /** The record without before and after, for a broker that refuses a larger one. */
  short: string | undefined
}

/** All records have one key, so that one partition keeps their order. */
const recordOf = (value: string) => ({ key: 'audit', value })

const textOf = (record: object | null): string | undefined => (record === null ? undefined : JSON.stringify(record))

const lengthOf = ({ value = '' }: Waiting): number => Buffer.byteLength(value)

/** The first records that fit into a batch; at least one. */
function withinBatch(all: Waiting[]): Waiting[] {
  let bytes = 0
  const end = all.findIndex((one) => (bytes += lengthOf(one)) > together.bytes)
  return end === -1 ? all : all.slice(0, Math.max(1, end))
}

const isTooLarge = (error: unknown): boolean => error instanceof Fault && error.key === 'kafka-too-large'

/** Returns how many records of the batch arrived. */
async function send(sender: KafkaSender, topic: string, batch: Waiting[]): Promise<number> {
  const values = batch.flatMap(({ value }) => value ?? [])
  const [first] = batch
  try {
    if (values.length > 0) await sender.send(topic, values.map(recordOf))
    return batch.length
  } catch (error) {
    if (!isTooLarge(error) || first === undefined) throw error
    if (batch.length > 1) return send(sender, topic, batch.slice(0, Math.ceil(batch.length / 8)))
    if (first.short === first.value) throw error
    await sender.send(topic, [recordOf(first.short ?? '')])
    return 1
  }
}

/** Sends waiting records in order, and forgets them once they arrived; a crash between the two sends them again. */
async function sendAll(ctx: Ctx, sender: KafkaSender, topic: string, round: Round): Promise<void> {
  for (;;) {
    const rows = await nextRecords(ctx.db, together.records)
    const waiting = rows.map(({ id, record, short }) => ({ id, value: textOf(record), short: textOf(short) }))
    const batch = withinBatch(waiting)
    if (batch.length === 0 || ctx.signal.aborted || !(await round.mayWrite())) return
    const arrived = await send(sender, topic, batch)
    const isLast = arrived === rows.length && rows.length < together.records
    const ids = batch.slice(0, arrived).map(({ id }) => id)
    const noted = await round.note(async (ctx) => {
      const failed = await noteSent(ctx.db, ids)
      if (isLast || failed) await publish(ctx, kafkaTopic, {})
    })
    if (!noted || isLast) return
  }
}

async function ship(ctx: Ctx, _: { id: number }, round: Round): Promise<number> {
  const stored = await findKafka(ctx.db)
  if (!stored.enabled || stored.auditTopic === '') {
    await round.note((ctx) => clearShipments(ctx.db))
    return 0
  }
  let sender: KafkaSender | undefined
  try {
    sender = await ctx.ports.kafka.open(opened(ctx, stored), ctx.signal)
    await sendAll(ctx, sender, stored.auditTopic, round)
    return 0
  } catch (error) {
    if (ctx.signal.aborted || !(error instanceof Fault)) throw error
    let failures = 1
    await round.note(async (ctx) => {
      failures = await noteFailure(ctx.db, reasonOf(error))
      await publish(ctx, kafkaTopic, {})
    })
    ctx.log.warn({ err: error, failures }, 'records of the audit log could not be sent, they wait')
    return Math.min(pause.most, pause.first * 2 ** Math.min(10, failures - 1))
  } finally {
    await sender?.close()
  }
}

export const auditShipper = reconciler(auditShipping, ship)
