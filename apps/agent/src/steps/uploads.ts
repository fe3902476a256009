import { Readable } from 'node:stream'
import { Refusal, type CallOptions } from '../client.ts'
import { findFiles, humanSize, openFile, readOpened, type FoundFile } from '../files.ts'
import { StepFailure } from '../reasons.ts'
import { workOf } from '../workspace/workspace.ts'
import type { StepContext } from './step.ts'

/** One of the calls that send a file: its size limit, and the reason if the file itself is refused. */
export interface Uploading<D> {
  limit: number
  refused: 'agents-file-refused' | 'agents-report-invalid' | 'agents-coverage-invalid' | 'agents-scan-invalid'
  send: (options: CallOptions) => Promise<D>
}

/** Characters that the server does not accept in names, and that cannot be in a line of the log. */
const unsendable = /[\p{Cc}\\]/gu

/**
 * The files that match a pattern and whose names can be sent. The log names the other files. A pattern without a match
 * fails the step: one that only publishes must not succeed without publishing anything.
 */
export async function filesToSend(ctx: StepContext, files: string): Promise<FoundFile[]> {
  const found = await findFiles(workOf(ctx.room), files, 'follow')
  for (const line of found.passedOver) ctx.say(line)
  const sendable = found.files.filter(({ path }) => {
    const printable = path.replaceAll(unsendable, escaped)
    if (printable !== path)
      ctx.say(`Passed over ${printable}: the name has a backslash, a line break or another control character.`)
    return printable === path
  })
  if (sendable.length > 0) return sendable
  ctx.say(`No file in the workspace matches ${files}.`)
  throw new StepFailure('agents-no-files', { files })
}

/** Escapes a character like a shell's `$'…'`. */
const escaped = (char: string): string =>
  char === '\\' ? '\\\\' : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`

/**
 * Sends one file of the workspace; a retry reads it again. Throws StepFailure if the server refuses the file itself.
 */
export async function uploadFile<D extends { cancel: boolean }>(
  ctx: StepContext,
  found: FoundFile,
  { limit, refused, send }: Uploading<D>,
): Promise<D> {
  const { path } = found
  const tooLarge = (): StepFailure =>
    new StepFailure('agents-file-too-large', { path, size: humanSize(found.size), limit: humanSize(limit) })
  if (found.size > limit) throw tooLarge()
  const file = await openFile(workOf(ctx.room), path)
  const { size } = await file.stat()
  await file.close()
  try {
    const answer = await send({
      upload: { content: () => contentOf(ctx, path, size), length: size },
      idleMs: 120_000,
      signal: ctx.signal,
    })
    ctx.onAnswer(answer)
    return answer
  } catch (cause) {
    if (!(cause instanceof Refusal) || [404, 409, 507].includes(cause.status)) throw cause
    if (cause.status === 413) throw tooLarge()
    throw new StepFailure(refused, { path, text: cause.text === '' ? cause.key : cause.text })
  }
}

/** Opens the file only when bytes are read: a retry opens it again, a refused request leaves nothing open. */
function contentOf(ctx: StepContext, path: string, size: number): Readable {
  return Readable.from(
    (async function* () {
      const file = await openFile(workOf(ctx.room), path).catch((cause: unknown) => {
        throw cause instanceof StepFailure ? cause : new StepFailure('agents-file-changed', { path })
      })
      let read = 0
      for await (const part of readOpened(file, size)) {
        read += part.length
        yield part
      }
      if (read !== size) throw new StepFailure('agents-file-changed', { path })
    })(),
    { objectMode: false, highWaterMark: 256 * 1024 },
  )
}
