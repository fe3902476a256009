import { Client } from 'pg'

const asIdentifier = (name: string): string => {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new Error(`${name} is no name for a database`)
  return `"${name}"`
}

const inMaintenance = async (url: (database: string) => string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url('gantry') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Copies `template`, to which nothing may be connected, file by file: half the time of a copy through the log (a
 * quarter if the files are in memory). Answers the new database's URL.
 */
export const createDatabase = async (
  { url }: { url: (database: string) => string },
  name: string,
  options: { template?: string } = {},
): Promise<string> => {
  const template =
    options.template === undefined ? '' : ` template ${asIdentifier(options.template)} strategy file_copy`
  await inMaintenance(url, `create database ${asIdentifier(name)}${template}`)
  return url(name)
}

/** Drops the database and ends its connections. */
export const dropDatabase = async ({ url }: { url: (database: string) => string }, name: string): Promise<void> =>
  await inMaintenance(url, `drop database if exists ${asIdentifier(name)} with (force)`)
