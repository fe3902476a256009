import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type DataFolder, readIdentity, writeIdentity } from './data-folder.ts'
import type { Output } from './output.ts'
import { endProcess } from './processes.ts'
import type { Part } from './supervisor.ts'

const lifeline = join(import.meta.dirname, 'lifeline.ts')

/** How long a process of a killed launcher may continue to drain before it is killed. */
const leftoverMs = 5_000

interface NodePart {
  name: string
  main: string
  args?: string[]
  /** Options of Node itself, such as memory limits. */
  flags: string[]
  env: Record<string, string | undefined>
  mustStart: boolean
  graceMs: number
  /** The file that the process writes when it is ready; absent: it is ready at once. */
  readyFile?: string
}

export const identityFile = (folder: DataFolder, name: string): string => join(folder.run, `${name}.json`)

export const endLeftover = async (folder: DataFolder, name: string): Promise<void> => {
  const leftover = readIdentity(identityFile(folder, name))
  if (leftover) await endProcess(leftover, leftoverMs)
}

/** A part that is a Node process: the server, the agent, the sandbox. */
export const nodePart = (folder: DataFolder, output: Output, part: NodePart): Part => ({
  name: `The ${part.name}`,
  mustStart: part.mustStart,
  askWith: 'SIGTERM',
  killWith: 'SIGKILL',
  graceMs: part.graceMs,
  isReady: async () => part.readyFile === undefined || existsSync(part.readyFile),
  spawn: async () => {
    if (part.readyFile !== undefined) rmSync(part.readyFile, { force: true })
    const log = output.open(part.name)
    const child = spawn(process.execPath, [...part.flags, '--import', lifeline, part.main, ...(part.args ?? [])], {
      cwd: folder.root,
      env: part.env,
      // in its own session, so that Ctrl+C reaches only the launcher, which ends the parts in order
      detached: true,
      // standard error is for people: why the process refuses to start, or why it crashed
      stdio: ['pipe', log, 'inherit'],
      windowsHide: true,
    })
    output.release(log)
    child.stdin?.on('error', () => undefined)
    if (child.pid !== undefined) writeIdentity(identityFile(folder, part.name), child.pid)
    return child
  },
})
