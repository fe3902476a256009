import { spawn } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { systemPath } from './scripts.ts'

/** A count of all files comes at least so often, and takes at most a part of the time. */
const countMs = 30_000
const shareOfTime = 5

/**
 * Looks whether a folder holds more than it may; to be asked every second or so. All files are counted only when the file
 * system has lost so much that the folder may have grown too large, and now and then: others may have given space back
 * meanwhile. It is no quota: what is written between two looks is written.
 *
 * `more`: where the folder may hold more than the limit already, so many bytes may come on top of what the first look finds.
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

/** Of the blocks that files take, not of their lengths. du goes as deep as a tree does. */
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
    // A file that disappears while it is counted is no failure.
    child.once('close', () => done(Number.parseInt(said, 10) * 1024 || 0))
  })
}
