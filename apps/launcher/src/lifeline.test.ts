import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const lifeline = join(import.meta.dirname, 'lifeline.ts')

/** A process on the line that runs this, and says `up` when it has. */
async function onTheLine(code: string) {
  const child = spawn(process.execPath, ['--import', lifeline, '--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

const busy = 'setInterval(() => undefined, 1000); process.on("SIGTERM", () => process.exit(7));'

test('a process ends as if it had been asked to when its launcher lets go', async () => {
  const child = await onTheLine(`${busy} console.log("up")`)
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([7, null])
})

test('a thread of it, which loads the same and has no launcher, ends nothing', async () => {
  const child = await onTheLine(`${busy}
    const { Worker } = await import('node:worker_threads')
    const worker = new Worker('setTimeout(() => undefined, 200)', { eval: true })
    worker.once('exit', () => console.log("up"))`)
  expect(child.exitCode).toBeNull()
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([7, null])
})
