import { expressionBuilder } from 'kysely'
import type { Tables } from './tables.gen.ts'

/**
 * Begins what a domain gives others to join, in its public.read.ts: `selectFrom(table).select(columns)`. PostgreSQL joins
 * such a subquery as it would the table.
 */
export const rows = expressionBuilder<Tables>()
