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
import { said, type Log } from '../log.ts'
import { outputFile } from '../outputs.ts'
import { StepFailure, withoutPaths } from '../reasons.ts'
import type { Config, Limits, Way } from '../config.ts'
import { whyNoNat } from '../network/nat.ts'
import { machineNetwork, network, type Network } from '../network/network.ts'
import { makeRoom, removeRoom, roomDir, spoolOf, type Room, type Slot } from '../workspace.ts'
import { coverage, inTmp, type Where } from './coverage.ts'
import type { Command, Ended, Executor, Running, Limit } from './executor.ts'
import { keeper } from './limits.ts'
import { isAlive, killTree, readIdentity, send } from './process-tree.ts'
import { bare, environmentFile, mounts, quoted, setup, systemPath, wrapper, type Mode } from './scripts.ts'

/**
 * Steps as processes of this machine. As root each slot has its own user; steps run in their own mount, PID and IPC namespace
 * with the product's folders covered, without any right, in a session of their own, so that they outlive the agent.
 */
export interface ProcessExecutor extends Executor {
  mode: Mode
  network: Network
  limitedBy: string
  /** Nothing runs, and nothing will: takes away what was made for steps outside of their rooms. */
  close: () => Promise<void>
}

/** Of this step alone on this machine: builds of another agent, perhaps of another installation, have the same numbers. */
const stepId = ({ room, step }: Running): string =>
  `${room.jobId}-${room.attempt}-${step}-${createHash('sha256').update(room.dir).digest('hex').slice(0, 12)}`
const cookieOf = (running: Running): string => `GANTRY_STEP_ID=${stepId(running)}`

export function processExecutor(config: Where, mode: Mode, network: Network, log: Log): ProcessExecutor {
  const { shown, hidden, silenced, exposed } = coverage(config, mode)
  const limits = keeper(config, mode)
  const ends = new Map<string, Promise<unknown>>()
  const control = ({ room, step }: Running): string => join(room.dir, 'steps', String(step))

  const fsOf = (room: Room): string => (mode === 'none' ? join(room.dir, 'fs') : shown)

  async function commandFor(room: Room, step: number, shell: string): Promise<string[]> {
    if (mode === 'none') return ['/bin/sh', '-c', bare, 'sh', join(room.dir, 'fs'), String(step), shell, limits.ulimits]
    const uid = mode === 'root' && room.slot.uid !== undefined ? String(room.slot.uid) : ''
    const enter = await network.enter(room.slot)
    // The network of an ordinary user's step belongs to a user namespace, which the step then is in.
    const user = mode === 'user' && enter.length === 0 ? ['--user', '--map-root-user'] : []
    const apart = ['--mount', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private']
    const inside = ['/bin/sh', '-c', setup, 'sh', room.dir, shown, String(step), uid, shell, limits.ulimits]
    return [...limits.words, ...enter, 'unshare', ...user, ...apart, ...inside]
  }

  function writeStep(room: Room, command: Command): void {
    const fs = fsOf(room)
    const dir = join(room.dir, 'fs/steps', String(command.step))
    mkdirSync(dir, { recursive: true, mode: 0o755 })
    mkdirSync(control({ room, step: command.step }), { recursive: true, mode: 0o700 })
    const environment = [
      { name: 'PATH', value: config.path },
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
    for (const [name, text] of Object.entries(files)) {
      // Both may hold secrets: for the step's own group alone, and not for it to change.
      writeFileSync(join(dir, name), text, { mode: 0o640 })
      if (mode === 'root' && room.slot.uid !== undefined) chownSync(join(dir, name), 0, room.slot.uid)
    }
  }

  function mountTable(room: Room): string {
    const there = (path: string): boolean => existsSync(path)
    const shared = ['/tmp', '/var/tmp'].filter(there)
    const memory = ['/dev/shm'].filter(there)
    const name = `gantry-${room.jobId}-${room.attempt}-${process.pid}-${process.hrtime.bigint()}`
    const resolvConf = there('/etc/resolv.conf') ? network.resolvConf : undefined
    const memorySize = Math.ceil(config.limits.memory / 2)
    return mounts({
      name,
      shared,
      memory,
      memorySize,
      hidden: hidden.filter(there),
      silenced,
      exposed,
      shown,
      resolvConf,
    })
  }

  const remove = (dir: string): void =>
    removeRoom(dir, (cause) => log('warn', 'a room was not removed', { dir, error: said(cause) }))

  function exitCode(running: Running): number | undefined {
    try {
      const text = readFileSync(join(control(running), 'exit'), 'latin1')
      return text.endsWith('\n') ? Number(text) : undefined
    } catch {
      return undefined
    }
  }

  async function killAll(running: Running): Promise<void> {
    const leader = readIdentity(join(control(running), 'pid'))
    if (leader === undefined) return
    if (await killTree(leader, mode === 'none' ? cookieOf(running) : undefined)) return
    log('error', 'processes of a step cannot be killed', { jobId: running.room.jobId, step: running.step })
  }

  return {
    mode,
    network,
    route: network.route,
    limitedBy: limits.by,

    async close() {
      limits.close()
      await network.close()
    },

    shown: (room, step, file) => join(fsOf(room), 'steps', String(step), file),

    async prepare(work, slot) {
      try {
        const room = makeRoom(config.dir, work, slot, mode !== 'none' && inTmp(shown) ? [shown] : [])
        for (const i of exposed.keys()) mkdirSync(join(room.dir, 'exposed', String(i)), { recursive: true })
        writeFileSync(join(room.dir, 'mounts'), mountTable(room))
        return room
      } catch (cause) {
        // A half-built room is useless, and would be in the way of the build's next attempt here.
        remove(roomDir(config.dir, work))
        throw cause
      }
    },

    async start(room, command) {
      const running = { room, step: command.step }
      writeStep(room, command)
      const words = await commandFor(room, command.step, command.shell)
      const groups = limits.groups(running).join(' ')
      const spool = openSync(spoolOf(room, command.step), 'a', 0o600)
      try {
        const child = spawn('/bin/sh', ['-c', wrapper, 'sh', control(running), groups, ...words], {
          cwd: '/',
          env: { PATH: systemPath },
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
    },

    async adopt(room, step) {
      const running = { room, step }
      const dir = control(running)
      // The agent may have died between its start and the wrapper's first line.
      for (let i = 0; i < 20; i++) {
        if (existsSync(join(dir, 'pid'))) return running
        if (!existsSync(spoolOf(room, step))) return undefined
        await sleep(50)
      }
      return undefined
    },

    async signal(running, signal) {
      if (signal === 'KILL') return killAll(running)
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
      const limit = look(exitCode(running))
      if (mode === 'none' || limit !== undefined) await killAll(running)
      await limits.remove(running)
      // It may hold what only this step was given, such as the repository's password.
      rmSync(join(running.room.dir, 'fs/steps', String(running.step), 'environment'), { force: true })
      const code = exitCode(running)
      if (existsSync(join(control(running), 'failed'))) {
        const why = lastWords(join(control(running), 'trouble'))
        log('error', 'a step could not be kept apart', { jobId: running.room.jobId, why })
        throw new StepFailure('agents-isolation-unavailable', { why: withoutPaths(why) })
      }
      if (limit !== undefined) return { how: 'limit', limit, most: mostOf(config.limits, limit) }
      return code === undefined ? { how: 'lost' } : { how: 'exit', code }
    },

    async cleanup(room) {
      for (const step of stepsOf(room)) {
        const running = { room, step }
        if (exitCode(running) === undefined) await killAll(running)
        await limits.remove(running)
      }
      remove(room.dir)
    },
  }
}

function stepsOf(room: Room): number[] {
  try {
    return readdirSync(join(room.dir, 'steps')).map(Number)
  } catch {
    return []
  }
}

const mostOf = (limits: Limits, limit: Limit): string =>
  limit === 'processes' ? String(limits.processes) : humanSize(limits[limit])

function lastWords(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim().slice(-300)
  } catch {
    return ''
  }
}

/**
 * Tries the strongest isolation that this machine allows, each with a real step in a room of its own. The reason of a
 * failure is for the agent's log and its administrator.
 */
export async function bestExecutor(
  config: Config,
  { slot, held }: { slot: Slot; held: Slot[] },
  log: Log,
): Promise<{ executor: ProcessExecutor; why: string }> {
  const mode: Mode = process.getuid?.() === 0 ? 'root' : 'user'
  const best: Way[] = whyNoNat() === '' ? ['nat', 'proxy'] : ['proxy']
  const whys: string[] = []
  for (const way of config.network === undefined ? best : [config.network]) {
    const steps = network(config, way, mode === 'user', log)
    const executor = processExecutor(config, mode, steps, log)
    await steps.adopt(held)
    const why = await probe(executor, config, slot)
    if (why === '') return { executor, why }
    whys.push(why)
  }
  return { executor: processExecutor(config, 'none', machineNetwork, log), why: whys.join('; ') }
}

async function probe(executor: ProcessExecutor, config: Where, slot: Slot): Promise<string> {
  const work = { jobId: 0, attempt: process.pid } as Parameters<Executor['prepare']>[0]
  let room: Room | undefined
  try {
    room = await executor.prepare(work, slot)
    const command: Command = {
      step: 0,
      shell: 'sh',
      // Alone in its namespace, and what is covered is covered.
      script: `read -r first < /proc/1/comm; test "$first" = sh -a ! -e ${quoted(join(config.dir, 'builds'))}`,
      environment: [],
    }
    const ended = await executor.wait(await executor.start(room, command))
    if (ended.how === 'exit' && ended.code === 0) return ''
    return `unshare: ${lastWords(spoolOf(room, 0)) || JSON.stringify(ended)}`
  } catch (cause) {
    return cause instanceof StepFailure ? String(cause.reason.vars?.['why'] ?? '') : String(cause)
  } finally {
    if (room !== undefined) await executor.cleanup(room)
  }
}
