import { closeSync, copyFileSync, openSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

export type Sink = 'inherit' | number

export interface Output {
  /** Opens the target of a part's log. The caller closes it with `release` after the spawn. */
  open: (part: string) => Sink
  release: (sink: Sink) => void
  /** The same for a part whose log is not JSON, which therefore always has a file. */
  openFile: (part: string) => number
  folder: string
}

const largest = 32 * 1024 * 1024
const pollMs = 60_000

/** Appending writers go on at the new end, so a log can be cut while in use; a line or two may be lost meanwhile. */
const cutWhenLarge = (file: string): void => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < largest) return
  copyFileSync(file, `${file}.1`)
  truncateSync(file)
}

/**
 * On a terminal each part logs into a file, with one older file, each of at most 32 MB; the terminal shows only the
 * lines of the start. Otherwise logs go to the standard output, for a service manager or a container.
 */
export const openOutput = (folder: string, filesOnly: boolean): Output => {
  const files = new Set<string>()
  setInterval(() => files.forEach(cutWhenLarge), pollMs).unref()
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
