import type { Files } from './files.ts'
import type { Command } from './shell-parse.ts'

/** What a running shell does to the world outside; whoever drives it decides how time passes and where input comes from. */
export type Effect = { out: string } | { err: string } | { sleep: number } | { read: true }

/** Answers to `read`: a piece of input, or null at its end. */
export type Run = Generator<Effect, number, string | null | undefined>

export interface Shell {
  env: Map<string, string>
  cwd: string
  files: Files
  hostname: string
  /** Of the last command. */
  status: number
  /** Milliseconds since the epoch; drivers that let time pass differently put their own here. */
  now(): number
  /** What a command that the shell does not know does: a container's start command is its server, a terminal's a typing error. */
  unknown(name: string, args: string[]): Run
  /** Commands in the background: nothing runs beside anything here, so that they run when they are waited for. */
  jobs: Command[]
  /** Commands since time last passed: a loop that never waits must not run for ever. */
  busy: number
  /** How long it is made to wait then, the next time: longer each time, so that a day of it can be told quickly. */
  pause: number
  /** Somebody types: a shell without a script asks line by line, instead of reading its script to the end. */
  terminal?: boolean
}

/** A shell took the place of what ran (`exec sh`): whoever holds the terminal goes on with it. */
export class ShellBegins extends Error {
  readonly shell: Shell
  constructor(shell: Shell) {
    super('a shell begins')
    this.shell = shell
  }
}

export class ShellExit extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}
/** An absolute path without `.` and `..`. */
export const resolvePath = (cwd: string, path: string): string => {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
