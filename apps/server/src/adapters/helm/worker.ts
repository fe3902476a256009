import type { IndexedChart } from '@gantry/contract/helm/charts'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { keyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.ts'
import type { ChartContents } from './archive.ts'
import { ChartProblem, type ProblemKey } from './chart-index.ts'
import type { ValuesProblem } from './values-check.ts'
import { sourceUrl } from '../../root.ts'

export type Task =
  | { kind: 'index'; bytes: Uint8Array }
  | { kind: 'archive'; bytes: Uint8Array }
  | { kind: 'values'; text: string; schema: string; beneath: string }

interface Results {
  index: IndexedChart[]
  archive: ChartContents
  values: ValuesProblem[]
}

type Answer = { value: unknown } | { problem: { key: ProblemKey; vars: Record<string, string | number> } }

/**
 * Limits for a hostile document, whose thread is ended beyond them. The thread's CPU time decides, because on a busy
 * machine an honest document takes long too; `ms` only ends a wait that would otherwise not end.
 */
const limits = { cpuMs: 20_000, ms: 120_000, megabytes: 512 }
const pollMs = 250
const take = keyedSemaphore(2)

/**
 * Reads a document of others in a separate thread, so that only its caller waits for it. Throws ChartProblem if the
 * document is invalid, or exceeds the limits of a thread.
 */
export async function inThread<K extends Task['kind']>(
  task: Extract<Task, { kind: K }>,
  signal: AbortSignal,
  { cpuMs }: Pick<typeof limits, 'cpuMs'> = limits,
): Promise<Results[K]> {
  const tooMuch = new ChartProblem(task.kind === 'index' ? 'index-invalid' : 'archive-invalid')
  const done = await take('charts', signal)
  const worker = new Worker(sourceUrl('adapters/helm/charts.worker.ts'), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
  })
  const spent = new AbortController()
  const looking = setInterval(() => {
    worker.cpuUsage().then(
      ({ user, system }) => user + system > cpuMs * 1000 && spent.abort(),
      // the thread has ended meanwhile
      () => undefined,
    )
  }, pollMs)
  const until = AbortSignal.any([signal, spent.signal, AbortSignal.timeout(limits.ms)])
  try {
    const [answer] = (await once(worker, 'message', { signal: until })) as [Answer]
    if ('problem' in answer) throw new ChartProblem(answer.problem.key, answer.problem.vars)
    // the kind of the task decides the kind of the answer
    return answer.value as Results[K]
  } catch (error) {
    if (error instanceof ChartProblem) throw error
    signal.throwIfAborted()
    throw tooMuch
  } finally {
    clearInterval(looking)
    await worker.terminate()
    done()
  }
}
