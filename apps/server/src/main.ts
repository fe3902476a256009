import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { type App, buildApp } from './app.ts'
import { type Config, readConfig, ownSecrets } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { openLog } from './kernel/log.ts'
import { StartError } from './kernel/fault.ts'
import { buildPorts } from './ports.ts'
import { refuseOtherStore } from './same-store.ts'

/** A supervisor waits slightly longer than this before it kills the process. */
const drainMs = 15_000

async function listen({ fastify }: App, { host, port, sharesPort }: Config): Promise<void> {
  try {
    // fastify passes on whatever its own types do not know
    const address = { host, port, ...(sharesPort && { reusePort: true }) }
    await fastify.listen(address)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(`GANTRY_PORT ${port} is in use on ${host}: end what uses it, or choose another`)
    if (code === 'EACCES')
      throw new StartError(`GANTRY_PORT ${port} needs more rights than this user has: choose one above 1023`)
    if (code === 'EADDRNOTAVAIL') throw new StartError(`GANTRY_HOST ${host} is no address of this machine`)
    throw error
  }
}

async function run(): Promise<void> {
  const config = readConfig()
  const log = openLog(config.logLevel, undefined, ownSecrets(config))

  // after these the state is unknown: log the error and let the supervisor restart the process
  const die = (error: unknown) => {
    log.fatal({ err: error, id: randomUUID() }, 'an error that nobody handled ends the process')
    process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)

  const times = { begun: Math.round(performance.now()), migrated: 0, built: 0, firstThings: 0, listening: 0 }
  const note = (part: keyof typeof times) => (times[part] = Math.round(performance.now()))
  await migrate(config.databaseUrl, log)
  note('migrated')
  const database = openDatabase(config.databaseUrl, log)
  const { ports, close: closePorts } = await buildPorts(config, log)
  await refuseOtherStore(database.db, ports.blobs, config)
  const app = await buildApp({ config, database, ports, log })
  note('built')

  let ending = false
  const end = (signal: string) => {
    if (ending) return
    ending = true
    log.info({ signal }, 'ending: nothing new is taken')
    setTimeout(() => process.exit(0), drainMs + 1_000).unref()
    app
      .close(drainMs)
      .then(closePorts)
      .then(() => database.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'ended with an error')
          process.exit(1)
        },
      )
  }
  process.on('SIGTERM', () => end('SIGTERM'))
  process.on('SIGINT', () => end('SIGINT'))

  await app.firstThings()
  note('firstThings')
  await listen(app, config)
  note('listening')
  log.debug({ ms: times }, 'the start, in milliseconds since the process began')
  await app.startJobs()
  if (config.readyFile !== undefined) writeFileSync(config.readyFile, '')
  log.info({ host: config.host, port: config.port, version: config.product.version }, 'ready')
}

try {
  await run()
} catch (error) {
  const line = error instanceof StartError ? error.message : `The server could not start: ${(error as Error).stack}`
  process.stderr.write(`${line}\n`)
  process.exit(1)
}
