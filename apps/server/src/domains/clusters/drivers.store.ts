import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.gen.ts'

/** Until this transaction ends nobody else says which storage driver of the cluster is the default one. */
export const serialiseDefault = (db: Kysely<Tables>, environment: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`default driver ${environment}`}, 0))`.execute(db)
