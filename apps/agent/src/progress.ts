import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Journal } from './journal.ts'
import type { AgentEvent, Reason } from './protocol.ts'
import { attempt, writeWhole, type Workspace } from './workspace/workspace.ts'

/** The progress of a build according to its stored events, from which a restarted agent continues. */
export interface Past {
  /** The last reported state of each step, and when the step began. */
  states: Map<number, { state: string; at: number; reason: Reason | undefined }>
  beganAt: number | undefined
  ended: boolean
}

export function pastOf(events: readonly AgentEvent[]): Past {
  const past: Past = { states: new Map(), beganAt: undefined, ended: false }
  for (const event of events) {
    if (event.type === 'end') past.ended = true
    if (event.type !== 'step') continue
    past.beganAt ??= event.at
    past.states.set(event.step, {
      state: event.state,
      at: past.states.get(event.step)?.at ?? event.at,
      reason: event.reason,
    })
  }
  return past
}

const stepDir = (room: Workspace, step: number): string => join(room.dir, 'steps', String(step))

export const makeStep = (room: Workspace, step: number): void => {
  mkdirSync(stepDir(room, step), { recursive: true, mode: 0o700 })
}

/** Stores secrets that came during the step: a restarted agent masks the whole log again. */
export const writeHidden = (room: Workspace, step: number, secrets: readonly string[]): void =>
  writeWhole(join(stepDir(room, step), 'hidden'), JSON.stringify(secrets))

export function hiddenOf(room: Workspace, step: number): string[] {
  try {
    return JSON.parse(readFileSync(join(stepDir(room, step), 'hidden'), 'utf8')) as string[]
  } catch {
    return []
  }
}

/** Stores the bytes of a step's masked log, which are known at its end. */
export const writeBytes = (room: Workspace, step: number, bytes: number): void =>
  attempt(() => writeWhole(join(stepDir(room, step), 'bytes'), String(bytes)))

export function bytesOf(room: Workspace, step: number): number {
  try {
    return Number(readFileSync(join(stepDir(room, step), 'bytes'), 'utf8'))
  } catch {
    return 0
  }
}

/** Returns a function that adds lines to the spool. A step that runs again repeats lines; known ones are not added. */
export function logWriter(spool: string, again: boolean): (line: string) => void {
  const said = new Map<string, number>()
  if (again) for (const line of linesOf(spool)) said.set(line, (said.get(line) ?? 0) + 1)
  return (line) => {
    const times = said.get(line) ?? 0
    if (times > 0) said.set(line, times - 1)
    else appendFileSync(spool, `${line}\n`, { mode: 0o600 })
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}

/** Reports an event only once, even if the step runs again. */
export function reportOnce(journal: Journal, event: AgentEvent): void {
  const text = JSON.stringify(event)
  if (!journal.events.some((past) => JSON.stringify(past) === text)) journal.add(event)
}
