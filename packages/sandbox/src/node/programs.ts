import type { Cluster } from '../cluster.ts'
import type { Container, ContainerStatus, Pod } from '../objects/types.ts'
import { commands } from './shell-commands.ts'
import { runNamed } from './shell-run.ts'
import { ShellExit, type Run, type Shell } from './shell.ts'
import { credentialsOf, environment, filesOf, startOf, type Instance } from './instance.ts'
import type { Files } from './files.ts'

/** What a container does, in the order of time: lines of its log, and perhaps an end. */
export type Moment = { at: number; line: string } | { at: number; exit: number }

/**
 * What runs in the simulated containers. Nothing really runs: what a container has written by a moment, and when and how
 * it ends, follows from its specification and its start, so that it is the same after the sandbox was restarted.
 */
export interface Programs {
  /** The run that a container status speaks of: the present or last one, or the one before it. */
  instance(pod: Pod, container: Container, status: ContainerStatus, previous?: boolean): Instance | undefined
  play(instance: Instance): Generator<Moment, void, undefined>
  /** When and how this run ends by itself; undefined for one that goes on. */
  exitOf(instance: Instance): { at: number; exit: number } | undefined
  /** A shell inside a running container. Files written in it stay until the container's end. */
  shell(instance: Instance): Shell
}

/** Lines a container's log keeps, as a node turns logs over by their size. */
export const logLines = 10_000
const tick = 2000

export const crashAnnotation = 'sandbox.gantry.dev/crash'

/** The exit code that annotation or environment ask a container to die with. */
function crashOf(pod: Pod, env: Map<string, string>): number | undefined {
  const asked = pod.metadata.annotations?.[crashAnnotation] ?? env.get('SANDBOX_CRASH')
  if (asked === undefined || asked === '' || (!pod.metadata.annotations?.[crashAnnotation] && asked === '0'))
    return undefined
  const code = Number(asked)
  return Number.isInteger(code) && code >= 0 && code < 256 ? code : 1
}

export function simulatedPrograms(cluster: Cluster): Programs {
  const ends = new Map<string, { at: number; exit: number } | undefined>()
  const written = new Map<string, Files>()
  const keyOf = ({ pod, container, startedAt }: Instance): string =>
    `${pod.metadata.uid}/${container.name}/${startedAt}`

  const remember = <T>(map: Map<string, T>, key: string, value: T): T => {
    map.set(key, value)
    const oldest = map.size > 500 ? map.keys().next().value : undefined
    if (oldest !== undefined) map.delete(oldest)
    return value
  }

  const safeEnvironment = (instance: Instance): Map<string, string> => {
    try {
      return environment(cluster, instance.pod, instance.container, instance.image)
    } catch {
      // The config map went after the container had started with it.
      return new Map()
    }
  }

  const makeShell = (instance: Instance, files: Files, unknown: Shell['unknown'], now: () => number): Shell => ({
    env: safeEnvironment(instance),
    cwd: instance.container.workingDir ?? instance.image.workingDir,
    files,
    hostname: instance.pod.spec.hostname ?? instance.pod.metadata.name,
    status: 0,
    now,
    unknown,
    jobs: [],
    busy: 0,
    pause: 100,
  })

  function* play(instance: Instance): Generator<Moment, void, undefined> {
    const { pod, container, image, startedAt, attempt } = instance
    const env = safeEnvironment(instance)
    const crash = crashOf(pod, env)
    const say = (line: string, offset = 0): Moment => ({ at: startedAt + offset, line })
    if (crash !== undefined) {
      yield say(`starting ${container.image} (simulated, start ${attempt + 1})`)
      for (const line of env.get('SANDBOX_LOG')?.split('\n') ?? []) yield say(line, 1)
      yield say(`fatal: asked to crash, exit code ${crash}`, 900)
      yield { at: startedAt + 1000, exit: crash }
      return
    }
    const argv = container.command?.length
      ? [...container.command, ...(container.args ?? [])]
      : [...image.entrypoint, ...(container.args?.length ? container.args : image.command)]
    const [name = '', ...args] = argv
    const base = name.slice(name.lastIndexOf('/') + 1)
    if (
      base in commands ||
      ((base === 'sh' || base === 'ash' || base === 'bash') && args.some((arg) => /^-[a-z]*c$/.test(arg)))
    )
      return yield* playCommand(instance, name, args)
    yield* playServer(instance, env, startedAt, false)
  }

  /** A program that nobody here knows is taken for a server; where the pod's restart policy expects an end, for a task. */
  function* playServer(
    { pod, container }: Instance,
    env: Map<string, string>,
    from: number,
    forever: boolean,
  ): Generator<Moment, void, undefined> {
    const ports = container.ports?.map((port) => port.containerPort) ?? []
    yield { at: from, line: `starting ${container.image} (simulated by the Gantry sandbox)` }
    for (const line of env.get('SANDBOX_LOG')?.split('\n') ?? []) yield { at: from + 1, line }
    if (ports.length > 0) yield { at: from + 20, line: `listening on port ${ports.join(', ')}` }
    if (pod.spec.restartPolicy !== 'Always' && !forever) {
      yield { at: from + 800, line: `${container.image} is done` }
      yield { at: from + 1000, exit: 0 }
      return
    }
    yield { at: from + 40, line: 'ready' }
    // Only what the log still keeps is worth counting through.
    const past = Math.floor((cluster.now() - from) / tick) - logLines
    for (let n = Math.max(past, 0) + 1; ; n++)
      yield { at: from + n * tick, line: `${container.image} is well, ${n * 2} s after its start (simulated)` }
  }

  /** Runs a start command in the simulated shell, with time that passes only where it sleeps. */
  function* playCommand(instance: Instance, name: string, args: string[]): Generator<Moment, void, undefined> {
    let at = instance.startedAt
    let server = false
    const shell = makeShell(
      instance,
      filesOf(cluster, instance),
      // eslint-disable-next-line require-yield -- a server's lines are played below
      function* (): Run {
        server = true
        throw new ShellExit(0)
      },
      () => at,
    )
    let line = ''
    const run = started(shell, name, args)
    let step = run.next(undefined)
    while (!step.done) {
      const effect = step.value
      if ('sleep' in effect) at += effect.sleep
      const text = 'out' in effect ? effect.out : 'err' in effect ? effect.err : ''
      const lines = (line + text).split('\n')
      line = lines.pop() ?? ''
      for (const whole of lines) yield { at, line: whole }
      // A container's standard input is at its end.
      step = run.next('read' in effect ? null : undefined)
    }
    if (line !== '') yield { at, line }
    if (server) yield* playServer(instance, shell.env, at, true)
    else yield { at, exit: step.value }
  }

  function* started(shell: Shell, name: string, args: string[]): Run {
    try {
      return yield* runNamed(shell, name, args)
    } catch (error) {
      if (error instanceof ShellExit) return error.code
      throw error
    }
  }

  return {
    play,
    instance(pod, container, status, previous = false) {
      const id = previous ? status.lastState.terminated?.containerID : status.containerID
      const startedAt = startOf(id)
      if (startedAt === 0) return undefined
      // Where it was deleted meanwhile, a container still has what it was started from.
      let image
      try {
        // By its digest: the tag may name another by now.
        image = cluster.images.pull(status.imageID, credentialsOf(cluster, pod))
      } catch {
        image = {
          id: status.imageID,
          digest: '',
          size: 0,
          env: [],
          entrypoint: [],
          command: [],
          workingDir: '/',
          labels: {},
        }
      }
      return { pod, container, image, attempt: status.restartCount - (previous ? 1 : 0), startedAt }
    },
    exitOf(instance) {
      const key = keyOf(instance)
      if (ends.has(key)) return ends.get(key)
      let steps = 0
      const month = instance.startedAt + 30 * 24 * 3600 * 1000
      for (const moment of play(instance)) {
        if ('exit' in moment) return remember(ends, key, moment)
        // A program that still writes after so long is one that goes on.
        if (++steps > 5000 || moment.at > month) break
      }
      return remember(ends, key, undefined)
    },
    shell(instance) {
      const files = written.get(keyOf(instance)) ?? remember(written, keyOf(instance), filesOf(cluster, instance))
      return makeShell(
        instance,
        files,
        function* (name): Run {
          yield { err: `sh: ${name}: not found\n` }
          return 127
        },
        () => cluster.now(),
      )
    },
  }
}
