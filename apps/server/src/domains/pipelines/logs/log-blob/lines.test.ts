import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineBytes, textsOf, wholeLines } from './lines.ts'

/** The output for a text that is cut at these places. */
function linesOf(bytes: Buffer, places: readonly number[] = []): Buffer {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const lines = wholeLines()
  const parts = at.slice(1).map((end, i) => {
    const some = lines.push(bytes.subarray(at[i], end))
    expect(some.length === 0 || some.at(-1) === 0x0a).toBe(true)
    return some
  })
  return Buffer.concat([...parts, lines.end()])
}

test('returns any text unchanged and in whole lines, wherever it is cut', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', '载', '\n', '\t') }),
      fc.array(fc.nat()),
      (text, places) => {
        expect(linesOf(Buffer.from(text), places).toString()).toBe(text)
      },
    ),
  )
})

test('returns a line as a terminal shows it, wherever it is cut', () => {
  const bar = Array.from({ length: 200 }, (_, n) => `\r载 ${n} %`).join('')
  const text = Buffer.from(`before\r\n${bar}\rERROR: it broke\n${bar}`)
  fc.assert(
    fc.property(fc.array(fc.nat()), (places) => {
      expect(textsOf(linesOf(text, places))).toEqual(['before\r', 'ERROR: it broke', '载 199 %'])
    }),
  )
})

test('counts a last line that shows nothing as a line', () => {
  expect(textsOf(linesOf(Buffer.from('a\nb\r\u001b[K')))).toHaveLength(2)
})

describe('a line that is longer than the limit', () => {
  const size = 5 * lineBytes + 4
  const given = Buffer.concat([Buffer.from('one\nBEGIN '), Buffer.alloc(size - 10, 'é'), Buffer.from(' END\ntwo\n')])

  test.each([1000, 65_536, 3 * lineBytes, given.length])('keeps both ends, in chunks of %i', (chunk) => {
    const places = Array.from({ length: Math.floor(given.length / chunk) }, (_, n) => (n + 1) * chunk)
    const [one, line = '', two, ...more] = textsOf(linesOf(given, places))
    expect([one, two, more]).toEqual(['one', 'two', []])
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(lineBytes)
    const [, head = '', missing, tail = ''] = /^(BEGIN é+) … \[\+(\d+) B\] … (é+ END)$/.exec(line) ?? []
    expect(Buffer.byteLength(head) + Number(missing) + Buffer.byteLength(tail)).toBe(size)
  })

  test('is kept whole up to the limit', () => {
    const whole = 'x'.repeat(lineBytes)
    expect(textsOf(linesOf(Buffer.from(`${whole}\n${whole}`)))).toEqual([whole, whole])
  })

  test('whose rewrites are longer is reduced to the last one, without ever buffering them all', () => {
    const lines = wholeLines()
    const turn = Buffer.from(Array.from({ length: 10_000 }, (_, n) => `\r${n} of many`).join(''))
    for (let at = 0; at < 50; at++) {
      expect(lines.push(turn)).toHaveLength(0)
      expect(lines.full).toBe(false)
    }
    expect(lines.end().toString()).toBe('9999 of many')
  })
})
