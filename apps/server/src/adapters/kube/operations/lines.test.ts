import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesOf, wholeCharacters } from './lines.ts'

async function* inPieces(bytes: Buffer, sizes: number[]): AsyncGenerator<Buffer> {
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    yield bytes.subarray(from, from + size)
    from += size
  }
}

async function read(text: string, sizes: number[], most: number) {
  const lines: { text: string; cut: boolean }[] = []
  for await (const batch of linesOf(inPieces(Buffer.from(text), sizes), most))
    for (const { bytes, cut } of batch) lines.push({ text: bytes.toString('utf8'), cut })
  return lines
}

const pieces = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })

test('lines are the same in any chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }).map((s) => s.replaceAll('\n', ''))),
      pieces,
      async (texts, sizes) => {
        const got = await read(texts.map((text) => `${text}\n`).join(''), sizes, 1000)
        expect(got).toEqual(texts.map((text) => ({ text, cut: false })))
      },
    ),
  )
})

test('a line that is too long is cut between characters, and the next one is complete', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 4, max: 30 }), async (sizes, most) => {
      const [long, next] = await read(`${'a€😀'.repeat(10)}\nb\n`, sizes, most)
      expect(long?.cut).toBe(true)
      expect('a€😀'.repeat(10).startsWith(long?.text ?? '?')).toBe(true)
      expect(Buffer.byteLength(long?.text ?? '')).toBeGreaterThan(most - 4)
      expect(next).toEqual({ text: 'b', cut: false })
    }),
  )
})

test('a line of exactly the limit is complete; a last line without a newline counts; empty lines count', async () => {
  expect(await read('abcd\n\nxy', [3], 4)).toEqual([
    { text: 'abcd', cut: false },
    { text: '', cut: false },
    { text: 'xy', cut: false },
  ])
})

test('invalid UTF-8 does no harm', () => {
  expect(wholeCharacters(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80])).length).toBe(5)
  expect(wholeCharacters(Buffer.alloc(0)).length).toBe(0)
})
