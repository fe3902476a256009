import { readFileSync, rmSync, writeFileSync } from 'node:fs'

export class LockedError extends Error {}

/** Distinguishes a process from a later one with the same pid; only the pid if the system offers no more. */
function identity(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  try {
    // Field 22 is the start time; field 2, a name in parentheses, may contain spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie: ended, but not yet reaped by its parent.
    return 'ZX'.includes(state) ? undefined : `${pid} ${fields[18]}`
  } catch {
    return String(pid)
  }
}

/** Locks a data folder for this process; a lock of an ended process is taken over. Answers a function to unlock. */
export function lock(path: string): () => void {
  const own = identity(process.pid) ?? String(process.pid)
  try {
    writeFileSync(path, own, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const owner = readFileSync(path, 'utf8')
    const holder = Number(owner.split(' ')[0])
    if (holder > 0 && holder !== process.pid && identity(holder) === owner)
      throw new LockedError(`another sandbox (process ${holder}) works on this data folder`)
    writeFileSync(path, own, { mode: 0o600 })
  }
  return () => rmSync(path, { force: true })
}
