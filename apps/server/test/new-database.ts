import { randomBytes } from 'node:crypto'
import { createDatabase } from '@gantry/postgres/databases'
import { inject } from 'vitest'

/** The URL of a new database: migrated, or without anything in it. */
export function newDatabase(kind: 'migrated' | 'blank' = 'migrated'): Promise<string> {
  const { pattern, template } = inject('databases')
  const name = `${template}_${randomBytes(8).toString('hex')}`
  return createDatabase({ url: (name) => pattern.replace('%s', name) }, name, kind === 'blank' ? {} : { template })
}
