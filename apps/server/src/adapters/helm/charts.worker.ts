import { parentPort, workerData } from 'node:worker_threads'
import { readArchive } from './archive.ts'
import { ChartProblem, readIndex } from './chart-index.ts'
import type { Task } from './worker.ts'
import { checkValues } from './values-check.ts'

async function result(task: Task): Promise<unknown> {
  switch (task.kind) {
    case 'index':
      return readIndex(Buffer.from(task.bytes).toString('utf8'))
    case 'archive':
      return readArchive(Buffer.from(task.bytes))
    case 'values':
      return checkValues(task.text, task.schema, task.beneath)
  }
}

const answer = await result(workerData as Task).then(
  (value) => ({ value }),
  (error: unknown) => {
    if (error instanceof ChartProblem) return { problem: { key: error.key, vars: error.vars } }
    throw error
  },
)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.postMessage(answer)
