import { createHash } from 'node:crypto'
import { Fault } from '../kernel/fault.ts'
import type { Db } from './tables.gen.ts'

/** The revision of a document without a number of its changes. Secrets are in it as they are stored: sealed. */
export const revisionOf = (document: unknown): string =>
  createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 22)

/** 409 where the edit was made on another revision than the document's. The caller holds the document. */
export function mustBeMadeOn(revision: string, given: string | undefined): void {
  if (given !== undefined && given !== revision) throw new Fault('conflict', 'edit-on-older')
}

/** Nobody else changes the row until the transaction ends. */
export const lockRow = (db: Db, table: 'account' | 'pipeline_group' | 'product' | 'registry', id: number) =>
  db.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute()
