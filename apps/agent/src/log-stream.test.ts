import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTimes } from '@gantry/contract/agents/log-times'
import { protocol } from '@gantry/contract/agents/protocol'
import type { Client } from './client.ts'
import { logStream } from './log-stream.ts'
import { spoolOf, type Room } from './workspace.ts'

let room: Room
/** What the server got, in order: the bytes that were new to it, and the times that came with them. */
let got: { from: number; text: string; times: { byte: number; at: number }[] }[]
let end = 0

beforeEach(() => {
  room = { buildId: 1, attempt: 1, slot: { index: 0 }, dir: mkdtempSync(join(tmpdir(), 'gantry-log-')) }
  mkdirSync(join(room.dir, 'steps/0'), { recursive: true })
  writeFileSync(spoolOf(room, 0), '')
  got = []
  end = 0
})
afterEach(() => rmSync(room.dir, { recursive: true }))

const client: Client = {
  async call(name, input, { upload } = {}) {
    if (name !== 'log' || !Buffer.isBuffer(upload?.content)) throw new Error(`not expected: ${name}`)
    const query = protocol.log.query.parse(input.query)
    const from = Math.max(0, end - query.offset)
    const text = upload.content.subarray(from).toString('utf8')
    got.push({ from: query.offset, text, times: readTimes(query.times ?? '') })
    end += text.length
    return { cancel: false, next: end } as never
  },
}

const stream = () =>
  logStream({
    room,
    step: 0,
    masked: [],
    client,
    compressed: false,
    signal: new AbortController().signal,
    told: () => undefined,
    failed: () => undefined,
  })

/** Writes as a step that did it a while ago. */
function write(text: string, at: number): void {
  appendFileSync(spoolOf(room, 0), text)
  utimesSync(spoolOf(room, 0), new Date(at), new Date(at))
}

async function until(true_: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !true_(); i++) await new Promise((done) => setTimeout(done, 10))
  expect(true_()).toBe(true)
}

test('what is sent says when the step wrote it, not when it was read', async () => {
  const wrote = Date.now() - 60_000
  write('one\n', wrote)
  const log = stream()
  await until(() => end === 4)
  write('two\n', wrote + 5000)
  expect(await log.end()).toBe(8)
  expect(got).toEqual([
    { from: 0, text: 'one\n', times: [{ byte: 0, at: wrote }] },
    { from: 4, text: 'two\n', times: [{ byte: 0, at: wrote + 5000 }] },
  ])
})

test('a time that no agent can have slept through is not believed', async () => {
  const before = Date.now()
  for (const at of [0, before + 3_600_000]) {
    write('x\n', at)
    await stream().end()
  }
  const told = got.flatMap(({ times }) => times.map(({ at }) => at))
  expect(told.every((at) => at >= before && at <= Date.now())).toBe(true)
})

test('after a restart the rest has its times, counted from its own first byte', async () => {
  const wrote = Date.now() - 60_000
  write('one\ntwo\nthree\n', wrote)
  end = 8
  expect(await stream().end()).toBe(14)
  expect(got).toEqual([{ from: 0, text: 'three\n', times: [{ byte: 0, at: wrote }] }])
})
