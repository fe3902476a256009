import { setTimeout as sleep } from 'node:timers/promises'
import { leaseSeconds } from '@gantry/agent-protocol/protocol'
import { startAgent } from './agent.ts'
import { client as openClient } from './client.ts'
import { ConfigError, readConfig, readToken, type Config } from './config.ts'
import { bestExecutor } from './executors/process.ts'
import { transport } from './http.ts'
import { startWatchdog } from './executors/watchdog.ts'
import { log, said } from './log.ts'
import { steps } from './steps/all.ts'
import { openSlots } from './slots.ts'
import { leftRooms, removeRoom } from './workspace.ts'

async function main(): Promise<void> {
  const config = readConfig(process.env)
  readToken(config.tokenFile)
  const { rooms, rests } = leftRooms(config.dir)
  const slots = await openSlots(
    config.capacity,
    process.getuid?.() === 0 ? config.firstUid : undefined,
    rooms.map(({ room }) => room.slot),
  )
  const slot = slots.take() ?? { index: 0 }
  const { executor, why } = await bestExecutor(config, { slot, held: rooms.map(({ room }) => room.slot) }, log)
  slots.free(slot)
  const isolated = executor.mode !== 'none'
  if (!isolated) log('warn', 'steps run without isolation: only builds of administrators are taken', { why })
  if (isolated && executor.network.way === 'host')
    log('warn', 'steps have the network of this machine: they reach whatever listens on it, and others reach them')
  log('info', 'what a build may have of this machine', { ...config.limits, kept: executor.limitedBy })
  const unwatch =
    process.platform === 'linux' ? startWatchdog(config.dir, { gone: leaseSeconds - 10, look: 5 }) : () => {}
  for (const dir of rests)
    removeRoom(dir, (cause) => log('warn', 'a rest was not removed', { dir, error: said(cause) }))

  const { trouble, fine } = troubles()
  const http = transport({ ca: config.ca })
  const client = openClient({
    serverUrl: config.serverUrl,
    token: () => readToken(config.tokenFile),
    transport: http,
    onTrouble: trouble,
    onSuccess: fine,
  })
  const agent = startAgent({
    bench: {
      client,
      executor,
      log,
      ca: config.ca,
      outside: outsideOf(config),
      steps,
      beatMs: 10_000,
      leaseMs: (leaseSeconds - 2) * 1000,
      compressed: !isLoopback(config.serverUrl),
    },
    client,
    slots,
    isolated,
    log,
    left: rooms,
  })
  log('info', 'the agent is ready', {
    server: config.serverUrl,
    capacity: config.capacity,
    mode: executor.mode,
    network: executor.network.way,
  })

  const end = (): void => {
    agent.stop()
    // Steps go on; the next life of the agent adopts them, and their network with them.
    const nothingGoesOn = agent.running() === 0
    if (nothingGoesOn) unwatch()
    const closed = nothingGoesOn ? executor.close().catch(() => {}) : undefined
    // What is under way to the server may still arrive.
    void Promise.all([sleep(100), closed]).then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Logs the first failure of a series and its end, not every attempt. */
function troubles(): { trouble: (name: string, cause: unknown) => void; fine: () => void } {
  let since: number | undefined
  return {
    trouble(name, cause) {
      if (since === undefined) log('warn', 'the server does not answer', { call: name, error: said(cause) })
      since ??= Date.now()
    },
    fine() {
      if (since !== undefined)
        log('info', 'the server answers again', { seconds: Math.round((Date.now() - since) / 1000) })
      since = undefined
    },
  }
}

const isLoopback = (url: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)

function outsideOf(config: Config): (insecure: boolean) => ReturnType<typeof transport> {
  const kept = new Map<boolean, ReturnType<typeof transport>>()
  return (insecure) => {
    const known = kept.get(insecure) ?? transport({ ca: config.ca, insecure })
    kept.set(insecure, known)
    return known
  }
}

main().catch((cause: unknown) => {
  process.stderr.write(`gantry agent: ${said(cause)}\n`)
  if (!(cause instanceof ConfigError) && cause instanceof Error) process.stderr.write(`${cause.stack ?? ''}\n`)
  process.exit(1)
})
