import { sql } from 'kysely'
import { scheduled } from './jobs.ts'

/** How long a subscriber may be disconnected and still catch up. */
const eventHours = 1

/** Deletes expired rows, a limited number at a time so that no statement takes long. */
export const housekeeping = scheduled({
  name: 'kernel-housekeeping',
  every: 60,
  run: async ({ db }) => {
    const old = sql<string>`now() - make_interval(hours => ${eventHours}::int)`
    const oldest = db.selectFrom('outbox').select('seq').where('created_at', '<', old).orderBy('seq').limit(20_000)
    await db.deleteFrom('outbox').where('seq', 'in', oldest).execute()
    const expired = sql<string>`now()`
    await db.deleteFrom('session').where('expires_at', '<', expired).execute()
    await db.deleteFrom('ticket').where('expires_at', '<', expired).execute()
    await db.deleteFrom('rate_counter').where('expires_at', '<', expired).execute()
  },
})
