import { randomBytes } from 'node:crypto'
import { createDatabase, dropDatabase } from '@gantry/postgres/databases'
import { expect, inject } from 'vitest'

/** Databases of the current file. They are in memory, so those of previous files are dropped. */
let made: { file: string | undefined; names: string[] } = { file: undefined, names: [] }

/** URL of a new database, migrated or blank, which is dropped after its file has ended. */
export async function newDatabase(kind: 'migrated' | 'blank' = 'migrated'): Promise<string> {
  const { pattern, template } = inject('databases')
  const postgres = { url: (name: string) => pattern.replace('%s', name) }
  const file = expect.getState().testPath
  if (made.file !== file) {
    const { names } = made
    made = { file, names: [] }
    for (const name of names) await dropDatabase(postgres, name)
  }
  const name = `${template}_${randomBytes(8).toString('hex')}`
  made.names.push(name)
  return createDatabase(postgres, name, kind === 'blank' ? {} : { template })
}
