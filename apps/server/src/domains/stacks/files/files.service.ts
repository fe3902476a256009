import { createHash, randomBytes } from 'node:crypto'
import { basename, dirname } from 'node:path/posix'
import { Readable } from 'node:stream'
import { type FileEntry, maxEdited } from '@gantry/contract/stacks/containers/files'
import type { ExecSession } from '../../../adapters/kube/operations/exec.ts'
import { Fault } from '../../../kernel/fault.ts'
import { by, compareNames, thenBy } from '../../../kernel/in-order.ts'
import { listingOf } from './listing.ts'
import { maxErrorBytes } from './run.ts'
import {
  bytesOf,
  factsOf,
  goneFault,
  lookAt,
  mustBeFile,
  mustNotBeGone,
  type ContainerAccess,
  program,
  programFault,
  realPath,
  regularFile,
  tryProgram,
} from './programs.ts'

const maxListing = 4 * 1024 * 1024
const maxEntries = 10_000

/** The entries of a folder, folders first. */
export async function listFolder(
  place: ContainerAccess,
  path: string,
): Promise<{ entries: FileEntry[]; cut: boolean }> {
  const real = await realPath(place, path)
  const folder = real === '/' ? '/' : `${real}/`
  const ran = await tryProgram(place, ['ls', '-lnA', '--full-time', '--', folder], maxListing)
  // ls leaves out what it may not read and exits with an error.
  if (ran.code !== 0 && ran.out.length === 0) throw programFault(ran, 'ls', path)
  const entries = listingOf(ran.out.toString('utf8'), folder)
  return {
    entries: entries
      .slice(0, maxEntries)
      .map(({ folder: _, ...entry }): FileEntry => entry)
      .sort(
        thenBy(
          by(({ kind }) => (kind === 'folder' ? 0 : 1)),
          (a, b) => compareNames(a.name, b.name),
        ),
      ),
    cut: ran.cut || entries.length > maxEntries,
  }
}

const revisionOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32)

async function textBytes(place: ContainerAccess, path: string): Promise<Buffer> {
  const file = await regularFile(place, path)
  if (file.size > maxEdited) throw new Fault('tooLarge', 'file-too-large-to-edit')
  return bytesOf(place, file.path, 0, file.size)
}

/** Reads a text file for editing. */
export async function readText(place: ContainerAccess, path: string): Promise<{ text: string; revision: string }> {
  const bytes = await textBytes(place, path)
  try {
    if (bytes.includes(0)) throw new TypeError('a text has no zeros')
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { text, revision: revisionOf(bytes) }
  } catch {
    throw new Fault('unsupported', 'container-file-not-text', { path })
  }
}

/** Replaces a text that has not changed since it was read; an empty `revision` means that the file did not exist. */
export async function writeText(
  place: ContainerAccess,
  path: string,
  { text, revision }: { text: string; revision: string },
): Promise<{ revision: string }> {
  const bytes = Buffer.from(text)
  if (bytes.length > maxEdited) throw new Fault('tooLarge', 'file-too-large-to-edit')
  const present = await textBytes(place, path).then(revisionOf, (error: unknown) => {
    if (error instanceof Fault && error.key === 'container-path-missing') return ''
    throw error
  })
  if (present !== revision) throw new Fault('conflict', 'container-file-changed', { path })
  await putFile(place, path, [bytes], true)
  return { revision: revisionOf(bytes) }
}

/** How long the removal of a failed upload's remains may take, in milliseconds. */
const tidying = 10_000

/**
 * Writes a file beside its place and renames it, so that it exists whole or not at all. An existing file keeps its
 * permission bits. Returns the file's size.
 */
export async function putFile(
  place: ContainerAccess,
  path: string,
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  overwrite: boolean,
): Promise<number> {
  const { real, facts: before } = await lookAt(place, path)
  if (before?.kind === 'folder') throw new Fault('invalid', 'container-path-folder', { path })
  if (before?.kind === 'other') throw new Fault('invalid', 'container-path-special', { path })
  if (before && !overwrite) throw new Fault('conflict', 'container-file-exists', { path })
  const part = `${dirname(real).replace(/\/$/, '')}/.${basename(real).slice(0, 60)}.${randomBytes(4).toString('hex')}.part`
  try {
    const size = await send(place, part, source, path)
    const there = await factsOf(place, part)
    if (there?.size !== size) throw new Fault('conflict', 'container-upload-short', { path })
    if (before) await program(place, ['chmod', before.mode, part], path)
    await program(place, ['mv', '-f', '--', part, real], path)
    return size
  } catch (error) {
    await tryProgram({ ...place, signal: AbortSignal.timeout(tidying) }, ['rm', '-f', '--', part]).catch(
      () => undefined,
    )
    throw error
  }
}

/** The size of a message to the container: the cluster refuses large ones. */
const maxAtOnce = 256 * 1024
/** How many bytes may be unacknowledged. */
const maxUnderway = 2 * 1024 * 1024
/** How long a container may take to accept them, in milliseconds. */
const longestPause = 120_000

/**
 * Sends bytes to a new file. A cluster accepts input faster than the container does, and drops the rest when the input
 * ends. So `tee` echoes what it has written, and the sender waits for that.
 */
async function send(
  place: ContainerAccess,
  part: string,
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  path: string,
): Promise<number> {
  const { kube, ref, container, signal } = place
  let session: ExecSession
  try {
    session = await kube.exec(ref, { container, command: ['tee', part], stdin: true, signal })
  } catch (error) {
    throw await goneFault(place, error)
  }
  const sent = { size: 0, taken: 0, err: '', over: false }
  let wake = (): void => undefined
  const reading = (async () => {
    for await (const { from, bytes } of session.output) {
      if (from === 'out') sent.taken += bytes.length
      else sent.err = (sent.err + bytes.toString('utf8')).slice(0, maxErrorBytes)
      wake()
    }
    sent.over = true
    wake()
  })()
  const underway = async (most: number): Promise<void> => {
    while (sent.size - sent.taken > most && sent.err === '' && !sent.over) {
      let slow = false
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          slow = true
          resolve()
        }, longestPause)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      if (slow) throw new Fault('unavailable', 'container-program-slow', { program: 'tee' })
    }
  }
  try {
    for await (const bytes of source) {
      for (let at = 0; at < bytes.length && sent.err === '' && !sent.over; at += maxAtOnce) {
        const piece = bytes.subarray(at, at + maxAtOnce)
        await session.write(piece)
        sent.size += piece.length
        await underway(maxUnderway)
      }
      if (sent.err !== '' || sent.over) break
    }
    await underway(0)
    if (sent.err !== '') throw programFault({ code: 1, message: '', err: sent.err }, 'tee', path)
    if (!sent.over && !session.endInput()) session.close()
    await reading
    const end = await session.ended.catch(async (error: unknown) => {
      throw await goneFault(place, error)
    })
    await mustNotBeGone(place, end)
    if (sent.taken !== sent.size || end.code > 0) throw programFault({ ...end, err: sent.err }, 'tee', path)
    return sent.size
  } finally {
    session.close()
  }
}

export interface Download {
  body: Readable
  name: string
  /** The size of a file in bytes; undefined for an archive. */
  size: number | undefined
}

/** A file, or a folder as an archive, read only as fast as it is sent. */
export async function openDownload(place: ContainerAccess, path: string): Promise<Download> {
  const there = await lookAt(place, path)
  const name = basename(path) || place.container
  if (there.facts?.kind === 'folder') {
    const archive = output(place, ['tar', '-cf', '-', '-C', there.real, '.'], path)
    return { body: Readable.from(archive), name: `${name}.tar`, size: undefined }
  }
  const file = mustBeFile(there, path)
  const body = exactly(output(place, ['dd', `if=${file.path}`, 'bs=65536'], path), file.size)
  return { body: Readable.from(body), name, size: file.size }
}

/** Messages of tar about files that change meanwhile: such an archive is as good as it can be. */
const changing = /file changed as we read it|file removed before we read it/

async function* output(
  place: ContainerAccess,
  command: readonly [string, ...string[]],
  path: string,
): AsyncGenerator<Buffer> {
  const { kube, ref, container, signal } = place
  let err = ''
  let session: ExecSession | undefined
  try {
    session = await kube.exec(ref, { container, command, signal })
    for await (const { from, bytes } of session.output)
      if (from === 'out') yield bytes
      else err = (err + bytes.toString('utf8')).slice(0, maxErrorBytes)
    const end = await session.ended
    await mustNotBeGone(place, end)
    if (end.code !== 0 && !(end.code === 1 && changing.test(err))) throw programFault({ ...end, err }, command[0], path)
  } catch (error) {
    throw await goneFault(place, error)
  } finally {
    session?.close()
  }
}

/** Cuts a file that grows meanwhile to the announced size; throws if it has shrunk. */
async function* exactly(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let left = size
  if (left === 0) return
  for await (const bytes of source) {
    yield bytes.subarray(0, left)
    left -= bytes.length
    if (left <= 0) return
  }
  throw new Error('the file was shorter than it was said to be')
}
