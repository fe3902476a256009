import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Work } from '../protocol.ts'
import { removeTree } from './remove-tree.ts'

/**
 * A job's folder, `<agent>/builds/<job>-<attempt>`:
 *
 *     build.json   what is to be done, and in which slot. Holds the job's secrets; only the agent may read it
 *     events       what was reported, a line an event, written before it is sent
 *     steps/<n>/   spool (the step's raw output), pid, exit
 *     fs/          what a step sees of all this, under another path: work (the sources), home, tmp, steps/<n>/environment and script
 */
export interface Workspace {
  jobId: number
  attempt: number
  slot: Slot
  dir: string
}

/** A place for one job at a time. */
export interface Slot {
  index: number
  /** The user and group of its steps; undefined: those of the agent. */
  uid?: number
}

type Named = Pick<Work, 'jobId' | 'attempt'>

const roomName = (work: Named): string => `${work.jobId}-${work.attempt}`
export const roomDir = (agentDir: string, work: Named): string => join(agentDir, 'builds', roomName(work))
export const spoolOf = (room: Workspace, step: number): string => join(room.dir, 'steps', String(step), 'spool')
export const workOf = (room: Workspace): string => join(room.dir, 'fs/work')
export const homeOf = (room: Workspace): string => join(room.dir, 'fs/home')
/** The file with what a checkout has fetched, see `CheckedOut`. */
export const commitOf = (room: Workspace): string => join(room.dir, 'commit')

/** `mountPoints`: folders below /tmp or /var/tmp to create in the step's own /tmp, so that they can be mounted over. */
export function makeJobDir(agentDir: string, work: Work, slot: Slot, mountPoints: string[]): Workspace {
  const room = { jobId: work.jobId, attempt: work.attempt, slot, dir: roomDir(agentDir, work) }
  const fs = join(room.dir, 'fs')
  mkdirSync(join(room.dir, 'steps'), { recursive: true, mode: 0o700 })
  // folders that a step sees belong to root, so that it cannot put links where the agent or a mount goes later
  mkdirSync(fs, { mode: 0o755 })
  mkdirSync(join(fs, 'steps'), { mode: 0o755 })
  mkdirSync(join(fs, 'tmp'))
  for (const path of mountPoints) mkdirSync(join(fs, path.replace(/^\/(var\/)?tmp/, 'tmp')), { recursive: true })
  chmodSync(join(fs, 'tmp'), 0o1777)
  for (const name of ['work', 'home']) {
    mkdirSync(join(fs, name), { mode: 0o700 })
    if (slot.uid !== undefined) chownSync(join(fs, name), slot.uid, slot.uid)
  }
  writeWhole(join(room.dir, 'build.json'), JSON.stringify({ slot, work }))
  return room
}

/** What an earlier agent process left: jobs to continue, and folders that are of no use. */
export function leftRooms(agentDir: string): { rooms: { room: Workspace; work: Work }[]; rests: string[] } {
  const builds = join(agentDir, 'builds')
  mkdirSync(builds, { recursive: true, mode: 0o700 })
  const rooms: { room: Workspace; work: Work }[] = []
  const rests: string[] = []
  for (const name of readdirSync(builds)) {
    const dir = join(builds, name)
    try {
      const { slot, work } = readRoom(dir)
      if (!name.endsWith(`-${work.attempt}`)) throw new Error('not its own name')
      rooms.push({ room: { jobId: work.jobId, attempt: work.attempt, slot, dir }, work })
    } catch {
      rests.push(dir)
    }
  }
  return { rooms, rests }
}

/**
 * Reads a job's folder. Folders of the first releases are of a whole build and have no job: the server drops them for
 * their number, which no job has, and so they end properly.
 */
function readRoom(dir: string): { slot: Slot; work: Work } {
  const { slot, work } = JSON.parse(readFileSync(join(dir, 'build.json'), 'utf8')) as {
    slot: Slot
    work: Partial<Work>
  }
  const { buildId = 0, attempt } = work
  if (attempt === undefined) throw new Error('no attempt')
  const since2 = {
    jobId: -buildId,
    firstStep: 0,
    conditions: [],
    failed: false,
    outputs: {},
    handsOn: [],
    takesFrom: [],
    dockerfiles: [],
    services: [],
    workspace: null,
    resume: null,
  }
  return { slot, work: { ...since2, ...work } as Work }
}

/** Renames the folder at once, so that its name is free when this returns; the files are removed in the background. */
export function removeRoom(dir: string, failed: (cause: unknown) => void): void {
  if (!existsSync(dir)) return
  const gone = join(dirname(dir), `gone-${process.pid}-${process.hrtime.bigint()}`)
  renameSync(dir, gone)
  removeTree(gone).catch(failed)
}

/** Removes the folders of all builds; none may be running. */
export async function emptyRooms(agentDir: string): Promise<void> {
  const builds = join(agentDir, 'builds')
  await Promise.all(readdirSync(builds).map((name) => removeTree(join(builds, name))))
}

/** Writes a file atomically, readable only by the agent. */
export function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** For files that only a later agent process needs: a full disk must not change the result of the build. */
export function attempt(write: () => void): void {
  try {
    write()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause
  }
}

export interface CheckedOut {
  commit: string
  /** Epoch seconds. */
  time: number
  subject: string
}

/** What a checkout of the build has fetched; undefined if there was none. */
export async function checkedOut(room: Workspace): Promise<CheckedOut | undefined> {
  return readFile(commitOf(room), 'utf8').then(
    (text) => JSON.parse(text) as CheckedOut,
    () => undefined,
  )
}

/** The attempt whose workspace a job continues; undefined: it began with an empty one. */
export function continuedFrom(room: Workspace): number | undefined {
  try {
    return Number(readFileSync(join(room.dir, 'continues'), 'utf8'))
  } catch {
    return undefined
  }
}

export const writeContinued = (room: Workspace, attempt: number): void =>
  writeWhole(join(room.dir, 'continues'), String(attempt))

export const writeCheckedOut = (room: Workspace, made: CheckedOut): void =>
  writeWhole(commitOf(room), JSON.stringify(made))
