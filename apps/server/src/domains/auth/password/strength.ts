import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The minimum: the specification's "strength score at least 2" of zxcvbn's 0 to 4. */
export const leastScore = 2

/** zxcvbn takes some 40 MB, which are freed after this time without a question. */
const idleMs = 60_000

let worker: Worker | undefined
let idle: NodeJS.Timeout | undefined

/** The next question starts a new worker. */
function forget(one: Worker): void {
  if (worker === one) worker = undefined
}

function startWorker(): Worker {
  const started = new Worker(new URL('strength.worker.ts', import.meta.url))
  for (const end of ['error', 'exit']) started.once(end, () => forget(started))
  return started
}

async function ask(password: string, about: string[]): Promise<number> {
  clearTimeout(idle)
  const asked = (worker ??= startWorker())
  asked.ref()
  try {
    const answer = once(asked, 'message') as Promise<[score: number]>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    asked.postMessage({ password, about })
    const [score] = await answer
    return score
  } finally {
    // it does not keep a process alive
    asked.unref()
    idle = setTimeout(() => {
      forget(asked)
      void asked.terminate()
    }, idleMs).unref()
  }
}

let last: Promise<unknown> = Promise.resolve()

/**
 * zxcvbn's score from 0 to 4; words about the user count as guessable. In a thread of its own, because loading its
 * dictionaries would block everybody else; one question at a time.
 */
export function scorePassword(password: string, about: string[]): Promise<number> {
  const score = last.then(() => ask(password, about))
  last = score.catch(() => undefined)
  return score
}
