import { randomBytes } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { identify, isRunning, type Identity } from './processes.ts'
import { Refusal } from './settings.ts'

/** All data of one installation: a copy of this folder is a copy of the installation. */
export interface DataFolder {
  root: string
  /** Pids and ports of the running processes, and the lock. */
  run: string
  logs: string
  postgres: string
  sandbox: string
  agent: string
  agentTokenFile: string
  /** The server writes it when it creates the first administrator with a generated password. */
  adminPasswordFile: string
}

const layout = (root: string): DataFolder => ({
  root,
  run: join(root, 'run'),
  logs: join(root, 'log'),
  postgres: join(root, 'postgres'),
  sandbox: join(root, 'sandbox'),
  agent: join(root, 'agent'),
  agentTokenFile: join(root, 'agent-token'),
  adminPasswordFile: join(root, 'admin-password'),
})

const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return 'this user'
  }
}

const code = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)

/** Creates the folder if it is missing; does not change the mode of an existing one. */
export const openDataFolder = (root: string): DataFolder => {
  const folder = layout(root)
  try {
    if (!existsSync(root)) {
      mkdirSync(root, { recursive: true, mode: 0o700 })
      // When root starts PostgreSQL, it runs as another user and must pass through; each inner folder has its own mode.
      if (process.getuid?.() === 0) chmodSync(root, 0o711)
    }
    if (!statSync(root).isDirectory()) throw new Refusal(`GANTRY_DATA names ${root}, which is no folder.`)
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK)
    for (const inner of [folder.run, folder.logs, folder.sandbox, folder.agent])
      mkdirSync(inner, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(
      `The data folder ${root} cannot be written (${code(error)}): set GANTRY_DATA to one that ${userName()} may write.`,
    )
  }
  return folder
}

const holderFile = (folder: DataFolder): string => join(folder.run, 'launcher.json')

/** Reads a stored identity; undefined if that very process no longer runs. */
export const readIdentity = (file: string): Identity | undefined => {
  try {
    const identity = JSON.parse(readFileSync(file, 'utf8')) as Identity
    return isRunning(identity) ? identity : undefined
  } catch {
    return undefined
  }
}

export const writeIdentity = (file: string, pid: number): void =>
  writeFileSync(file, JSON.stringify(identify(pid) ?? { pid, started: '' }))

/**
 * Locks the folder until this process ends in whatever way. The lock is the kernel's, taken through SQLite because Node
 * offers no other: unlike a pid file it cannot be stale, and it also holds between containers that share a volume.
 */
export const lockDataFolder = (folder: DataFolder): void => {
  try {
    const database = new DatabaseSync(join(folder.run, 'lock'), { timeout: 0 })
    database.exec('pragma locking_mode = exclusive; begin exclusive')
    heldLocks.push(database)
  } catch {
    const holder = readIdentity(holderFile(folder))
    throw new Refusal(
      `Another Gantry${holder ? ` (process ${holder.pid})` : ''} runs on the data folder ${folder.root}: stop it, or set GANTRY_DATA to another folder.`,
    )
  }
  writeIdentity(holderFile(folder), process.pid)
}

/** Keeps the databases referenced: an unreferenced one would be closed, and its lock with it. */
const heldLocks: DatabaseSync[] = []

/** Returns what `make` returned the first time: it is stored in a file that only its owner can read. */
export const keep = (file: string, make: () => string): string => {
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (kept) return kept
  const text = make()
  writeFileSync(file, `${text}\n`, { mode: 0o600 })
  return text
}

export const randomToken = (): string => randomBytes(32).toString('base64url')
