import { createHash } from 'node:crypto'
import { chownSync, createReadStream, createWriteStream, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { CacheStep } from '@gantry/contract/pipelines/steps/cache'
import type { z } from 'zod'
import { Refusal } from '../client.ts'
import { quoted } from '../executors/scripts.ts'
import { findFiles, humanSize, openFile, readOpened } from '../files.ts'
import { masked } from '../mask.ts'
import { filled } from '../outputs.ts'
import { makeStep } from '../progress.ts'
import { cacheLimits, type Data } from '../protocol.ts'
import { StepFailure, withoutPaths } from '../reasons.ts'
import { spoolOf, workOf, writeWhole, type Workspace } from '../workspace/workspace.ts'
import type { HandOver } from './hand-over.ts'
import { runCommand } from './script.ts'
import { success, type StepContext, type StepResult } from './step.ts'

type Step = z.output<typeof CacheStep>
type Ctx = StepContext<Step>
type Entry = NonNullable<Data<'cache'>['entry']>

/** Files that were cached on one kind of machine are not used on another. */
const platform = `${process.platform}-${process.arch}`

/** Commands at the end of a job have step numbers from here on, which no step has. */
const firstOfSaves = 30_000

/** Each part that is decompressed costs a turn between threads, so parts are larger than the usual 16 kB. */
const chunkSize = 256 * 1024

/** A longer key is replaced by its digest. */
const longestKey = 500

/** Restores the newest files of the key, or of a fallback, into the workspace. A damaged archive counts as none. */
export async function runCache(ctx: Ctx): Promise<StepResult> {
  const { step, index, work } = ctx
  const key = await keyOf(ctx, step.key)
  const fallbacks: string[] = []
  for (const fallback of step.fallbacks) fallbacks.push(await keyOf(ctx, fallback))
  const answer = await ctx.client.call(
    'cache',
    {
      params: { jobId: work.jobId, step: index },
      query: { attempt: work.attempt },
      body: { platform, key, fallbacks: fallbacks.filter((text) => text !== '') },
    },
    { signal: ctx.signal },
  )
  ctx.onAnswer(answer)
  const { entry } = answer
  const restored = entry !== null && (await restore(ctx, entry))
  if (entry === null) ctx.say(`Nothing is cached for ${key}`)
  const hit = !restored ? 'no' : entry.key === key ? 'yes' : 'fallback'
  writeWhole(noteOf(ctx.room, index), JSON.stringify({ key, kept: hit === 'yes' }))
  ctx.report({ type: 'output', step: index, values: { HIT: hit } })
  return success
}

async function restore(ctx: Ctx, entry: Entry): Promise<boolean> {
  const { room, index, work, executor } = ctx
  const began = ctx.adopted && (await executor.adopt(room, index)) !== undefined
  const dir = join(room.dir, 'fs/steps', String(index))
  const file = join(dir, 'cache')
  if (!began) {
    ctx.say(`Restoring ${entry.key} (${humanSize(entry.size)})`)
    mkdirSync(dir, { recursive: true, mode: 0o755 })
    let whole = false
    try {
      await ctx.client.download(
        'cached',
        { params: { jobId: work.jobId, step: index, entry: entry.id }, query: { attempt: work.attempt } },
        async (body) => {
          whole = await unpack(body, file, entry.sha256)
        },
        { signal: ctx.signal },
      )
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.key !== 'pipelines-cache-gone') throw cause
      ctx.say('It has been removed in the meantime')
      return false
    }
    if (!whole) {
      rmSync(file, { force: true })
      ctx.say('It is damaged, so it is not used')
      return false
    }
    if (room.slot.uid !== undefined) chownSync(file, 0, room.slot.uid)
  }
  const ended = await runCommand(ctx, {
    shell: 'sh',
    script: 'exec tar -x -o -f "$GANTRY_CACHE"',
    environment: [{ name: 'GANTRY_CACHE', value: executor.pathOf(room, index, 'cache') }],
  })
  rmSync(file, { force: true })
  if (ended.how === 'exit' && ended.code === 0) return true
  const said = await readFile(spoolOf(room, index), 'utf8').catch(() => '')
  throw new StepFailure('agents-cache-not-unpacked', { text: withoutPaths(said.trim().slice(-300)) })
}

/**
 * Decompresses an archive while it arrives; false if its bytes are not the stored ones. Nothing is unpacked before all of
 * them are known to be.
 */
async function unpack(body: Readable, file: string, sha256: string): Promise<boolean> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    await pipeline(
      body,
      looking((part) => hash.update(part)),
      createZstdDecompress({ chunkSize }),
      looking((part) => {
        bytes += part.length
        if (bytes > cacheLimits.unpacked) throw new TooLarge()
      }),
      createWriteStream(file, { mode: 0o640 }),
    )
    return hash.digest('hex') === sha256
  } catch (cause) {
    // other errors are of the connection or of the disk
    if (cause instanceof TooLarge || /^Z(STD|_BUF)_/i.test((cause as NodeJS.ErrnoException).code ?? '')) return false
    throw cause
  }
}

class TooLarge extends Error {}

/** Passes parts on once they were looked at. */
const looking = (look: (part: Buffer) => void) =>
  async function* (parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      look(part)
      yield part
    }
  }

/** Fills files' hashes, outputs and variables into the key; the value of an output is not expanded again. */
async function keyOf({ room, work, step, outputs, signal }: Ctx, text: string): Promise<string> {
  const variables = new Map(
    work.environment
      .filter(({ steps }) => steps?.includes(step.name) ?? true)
      .map(({ name, value }): [string, string] => [name, value]),
  )
  let key = ''
  for (const part of text.split(/(\$\{[^{}]+\})/)) {
    const [, kind, name = ''] = /^\$\{(hash:|variables\.)([^{}]+)\}$/.exec(part) ?? []
    if (kind === 'hash:') key += await hashOf(room, name, signal)
    else if (kind === 'variables.') key += variables.get(name) ?? ''
    else key += filled(part, outputs)
  }
  const maskedKey = masked(key, work.masked)
  return maskedKey.length > longestKey ? createHash('sha256').update(maskedKey).digest('hex') : maskedKey
}

/** A hash of the paths and contents of the files; without any file the pattern is a mistake. */
async function hashOf(room: Workspace, pattern: string, signal: AbortSignal): Promise<string> {
  const { files } = await findFiles(workOf(room), pattern, 'follow')
  if (files.length === 0) throw new StepFailure('agents-no-files', { files: pattern })
  const hash = createHash('sha256')
  for (const { path, size } of files) {
    signal.throwIfAborted()
    hash.update(`${path}\0${size}\0`)
    for await (const part of readOpened(await openFile(workOf(room), path), size)) hash.update(part)
  }
  return hash.digest('hex').slice(0, 32)
}

const noteOf = (room: Workspace, step: number): string => join(room.dir, 'steps', String(step), 'cache.json')
const packedOf = (room: Workspace, step: number): string => join(room.dir, 'steps', String(step), 'cache.zst')

/** The key under which a cache step's files are to be stored, because the step restored none of it; undefined: none. */
export function keyToKeep(room: Workspace, step: number): string | undefined {
  try {
    const { key, kept } = JSON.parse(readFileSync(noteOf(room, step), 'utf8')) as { key: string; kept: boolean }
    return kept ? undefined : key
  } catch {
    return undefined
  }
}

/** Stores the files of a cache step as they are at the job's end. Failures are logged and do not fail the job. */
export async function keepFiles(
  { client, executor, work, room, signal, onAnswer }: HandOver,
  { step, index, key, say }: { step: Step; index: number; key: string; say: (line: string) => void },
): Promise<void> {
  const name = `.gantry-cache-${index}`
  const own = firstOfSaves + index
  makeStep(room, own)
  const paths = step.paths.map((path) => quoted(`./${path}`)).join(' ')
  // packed by the step's own user, who can read nothing that the job could not read
  const script = `set --; for path in ${paths}; do [ ! -e "$path" ] || set -- "$@" "$path"; done
[ $# -gt 0 ] || exit ${nothingThere}
exec tar -c -f "$HOME/${name}" "$@"`
  const ended = await runCommand(
    { executor, room, index: own, signal, adopted: true },
    { shell: 'sh', script, environment: [] },
  )
  if (ended.how === 'exit' && ended.code === nothingThere)
    return say(`Nothing to cache: no ${step.paths.join(', no ')}`)
  const home = join(room.dir, 'fs/home')
  const packed = packedOf(room, index)
  try {
    if (ended.how !== 'exit' || ended.code !== 0) {
      const said = await readFile(spoolOf(room, own), 'utf8').catch(() => '')
      return say(`Not cached: ${withoutPaths(said.trim().slice(-300)) || 'the files could not be packed'}`)
    }
    const tar = await openFile(home, name)
    const { size } = await tar.stat()
    const tooLarge = (limit: number): void => say(`Not cached: the files are larger than ${humanSize(limit)}`)
    if (size > cacheLimits.unpacked) {
      await tar.close()
      return tooLarge(cacheLimits.unpacked)
    }
    await pipeline(
      Readable.from(readOpened(tar, size)),
      createZstdCompress(),
      createWriteStream(packed, { mode: 0o600 }),
    )
    const length = statSync(packed).size
    if (length > cacheLimits.packed) return tooLarge(cacheLimits.packed)
    const { jobId, attempt } = work
    const answer = await client.call(
      'keepCache',
      { params: { jobId, step: index }, query: { attempt, platform, key } },
      { upload: { content: () => createReadStream(packed), length }, idleMs: 120_000, signal },
    )
    onAnswer(answer)
    say(`Cached ${key} (${humanSize(length)})`)
  } finally {
    rmSync(packed, { force: true })
    rmSync(join(home, name), { force: true, recursive: true })
  }
}

/** The script's exit code if none of the paths exists. */
const nothingThere = 93
