import { randomBytes } from 'node:crypto'
import { createDatabase, dropDatabase } from '@gantry/postgres/databases'
import { expect, inject } from 'vitest'

/** What the present file has made; they lie in memory, so that those of the files before go. */
let made: { file: string | undefined; names: string[] } = { file: undefined, names: [] }

/** The URL of a new database, which is there until its file has ended: migrated, or without anything in it. */
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
