import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listens } from '../containers/engine.ts'
import { diskWatch } from '../executors/disk.ts'
import { type StepStart, type Command, type Ended, type Executor, type Running, sshKey } from '../executors/executor.ts'
import { environmentFile } from '../executors/scripts.ts'
import { humanSize } from '../files.ts'
import { outputFile } from '../outputs.ts'
import { StepFailure } from '../reasons.ts'
import { spoolOf, type Workspace } from '../workspace/workspace.ts'
import { containers } from './manifest.ts'
import { pipes, shownInside } from './runner-script.ts'

interface PodOptions {
  roomDir: string
  /** The folder with a folder of pipes for each container. */
  controlRoot: string
  limits: { memory: number; disk: number }
}

/** How often the output is read, while there is some and while there is none. */
const looks = { eagerMs: 5, idleMs: 20 }
/** Maximum bytes of output per read: a step that writes without end must not block everything else. */
const maxReadBytes = 1024 * 1024
const aliveMs = 250
const diskMs = 1000
/** How long Kubernetes may take to restart a container that was killed. */
const backMs = 60_000
const readyMs = 120_000

/**
 * Runs a job's commands in the containers of its own pod: users' commands in one with their image, and the product's
 * own, such as git, in another one. This process, which has the agent's credential, starts nothing in the workspace. It
 * controls the containers through pipes, and reads their output from pipes that it has opened itself: whatever a step
 * puts in their place is never opened.
 */
export function podExecutor({ roomDir, controlRoot, limits }: PodOptions): Executor {
  const known = new Map<string, Container>()
  const of = (name: string): Container => {
    const one = known.get(name) ?? openContainer(join(controlRoot, name))
    known.set(name, one)
    return one
  }
  const runs = new Map<number, { container: Container; number: number; shell: string; inImage: boolean }>()
  let overfull = false

  function writeStep(room: Workspace, command: Command): void {
    const dir = join(room.dir, 'fs/steps', String(command.step))
    mkdirSync(dir, { recursive: true, mode: 0o755 })
    const environment = [
      { name: 'HOME', value: join(shownInside, 'home') },
      { name: 'TMPDIR', value: '/tmp' },
      { name: 'LANG', value: 'C.UTF-8' },
      { name: 'CI', value: 'true' },
      { name: 'GANTRY_WORKSPACE', value: join(shownInside, 'work') },
      { name: 'GANTRY_OUTPUT', value: join(shownInside, 'home', outputFile(command.step)) },
      ...command.environment,
    ]
    const files = { ...command.files, environment: environmentFile(environment), script: command.script }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text, { mode: 0o600 })
  }

  async function untilReady(services: NonNullable<Command['container']>['services'], beginning: StepStart | undefined) {
    for (const { name, image, port } of services) {
      if (port === null) continue
      const until = performance.now() + readyMs
      if (!listens(process.pid, port)) beginning?.say(`Waiting for the service ${name} of ${image}`)
      while (!listens(process.pid, port)) {
        if (performance.now() > until)
          throw new StepFailure('agents-service-silent', { service: name, image, port, seconds: readyMs / 1000 })
        await sleep(50, undefined, beginning && { signal: beginning.signal })
      }
    }
  }

  return {
    pathOf: (_, step, file) => join(shownInside, 'steps', String(step), file),
    // what a pod may reach is decided by the network of its cluster
    route: async (url) => ({ url: url.href, proxy: undefined }),

    async prepare({ jobId, attempt }, slot) {
      const room = { jobId, attempt, slot, dir: roomDir }
      mkdirSync(join(roomDir, 'steps'), { recursive: true, mode: 0o700 })
      for (const name of ['work', 'home', 'tmp', 'steps']) mkdirSync(join(roomDir, 'fs', name), { recursive: true })
      for (const name of Object.values(containers)) if (name !== containers.job) of(name)
      return room
    },

    async start(room, command, beginning) {
      const { image = null, services = [] } = command.container ?? {}
      if (command.container && (image === null || services.some((one) => one.image === '')))
        throw new StepFailure('agents-image-missing')
      await untilReady(services, beginning)
      writeStep(room, command)
      mkdirSync(join(room.dir, 'steps', String(command.step)), { recursive: true, mode: 0o700 })
      const inImage = command.container !== undefined
      const container = of(inImage ? containers.steps : containers.tools)
      const until = performance.now() + backMs
      while (!container.isAlive()) {
        if (performance.now() > until)
          throw new StepFailure('agents-container-failed', { why: 'it does not come back' })
        await sleep(looks.idleMs, undefined, beginning && { signal: beginning.signal })
      }
      const number = container.run(command.step, command.shell)
      runs.set(command.step, { container, number, shell: command.shell, inImage })
      return { room, step: command.step }
    },

    // a job's process and its steps start and end together
    adopt: async () => undefined,

    async signal({ step }, signal) {
      runs.get(step)?.container.tell(signal)
    },

    async wait(running: Running): Promise<Ended> {
      const { room, step } = running
      const run = runs.get(step)
      if (run === undefined) return { how: 'lost' }
      const { container, number } = run
      const spool = openSync(spoolOf(room, step), 'a', 0o600)
      const isFull = diskWatch(room.dir, limits.disk, overfull ? limits.disk / 8 : undefined)
      let full = false
      let nextAlive = 0
      let nextDisk = 0
      const limitOf = (limit: 'memory' | 'disk'): Ended => ({ how: 'limit', limit, most: humanSize(limits[limit]) })
      try {
        for (;;) {
          // by now the pipe contains everything that an ended step has written
          const ended = container.ended(number)
          let moved = container.copy(spool)
          if (ended !== undefined) {
            while (moved) moved = container.copy(spool)
            if (ended === 'none')
              throw new StepFailure('agents-container-failed', { why: `the image has no ${run.shell}` })
            if (full) return limitOf('disk')
            return ended.killed > 0 ? limitOf('memory') : { how: 'exit', code: ended.code }
          }
          const now = performance.now()
          if (now > nextDisk) {
            nextDisk = now + diskMs
            void isFull().then(
              (is) => {
                if (!is || full) return
                full = overfull = true
                container.tell('KILL')
              },
              () => {},
            )
          }
          if (now > nextAlive) {
            nextAlive = now + aliveMs
            // no process inside a container can kill its first process, so all its memory was used
            if (!container.isAlive() && container.ended(number) === undefined) return limitOf('memory')
          }
          await sleep(moved ? looks.eagerMs : looks.idleMs)
        }
      } finally {
        closeSync(spool)
        runs.delete(step)
        for (const name of ['environment', sshKey])
          rmSync(join(room.dir, 'fs/steps', String(step), name), { force: true })
      }
    },

    async cleanup() {
      for (const one of known.values()) one.close()
    },
  }
}

interface Container {
  /** Whether the container's first process runs. */
  isAlive: () => boolean
  /** Starts a command; returns the number under which its end is reported. */
  run: (step: number, shell: string) => number
  tell: (word: 'TERM' | 'KILL') => void
  ended: (number: number) => { code: number; killed: number } | 'none' | undefined
  /** Appends the command's output to a file; returns whether there was some. */
  copy: (file: number) => boolean
  close: () => void
}

function openContainer(dir: string): Container {
  mkdirSync(dir, { recursive: true })
  const at = (pipe: string): string => join(dir, pipe)
  // the container starts once these pipes exist
  for (const pipe of [pipes.said, pipes.out, pipes.next]) {
    execFileSync('mkfifo', [at(pipe)])
    chmodSync(at(pipe), 0o666)
  }
  // opened for reading and writing, so that a pipe without a writer does not end
  const both = constants.O_RDWR | constants.O_NONBLOCK
  const said = openSync(at(pipes.said), both)
  const out = openSync(at(pipes.out), both)
  const ends = new Map<number, { code: number; killed: number } | 'none'>()
  const buffer = Buffer.allocUnsafe(64 * 1024)
  let line = ''
  let last = 0

  function read(file: number): Buffer | undefined {
    try {
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, null))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
      throw cause
    }
  }

  /** Writes to the first process of the container; false if it does not run. */
  function write(text: string): boolean {
    let file: number | undefined
    try {
      file = openSync(at(pipes.next), constants.O_WRONLY | constants.O_NONBLOCK)
      if (text !== '') writeSync(file, text)
      return true
    } catch (cause) {
      if (['ENXIO', 'EPIPE', 'EAGAIN'].includes((cause as NodeJS.ErrnoException).code ?? '')) return false
      throw cause
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  function take(): void {
    for (let part = read(said); part !== undefined; part = read(said)) line += part.toString('latin1')
    const lines = line.split('\n')
    line = (lines.pop() ?? '').slice(-100)
    for (const one of lines) {
      const [number = '', code = '', killed = '0'] = one.split(' ')
      // a step may write here too, so only the end of the latest command is accepted, once
      if (Number(number) !== last || ends.has(last)) continue
      ends.set(last, code === 'none' ? 'none' : { code: Number(code) || 0, killed: Number(killed) || 0 })
    }
  }

  return {
    isAlive: () => write(''),
    run(step, shell) {
      take()
      ends.clear()
      last++
      write(`run ${last} ${step} ${shell}\n`)
      return last
    },
    tell: (word) => void write(`${word}\n`),
    ended(number) {
      take()
      return ends.get(number)
    },
    copy(file) {
      let copied = 0
      for (let part = read(out); part !== undefined && part.length > 0; part = read(out)) {
        writeSync(file, part)
        copied += part.length
        if (copied >= maxReadBytes) break
      }
      return copied > 0
    },
    close() {
      closeSync(said)
      closeSync(out)
    },
  }
}
