import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import type { Ref } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, type FaultKind } from '../../../kernel/fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { Target } from '../containers/containers.service.ts'
import { type Ran, runIn } from './run.ts'

/** A container to run programs in: only programs of its image, with arguments, and never through a shell. */
export interface ContainerAccess {
  kube: Kube
  ref: Ref
  uid: string
  container: string
  signal: AbortSignal
}

type Command = readonly [string, ...string[]]

export function placeIn(ctx: Ctx, { kube, pod, container }: Target): ContainerAccess {
  const { state } = pod.containers.find(({ name }) => name === container) ?? {}
  if (state !== 'running') throw new Fault('conflict', 'container-not-running', { container })
  return { kube, ref: { name: pod.name, namespace: pod.namespace }, uid: pod.uid, container, signal: ctx.signal }
}

/** Messages of the C library, which programs of any image print. */
const complaints: [words: RegExp, kind: FaultKind, key: PhraseKey][] = [
  [/no such file or directory|nonexistent directory/i, 'missing', 'container-path-missing'],
  [/permission denied|operation not permitted/i, 'conflict', 'container-path-denied'],
  [/read-only file system/i, 'conflict', 'container-read-only'],
  [/no space left on device|disk quota exceeded/i, 'full', 'container-disk-full'],
  [/is a directory/i, 'invalid', 'container-path-folder'],
  [/not a directory/i, 'invalid', 'container-path-not-folder'],
  [/too many levels of symbolic links/i, 'invalid', 'container-path-loop'],
]

/** The fault for a failed program, with what to do. */
export function programFault(
  { code, message, err }: Pick<Ran, 'code' | 'message' | 'err'>,
  program: string,
  path: string,
) {
  const isAbsent = err === '' && (code === 126 || code === 127)
  if (isAbsent || (code === -1 && /executable file not found|no such file or directory|not found/i.test(message)))
    return new Fault('conflict', 'container-program-missing', { program })
  const known = complaints.find(([words]) => words.test(err))
  if (known) return new Fault(known[1], known[2], { path })
  const reason = (err || message || `${code}`).trim().slice(0, 300)
  return new Fault('conflict', 'container-program-failed', { program, reason })
}

/** A fault if the pod in which a program was started is gone or being deleted. */
async function podGone({ kube, ref, uid }: ContainerAccess): Promise<Fault | undefined> {
  const pod = await kube.find(kinds.pods, ref, { budget: waits.call }).catch(() => undefined)
  const { metadata } = pod ?? {}
  if (metadata?.uid === uid && metadata.deletionTimestamp === undefined) return undefined
  return new Fault('conflict', 'container-pod-gone', { pod: ref.name })
}

/** The exit code of a killed program, such as all programs of a deleted pod. */
const killed = 137

/** Throws if a program was killed because its pod is gone. */
export async function mustNotBeGone(place: ContainerAccess, { code }: Pick<Ran, 'code'>): Promise<void> {
  const gone = code === killed ? await podGone(place) : undefined
  if (gone) throw gone
}

/** The fault for a cluster's failure while a program ran: mostly the pod or the container is gone. */
export async function goneFault(place: ContainerAccess, error: unknown): Promise<unknown> {
  if (place.signal.aborted) return error
  if (isKube(error, 'server') && /container not found|is not running/i.test(error.message))
    return new Fault('conflict', 'container-not-running', { container: place.container })
  if (!isKube(error, 'reset') && !isKube(error, 'missing')) return kubeFault(error)
  return (await podGone(place)) ?? kubeFault(error)
}

/** Programs that only read answer at once; a longer one is abandoned. In milliseconds. */
const longest = 20_000

/** Runs a program to its end, whatever its exit code. */
export async function tryProgram(place: ContainerAccess, command: Command, most = 64 * 1024): Promise<Ran> {
  const { kube, ref, container } = place
  const timer = AbortSignal.timeout(longest)
  try {
    const ran = await runIn(kube, ref, { container, command, most, signal: AbortSignal.any([place.signal, timer]) })
    await mustNotBeGone(place, ran)
    return ran
  } catch (error) {
    if (timer.aborted && !place.signal.aborted)
      throw new Fault('unavailable', 'container-program-slow', { program: command[0] })
    throw await goneFault(place, error)
  }
}

/** Runs a program that must succeed. */
export async function program(place: ContainerAccess, command: Command, path: string, most?: number): Promise<Buffer> {
  const ran = await tryProgram(place, command, most)
  if (ran.code !== 0) throw programFault(ran, command[0], path)
  return ran.out
}

/** The real path behind all links; the last part need not exist. */
export async function realPath(place: ContainerAccess, path: string): Promise<string> {
  const ran = await tryProgram(place, ['readlink', '-f', '--', path])
  if (ran.code === 1 && ran.err === '') throw new Fault('missing', 'container-path-missing', { path })
  if (ran.code !== 0) throw programFault(ran, 'readlink', path)
  return ran.out.toString('utf8').replace(/\n$/, '')
}

export interface Facts {
  kind: 'file' | 'folder' | 'other'
  size: number
  /** Octal permission bits. */
  mode: string
}

const typeMask = 0xf000
const types: Record<number, Facts['kind']> = { 0x8000: 'file', 0x4000: 'folder' }

/** The facts of a file, through links; undefined if it does not exist. */
export async function factsOf(place: ContainerAccess, path: string): Promise<Facts | undefined> {
  const ran = await tryProgram(place, ['stat', '-L', '-c', '%f %s %a', '--', path])
  if (ran.code !== 0) {
    const fault = programFault(ran, 'stat', path)
    if (fault.key === 'container-path-missing') return undefined
    throw fault
  }
  const [bits = '', size = '', mode = ''] = ran.out.toString('utf8').trim().split(' ')
  return { kind: types[Number.parseInt(bits, 16) & typeMask] ?? 'other', size: Number(size), mode }
}

/** Kernel files may have no end, or block forever. */
const special = /^\/(proc|sys|dev)(\/|$)/

/** The real path, and the facts of what is there; undefined if nothing is. */
export async function lookAt(
  place: ContainerAccess,
  path: string,
): Promise<{ real: string; facts: Facts | undefined }> {
  const [real, facts] = await Promise.all([realPath(place, path), factsOf(place, path)])
  return { real, facts }
}

/** Throws unless it is a regular file that can be read to its end. */
export function mustBeFile(
  { real, facts }: Awaited<ReturnType<typeof lookAt>>,
  path: string,
): Facts & { path: string } {
  if (!facts) throw new Fault('missing', 'container-path-missing', { path })
  if (facts.kind === 'folder') throw new Fault('invalid', 'container-path-folder', { path })
  if (facts.kind !== 'file' || special.test(real)) throw new Fault('invalid', 'container-path-special', { path })
  return { ...facts, path: real }
}

/** A regular file that can be read to its end, through links. */
export const regularFile = async (place: ContainerAccess, path: string) => mustBeFile(await lookAt(place, path), path)

const block = 64 * 1024

/** Some bytes of a file, without reading those before them. */
export async function bytesOf(place: ContainerAccess, path: string, from: number, to: number): Promise<Buffer> {
  if (to <= from) return Buffer.alloc(0)
  const first = Math.floor(from / block)
  const count = Math.ceil(to / block) - first
  const command = ['dd', `if=${path}`, `bs=${block}`, `skip=${first}`, `count=${count}`] as const
  const bytes = await program(place, command, path, count * block)
  return bytes.subarray(from - first * block, to - first * block)
}
