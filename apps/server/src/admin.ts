import type { Ports } from './adapters/ports.ts'
import { buildApp } from './app.ts'
import { ownSecrets, readConfig } from './config.ts'
import { openDatabase } from './db/open.ts'
import { makeAdmin, resetPassword, unbanUser } from './domains/auth/public.ts'
import type { Ctx } from './kernel/context.ts'
import { Fault, StartError } from './kernel/fault.ts'
import { openLog } from './kernel/log.ts'
import { say } from './kernel/phrase.ts'
import { resealAll } from './kernel/secrets/rotation.ts'

/** `npm run admin -- <command> <user>`: recovery for whoever has a shell on the server. Returns the text to print. */
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

async function run([command = '', name = '', ...rest]: string[]): Promise<string> {
  const work = name === '' ? ownCommands[command] : commands[command]
  if (!work || rest.length > 0)
    throw new StartError(
      say('en', 'rescue-usage', { commands: Object.keys(commands).join('|'), own: Object.keys(ownCommands).join('|') }),
    )
  const config = readConfig()
  const log = openLog('warn', undefined, ownSecrets(config))
  const database = openDatabase(config.databaseUrl, log, { max: 2 })
  // No command calls an outside system: recovery must not depend on one.
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
