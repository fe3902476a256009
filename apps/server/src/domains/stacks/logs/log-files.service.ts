import type { LogFile, LogPart, LogQuery } from '@gantry/contract/stacks/containers/logs'
import type { V1Pod } from '@kubernetes/client-node'
import type { z } from 'zod'
import type { Wire } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { by, byNameOf, thenBy } from '../../../kernel/in-order.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { refOf, type Target } from '../containers/containers.service.ts'
import { listingOf } from '../files/listing.ts'
import { bytesOf, type ContainerAccess, placeIn, programFault, regularFile, tryProgram } from '../files/programs.ts'

type PodSpec = Wire<V1Pod>['spec']

/** Where programs put their logs by convention. */
const usual = '/var/log'
const logFileName = /\.(log|out|err|trace)([._-][\w.-]*)?$/i
/** Archives, which nobody reads line by line. */
const packed = /\.(gz|xz|bz2|zst|zip)$/i

const maxListing = 2 * 1024 * 1024
const maxFiles = 500

const isUnder = (path: string, root: string): boolean => path.startsWith(`${root}/`)

/** Whether a file is a log: any in /var/log, and those named like a log in a volume that the container writes to. */
const isLog = (path: string, roots: readonly string[]): boolean =>
  !packed.test(path) && (isUnder(path, usual) || (logFileName.test(path) && roots.some((root) => isUnder(path, root))))

async function specOf({ kube, ref }: Pick<ContainerAccess, 'kube' | 'ref'>): Promise<PodSpec> {
  try {
    return (await kube.get(kinds.pods, ref)).spec
  } catch (error) {
    throw kubeFault(error)
  }
}

/** The folders that are searched for a container's log files: /var/log and its writable volumes. */
function rootsOf(spec: PodSpec, container: string): string[] {
  const written = new Set(
    (spec?.volumes ?? []).flatMap(({ name, emptyDir, persistentVolumeClaim, ephemeral }) =>
      (emptyDir ?? persistentVolumeClaim ?? ephemeral) ? [name] : [],
    ),
  )
  const all = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]
  const mounts = all.find(({ name }) => name === container)?.volumeMounts ?? []
  const roots = mounts.filter(({ name, readOnly }) => written.has(name) && !readOnly).map(({ mountPath }) => mountPath)
  return [...new Set([usual, ...roots.map((root) => root.replace(/\/+$/, '')).filter((root) => root !== '')])]
}

/** The readable log files of a pod's running containers, and why those of some containers cannot be listed. */
export async function logPaths(ctx: Ctx, target: Target) {
  const running = target.pod.containers.filter(({ state }) => state === 'running')
  const spec = running.length > 0 ? specOf({ kube: target.kube, ref: refOf(target) }) : undefined
  const looked = await Promise.all(
    running.map(async ({ name: container }) => {
      try {
        const found = await filesIn(placeIn(ctx, { ...target, container }), rootsOf(await spec, container))
        return { files: found.map((file): z.infer<typeof LogFile> => ({ container, ...file })), unread: [] }
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return { files: [], unread: [{ container, reason: sayTo(ctx, error) }] }
      }
    }),
  )
  const files = looked.flatMap((one) => one.files)
  const unread = looked.flatMap((one) => one.unread)
  return { files: files.slice(0, maxFiles), truncated: files.length > maxFiles, unread }
}

async function filesIn(place: ContainerAccess, roots: readonly string[]) {
  const ran = await tryProgram(place, ['ls', '-lnAR', '--full-time', '--', ...roots], maxListing)
  // A missing folder is no failure.
  if (ran.code !== 0 && ran.out.length === 0) {
    const fault = programFault(ran, 'ls', usual)
    if (fault.key === 'container-path-missing') return []
    throw fault
  }
  // With several folders `ls` also names the first one, but not if only one exists.
  return listingOf(ran.out.toString('utf8'), usual)
    .map((entry) => ({ ...entry, path: `${entry.folder}/${entry.name}` }))
    .filter(({ kind, path }) => kind === 'file' && isLog(path, roots))
    .sort(
      thenBy(
        by(({ folder }) => folder),
        byNameOf(({ name }) => name),
      ),
    )
    .map(({ path, size, changedAt }) => ({ path, size, changedAt }))
}

/** How much is read at once: enough for any page of lines, and quick. */
const maxBytes = 1024 * 1024
const newline = 10

/** Lines of a log file from an offset on, without reading what is before or after them. */
export async function readLogFile(place: ContainerAccess, path: string, query: LogQuery): Promise<LogPart> {
  const refused = () => new Fault('invalid', 'log-path-refused', { path })
  // Check before asking the container anything.
  if (!path.startsWith('/') || /\/(\.{0,2})(\/|$)|\p{Cc}/u.test(path)) throw refused()
  // Only files that `paths` lists, under their own names.
  if (!isLog(path, rootsOf(await specOf(place), place.container))) throw refused()
  const { size, path: real } = await regularFile(place, path)
  if (real !== path) throw refused()
  const { whence = 'end', offset = 0, quantity } = query
  const at = whence === 'start' ? Math.min(offset, size) : Math.max(0, size - offset)
  const direction = query.direction ?? (whence === 'start' ? 'forward' : 'backward')
  const [from, to] = direction === 'forward' ? [at, Math.min(size, at + maxBytes)] : [Math.max(0, at - maxBytes), at]
  const bytes = await bytesOf(place, path, Math.max(0, from - 1), to)
  const found = linesIn(bytes, { from: Math.max(0, from - 1), begin: from, size, direction, quantity })
  const decoder = new TextDecoder(query.encoding)
  return {
    lines: found.parts.map((part) => ({ at: '', text: decoder.decode(part).replace(/\r$/, '') })),
    truncated: found.from > 0,
    file: { path, from: found.from, to: found.to, size },
  }
}

interface Window {
  /** The offset of the first byte in the file. */
  from: number
  /** The offset from which on lines may begin. */
  begin: number
  size: number
  direction: 'forward' | 'backward'
  quantity: number
}

/** The whole lines of a window, and their offsets; a line that is longer than the window is cut to it. */
export function linesIn(bytes: Buffer, { from, begin, size, direction, quantity }: Window) {
  const end = from + bytes.length
  let start = begin - from
  // Unless a line begins here, skip the rest of a line.
  if (begin > 0 && bytes[start - 1] !== newline) {
    const next = bytes.indexOf(newline, start)
    if (next >= 0 && next < bytes.length - 1) start = next + 1
  }
  const spans: [from: number, to: number, next: number][] = []
  for (let at = start; at < bytes.length;) {
    const next = bytes.indexOf(newline, at)
    // A line that goes on after the window comes with the next page, unless it is the only one.
    if (next < 0 && end < size && direction === 'forward' && spans.length > 0) break
    spans.push([at, next < 0 ? bytes.length : next, next < 0 ? bytes.length : next + 1])
    if (next < 0) break
    at = next + 1
  }
  const chosen = direction === 'forward' ? spans.slice(0, quantity) : spans.slice(-quantity)
  const here = direction === 'forward' ? begin : end
  return {
    parts: chosen.map(([first, last]) => bytes.subarray(first, last)),
    from: from + (chosen[0]?.[0] ?? here - from),
    to: from + (chosen.at(-1)?.[2] ?? here - from),
  }
}
