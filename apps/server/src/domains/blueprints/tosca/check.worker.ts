import { parentPort } from 'node:worker_threads'
import { checkTemplate, type CompileInput } from '@gantry/tosca/compile'

/** Worker thread of check.ts: answers each template, in order. */
parentPort?.on('message', ({ text, given }: { text: string; given?: CompileInput }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage(checkTemplate(text, given))
})
