import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { readTimes } from '@gantry/agent-protocol/log-times'
import { protocol } from '@gantry/contract/agents/protocol'
import type { Client } from './client.ts'
import { type LogOptions, logStream } from './log-stream.ts'
import { spoolOf, type Workspace } from './workspace/workspace.ts'

let room: Workspace
/** The server's log, in order: the bytes that were new to it, and their times. */
let got: { from: number; text: string; times: { byte: number; at: number }[] }[]
let end = 0

beforeEach(() => {
  room = { jobId: 1, attempt: 1, slot: { index: 0 }, dir: mkdtempSync(join(tmpdir(), 'gantry-log-')) }
  mkdirSync(join(room.dir, 'steps/0'), { recursive: true })
  writeFileSync(spoolOf(room, 0), '')
  got = []
  end = 0
})
afterEach(() => rmSync(room.dir, { recursive: true }))

const client: Client = {
  download: () => Promise.reject(new Error('no file')),
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

const stream = (more: Partial<LogOptions> = {}) =>
  logStream({
    room,
    step: 0,
    masked: [],
    client,
    compressed: false,
    signal: new AbortController().signal,
    onAnswer: () => undefined,
    failed: () => undefined,
    ...more,
  })

/** Writes like a step at the given time in the past. */
function write(text: string, at: number): void {
  appendFileSync(spoolOf(room, 0), text)
  utimesSync(spoolOf(room, 0), new Date(at), new Date(at))
}

test('is sent with the time when the step wrote it, not when it was read', async () => {
  const wrote = Date.now() - 60_000
  write('one\n', wrote)
  const log = stream()
  await eventually(
    () => end,
    (bytes) => bytes === 4,
  )
  write('two\n', wrote + 5000)
  expect(await log.end()).toBe(8)
  expect(got).toEqual([
    { from: 0, text: 'one\n', times: [{ byte: 0, at: wrote }] },
    { from: 4, text: 'two\n', times: [{ byte: 0, at: wrote + 5000 }] },
  ])
})

test('a line that is overwritten again and again is sent far less often than complete lines', async () => {
  mkdirSync(join(room.dir, 'steps/1'), { recursive: true })
  writeFileSync(spoolOf(room, 1), '')
  const texts = ['', '']
  const requests = [0, 0]
  const counting: Client = {
    ...client,
    async call(_name, input, { upload } = {}) {
      const { step } = input.params as { step: 0 | 1 }
      texts[step] += String(upload?.content)
      requests[step] = (requests[step] ?? 0) + 1
      return { cancel: false, next: texts[step]?.length } as never
    },
  }
  const [bar, lines] = [stream({ client: counting }), stream({ client: counting, step: 1 })]
  const turns = 20
  for (let turn = 1; turn <= turns; turn++) {
    appendFileSync(spoolOf(room, 0), `\rstep ${turn}`)
    appendFileSync(spoolOf(room, 1), `line ${turn}\n`)
    await eventually(
      () => texts[1],
      (text) => text?.endsWith(`line ${turn}\n`) === true,
    )
  }
  await Promise.all([bar.end(), lines.end()])
  expect(texts[0]).toMatch(/^\rstep 1\r.*\rstep 20$/s)
  expect(requests[1]).toBe(turns)
  expect(requests[0]).toBeLessThan(turns / 2)
})

test('does not accept a time that is older than an agent can have been away', async () => {
  const before = Date.now()
  for (const at of [0, before + 3_600_000]) {
    write('x\n', at)
    await stream().end()
  }
  const stamps = got.flatMap(({ times }) => times.map(({ at }) => at))
  expect(stamps.every((at) => at >= before && at <= Date.now())).toBe(true)
})

test('after a restart the rest is sent with its times, counted from its first byte', async () => {
  const wrote = Date.now() - 60_000
  write('one\ntwo\nthree\n', wrote)
  end = 8
  expect(await stream().end()).toBe(14)
  expect(got).toEqual([{ from: 0, text: 'three\n', times: [{ byte: 0, at: wrote }] }])
})

describe('a log that is longer than allowed', () => {
  const limit = 1000
  const all = () => got.map(({ text }) => text).join('')

  test('is cut with a message, ends with its step, and leaves the spool no longer than the limit', async () => {
    const log = stream({ limit })
    appendFileSync(spoolOf(room, 0), 'a line\n'.repeat(limit))
    await eventually(
      () => end,
      (bytes) => bytes === limit,
    )
    await eventually(
      () => statSync(spoolOf(room, 0)).size,
      (size) => size < limit,
    )
    appendFileSync(spoolOf(room, 0), 'a line\n'.repeat(limit))
    expect(await log.end()).toBe(limit)
    expect(all()).toMatch(/^(a line\n)+.{0,6}\n\[gantry\] The log is cut here.*\n$/)
    // a restarted agent truncates the spool at the same place
    const first = all()
    end = 0
    got = []
    expect(await stream({ limit }).end()).toBe(limit)
    expect(all()).toBe(first)
  })

  test('is cut by the sent length, even if masks make it longer', async () => {
    appendFileSync(spoolOf(room, 0), 'x.'.repeat(200))
    expect(await stream({ limit, masked: ['x'] }).end()).toBe(limit)
    expect(all()).toMatch(/^(\*{6}\.)+[*.]*\n\[gantry\] The log is cut here.*\n$/)
  })

  test('shows no half of a secret at the cut', async () => {
    appendFileSync(spoolOf(room, 0), 's3cret'.repeat(200))
    await stream({ limit, masked: ['s3cret'.repeat(40)] }).end()
    expect(all()).not.toContain('s3cret')
  })

  test('that has space for the last line stays whole', async () => {
    const whole = 'y'.repeat(limit - 200)
    appendFileSync(spoolOf(room, 0), whole)
    expect(await stream({ limit }).end()).toBe(whole.length)
    expect(all()).toBe(whole)
  })
})
