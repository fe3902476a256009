import { spawn } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { systemPath } from './scripts.ts'

/** Milliseconds until all files are counted again; counting takes at most one in `shareOfTime` of the time. */
const countMs = 30_000
const shareOfTime = 5

/**
 * Returns a function that checks whether a folder exceeds its limit, to be called about every second. All files are
 * counted only if the file system has lost so much space that the limit may be exceeded, and regularly, because others
 * may have freed space meanwhile. It is no quota: files can exceed the limit between two checks.
 *
 * `more`: for a folder that may exceed the limit already: bytes that may be added to what the first check finds.
 */
export function diskWatch(folder: string, limit: number, more?: number): () => Promise<boolean> {
  let most = more === undefined ? limit : undefined
  let counted = { bytes: 0, free: Infinity, until: 0, again: 0 }
  let counting = false

  return async () => {
    if (counting) return false
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    const lost = Math.max(0, counted.free - free)
    const now = performance.now()
    if (now < counted.again || (counted.bytes + lost <= (most ?? limit) && now < counted.until)) return false
    counting = true
    const bytes = await usedBy(folder).finally(() => (counting = false))
    const took = performance.now() - now
    counted = { bytes, free, until: now + countMs, again: now + took * shareOfTime }
    most ??= Math.max(limit, bytes + (more ?? 0))
    return bytes > most
  }
}

/** Counts the blocks of files, not their lengths. du handles trees of any depth. */
export function usedBy(folder: string): Promise<number> {
  const child = spawn('nice', ['-n', '10', 'du', '-skx', folder], {
    cwd: '/',
    env: { PATH: systemPath },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += part.toString('latin1')))
  return new Promise((done, failed) => {
    child.once('error', failed)
    // a file that disappears while it is counted is not an error
    child.once('close', () => done(Number.parseInt(said, 10) * 1024 || 0))
  })
}
