import { expressionBuilder } from 'kysely'
import type { Tables } from './tables.gen.ts'

/**
 * The start of a subquery in a public.read.ts, which other domains may join: `selectFrom(table).select(columns)`.
 * PostgreSQL joins it like the table itself.
 */
export const rows = expressionBuilder<Tables>()
