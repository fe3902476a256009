import type { ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { admitLocal, fakeApi, refuse } from '../../../../test/kube-api.ts'
import { kubeOver } from '../client.ts'
import { longestLine } from './logs.ts'
import type { LogLine } from './logs.ts'
import { openTransport } from '../transport/transport.ts'

const api = await fakeApi(() => {})
const transport = openTransport(api.address, { admit: admitLocal })
const kube = kubeOver(transport)
afterAll(async () => {
  await transport.close()
  await api[Symbol.asyncDispose]()
})

const pod = { namespace: 'n', name: 'p' }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** Bytes of buffers that are still referenced, which does not depend on when garbage is collected. */
const keptBuffers = (): number => {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

const collect = async (lines: AsyncIterable<LogLine>) => {
  const got: LogLine[] = []
  for await (const line of lines) got.push(line)
  return got
}

test('requests the given range and yields line by line', async () => {
  api.answer((_, response) => void response.end('2026-01-02T03:04:05.678901234Z one\n2026-01-02T03:04:06Z \nno time\n'))
  const got = await collect(
    kube.log(pod, { container: 'a;id', previous: true, tail: 10, since: '2026-01-01T00:00:00Z', timestamps: true }),
  )
  expect(got).toEqual([
    { text: 'one', at: '2026-01-02T03:04:05.678901234Z' },
    { text: '', at: '2026-01-02T03:04:06Z' },
    { text: 'no time' },
  ])
  const { path, query } = api.seen.at(-1) ?? {}
  expect(path).toBe('/api/v1/namespaces/n/pods/p/log')
  expect(Object.fromEntries(query ?? [])).toEqual({
    container: 'a;id',
    previous: 'true',
    tailLines: '10',
    sinceTime: '2026-01-01T00:00:00Z',
    timestamps: 'true',
  })
})

test('a line of any length costs at most its limit, and is marked as cut', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  const before = keptBuffers()
  let peak = 0
  api.answer(async (_, response) => {
    for (let i = 0; i < 200; i++) {
      if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve))
      if (i % 20 === 19) peak = Math.max(peak, keptBuffers() - before)
    }
    response.end('\nnext\n')
  })
  const got = await collect(kube.log(pod, { container: 'c' }))
  expect(got.map(({ text, cut }) => [text.length, cut])).toEqual([
    [longestLine, true],
    [4, undefined],
  ])
  expect(peak).toBeLessThan(100 * 1024 * 1024)
})

test('a slow reader slows the sender down', async () => {
  let sent = 0
  const chunk = `${'y'.repeat(1023)}\n`.repeat(64)
  api.answer((_, response) => {
    const more = () => {
      while (sent < 100_000_000) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
    }
    more()
  })
  const lines = kube.log(pod, { container: 'c', follow: true })
  await lines.next()
  let before = 0
  await eventually(() => {
    const stands = sent === before
    before = sent
    return stands
  }, Boolean)
  expect(sent).toBeLessThan(50_000_000)
  await lines.return(undefined)
})

test('leaving the loop closes the stream, and the signal ends it with its reason', async () => {
  const closed: string[] = []
  api.answer(({ path }, response) => {
    response.write('one\n')
    response.on('close', () => closed.push(path))
  })
  for await (const line of kube.log(pod, { container: 'c', follow: true })) {
    expect(line.text).toBe('one')
    break
  }
  await expect.poll(() => closed).toHaveLength(1)
  const stop = new AbortController()
  const lines = kube.log(pod, { container: 'c', follow: true, signal: stop.signal })
  await lines.next()
  stop.abort(new Error('enough'))
  await expect(lines.next()).rejects.toThrow('enough')
  await expect.poll(() => closed).toHaveLength(2)
})

test('a refusal and a broken connection are reported', async () => {
  api.answer((_, response) => refuse(response, 400, 'BadRequest', 'container "x" in pod "p" is waiting to start'))
  await expect(kube.log(pod, { container: 'x' }).next()).rejects.toMatchObject({ kind: 'invalid' })
  const open: ServerResponse[] = []
  api.answer((_, response) => {
    response.write('one\n')
    open.push(response)
  })
  const lines = kube.log(pod, { container: 'c', follow: true })
  expect(await lines.next()).toMatchObject({ value: { text: 'one' } })
  for (const response of open) response.destroy()
  await expect(collect(lines)).rejects.toMatchObject({ kind: 'reset' })
})
