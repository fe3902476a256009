import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { StepStart, Command, Running } from '../executors/executor.ts'
import { quoted } from '../executors/scripts.ts'
import type { Network } from '../network/network.ts'
import { StepFailure, withoutPaths } from '../reasons.ts'
import { containerScript, type Shell, terminalScript } from '../terminals/script.ts'
import { type Workspace, workOf } from '../workspace/workspace.ts'
import { call, type Engine, lastLine, listens, type EngineOutput, ulimits } from './engine.ts'

/** What a step's container needs besides the command itself. */
export interface ContainerContext {
  /** The first subordinate uid of the step's user: root in the container is the step's user. */
  below: number
  /** The control group for the containers of a step or service; undefined: the engine enforces the limits. */
  parentOf: (room: Workspace, name: string) => string | undefined
  network: Network
}

/** How a container ended, if its exit code does not tell. */
export type Leftover = { how: 'memory' } | { how: 'never-ran' } | undefined

export interface Containers {
  by: string
  /**
   * The command line that runs a step in a container; first pulls its image and starts the job's services. With `work`:
   * over the files in that folder instead of the job's.
   */
  wordsFor: (
    room: Workspace,
    command: Command,
    around: ContainerContext,
    beginning: StepStart,
    work?: string,
  ) => Promise<string[]>
  /** A script for this machine that opens a shell beside the commands of a step; undefined: its container does not run. */
  shellFor: (running: Running, shell: Shell, network: Network) => Promise<string | undefined>
  /** Whether a step runs, or has run, in a container. */
  has: (running: Running) => boolean
  signal: (running: Running, signal: 'TERM' | 'KILL') => Promise<void>
  /** Removes the container of an ended step. */
  end: (running: Running, code: number | undefined) => Promise<Leftover>
  /** Removes all containers of a job. */
  cleanup: (room: Workspace) => Promise<void>
  /** Removes what an earlier agent process left, except for jobs that continue. */
  sweep: (rooms: readonly Workspace[]) => Promise<void>
  /** The label of this agent's containers, for the watchdog. */
  label: string
  engine: Engine
}

type Service = NonNullable<Command['container']>['services'][number]

/** The path of the job's files in a container. */
export const shownInside = '/gantry'

/** How long a service may take until it listens on its port. */
const readyMs = 120_000

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
const agentLabel = 'gantry.agent'
const roomLabel = 'gantry.room'

/**
 * Runs each step in its own container over the job's files: what a step installs elsewhere is lost at its end. Root in
 * the container is the step's user on the machine, with 65,535 subordinate users. All containers of a job share the
 * network of its slot, in which services have names, so they reach only what a step may reach.
 */
export function jobContainers(engine: Engine, { dir, limits }: Pick<Config, 'dir' | 'limits'>): Containers {
  const label = `${agentLabel}=${short(dir)}`
  const idOf = (room: Workspace): string => `${room.jobId}-${room.attempt}-${short(room.dir)}`
  const nameOf = ({ room, step }: Running): string => `gantry-${idOf(room)}-${step}`
  const serviceName = (room: Workspace, service: Service): string => `gantry-${idOf(room)}-${service.name}`
  const marker = ({ room, step }: Running): string => join(room.dir, 'steps', String(step), 'container')
  const pulled = new Set<string>()
  const ask = (words: string[], signal?: AbortSignal): Promise<EngineOutput> => call(engine, words, signal)

  async function pull(room: Workspace, image: string, { signal, say }: StepStart): Promise<void> {
    const key = `${room.dir} ${image}`
    if (pulled.has(key)) return
    const here = (await ask(['image', 'inspect', '--format', '{{.Id}}', image], signal)).code === 0
    // a digest means the same image everywhere, and a local image has no registry
    if (!here || !(image.includes('@') || image.startsWith('localhost/'))) {
      say(`Pulling ${image}`)
      const said = await ask(['pull', '--quiet', image], signal)
      if (said.code !== 0 && !here)
        throw new StepFailure('agents-image-not-pulled', { image, why: withoutPaths(lastLine(said.err)) })
      if (said.code !== 0) say(`${image} cannot be pulled: the one that is on this machine is used`)
    }
    pulled.add(key)
  }

  /** The containers of a job share one network: the slot's, or that of its first service. */
  function networkWords(
    room: Workspace,
    services: readonly Service[],
    { network }: ContainerContext,
    at: number,
  ): string[] {
    const first = services[0]
    const hosts = services.flatMap(({ name }) => ['--add-host', `${name}:127.0.0.1`])
    if (network.way !== 'host') {
      const names = network.resolvConf === undefined ? [] : ['--volume', `${network.resolvConf}:/etc/resolv.conf:ro`]
      return ['--network', 'host', ...hosts, ...names]
    }
    if (first === undefined) return []
    return at === 0 ? hosts : ['--network', `container:${serviceName(room, first)}`]
  }

  function usersOf(room: Workspace, below: number): string[] {
    const { uid } = room.slot
    if (engine.kind !== 'podman' || uid === undefined) return []
    return ['--uidmap', '--gidmap'].flatMap((map) => [map, `0:${uid}:1`, map, `1:${below}:65535`])
  }

  function boundsOf(parent: string | undefined): string[] {
    if (parent !== undefined) return ['--cgroup-parent', parent]
    const memory = String(limits.memory)
    return ['--memory', memory, '--memory-swap', memory, '--pids-limit', String(limits.processes)]
  }

  async function runWords(
    room: Workspace,
    name: string,
    options: { services: readonly Service[]; at: number; around: ContainerContext; group: string; more: string[] },
  ): Promise<string[]> {
    const { services, at, around, group, more } = options
    const parent = engine.kind === 'podman' ? around.parentOf(room, group) : undefined
    writeFileSync(join(room.dir, 'containers'), '')
    return [
      ...(await around.network.enter(room.slot)),
      engine.program,
      ...(parent === undefined ? [] : ['--cgroup-manager', 'cgroupfs']),
      'run',
      '--name',
      name,
      '--label',
      label,
      '--label',
      `${roomLabel}=${idOf(room)}`,
      '--pull',
      'never',
      '--stop-timeout',
      '0',
      ...networkWords(room, services, around, at),
      ...usersOf(room, around.below),
      ...boundsOf(parent),
      ...ulimits(limits),
      // /dev/shm counts as memory of the container; some engines leave theirs behind on the machine
      '--ipc',
      'none',
      '--tmpfs',
      `/dev/shm:rw,nosuid,nodev,mode=1777,size=${Math.ceil(limits.memory / 2)}`,
      '--security-opt',
      'no-new-privileges',
      '--security-opt',
      'label=disable',
      ...more,
    ]
  }

  async function serve(
    room: Workspace,
    services: readonly Service[],
    around: ContainerContext,
    beginning: StepStart,
  ): Promise<void> {
    for (const [at, service] of services.entries()) {
      const name = serviceName(room, service)
      const state = await ask(['inspect', '--format', '{{.State.Running}}', name])
      if (state.code === 0 && state.out.trim() !== 'true') await tellEnd(name, service, beginning)
      if (state.code !== 0) {
        await pull(room, service.image, beginning)
        beginning.say(`Starting the service ${service.name} of ${service.image}`)
        const environment = service.environment.flatMap((one) => ['--env', `${one.name}=${one.value}`])
        const more = ['--detach', ...environment, service.image]
        const group = `service-${at}`
        const [program = '', ...words] = await runWords(room, name, { services, at, around, group, more })
        const said = await call({ ...engine, program }, words, beginning.signal)
        if (said.code !== 0)
          throw new StepFailure('agents-service-failed', {
            service: service.name,
            image: service.image,
            why: withoutPaths(lastLine(said.err)),
          })
      }
      if (service.port !== null) await untilReady(name, service, service.port, beginning)
    }
  }

  async function untilReady(name: string, service: Service, port: number, beginning: StepStart): Promise<void> {
    const pid = Number((await ask(['inspect', '--format', '{{.State.Pid}}', name])).out)
    const until = performance.now() + readyMs
    while (!listens(pid, port)) {
      if (pid === 0 || !existsSync(`/proc/${pid}`)) await tellEnd(name, service, beginning)
      if (performance.now() > until)
        throw new StepFailure('agents-service-silent', {
          service: service.name,
          image: service.image,
          port,
          seconds: readyMs / 1000,
        })
      await sleep(50, undefined, { signal: beginning.signal })
    }
  }

  async function tellEnd(name: string, service: Service, { say }: StepStart): Promise<never> {
    const { out, err } = await ask(['logs', '--tail', '20', name])
    for (const line of `${out}${err}`.split('\n').filter((one) => one.trim() !== '')) say(`${service.name}: ${line}`)
    throw new StepFailure('agents-service-ended', { service: service.name, image: service.image })
  }

  async function removeAll(filter: string): Promise<void> {
    const { out } = await ask(['ps', '--all', '--quiet', '--filter', `label=${filter}`])
    const ids = out.split('\n').filter((id) => id !== '')
    if (ids.length === 0) return
    const said = await ask(['rm', '--force', '--volumes', ...ids])
    if (said.code !== 0) throw new Error(`containers were not removed: ${lastLine(said.err)}`)
  }

  return {
    by: engine.version,
    label,
    engine,
    has: (running) => existsSync(marker(running)),

    async wordsFor(room, command, around, beginning, work = workOf(room)) {
      const { image = null, services = [] } = command.container ?? {}
      if (image === null || services.some((service) => service.image === ''))
        throw new StepFailure('agents-image-missing')
      await pull(room, image, beginning)
      await serve(room, services, around, beginning)
      const running = { room, step: command.step }
      const here = join(shownInside, 'steps', String(command.step))
      const fs = (name: string): string => join(room.dir, 'fs', name)
      const words = await runWords(room, nameOf(running), {
        services,
        at: services.length,
        around,
        group: String(command.step),
        more: [
          '--volume',
          `${work}:${shownInside}/work`,
          '--volume',
          `${fs('home')}:${shownInside}/home`,
          '--volume',
          `${fs('steps')}:${shownInside}/steps:ro`,
          '--volume',
          `${fs('tmp')}:/tmp`,
          '--workdir',
          `${shownInside}/work`,
          '--user',
          '0:0',
          '--entrypoint',
          command.shell,
          // the image is from an administrator's list, whose rules exclude options
          image,
          '-e',
          '-c',
          '. "$1"; shift; . "$0"',
          `${here}/script`,
          `${here}/environment`,
        ],
      })
      beginning.signal.throwIfAborted()
      writeFileSync(marker(running), nameOf(running))
      return words
    },

    async shellFor(running, shell, network) {
      const name = nameOf(running)
      const { out } = await ask(['inspect', '--format', '{{.State.Running}}', name])
      if (out.trim() !== 'true') return undefined
      const environment = join(shownInside, 'steps', String(running.step), 'environment')
      // by default, a key of every shell's history detaches from the container
      const keys = engine.kind === 'podman' ? '' : 'ctrl-^,ctrl-_'
      // to the engine the slot's network is the machine's, which `exec` takes from its caller
      const enter = await network.enter(running.room.slot)
      const become = (...flags: string[]): string => {
        const inside = ['/bin/sh', '-c', containerScript(shell.id), 'sh', environment]
        const words = [...enter, engine.program, 'exec', ...flags, '--user', '0:0', name, ...inside]
        return `exec ${words.map(quoted).join(' ')}`
      }
      const terminal = become('--interactive', '--tty', '--detach-keys', keys)
      return terminalScript(shell, terminal, `${become('--interactive')} 2>&1`)
    },

    async signal(running, signal) {
      const name = nameOf(running)
      // the first process of a container ignores signals that it does not handle, so all others are signalled
      if (signal === 'TERM') await ask(['exec', name, '/bin/sh', '-c', 'kill -TERM -1'])
      else await ask(['rm', '--force', '--volumes', name])
    },

    async end(running, code) {
      const name = nameOf(running)
      const format = '{{.State.OOMKilled}} {{.State.StartedAt}}'
      const state = code === 0 ? undefined : await ask(['inspect', '--format', format, name])
      await ask(['rm', '--force', '--volumes', name])
      if (state === undefined) return undefined
      if (state.out.startsWith('true')) return { how: 'memory' }
      return state.code !== 0 || /^\S+ 0001-/.test(state.out) ? { how: 'never-ran' } : undefined
    },

    async cleanup(room) {
      if (!existsSync(join(room.dir, 'containers'))) return
      await removeAll(`${roomLabel}=${idOf(room)}`)
      for (const key of pulled) if (key.startsWith(`${room.dir} `)) pulled.delete(key)
    },

    async sweep(rooms) {
      const list = async (filter: string): Promise<string[]> =>
        (await ask(['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=${filter}`])).out.split('\n')
      const kept = new Set((await Promise.all(rooms.map((room) => list(`${roomLabel}=${idOf(room)}`)))).flat())
      const ids = (await list(label)).filter((id) => id !== '' && !kept.has(id))
      if (ids.length > 0) await ask(['rm', '--force', '--volumes', ...ids])
    },
  }
}
