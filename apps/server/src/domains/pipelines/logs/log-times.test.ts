import { timesApartMs, type ByteTime } from '@gantry/agent-protocol/log-times'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { marks, packMarks, timeOf, unpackMarks } from './log-blob/time-index.ts'
import { marksOf } from './log-times.ts'

const begun = { byte: 0, lines: 0, open: false, time: null }

test('a line has the time of its first byte, until the next time is reported', () => {
  const bytes = Buffer.from('one\ntwo\nthree\nfour\n')
  const { marks: found, time } = marksOf(bytes, begun, [
    { byte: 0, at: 1000 },
    { byte: 6, at: 2000 },
    { byte: 14, at: 3000 },
  ])
  expect([0, 1, 2, 3].map((line) => timeOf(found, line))).toEqual([1000, 1000, 2000, 3000])
  expect(time).toBe(3000)
})

test('close times are merged, and times never go back', () => {
  const bytes = Buffer.from('a\nb\nc\nd\n')
  const { marks: found } = marksOf(bytes, begun, [
    { byte: 0, at: 1000 },
    { byte: 2, at: 1000 + timesApartMs - 1 },
    { byte: 4, at: 500 },
    { byte: 6, at: 1000 + timesApartMs },
  ])
  expect(found).toEqual([
    { line: 0, at: 1000 },
    { line: 3, at: 1000 + timesApartMs },
  ])
})

test('a log whose agent reports no times has none', () => {
  expect(marksOf(Buffer.from('a\n'), begun, [])).toEqual({ marks: [], time: null })
  expect(timeOf([], 7)).toBeNull()
  expect(unpackMarks(packMarks([]))).toEqual([])
})

/** Possible requests of an agent: some bytes, with the times at which their first and second half were read. */
const requests = fc.array(
  fc.record({
    text: fc.stringMatching(/^[ab\n]{1,40}$/),
    pause: fc.nat(3000),
    half: fc.option(fc.nat(500), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 12 },
)

test('every line has the time at which its first byte arrived, for any requests and chunks', () => {
  fc.assert(
    fc.property(requests, fc.integer({ min: 1, max: 30 }), (sent, pieceBytes) => {
      const end = { byte: 0, lines: 0, open: false, time: null as number | null }
      const kept = marks()
      const model: number[] = []
      let now = 1_700_000_000_000
      for (const { text, pause, half } of sent) {
        now += pause
        const bytes = Buffer.from(text)
        const byteTimes: ByteTime[] = [{ byte: end.byte, at: now }]
        const middle = end.byte + Math.trunc(bytes.length / 2)
        if (half !== undefined && middle > end.byte) byteTimes.push({ byte: middle, at: (now += half) })
        let time = end.time
        for (const i of bytes.keys()) {
          for (const one of byteTimes)
            if (one.byte === end.byte + i && (time === null || one.at >= time + timesApartMs)) time = one.at
          const begins = i === 0 ? !end.open : bytes[i - 1] === 0x0a
          if (begins) model.push(time ?? 0)
        }
        for (let at = 0; at < bytes.length; at += pieceBytes) {
          const piece = bytes.subarray(at, at + pieceBytes)
          const { marks: found, time: holds } = marksOf(piece, end, byteTimes)
          // A piece contains the times of all lines that begin in it.
          for (const mark of found) kept.add(mark)
          end.byte += piece.length
          end.lines += piece.filter((byte) => byte === 0x0a).length
          end.open = piece.at(-1) !== 0x0a
          end.time = holds
        }
      }
      const stored = unpackMarks(packMarks(kept.list))
      expect(model.map((_, line) => timeOf(stored, line))).toEqual(model)
    }),
  )
})
