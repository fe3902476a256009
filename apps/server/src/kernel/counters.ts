import { sql } from 'kysely'
import ipaddr from 'ipaddr.js'
import type { Db } from '../db/tables.gen.ts'

/** Counts a hit under `key` in a window that begins with its first hit; shared by all replicas. Returns the count. */
export async function hit(db: Db, key: string, windowSeconds: number): Promise<number> {
  const until = sql<string>`now() + make_interval(secs => ${windowSeconds}::int)`
  const { hits } = await db
    .insertInto('rate_counter')
    .values({ key, hits: 1, expires_at: until })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        hits: sql<number>`case when rate_counter.expires_at > now() then rate_counter.hits + 1 else 1 end`,
        expires_at: sql<Date>`case when rate_counter.expires_at > now() then rate_counter.expires_at else excluded.expires_at end`,
      }),
    )
    .returning('hits')
    .executeTakeFirstOrThrow()
  return hits
}

/** The hits of the current window, and the seconds until it ends. */
export async function hitsOf(db: Db, key: string): Promise<{ hits: number; seconds: number }> {
  const row = await db
    .selectFrom('rate_counter')
    .select(['hits', sql<number>`ceil(extract(epoch from expires_at - now()))::int`.as('seconds')])
    .where('key', '=', key)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return row ?? { hits: 0, seconds: 0 }
}

export const clearHits = async (db: Db, key: string): Promise<void> => {
  await db.deleteFrom('rate_counter').where('key', '=', key).execute()
}

/** Groups addresses that belong to one caller: an IPv6 caller usually has a whole /64 network. */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
