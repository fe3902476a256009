import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const lifeline = join(import.meta.dirname, 'lifeline.ts')

/** A process that loads the lifeline and runs this code; resolves once the code prints `up`. */
async function onTheLine(code: string) {
  const child = spawn(process.execPath, ['--import', lifeline, '--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

const busy = 'setInterval(() => undefined, 1000); process.on("SIGTERM", () => process.exit(7));'

test('a process ends as if by SIGTERM when its launcher closes the pipe', async () => {
  const child = await onTheLine(`${busy} console.log("up")`)
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([7, null])
})

test('a thread of the process, which also loads the lifeline, does not end the process', async () => {
  const child = await onTheLine(`${busy}
    const { Worker } = await import('node:worker_threads')
    const worker = new Worker('setTimeout(() => undefined, 200)', { eval: true })
    worker.once('exit', () => console.log("up"))`)
  expect(child.exitCode).toBeNull()
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([7, null])
})
