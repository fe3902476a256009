import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Nothing that a person has written takes longer. */
const limitMs = 10_000
/** A thread takes some 30 MB, which are freed after this time without a question. */
const idleMs = 60_000

/** A question took more time or more stack than its thread has. */
export class ThreadLimit extends Error {}

/**
 * Answers questions in a separate thread, one after the other, so that a large one does not block the process. The
 * module at `url` answers each message with one message, in order.
 */
export function openThread<Question, Answer>(url: URL): (question: Question) => Promise<Answer> {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** The next question starts a new thread. */
  const forget = (one: Worker): void => {
    if (worker === one) worker = undefined
  }
  const start = (): Worker => {
    const started = new Worker(url)
    for (const end of ['error', 'exit']) started.once(end, () => forget(started))
    return started
  }

  async function ask(question: Question): Promise<Answer> {
    clearTimeout(idle)
    const current = (worker ??= start())
    current.ref()
    try {
      const answer = once(current, 'message', { signal: AbortSignal.timeout(limitMs) }) as Promise<[Answer]>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
      current.postMessage(question)
      return (await answer)[0]
    } catch (error) {
      forget(current)
      void current.terminate()
      if (error instanceof Error && (error.name === 'AbortError' || error instanceof RangeError))
        throw new ThreadLimit('the question is too large', { cause: error })
      throw error
    } finally {
      // an idle thread does not keep the process alive
      current.unref()
      idle = setTimeout(() => {
        forget(current)
        void current.terminate()
      }, idleMs).unref()
    }
  }

  return (question) => {
    const answered = last.then(() => ask(question))
    last = answered.catch(() => undefined)
    return answered
  }
}
