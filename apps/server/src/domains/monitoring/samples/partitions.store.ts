import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { isOver, partitioned, partitionsNeeded } from './partitions.ts'

/** Replicas create the same partitions at the same time: the lock lets one do so, and the others find them. */
const alone = (tx: Db) => sql`select pg_advisory_xact_lock(hashtext('monitoring partitions'))`.execute(tx)

async function partitionsOf(db: Db, table: string): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits
    join pg_class child on child.oid = inhrelid
    join pg_class parent on parent.oid = inhparent
    where parent.relname = ${table} and parent.relnamespace = 'public'::regnamespace`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Creates the partitions that are needed and drops expired ones. Returns how many it dropped. */
export const keepPartitions = (db: Db, now: number): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '3s'`.execute(tx)
    await alone(tx)
    let dropped = 0
    for (const kind of partitioned) {
      const present = await partitionsOf(tx, kind.table)
      for (const { name, from, to } of partitionsNeeded(kind, now)) {
        if (present.has(name)) continue
        const [begins, ends] = [new Date(from).toISOString(), new Date(to).toISOString()]
        await sql`create table ${sql.table(name)} partition of ${sql.table(kind.table)}
          for values from (${sql.lit(begins)}) to (${sql.lit(ends)})`.execute(tx)
      }
      for (const name of present)
        if (isOver(kind, name, now)) {
          await sql`drop table ${sql.table(name)}`.execute(tx)
          dropped++
        }
    }
    return dropped
  })
