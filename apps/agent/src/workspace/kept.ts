import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { usedBy } from '../executors/disk.ts'
import { systemPath } from '../executors/scripts.ts'
import type { KeptBounds } from '../config.ts'
import { messageOf, type Log } from '../log.ts'
import { removeTree } from './remove-tree.ts'
import { commitOf, homeOf, removeRoom, type Workspace, workOf, writeWhole } from './workspace.ts'

/**
 * Workspaces of unsuccessful jobs, for a retry on this machine: `<agent>/kept/<key>/` with `work` and `kept.json`. The
 * server generates a random key for each job, so that no job ever gets another's workspace, whatever their numbers.
 * Only the agent may enter the folder, and steps do not see it. /tmp and the steps' input are not kept. HOME, the
 * checkout's repository and its commit (`home`, `git`, `commit`) are kept only with a `whole` workspace, in which a
 * later attempt continues where this one ended.
 */
export interface KeptWorkspaces {
  /** Moves the workspace out of an unsuccessful job's folder, unless larger than all kept ones together may be. */
  keep: (room: Workspace, key: string, whole?: boolean) => Promise<void>
  /**
   * Moves the workspace into the folder of the next attempt, once. Returns the attempt that it is from, undefined if
   * there is none. `whole`: accepts only a whole workspace of the attempt just before, with or without its repository.
   */
  take: (room: Workspace, key: string, whole?: { git: boolean }) => Promise<number | undefined>
  /**
   * Lends the workspace for a terminal until `back` is called, with its files given to this user; `end` is called if it
   * is needed before. Undefined: there is none; `lent`: another terminal has it.
   */
  lend: (
    key: string,
    uid: number | undefined,
    end: () => Promise<void>,
  ) => Promise<BorrowedWorkspace | 'lent' | undefined>
  /** Removes workspaces beyond the bounds, the oldest first. */
  sweep: () => void
  empty: () => Promise<void>
}

export interface BorrowedWorkspace {
  work: string
  back: () => void
}

interface Entry {
  attempt: number
  /** It has everything that a later stage may need; those of earlier versions do not. */
  whole?: boolean
  /** The user of its files; undefined: the agent's own. */
  uid?: number
  bytes: number
  /** Epoch milliseconds. */
  at: number
}

const isKey = (key: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)

export function keptWorkspaces(
  agentDir: string,
  bounds: KeptBounds,
  log: Log,
  now: () => number = Date.now,
): KeptWorkspaces {
  const root = join(agentDir, 'kept')
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const remove = (dir: string): void =>
    removeRoom(dir, (cause) => log('warn', 'a kept workspace was not removed', { dir, error: messageOf(cause) }))

  function entryOf(name: string): Entry | undefined {
    try {
      return JSON.parse(readFileSync(join(root, name, 'kept.json'), 'utf8')) as Entry
    } catch {
      return undefined
    }
  }
  /** Functions that end the terminals, by the key of the workspace that they use. */
  const lent = new Map<string, () => Promise<void>>()
  const isOld = ({ at }: Entry): boolean => now() - at > bounds.ms

  function sweep(): void {
    const all = readdirSync(root)
      .filter(isKey)
      .map((name) => ({ name, entry: entryOf(name) }))
    let [count, bytes] = [0, 0]
    for (const { name, entry } of all.toSorted((a, b) => (b.entry?.at ?? 0) - (a.entry?.at ?? 0))) {
      count += 1
      bytes += entry?.bytes ?? 0
      if (lent.has(name)) continue
      if (entry && !isOld(entry) && count <= bounds.count && bytes <= bounds.bytes) continue
      count -= 1
      bytes -= entry?.bytes ?? 0
      remove(join(root, name))
    }
  }
  // left by an earlier agent process that was killed while it removed them
  for (const name of readdirSync(root)) if (!isKey(name)) remove(join(root, name))
  sweep()

  return {
    async keep(room, key, whole = false) {
      if (!isKey(key) || bounds.count === 0) return
      const [work, home] = [workOf(room), homeOf(room)]
      // outputs of this attempt, and images that were already pushed
      for (const name of whole ? readdirSync(home) : [])
        if (name.startsWith('.gantry-')) renameSync(join(home, name), join(room.dir, name))
      const bytes = (await usedBy(work)) + (whole ? await usedBy(home) : 0)
      if (bytes > bounds.bytes) return
      await lent.get(key)?.()
      const dir = join(root, key)
      remove(dir)
      mkdirSync(dir, { mode: 0o700 })
      renameSync(work, join(dir, 'work'))
      // A checkout creates its own repository: settings that steps wrote here would apply while the password is used.
      moveIfThere(join(dir, 'work/.git'), join(whole ? dir : room.dir, 'git'))
      if (whole) {
        renameSync(home, join(dir, 'home'))
        moveIfThere(commitOf(room), join(dir, 'commit'))
      }
      const { uid } = room.slot
      const entry: Entry = { attempt: room.attempt, bytes, at: now(), ...(uid !== undefined && { uid }), whole }
      writeWhole(join(dir, 'kept.json'), JSON.stringify(entry))
      sweep()
    },

    async take(room, key, whole) {
      await lent.get(key)?.()
      const entry = isKey(key) ? entryOf(key) : undefined
      if (!entry || isOld(entry)) return undefined
      if (whole && !(entry.whole && entry.attempt === room.attempt - 1)) return undefined
      const dir = join(root, key)
      const { uid } = room.slot
      const folders = [['work', workOf(room)] as const, ...(whole ? [['home', homeOf(room)] as const] : [])]
      if (whole?.git) moveIfThere(join(dir, 'git'), join(dir, 'work/.git'))
      for (const [name] of folders) {
        // done while only the agent can see the files
        if (entry.uid === uid || (uid !== undefined && (await give(join(dir, name), uid)))) continue
        remove(dir)
        return undefined
      }
      for (const [name, place] of folders) {
        rmdirSync(place)
        renameSync(join(dir, name), place)
        chmodSync(place, 0o700)
      }
      if (whole) moveIfThere(join(dir, 'commit'), commitOf(room))
      remove(dir)
      return entry.attempt
    },

    async lend(key, uid, end) {
      const entry = isKey(key) ? entryOf(key) : undefined
      if (lent.has(key)) return 'lent'
      if (!entry || isOld(entry)) return undefined
      lent.set(key, end)
      const back = (): void => void lent.delete(key)
      const dir = join(root, key)
      const work = join(dir, 'work')
      if (entry.uid === uid) return { work, back }
      const given = uid !== undefined && (await give(work, uid))
      if (given) writeWhole(join(dir, 'kept.json'), JSON.stringify({ ...entry, uid }))
      else back()
      return given ? { work, back } : undefined
    },

    sweep,

    async empty() {
      await Promise.all([...lent.values()].map((end) => end()))
      await Promise.all(readdirSync(root).map((name) => removeTree(join(root, name))))
    },
  }
}

/** Moves a folder or a link itself, if it exists. */
function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
}

/** Gives all files to a slot's user, which differs from job to job. Links are given, and their targets are not. */
function give(folder: string, uid: number): Promise<boolean> {
  const child = spawn('chown', ['-R', '-h', `${uid}:${uid}`, folder], {
    cwd: dirname(folder),
    env: { PATH: systemPath },
    stdio: 'ignore',
  })
  return new Promise((done) => {
    child.once('error', () => done(false))
    child.once('close', (code) => done(code === 0))
  })
}
