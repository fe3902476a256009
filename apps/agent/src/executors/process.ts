import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { humanSize } from '../files.ts'
import { type Containers, jobContainers, shownInside } from '../containers/containers.ts'
import type { Engine } from '../containers/engine.ts'
import { messageOf, type Log } from '../log.ts'
import { outputFile } from '../outputs.ts'
import { StepFailure, withoutPaths } from '../reasons.ts'
import type { Limits, NetworkMode } from '../config.ts'
import type { Work } from '../protocol.ts'
import type { Network } from '../network/network.ts'
import { cookieOf as terminalCookieOf, type Shell, terminalScript } from '../terminals/script.ts'
import { makeJobDir, removeRoom, roomDir, spoolOf, type Workspace, type Slot } from '../workspace/workspace.ts'
import { coverage, inTmp, type ConfigPaths } from './coverage.ts'
import {
  type StepStart,
  type Command,
  type Ended,
  type Executor,
  type Limit,
  type Running,
  sshKey,
} from './executor.ts'
import { keeper } from './limits.ts'
import { mountTables } from './mounts.ts'
import { intoNamespaces, piped, type Piped } from './piped.ts'
import { firstInside, type Identity, isAlive, killCarriers, killTree, readIdentity, send } from './process-tree.ts'
import { bare, environmentFile, joining, ownNamespace, setup, systemPath, wrapper, type Mode } from './scripts.ts'

/**
 * Runs steps as processes of this machine. As root, each slot has its own user. Steps run in their own mount, PID and
 * IPC namespaces, the product's folders hidden, without rights, in their own session, so that they outlive the agent.
 */
export interface ProcessExecutor extends Executor {
  mode: Mode
  network: Network
  limitedBy: string
  /** Undefined: there are no containers, for lack of an engine, of root or of a network for them. */
  containers: Containers | undefined
  /** Starts a shell inside a running step's isolation, as one of its processes; undefined: the step does not run. */
  enter: (running: Running, kind: Command['shell'], shell: Shell) => Promise<Piped | undefined>
  /** Ends the processes of a shell in a running step, and removes its files. */
  leave: (running: Running, shell: Pick<Shell, 'id'>) => Promise<void>
  runs: (running: Running) => boolean
  /** Calls `onLimit` when a limit is reached. Returns a function that stops the checks. */
  watch: (running: Running, onLimit: () => void) => () => void
  /** With `dir`: in that folder, which no later agent process takes for a job's. */
  prepare: (work: Work, slot: Slot, dir?: string) => Promise<Workspace>
  /** Starts a shell in its own isolation, like that of a step's command, over the files in `work` instead of the job's. */
  open: (
    room: Workspace,
    command: Omit<Command, 'script'>,
    work: string,
    shell: Shell,
    beginning: StepStart,
  ) => Promise<Piped>
  /** Nothing runs any more: removes everything that was created for steps outside of their folders. */
  close: () => Promise<void>
}

/** Unique on this machine: builds of another agent, perhaps of another installation, have the same numbers. */
const stepId = ({ room, step }: Running): string =>
  `${room.jobId}-${room.attempt}-${step}-${createHash('sha256').update(room.dir).digest('hex').slice(0, 12)}`
const cookieOf = (running: Running): string => `GANTRY_STEP_ID=${stepId(running)}`

export function processExecutor(
  config: ConfigPaths,
  mode: Mode,
  network: Network,
  log: Log,
  engine?: Engine,
): ProcessExecutor {
  const covered = coverage(config, mode)
  const { stepDir, exposed } = covered
  const limits = keeper(config, mode)
  const containers = engine && fits(engine, mode, network.way) ? jobContainers(engine, config) : undefined
  const ends = new Map<string, Promise<unknown>>()
  const control = ({ room, step }: Running): string => join(room.dir, 'steps', String(step))

  const fsOf = (room: Workspace): string => (mode === 'none' ? join(room.dir, 'fs') : stepDir)
  const mountTable = mountTables({ limits: config.limits, covered, mode, network })

  async function commandFor(room: Workspace, { step, shell, asRoot = false }: Command): Promise<string[]> {
    if (mode === 'none') {
      const words = ['/bin/sh', '-c', bare, 'sh', join(room.dir, 'fs'), String(step), shell, limits.ulimits]
      return asRoot ? [...ownNamespace, ...words] : words
    }
    const uid = mode === 'root' && room.slot.uid !== undefined ? String(room.slot.uid) : ''
    const enter = await network.enter(room.slot)
    // an ordinary user's network is in a user namespace, so the step is in one already
    const user = mode === 'user' && enter.length === 0 ? ['--user', '--map-root-user'] : []
    const apart = ['--mount', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private']
    const below = asRoot ? String(room.slot.uid === undefined ? 'self' : firstBelow(room.slot.uid)) : ''
    const inside = ['/bin/sh', '-c', setup, 'sh', room.dir, stepDir, String(step), uid, shell, limits.ulimits, below]
    return [...limits.words, ...enter, 'unshare', ...user, ...apart, ...inside]
  }

  async function containerFor(
    room: Workspace,
    command: Command,
    beginning: StepStart = { signal: AbortSignal.abort(), say: () => {} },
    work?: string,
  ): Promise<string[]> {
    if (containers === undefined || room.slot.uid === undefined) throw new StepFailure('agents-containers-missing')
    const around = { below: firstBelow(room.slot.uid), network, parentOf: limits.parentOf }
    return containers.wordsFor(room, command, around, beginning, work)
  }

  function writeStep(room: Workspace, command: Command): void {
    const fs = command.container ? shownInside : fsOf(room)
    const dir = join(room.dir, 'fs/steps', String(command.step))
    mkdirSync(dir, { recursive: true, mode: 0o755 })
    mkdirSync(control({ room, step: command.step }), { recursive: true, mode: 0o700 })
    const environment = [
      // an image has its own PATH
      ...(command.container ? [] : [{ name: 'PATH', value: config.path }]),
      { name: 'HOME', value: join(fs, 'home') },
      { name: 'TMPDIR', value: mode === 'none' ? join(fs, 'tmp') : '/tmp' },
      { name: 'LANG', value: 'C.UTF-8' },
      { name: 'CI', value: 'true' },
      { name: 'GANTRY_WORKSPACE', value: join(fs, 'work') },
      { name: 'GANTRY_OUTPUT', value: join(fs, 'home', outputFile(command.step)) },
      ...network.environment,
      ...command.environment,
      { name: 'GANTRY_STEP_ID', value: stepId({ room, step: command.step }) },
    ]
    const files = { ...command.files, environment: environmentFile(environment), script: command.script }
    for (const [name, text] of Object.entries(files)) writeFor(room, join(dir, name), text)
  }

  /**
   * The file may contain secrets, so only the step's own group can read it, and the step cannot change it. If the step
   * has no own user, only this process's user can, because ssh refuses a key that a group can read.
   */
  function writeFor(room: Workspace, file: string, text: string): void {
    const own = mode === 'root' ? room.slot.uid : undefined
    writeFileSync(file, text, { mode: own === undefined ? 0o600 : 0o640 })
    if (own !== undefined) chownSync(file, 0, own)
  }

  const remove = (dir: string): void =>
    removeRoom(dir, (cause) => log('warn', 'a room was not removed', { dir, error: messageOf(cause) }))

  function exitCode(running: Running): number | undefined {
    try {
      const text = readFileSync(join(control(running), 'exit'), 'latin1')
      return text.endsWith('\n') ? Number(text) : undefined
    } catch {
      return undefined
    }
  }

  async function killAll(running: Running): Promise<void> {
    if (containers?.has(running)) await containers.signal(running, 'KILL')
    const leader = readIdentity(join(control(running), 'pid'))
    if (leader === undefined) return
    if (await killTree(leader, mode === 'none' ? cookieOf(running) : undefined)) return
    log('error', 'processes of a step cannot be killed', { jobId: running.room.jobId, step: running.step })
  }

  /** The first process of a step that has not ended. */
  function leaderOf(running: Running): Identity | undefined {
    const leader = readIdentity(join(control(running), 'pid'))
    return leader && exitCode(running) === undefined && isAlive(leader) ? leader : undefined
  }

  async function start(room: Workspace, command: Command, beginning?: StepStart, work?: string): Promise<Running> {
    const running = { room, step: command.step }
    writeStep(room, command)
    const words = await (command.container ? containerFor(room, command, beginning, work) : commandFor(room, command))
    // a container's processes join groups through its engine
    const groups = command.container ? '' : limits.groups(running).join(' ')
    const spool = openSync(spoolOf(room, command.step), 'a', 0o600)
    try {
      const child = spawn('/bin/sh', ['-c', wrapper, 'sh', control(running), groups, ...words], {
        cwd: '/',
        env: { PATH: systemPath, ...(command.container && engine?.environment) },
        stdio: ['ignore', spool, spool],
        detached: true,
      })
      await new Promise<void>((done, failed) => {
        child.once('spawn', () => done())
        child.once('error', failed)
      })
      ends.set(control(running), new Promise((done) => child.once('exit', done)))
    } finally {
      closeSync(spool)
    }
    return running
  }

  async function enterContainer(containers: Containers, running: Running, shell: Shell): Promise<Piped | undefined> {
    const script = await containers.shellFor(running, shell, network)
    return script === undefined ? undefined : piped([], ['/bin/sh', '-c', script], containers.engine.environment)
  }

  return {
    mode,
    network,
    route: network.route,
    limitedBy: limits.by,
    containers,

    async close() {
      limits.close()
      await network.close()
    },

    pathOf: (room, step, file) => join(fsOf(room), 'steps', String(step), file),

    async prepare(work, slot, parent = config.dir) {
      try {
        const room = makeJobDir(parent, work, slot, mode !== 'none' && inTmp(stepDir) ? [stepDir] : [])
        for (const i of exposed.keys()) mkdirSync(join(room.dir, 'exposed', String(i)), { recursive: true })
        writeFileSync(join(room.dir, 'mounts'), mountTable(room))
        return room
      } catch (cause) {
        // an incomplete folder is useless, and would be in the way of the build's next attempt here
        remove(roomDir(parent, work))
        throw cause
      }
    },

    start: (room, command, beginning) => start(room, command, beginning),

    async enter(running, kind, shell) {
      const { room, step } = running
      const leader = leaderOf(running)
      if (mode === 'none' || leader === undefined) return undefined
      if (containers?.has(running)) return enterContainer(containers, running, shell)
      const inside = firstInside(leader)
      if (inside === undefined) return undefined
      const name = fileOf(shell)
      writeFor(room, join(room.dir, 'fs/steps', String(step), name), terminalScript(shell))
      const uid = mode === 'root' && room.slot.uid !== undefined ? String(room.slot.uid) : ''
      const shellWords = ['/bin/sh', '-c', joining, 'sh', stepDir, String(step), uid, limits.ulimits, kind, name]
      return piped(limits.groups(running), [...limits.words, ...intoNamespaces(inside.pid), ...shellWords])
    },

    async leave({ room, step }, shell) {
      await killCarriers(terminalCookieOf(shell.id))
      rmSync(join(room.dir, 'fs/steps', String(step), fileOf(shell)), { force: true })
    },

    runs: (running) => {
      const leader = leaderOf(running)
      return leader !== undefined && (containers?.has(running) || firstInside(leader) !== undefined)
    },

    watch: (running, onLimit) => {
      const look = limits.watch(running, onLimit)
      return () => void look(undefined)
    },

    async open(room, command, work, shell, beginning) {
      if (command.container && containers) {
        const running = await start(room, { ...command, script: idle }, beginning, work)
        for (;;) {
          const opened = await enterContainer(containers, running, shell)
          if (opened) return opened
          if (leaderOf(running) === undefined && exitCode(running) !== undefined)
            throw new StepFailure('agents-container-failed', {
              why: withoutPaths(lastWords(spoolOf(room, command.step))),
            })
          await sleep(50, undefined, { signal: beginning.signal })
        }
      }
      writeFileSync(join(room.dir, 'mounts'), mountTable(room, work))
      const running = { room, step: command.step }
      const full = { ...command, script: terminalScript(shell) }
      writeStep(room, full)
      return piped(limits.groups(running), await commandFor(room, full))
    },

    async adopt(room, step) {
      const running = { room, step }
      const dir = control(running)
      // the agent may have been killed between starting the step and the wrapper's first line
      for (let i = 0; i < 20; i++) {
        if (existsSync(join(dir, 'pid'))) return running
        if (!existsSync(spoolOf(room, step))) return undefined
        await sleep(50)
      }
      return undefined
    },

    async signal(running, signal) {
      if (signal === 'KILL') return killAll(running)
      if (containers?.has(running)) return containers.signal(running, 'TERM')
      const leader = readIdentity(join(control(running), 'pid'))
      if (leader !== undefined && isAlive(leader)) send(-leader.pid, 'SIGTERM')
    },

    async wait(running): Promise<Ended> {
      const look = limits.watch(running, () => void killAll(running))
      const own = ends.get(control(running))
      if (own !== undefined) {
        await own
        ends.delete(control(running))
      } else {
        const leader = readIdentity(join(control(running), 'pid'))
        // oxlint-disable-next-line no-unmodified-loop-condition -- what changes is in /proc and in the file
        while (exitCode(running) === undefined && leader !== undefined && isAlive(leader)) await sleep(20)
      }
      // before the container's groups are removed
      const reached = look(exitCode(running))
      const ended = containers?.has(running) ? await containers.end(running, exitCode(running)) : undefined
      const limit = reached ?? (ended?.how === 'memory' ? 'memory' : undefined)
      if (mode === 'none' || limit !== undefined) await killAll(running)
      await limits.remove(running)
      // they may contain secrets of this step, such as the repository's password
      for (const name of ['environment', sshKey])
        rmSync(join(running.room.dir, 'fs/steps', String(running.step), name), { force: true })
      const code = exitCode(running)
      if (existsSync(join(control(running), 'failed'))) {
        const why = lastWords(join(control(running), 'trouble'))
        log('error', 'a step could not be kept apart', { jobId: running.room.jobId, why })
        throw new StepFailure('agents-isolation-unavailable', { why: withoutPaths(why) })
      }
      if (limit !== undefined) return { how: 'limit', limit, most: limitText(config.limits, limit) }
      if (ended?.how === 'never-ran' && code !== undefined)
        throw new StepFailure('agents-container-failed', {
          why: withoutPaths(lastWords(spoolOf(running.room, running.step))),
        })
      return code === undefined ? { how: 'lost' } : { how: 'exit', code }
    },

    async cleanup(room) {
      await containers?.cleanup(room)
      for (const step of stepsOf(room)) {
        const running = { room, step }
        if (exitCode(running) === undefined) await killAll(running)
        await limits.remove(running)
      }
      await limits.removeAll(room)
      remove(room.dir)
    },
  }
}

/**
 * Whether the engine suits the isolation. Only root may put a container into a slot's network, and only podman supports
 * that; docker's containers use the machine's network, which the operator must have chosen.
 */
const fits = ({ kind }: Engine, mode: Mode, way: NetworkMode): boolean =>
  mode === 'root' && (kind === 'podman' || way === 'host')

function stepsOf(room: Workspace): number[] {
  try {
    return readdirSync(join(room.dir, 'steps')).map(Number)
  } catch {
    return []
  }
}

/** The file with the script of a shell in a running step. */
const fileOf = ({ id }: Pick<Shell, 'id'>): string => `terminal-${id}`

/** Keeps a container for a shell. */
const idle = 'while :; do sleep 3600; done'

/** The first of a slot's 65,535 subordinate users, which no other slot has. */
const firstBelow = (uid: number): number => 1_000_000_000 + (uid % 16_384) * 65_536

const limitText = (limits: Limits, limit: Limit): string =>
  limit === 'processes' ? String(limits.processes) : humanSize(limits[limit])

export function lastWords(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim().slice(-300)
  } catch {
    return ''
  }
}
