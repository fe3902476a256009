import type { KafkaSettings, SavedKafkaSettings } from '@gantry/contract/log-shipping/kafka'
import { mask } from '@gantry/contract/validators'
import { note } from '../../kernel/audit.ts'
import { isCertificates } from '../../kernel/certificates.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { sayReasonTo } from '../../kernel/phrase.ts'
import { keepSecret, open, maskSealed } from '../../kernel/secrets/secrets.ts'
import { auditShipping } from './audit.rows.ts'
import { renewCollectors } from './collection.service.ts'
import {
  auditProgress,
  clearShipments,
  findKafka,
  lockKafka,
  shipNow,
  type StoredKafka,
  storeKafka,
} from './kafka.store.ts'

export async function readKafka(ctx: Ctx): Promise<SavedKafkaSettings> {
  const stored = await findKafka(ctx.db)
  const { problem, ...progress } = await auditProgress(ctx.db)
  return {
    ...stored,
    password: maskSealed(stored.password),
    audit: { ...progress, problem: sayReasonTo(ctx, problem) },
  }
}

/** With the decrypted password, only for the adapter and for clusters. */
export const opened = (ctx: Ctx, stored: StoredKafka): KafkaSettings => ({
  ...stored,
  password: stored.password === null ? '' : open(ctx, stored.password),
})

/** A stored credential is not used for another broker or user, nor over a connection without its encryption. */
const samePlace = (given: KafkaSettings, stored: StoredKafka): boolean =>
  given.userName === stored.userName &&
  given.brokers.every((broker) => stored.brokers.includes(broker)) &&
  (given.tls || !stored.tls)

function keptPassword(ctx: Ctx, given: KafkaSettings, stored: StoredKafka): string | null {
  if (given.sasl === 'none') return null
  const kept = keepSecret(ctx, given.password, stored.password, samePlace(given, stored))
  if (given.password === mask && kept === null) throw new Fault('invalid', 'kafka-password-again')
  return kept
}

const topicsOf = ({ logTopic, auditTopic }: KafkaSettings) => [logTopic, auditTopic].filter((topic) => topic !== '')

/** Tested before they are saved; settings that do not work are refused with the cause. */
export async function writeKafka(
  ctx: Ctx,
  { revision, ...given }: KafkaSettings & { revision: number },
): Promise<SavedKafkaSettings> {
  note(ctx, { object: given.enabled ? given.brokers.join(', ') : '–' })
  const before = await findKafka(ctx.db)
  if (revision !== before.revision) throw new Fault('conflict', 'kafka-settings-changed')
  if (given.ca !== '' && !isCertificates(given.ca)) throw new Fault('invalid', 'kafka-ca')
  const stored: StoredKafka = { ...given, password: keptPassword(ctx, given, before), revision: revision + 1 }
  if (given.enabled) await ctx.ports.kafka.verify(opened(ctx, stored), topicsOf(given), ctx.signal)
  await inTx(ctx, async (ctx) => {
    const { revision: known, ...was } = await lockKafka(ctx.db)
    if (revision !== known) throw new Fault('conflict', 'kafka-settings-changed')
    note(ctx, { before: { ...was, password: maskSealed(was.password) }, after: given })
    await storeKafka(ctx.db, stored)
    if (given.enabled && given.auditTopic !== '') await shipNow(ctx.db)
    else await clearShipments(ctx.db)
    await renewCollectors(ctx)
    auditShipping.wakeAfterCommit(ctx)
  })
  return readKafka(ctx)
}
