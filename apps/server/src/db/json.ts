import { type RawBuilder, sql } from 'kysely'

declare const brand: unique symbol

/**
 * What a jsonb column accepts. Only jsonb() makes one, because the driver would send a bare array as a PostgreSQL
 * array.
 */
export interface Jsonb {
  readonly [brand]: 'jsonb'
}

export const jsonb = (value: unknown): RawBuilder<Jsonb> => sql<Jsonb>`${JSON.stringify(value)}::jsonb`

declare const written: unique symbol

/** What a json column accepts. Its keys keep the order in which they were written, and queries cannot look into it. */
export interface AsWritten {
  readonly [written]: 'json'
}

export const asWritten = (value: unknown): RawBuilder<AsWritten> => sql<AsWritten>`${JSON.stringify(value)}::json`
