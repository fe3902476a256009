import { KafkaSettings } from '@gantry/contract/log-shipping/kafka'
import { sql } from 'kysely'
import { z } from 'zod'
import { findSetting, lockSetting, writeSetting } from '../../db/setting.ts'
import type { Db } from '../../db/tables.gen.ts'

const name = 'kafka'

/** `password` is encrypted; null if there is none. A trigger of the audit log reads `enabled` and `auditTopic`. */
const Stored = KafkaSettings.extend({ password: z.string().nullable(), revision: z.number().int() })
export type StoredKafka = z.infer<typeof Stored>

const unset: StoredKafka = {
  enabled: false,
  brokers: [],
  tls: false,
  ca: '',
  serverName: '',
  sasl: 'none',
  userName: '',
  password: null,
  logTopic: 'gantry-logs',
  auditTopic: '',
  revision: 0,
}

export const findKafka = async (db: Db): Promise<StoredKafka> => (await findSetting(db, name, Stored)) ?? unset

/** Reads and locks them until the transaction ends. */
export const lockKafka = async (db: Db): Promise<StoredKafka> => (await lockSetting(db, name, Stored)) ?? unset

export const storeKafka = (db: Db, settings: StoredKafka): Promise<void> => writeSetting(db, name, settings)

/** Maximum to which waiting records are counted. */
const maxCounted = 100_000

export async function auditProgress(db: Db) {
  const { rows } = await sql<{ waiting: number; since: string | null; sentAt: string | null; problem: unknown }>`
    select (select count(*)::int from (select from audit_shipment limit ${maxCounted}) as first_ones) as waiting,
      (select started_at from audit_log where id = (select min(audit_id) from audit_shipment)) as since,
      sent_at as "sentAt", problem
    from audit_shipper`.execute(db)
  return rows[0] ?? { waiting: 0, since: null, sentAt: null, problem: null }
}

/** Forgets all waiting records, because nothing is sent any more. */
export async function clearShipments(db: Db): Promise<void> {
  await db.deleteFrom('audit_shipment').execute()
  await db.updateTable('audit_shipper').set({ problem: null, failures: 0, settle_until: null }).execute()
}

/** Retries at once with the new settings. */
export const shipNow = (db: Db) => db.updateTable('audit_shipper').set({ failures: 0, settle_until: null }).execute()
