import { closeSync, copyFileSync, openSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

export type Sink = 'inherit' | number

export interface Output {
  /** Where a part's log goes. The caller closes it with `release` after the spawn. */
  open: (part: string) => Sink
  release: (sink: Sink) => void
  /** The same for one that writes no JSON and so always has a file. */
  openFile: (part: string) => number
  folder: string
}

const largest = 32 * 1024 * 1024
const lookEveryMs = 60_000

/** Appending writers go on at the new end, so a log can be cut while it is written; a line or two may be lost between the calls. */
const cutWhenLarge = (file: string): void => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < largest) return
  copyFileSync(file, `${file}.1`)
  truncateSync(file)
}

/**
 * In front of a person the parts log into files, one each and one before it, 32 MB at most; the terminal keeps the start
 * lines. Anywhere else, a service manager or a container takes the log from the standard output.
 */
export const openOutput = (folder: string, filesOnly: boolean): Output => {
  const files = new Set<string>()
  setInterval(() => files.forEach(cutWhenLarge), lookEveryMs).unref()
  const openFile = (part: string): number => {
    const file = join(folder, `${part}.log`)
    files.add(file)
    cutWhenLarge(file)
    return openSync(file, 'a', 0o600)
  }
  return {
    open: (part) => (filesOnly ? openFile(part) : 'inherit'),
    release: (sink) => {
      if (sink !== 'inherit') closeSync(sink)
    },
    openFile,
    folder,
  }
}
