import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { leaseSeconds } from '@gantry/agent-protocol/protocol'
import { startAgent } from './agent.ts'
import { type Client, client as openClient } from './client.ts'
import { ConfigError, readConfig, readJobConfig, readToken, type Config, type KubernetesConfig } from './config.ts'
import { openEngine } from './containers/engine.ts'
import { bestExecutor } from './executors/best.ts'
import { transport, trusting } from './http.ts'
import { startWatchdog } from './executors/watchdog.ts'
import { keptWorkspaces } from './workspace/kept.ts'
import { takeWorkspace } from './workspace/resume.ts'
import { log, messageOf } from './log.ts'
import { machineOf } from './registration/machine.ts'
import { register } from './registration/register.ts'
import { steps } from './steps/all.ts'
import type { StepContext } from './steps/step.ts'
import { openSlots } from './slots.ts'
import { shellsOfMachine } from './terminals/machine.ts'
import { terminals } from './terminals/terminals.ts'
import { type RunnerContext, startBuild } from './runner.ts'
import type { Work } from './protocol.ts'
import { emptyRooms, leftRooms, removeRoom, type Workspace, type Slot, writeContinued } from './workspace/workspace.ts'

/** How often kept workspaces that are too old are removed. */
const sweepMs = 600_000

/** Slots for terminals in kept workspaces, besides those of jobs. */
const shellSlots = 4

async function main(): Promise<void> {
  const job = readJobConfig(process.env)
  if (job) return (await import('./kubernetes/worker.ts')).runJob(job)
  const config = readConfig(process.env)
  const http = transport({ ca: config.ca })
  await register(config, http, log)
  readToken(config.tokenFile)
  const { trouble, fine } = troubles()
  const client = openClient({
    serverUrl: config.serverUrl,
    token: () => readToken(config.tokenFile),
    transport: http,
    onTrouble: trouble,
    onSuccess: fine,
  })
  await (config.kubernetes ? inCluster(config, config.kubernetes, client) : onMachine(config, client))
}

/** Runs jobs as Jobs of a namespace. A restarted agent finds them there, and stores only its credential itself. */
async function inCluster(config: Config, { api, settings }: KubernetesConfig, client: Client): Promise<void> {
  const { openApi } = await import('./kubernetes/api.ts')
  const { openJobs } = await import('./kubernetes/jobs.ts')
  const { shellsOfPods } = await import('./kubernetes/shells.ts')
  mkdirSync(config.dir, { recursive: true, mode: 0o700 })
  const credential = (): string => readToken(config.tokenFile)
  const kube = openApi(api)
  const jobs = openJobs({ settings, api: kube, client, credential, log })
  const left = await jobs.left()
  const agent = startAgent({
    host: jobs.host,
    client,
    slots: await openSlots(Math.max(config.capacity, left.length), undefined, []),
    space: jobs.space,
    isolated: true,
    executors: ['kubernetes'],
    labels: config.labels,
    machine: () => machineOf(config.dir),
    clean: async () => {},
    terminals: terminals({
      server: { serverUrl: config.serverUrl, token: credential, ca: config.ca },
      openShell: shellsOfPods(kube, jobs.podOf),
      log,
    }),
    log,
    left,
  })
  log('info', 'the agent is ready', {
    server: config.serverUrl,
    capacity: config.capacity,
    namespace: settings.namespace,
    jobs: left.length,
  })
  onEnd(() => {
    agent.stop()
    return undefined
  })
}

async function onMachine(config: Config, client: Client): Promise<void> {
  const { rooms, rests } = leftRooms(config.dir)
  const slots = await openSlots(
    config.capacity,
    process.getuid?.() === 0 ? config.firstUid : undefined,
    rooms.map(({ room }) => room.slot),
  )
  const slot = slots.take() ?? { index: 0 }
  const engine = config.engine && (await openEngine(config.engine))
  if (typeof engine === 'string') log('warn', 'there are no containers: the engine does not work', { why: engine })
  const { executor, why } = await bestExecutor(
    config,
    { slot, taken: rooms.map(({ room }) => room.slot) },
    log,
    typeof engine === 'string' ? undefined : engine,
  )
  slots.free(slot)
  const { containers } = executor
  if (typeof engine === 'object' && containers === undefined)
    log('info', 'there are no containers: they need root, and docker needs GANTRY_AGENT_NETWORK=host', {
      engine: engine.version,
    })
  await containers?.sweep(rooms.map(({ room }) => room))
  const isolated = executor.mode !== 'none'
  if (!isolated) log('warn', 'steps run without isolation: only builds of administrators are taken', { why })
  if (isolated && executor.network.way === 'host')
    log('warn', 'steps have the network of this machine: they reach whatever listens on it, and others reach them')
  log('info', 'what a build may have of this machine', { ...config.limits, kept: executor.limitedBy })
  const unwatch =
    process.platform === 'linux'
      ? startWatchdog(config.dir, { gone: leaseSeconds - 10, look: 5 }, containers)
      : () => {}
  for (const dir of rests)
    removeRoom(dir, (cause) => log('warn', 'a rest was not removed', { dir, error: messageOf(cause) }))

  // without isolation, other builds' steps would see them
  const kept = isolated ? keptWorkspaces(config.dir, config.kept, log) : undefined
  if (kept) setInterval(kept.sweep, sweepMs).unref()

  const bench: RunnerContext = {
    client,
    executor,
    log,
    ca: config.ca,
    outside: outsideOf(config),
    steps,
    beatMs: 10_000,
    leaseMs: (leaseSeconds - 2) * 1000,
    compressed: !isLoopback(config.serverUrl),
    kept,
  }
  const shells = isolated
    ? terminals({
        server: { serverUrl: config.serverUrl, token: () => readToken(config.tokenFile), ca: config.ca },
        openShell: shellsOfMachine({
          dir: config.dir,
          executor,
          kept,
          bounds: config.kept,
          slots: await openSlots(
            shellSlots,
            process.getuid?.() === 0 ? config.firstUid : undefined,
            [],
            config.capacity,
          ),
          log,
        }),
        log,
      })
    : undefined
  const agent = startAgent({
    host: { prepare: (work, slot) => prepare(bench, work, slot), begin: (work, room) => startBuild(bench, work, room) },
    client,
    slots,
    isolated,
    executors: containers === undefined ? ['process'] : ['process', 'container'],
    labels: config.labels,
    machine: () => machineOf(config.dir),
    clean: async () => {
      await Promise.all([emptyRooms(config.dir), kept?.empty()])
    },
    ...(shells && { terminals: shells }),
    log,
    left: rooms.map(({ room, work }) => ({ room, begin: () => startBuild(bench, work, room) })),
  })
  log('info', 'the agent is ready', {
    server: config.serverUrl,
    capacity: config.capacity,
    mode: executor.mode,
    network: executor.network.way,
    containers: containers?.by ?? 'none',
  })

  onEnd(() => {
    agent.stop()
    // steps continue, and the next agent process adopts them with their network
    const nothingGoesOn = agent.running() === 0
    if (nothingGoesOn) unwatch()
    return nothingGoesOn ? executor.close().catch(() => {}) : undefined
  })
}

/** Creates the folder of a job, with the workspace of its last attempt if that was kept. */
async function prepare({ executor, kept }: RunnerContext, work: Work, slot: Slot): Promise<Workspace> {
  const room = await executor.prepare(work, slot)
  try {
    const from = await takeWorkspace(kept, work, room)
    if (from !== undefined) writeContinued(room, from)
    return room
  } catch (cause) {
    await executor.cleanup(room)
    throw cause
  }
}

function onEnd(stop: () => Promise<void> | undefined): void {
  // requests in progress get a moment to arrive
  const end = (): void => void Promise.all([sleep(100), stop()]).then(() => process.exit(0))
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Logs the first failure of a series and its end, not every attempt. */
function troubles(): { trouble: (name: string, cause: unknown) => void; fine: () => void } {
  let since: number | undefined
  return {
    trouble(name, cause) {
      if (since === undefined) log('warn', 'the server does not answer', { call: name, error: messageOf(cause) })
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

function outsideOf(config: Config): StepContext['outside'] {
  const kept = new Map<string, ReturnType<typeof transport>>()
  return ({ insecure, ca }) => {
    const key = `${String(insecure)} ${ca ?? ''}`
    const known = kept.get(key) ?? transport({ ca: trusting(config.ca, ca), insecure })
    kept.set(key, known)
    return known
  }
}

main().catch((cause: unknown) => {
  process.stderr.write(`gantry agent: ${messageOf(cause)}\n`)
  if (!(cause instanceof ConfigError) && cause instanceof Error) process.stderr.write(`${cause.stack ?? ''}\n`)
  process.exit(1)
})
