import { readFileSync, rmSync, writeFileSync } from 'node:fs'

export class LockedError extends Error {}

/** What tells a process from a later one of the same number; where the system does not say, the number alone. */
function identity(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  try {
    // The 22nd field is the start time; the second, a name in parentheses, may hold spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Ended, but not yet taken note of by its parent.
    return 'ZX'.includes(state) ? undefined : `${pid} ${fields[18]}`
  } catch {
    return String(pid)
  }
}

/** Makes this process the only one on a data folder; a lock whose process is gone is taken over. Answers how to let go. */
export function lock(path: string): () => void {
  const own = identity(process.pid) ?? String(process.pid)
  try {
    writeFileSync(path, own, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const held = readFileSync(path, 'utf8')
    const holder = Number(held.split(' ')[0])
    if (holder > 0 && holder !== process.pid && identity(holder) === held)
      throw new LockedError(`another sandbox (process ${holder}) works on this data folder`)
    writeFileSync(path, own, { mode: 0o600 })
  }
  return () => rmSync(path, { force: true })
}
