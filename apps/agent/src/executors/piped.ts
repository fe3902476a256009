import { spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { send } from './process-tree.ts'
import { intoGroups, systemPath } from './scripts.ts'

/** A shell for somebody who types into it; unlike a step, it ends with the agent. */
export interface Piped {
  input: Writable
  outputs: Readable[]
  /** Reports the size of the user's window. */
  resize: (columns: number, rows: number) => void
  /** Its exit code; -1 if it has none. */
  ended: Promise<number>
  kill: () => void
}

/** Starts a process that reads a line `<columns> <rows>` from descriptor 4 for each change of the user's window. */
export async function piped(
  groups: string[],
  words: string[],
  environment: Record<string, string> = {},
): Promise<Piped> {
  const child = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', '/bin/sh', '-c', intoGroups, 'sh', groups.join(' '), ...words],
    {
      cwd: '/',
      env: { PATH: systemPath, ...environment },
      // descriptor 3 is used by the setup script
      stdio: ['pipe', 'pipe', 'pipe', 'ignore', 'pipe'],
      detached: true,
    },
  )
  const ended = new Promise<number>((done) => child.once('exit', (code) => done(code ?? -1)))
  await new Promise<void>((done, failed) => {
    child.once('spawn', () => done())
    child.once('error', failed)
  })
  const [input, output, errors, , sizes] = child.stdio as [Writable, Readable, Readable, null, Writable]
  // the process may end before it has read all input
  for (const pipe of [input, sizes]) pipe.on('error', () => {})
  return {
    input,
    outputs: [output, errors],
    resize: (columns, rows) => void sizes.write(`${columns} ${rows}\n`),
    ended,
    kill() {
      if (child.exitCode === null && child.signalCode === null) send(-(child.pid ?? 0), 'SIGKILL')
    },
  }
}

const kinds = { user: '--user', mnt: '--mount', pid: '--pid', ipc: '--ipc', net: '--net' }

/** The command line that enters those namespaces of a process that it does not share with the agent. */
export function intoNamespaces(pid: number): string[] {
  const of = (process: number | string, kind: string): string => readlinkSync(`/proc/${process}/ns/${kind}`)
  const others = Object.entries(kinds).filter(([kind]) => of(pid, kind) !== of('self', kind))
  const flags = others.flatMap(([kind, flag]) => (kind === 'user' ? [flag, '--preserve-credentials'] : [flag]))
  return ['nsenter', '--target', String(pid), ...flags]
}
