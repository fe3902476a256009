import type { Cluster } from '../cluster.ts'
import type { Container, ContainerStatus, Pod } from '../objects/types.ts'
import { knows, run, type Shell } from './shell.ts'
import { credentialsOf, environment, filesOf, startOf, type Instance } from './instance.ts'
import type { Files } from './files.ts'

/** The actions of a container in order of time: lines of its log, then its end, or the first of endless lines. */
export type Moment = { at: number; line: string; endless?: true } | { at: number; exit: number }

/**
 * The programs of the simulated containers. Nothing really runs: the output of a container up to a moment, and when and
 * how it ends, follow from its specification and its start, so that they are the same after a restart of the sandbox.
 */
export interface Programs {
  /** The run to which a container status refers: the present or last one, or the one before it. */
  instance(pod: Pod, container: Container, status: ContainerStatus, previous?: boolean): Instance | undefined
  play(instance: Instance): Generator<Moment, void, undefined>
  /** When and with which code this run ends by itself; undefined if it does not. */
  exitOf(instance: Instance): { at: number; exit: number } | undefined
  /** A shell in a running container; its changes last until the container ends. */
  shell(instance: Instance, terminal?: boolean): Shell
}

/** The most lines in a container's log, as a node limits logs by rotating them. */
export const logLines = 10_000
const tick = 2000

export const crashAnnotation = 'sandbox.gantry.dev/crash'

/** The exit code with which annotation or environment make a container crash. */
function crashOf(pod: Pod, env: Map<string, string>): number | undefined {
  const crash = pod.metadata.annotations?.[crashAnnotation] ?? env.get('SANDBOX_CRASH')
  if (crash === undefined || crash === '' || (!pod.metadata.annotations?.[crashAnnotation] && crash === '0'))
    return undefined
  const code = Number(crash)
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
      // The config map was deleted after the container had started.
      return new Map()
    }
  }

  const shellOf = (instance: Instance, files: Files, terminal: boolean): Shell => ({
    env: safeEnvironment(instance),
    cwd: instance.container.workingDir ?? instance.image.workingDir,
    files,
    terminal,
    state: 'scripted',
    status: 0,
    left: 0,
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
    if (knows(argv[0] ?? '')) yield* playCommand(instance, argv)
    else yield* playServer(instance, env, startedAt)
  }

  /** An unknown program is simulated as a server or, if the pod's restart policy expects an end, as a task. */
  function* playServer(
    { pod, container }: Instance,
    env: Map<string, string>,
    from: number,
  ): Generator<Moment, void, undefined> {
    const ports = container.ports?.map((port) => port.containerPort) ?? []
    yield { at: from, line: `starting ${container.image} (simulated by the Gantry sandbox)` }
    for (const line of env.get('SANDBOX_LOG')?.split('\n') ?? []) yield { at: from + 1, line }
    if (ports.length > 0) yield { at: from + 20, line: `listening on port ${ports.join(', ')}` }
    if (pod.spec.restartPolicy !== 'Always') {
      yield { at: from + 800, line: `${container.image} is done` }
      yield { at: from + 1000, exit: 0 }
      return
    }
    yield { at: from + 40, line: 'ready' }
    // Skips lines that the log no longer keeps.
    const past = Math.floor((cluster.now() - from) / tick) - logLines
    for (let n = Math.max(past, 0) + 1; ; n++)
      yield {
        at: from + n * tick,
        line: `${container.image} is well, ${n * 2} s after its start (simulated)`,
        endless: true,
      }
  }

  /** Runs a start command in the simulated shell; time passes only where it sleeps. */
  function* playCommand(instance: Instance, argv: string[]): Generator<Moment, void, undefined> {
    const shell = shellOf(instance, filesOf(cluster, instance), false)
    const running = run(shell, argv)
    let at = instance.startedAt
    let line = ''
    let step = running.next()
    while (!step.done && !('unknown' in step.value)) {
      const effect = step.value
      if ('sleep' in effect) at += effect.sleep
      const lines = (line + ('out' in effect ? effect.out : 'err' in effect ? effect.err : '')).split('\n')
      line = lines.pop() ?? ''
      for (const whole of lines) yield { at, line: whole }
      // The standard input of a container is empty.
      step = running.next('read' in effect ? null : undefined)
    }
    if (line !== '') yield { at, line }
    if (step.done) yield { at, exit: step.value }
    else yield* playServer(instance, shell.env, at)
  }

  return {
    play,
    instance(pod, container, status, previous = false) {
      const id = previous ? status.lastState.terminated?.containerID : status.containerID
      const startedAt = startOf(id)
      if (startedAt === 0) return undefined
      // If the image was deleted meanwhile, a container still has what it was started from.
      let image
      try {
        // By its digest, because the tag may refer to another image by now.
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
      for (const moment of play(instance)) {
        if ('exit' in moment) return remember(ends, key, moment)
        if (moment.endless) break
      }
      return remember(ends, key, undefined)
    },
    shell(instance, terminal = false) {
      const files = written.get(keyOf(instance)) ?? remember(written, keyOf(instance), filesOf(cluster, instance))
      return shellOf(instance, files, terminal)
    },
  }
}
