import { chownSync, createReadStream, createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Client } from '../client.ts'
import type { Executor } from '../executors/executor.ts'
import { findFiles, maxFiles } from '../files.ts'
import type { LayerEntry } from '../image/layers.ts'
import { makeStep } from '../progress.ts'
import type { Work } from '../protocol.ts'
import { StepFailure, withoutPaths } from '../reasons.ts'
import { runCommand } from './script.ts'
import { spoolOf, workOf, type Workspace } from '../workspace/workspace.ts'

/** Commands besides the steps of a job have numbers from here on, which no step has. */
const firstOfOurs = 20_000

export interface HandOver {
  client: Client
  executor: Executor
  work: Work
  room: Workspace
  signal: AbortSignal
  onAnswer: (answer: { cancel: boolean }) => void
}

/** Unpacks files from earlier jobs into the workspace, as the step's own user: an archive may contain any link. */
export async function takeFiles({ client, executor, work, room, signal }: HandOver): Promise<void> {
  for (const from of work.takesFrom) {
    const step = firstOfOurs + from
    makeStep(room, step)
    const dir = join(room.dir, 'fs/steps', String(step))
    const file = join(dir, 'handed')
    mkdirSync(dir, { recursive: true, mode: 0o755 })
    const { jobId, attempt } = work
    await client.download(
      'handed',
      { params: { jobId, from }, query: { attempt } },
      (body) => pipeline(body, createWriteStream(file, { mode: 0o640 })),
      { signal },
    )
    if (room.slot.uid !== undefined) chownSync(file, 0, room.slot.uid)
    const script = 'exec tar -x -z -m -o -f "$GANTRY_HANDED"'
    const environment = [{ name: 'GANTRY_HANDED', value: executor.pathOf(room, step, 'handed') }]
    const ended = await runCommand(
      { executor, room, index: step, signal, adopted: true },
      { shell: 'sh', script, environment },
    )
    rmSync(file, { force: true })
    if (ended.how === 'exit' && ended.code === 0) continue
    const said = await readFile(spoolOf(room, step), 'utf8').catch(() => '')
    throw new StepFailure('agents-files-not-taken', { text: withoutPaths(said.trim().slice(-300)) })
  }
}

/** Packs the files that a job passes on and sends them; a pattern without a match is a mistake. */
export async function handOn({ client, work, room, signal, onAnswer }: HandOver): Promise<void> {
  if (work.handsOn.length === 0) return
  const entries = new Map<string, LayerEntry>()
  for (const files of work.handsOn) {
    const found = await findFiles(workOf(room), files, 'keep')
    if (found.files.length === 0) throw new StepFailure('agents-no-files', { files })
    for (const source of found.files) entries.set(source.path, { target: source.path, source })
  }
  if (entries.size > maxFiles)
    throw new StepFailure('agents-too-many-files', { files: work.handsOn.join(', '), limit: maxFiles })
  const { writeLayer } = await import('../image/layers.ts')
  const file = join(room.dir, 'handed')
  await writeLayer(workOf(room), [...entries.values()], file, false)
  const { jobId, attempt } = work
  const answer = await client.call(
    'handOn',
    { params: { jobId }, query: { attempt } },
    { upload: { content: () => createReadStream(file), length: statSync(file).size }, idleMs: 120_000, signal },
  )
  onAnswer(answer)
  rmSync(file, { force: true })
}
