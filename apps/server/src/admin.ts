import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Ports } from './adapters/ports.ts'
import { buildApp } from './app.ts'
import { ownSecrets, readConfig } from './config.ts'
import { openDatabase } from './db/open.ts'
import { restoreDump } from './db/restore.ts'
import { makeAdmin, resetPassword, unbanUser } from './domains/auth/public.ts'
import { licenseCommand } from './domains/settings/public.ts'
import type { Ctx } from './kernel/context.ts'
import { Fault, StartError } from './kernel/fault.ts'
import { openLog } from './kernel/log.ts'
import { say } from './kernel/phrase.ts'
import { resealAll } from './kernel/secrets/rotation.ts'
import { keysOf } from './kernel/secrets/secrets.ts'

/** `npm run admin -- <command> <user>`: recovery for anyone with a shell on the server. Returns the text to print. */
const commands: Record<string, (ctx: Ctx, name: string) => Promise<string>> = {
  unban: async (ctx, name) => {
    await unbanUser(ctx, name)
    return say('en', 'rescue-unbanned', { name })
  },
  'reset-password': async (ctx, name) =>
    say('en', 'rescue-password', { name, password: await resetPassword(ctx, name) }),
  'make-admin': async (ctx, name) => {
    await makeAdmin(ctx, name)
    return say('en', 'rescue-admin', { name })
  },
}

/** Commands that act on the whole installation and take no user. */
const ownCommands: Record<string, (ctx: Ctx) => Promise<string>> = {
  'rotate-key': async (ctx) => say('en', 'keys-rotated', { count: await resealAll(ctx) }),
}

/** Restores a downloaded backup file into a database that contains no installation yet. */
async function restore(file: string): Promise<string> {
  const config = readConfig()
  const log = openLog('warn', undefined, ownSecrets(config))
  const { byId } = keysOf(config.secretKeys)
  try {
    const { createdAt } = await pipeline(createReadStream(file), createGunzip(), (text) =>
      restoreDump(config.databaseUrl, text, byId, log),
    )
    return say('en', 'backups-restored', { time: createdAt })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // errors of the file or its compression; the database's errors have other codes
    if (code !== undefined && /^(E[A-Z]+|Z_.*)$/.test(code))
      throw new StartError(say('en', 'backups-file-unreadable', { file, reason: message }))
    throw error
  }
}

async function run([command = '', name = '', ...rest]: string[]): Promise<string> {
  if (command === 'license') return licenseCommand([...(name === '' ? [] : [name]), ...rest])
  if (command === 'restore' && name !== '' && rest.length === 0) return restore(name)
  const work = name === '' ? ownCommands[command] : commands[command]
  if (!work || rest.length > 0)
    throw new StartError(
      say('en', 'rescue-usage', { commands: Object.keys(commands).join('|'), own: Object.keys(ownCommands).join('|') }),
    )
  const config = readConfig()
  const log = openLog('warn', undefined, ownSecrets(config))
  const database = openDatabase(config.databaseUrl, log, { max: 2 })
  // no command may use an outside system: recovery must not depend on one
  const ports = {} as Ports
  try {
    const app = await buildApp({ config, database, ports, log, onlyDomains: ['auth'] })
    try {
      return await work(app.ctx(), name)
    } finally {
      await app.close()
    }
  } finally {
    await database.close()
  }
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`)
} catch (error) {
  const line =
    error instanceof Fault
      ? say('en', error.key, error.vars)
      : error instanceof StartError
        ? error.message
        : String((error as Error).stack)
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}
