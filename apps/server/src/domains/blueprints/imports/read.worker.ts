import { parentPort } from 'node:worker_threads'
import { readText } from './read.ts'

/** Worker thread of imports.service.ts: answers each text, in order. */
parentPort?.on('message', (text: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage(readText(text))
})
