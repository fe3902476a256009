import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockBytes } from './format.ts'
import { openLog, type LogReader, type LogSource } from './read.ts'
import { encodeLog, logWriter } from './write.ts'

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}

interface Stored extends LogSource {
  reads: [number, number][]
}

function storedOf(bytes: Buffer): Stored {
  const reads: [number, number][] = []
  return {
    size: bytes.length,
    reads,
    read: async (from, to) => {
      reads.push([from, to])
      return bytes.subarray(from, to)
    },
  }
}

async function stored(...parts: Uint8Array[]): Promise<Stored> {
  return storedOf(await buffer(encodeLog(chunks(...parts))))
}
const logOf = async (...parts: (string | Uint8Array)[]): Promise<LogReader> =>
  openLog(await stored(...parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))))

/** Lines that a step may write: anything without a line end; lone surrogates are not UTF-8. */
const line = fc
  .oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 3 }))
  .map((text) => text.toWellFormed().replaceAll('\n', ' '))
const manyLines = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: line }, { weight: 1, arbitrary: line.map((text) => `${text}x`.repeat(300)) }),
    {
      maxLength: 60,
    },
  )
  .chain((lines) => fc.constantFrom(1, 40).map((times) => Array.from({ length: times }, () => lines).flat()))

/** Cuts bytes at any positions, also within characters. */
function cut(bytes: Buffer, places: number[]): Uint8Array[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end))
}

describe('any lines in', () => {
  test('come out unchanged, in any range and any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(manyLines, fc.array(fc.nat()), fc.nat(), fc.nat(), async (lines, places, a, b) => {
        const text = Buffer.from(lines.map((one) => `${one}\n`).join(''))
        const log = await openLog(await stored(...cut(text, places)))
        expect(log.lines).toBe(lines.length)
        expect(log.bytes).toBe(text.length)
        expect(await log.read(0, lines.length)).toEqual(lines)
        const [from, to] = [a % (lines.length + 2), b % (lines.length + 2)]
        expect(await log.read(from, to)).toEqual(lines.slice(from, to))
        const part = (await buffer(log.stream(from, to))).toString()
        expect(part).toBe(
          lines
            .slice(from, to)
            .map((one) => `${one}\n`)
            .join(''),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('become valid UTF-8 line by line, whatever their bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), fc.array(fc.nat()), async (bytes, places) => {
        const log = await openLog(await stored(...cut(Buffer.from(bytes), places)))
        const wanted = Buffer.from(bytes).toString('utf8').split('\n')
        if (wanted.at(-1) === '') wanted.pop()
        expect(await log.read(0, Infinity)).toEqual(wanted)
      }),
    )
  })
})

describe('the writer', () => {
  test('counts a last line without its end, and none in an empty log', async () => {
    expect(await (await logOf('a\nb')).read(0, 10)).toEqual(['a', 'b'])
    expect(await (await logOf('a\nb\n')).read(0, 10)).toEqual(['a', 'b'])
    expect((await logOf()).lines).toBe(0)
    expect((await logOf('')).lines).toBe(0)
    expect(await (await logOf('\n')).read(0, 10)).toEqual([''])
    expect(await (await logOf('\n', '\n', 'x')).read(0, 10)).toEqual(['', '', 'x'])
  })

  test('keeps a line that is longer than a block whole', async () => {
    const long = 'é'.repeat(2 * blockBytes)
    expect(await (await logOf('a\n', long, '\nb\n')).read(0, 4)).toEqual(['a', long, 'b'])
    expect(await (await logOf(`${long}\n${long}`)).read(1, 2)).toEqual([long])
  })

  test('limits blocks of invalid bytes in size, and does not change its caller’s buffer', async () => {
    const writer = logWriter()
    const ready: Buffer[] = []
    const chunk = Buffer.alloc(1_000_000, 0xff)
    for (let i = 0; i < chunk.length; i += 50_000) chunk[i] = 0x0a
    ready.push(...writer.push(chunk))
    chunk.fill(0x61)
    ready.push(...writer.end())
    const log = await openLog(storedOf(Buffer.concat(ready)))
    expect(log.lines).toBe(21)
    expect(await log.read(1, 2)).toEqual(['\ufffd'.repeat(49_999)])
    for (let i = 0; i < log.lines; i++) {
      const only = await buffer(log.stream(i, i + 1))
      expect(only.length).toBeLessThanOrEqual(blockBytes)
    }
  })
})

describe('a log of 1,000,000 lines', async () => {
  async function* million(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 1_000_000; i += 1000) {
      let text = ''
      for (let j = i; j < i + 1000; j++) text += `line ${j} of a build that says a good deal about what it does\n`
      yield Buffer.from(text)
    }
  }
  const source = storedOf(await buffer(encodeLog(million())))
  const log = await openLog(source)

  test('is opened with one read, and reading its end takes one more', async () => {
    expect(source.reads).toHaveLength(1)
    expect(log.lines).toBe(1_000_000)
    source.reads.length = 0
    const last = await log.read(999_900, 1_000_000)
    expect(last).toHaveLength(100)
    expect(last.at(-1)).toMatch(/^line 999999 /)
    expect(source.reads).toHaveLength(1)
    const [from = 0, to = 0] = source.reads[0] ?? []
    expect(to - from).toBeLessThan(2 * blockBytes)
  })
})

test('a blob that is not a log, or is damaged, is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      await expect(openLog(storedOf(Buffer.from(bytes)))).rejects.toBeInstanceOf(Error)
    }),
  )
  const whole = await buffer(encodeLog(chunks(Buffer.from('a\nb\n'))))
  await expect(openLog(storedOf(whole.subarray(0, -1)))).rejects.toThrow('not a log')
  const damaged = Buffer.from(whole)
  damaged.fill(0, 0, 4)
  await expect((await openLog(storedOf(damaged))).read(0, 1)).rejects.toBeInstanceOf(Error)
})
