import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Obj } from '../objects/types.ts'

/** One line of the journal. Lines are in the order in which the changes were answered. */
export type Entry =
  | { put: string; object: Obj }
  | { del: string; namespace: string; name: string; version: number }
  /** The first line: this many `put` lines after it are the state at `version`; the lines after those are history. */
  | { format: 1; version: number; objects: number }

/**
 * An append-only file of lines with checksums. A line is in the file before `append` returns, so that a killed process
 * loses no answered write; it is not synced to disk, so that a power cut may lose the last seconds.
 */
export interface Journal {
  append(entry: Entry): void
  /** Size of the file in bytes. */
  size(): number
  /** Replaces the journal by a file with these entries, completely or not at all. */
  replace(entries: Iterable<Entry>): void
  close(): void
}

const checked = (entry: Entry): string => {
  const text = JSON.stringify(entry)
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`
}

const parse = (line: Buffer): Entry | undefined => {
  const text = line.subarray(9)
  if (line.length < 10 || Number.parseInt(line.toString('latin1', 0, 8), 16) !== crc32(text)) return undefined
  return JSON.parse(text.toString('utf8')) as Entry
}

/** Calls `each` with every complete line, and answers their total length in bytes; bytes after that are a torn line. */
function readLines(fd: number, each: (entry: Entry) => void): number {
  const chunk = Buffer.allocUnsafe(256 * 1024)
  let rest = Buffer.alloc(0)
  let good = 0
  for (;;) {
    const count = readSync(fd, chunk, 0, chunk.length, null)
    if (count === 0) return good
    const data = Buffer.concat([rest, chunk.subarray(0, count)])
    let from = 0
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, from)) {
      const entry = parse(data.subarray(from, end))
      if (!entry) return good
      each(entry)
      good += end + 1 - from
      from = end + 1
    }
    rest = data.subarray(from)
  }
}

const syncFolder = (path: string): void => {
  if (process.platform === 'win32') return
  const fd = openSync(dirname(path), 'r')
  fsyncSync(fd)
  closeSync(fd)
}

/** Opens or creates the journal, replays it through `each`, and cuts off a line torn by a kill. */
export function openJournal(path: string, each: (entry: Entry) => void): Journal {
  rmSync(`${path}.new`, { force: true })
  let fd = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600)
  let size = readLines(fd, each)
  ftruncateSync(fd, size)

  return {
    append(entry) {
      const data = Buffer.from(checked(entry))
      let written = 0
      try {
        while (written < data.length) written += writeSync(fd, data, written, data.length - written, size + written)
      } catch (error) {
        ftruncateSync(fd, size)
        throw error
      }
      size += data.length
    },
    size: () => size,
    replace(entries) {
      const next = openSync(`${path}.new`, 'w+', 0o600)
      let bytes = 0
      for (const entry of entries) {
        const data = Buffer.from(checked(entry))
        let written = 0
        while (written < data.length) written += writeSync(next, data, written, data.length - written, bytes + written)
        bytes += data.length
      }
      fsyncSync(next)
      renameSync(`${path}.new`, path)
      syncFolder(path)
      closeSync(fd)
      fd = next
      size = bytes
    },
    close: () => closeSync(fd),
  }
}
