import type { LogPart, LogQuery } from '@gantry/contract/stacks/containers/logs'
import type { LogOptions } from '../../../adapters/kube/operations/logs.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { logFault, refOf, type Target } from '../containers/containers.service.ts'
import { placeIn } from '../files/programs.ts'
import { readLogFile } from './log-files.service.ts'
import { type LogEntry, stampOf } from './merge.ts'

/** The lines that a query selects, of a container's log or of a file in it. */
export async function readPart(ctx: Ctx, target: Target, query: LogQuery): Promise<LogPart> {
  if (query.path !== undefined) return readLogFile(placeIn(ctx, target), query.path, query)
  const { offset, whence, direction, offsetFrom } = query
  const isLast = offset === undefined && whence === undefined && direction === undefined && offsetFrom === undefined
  const lines = isLast ? lastLines(ctx, target, query) : chosenLines(ctx, target, query)
  return { ...(await lines), file: null }
}

async function* linesOf(ctx: Ctx, target: Target, query: LogQuery, options: Partial<LogOptions>) {
  const previous = query.previous === 'true'
  try {
    for await (const line of target.kube.log(refOf(target), {
      container: target.container,
      previous,
      timestamps: true,
      signal: ctx.signal,
      ...options,
    }))
      yield { at: line.at ?? '', text: line.text }
  } catch (error) {
    throw logFault(error, previous)
  }
}

const timeOf = (given: LogQuery['referenceTimestamp']): string | undefined => {
  if (given === 0 || given === 'newest' || given === 'oldest') return undefined
  return new Date(given).toISOString()
}

/** The last lines. One more than requested is read, to know whether there are older ones. */
async function lastLines(ctx: Ctx, target: Target, query: LogQuery) {
  const since = timeOf(query.referenceTimestamp)
  const lines: LogEntry[] = []
  for await (const line of linesOf(ctx, target, query, {
    tail: query.quantity + 1,
    bytes: 8 * 1024 * 1024,
    ...(since !== undefined && { since }),
  }))
    lines.push(line)
  return { lines: lines.slice(-query.quantity), truncated: lines.length > query.quantity }
}

/** When a log is searched for a line, so many lines and characters are held. */
const maxLines = 50_000
const maxLength = 16 * 1024 * 1024

async function latestLines(ctx: Ctx, target: Target, query: LogQuery) {
  let lines: LogEntry[] = []
  let [length, dropped] = [0, 0]
  for await (const line of linesOf(ctx, target, query, {})) {
    lines.push(line)
    length += line.text.length
    if (lines.length < maxLines && length < maxLength) continue
    if (query.logFilePosition === 'beginning') break
    // Dropping half at a time avoids moving the rest for every line.
    const half = Math.ceil(lines.length / 2)
    for (const { text } of lines.slice(0, half)) length -= text.length
    lines = lines.slice(half)
    dropped += half
  }
  return { lines, dropped }
}

async function chosenLines(ctx: Ctx, target: Target, query: LogQuery) {
  const { lines, dropped } = await latestLines(ctx, target, query)
  const [first, last] = windowOf(lines, query)
  const from = Math.min(Math.max(0, first), lines.length)
  return { lines: lines.slice(from, Math.max(from, last)), truncated: dropped + from > 0 }
}

/** The range of lines that a query selects, as indices that may be out of bounds. */
export function windowOf(lines: readonly LogEntry[], query: LogQuery): [from: number, to: number] {
  const { offsetFrom, offsetTo, whence = 'end', offset = 0, quantity } = query
  if (offsetFrom !== undefined && offsetTo !== undefined) {
    const at = referenceIn(lines, query)
    return [at + offsetFrom, at + offsetTo]
  }
  const at = whence === 'start' ? offset : Math.max(0, lines.length - offset)
  const direction = query.direction ?? (whence === 'start' ? 'forward' : 'backward')
  return direction === 'forward' ? [at, at + quantity] : [at - quantity, at]
}

/** The line that a range counts from; among lines with the same time, a negative number counts from the last. */
function referenceIn(lines: readonly LogEntry[], { referenceTimestamp, referenceLineNum }: LogQuery): number {
  if (referenceTimestamp === 'oldest') return referenceLineNum
  if (referenceTimestamp === 'newest' || referenceTimestamp === 0) return lines.length - 1 + referenceLineNum
  const wanted = stampOf(
    typeof referenceTimestamp === 'number' || !referenceTimestamp.endsWith('Z')
      ? new Date(referenceTimestamp).toISOString()
      : referenceTimestamp,
  )
  const from = lines.findIndex(({ at }) => stampOf(at) >= wanted)
  if (from < 0) return lines.length
  const same = lines.slice(from).findIndex(({ at }) => stampOf(at) !== wanted)
  const count = same < 0 ? lines.length - from : same
  return referenceLineNum >= 0 ? from + referenceLineNum : from + count + referenceLineNum
}
