import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutLine, rewrites, shortLine, shownLine, styleAfter } from './terminal-line.ts'

const esc = '\u001b'
// oxlint-disable-next-line no-control-regex -- colours are what must be gone
const plain = (line: string): string => shownLine(line).replaceAll(/\u001b\[[\d;]*m/g, '')

describe('shows a line as a terminal does', () => {
  test.each([
    ['what is written over is gone', '10 %\r50 %\r100 %', '100 %'],
    ['what is longer than the new text stays', 'step 2000\rdone', 'done 2000'],
    ['erasing to the end', `step 2000\rdone${esc}[K`, 'done'],
    ['erasing the line', `abc${esc}[2K\rd`, 'd'],
    ['erasing the line where it stands', `abc${esc}[2Kd`, '   d'],
    ['a spinner', '|\b/\b-\b\\', '\\'],
    ['a column', `abc${esc}[1Gx${esc}[3Gz`, 'xbz'],
    ['moves', `abc${esc}[2DX${esc}[2CY`, 'aXc Y'],
    ['a line end of Windows', 'text\r', 'text\r'],
    ['wide characters', '下载 10 %\r下载 99 %', '下载 99 %'],
    ['over what is wide', '进度\rab', 'ab度'],
    ['half of what is wide', '进度\ra', 'a 度'],
    ['a mark on a letter', 'e\u0301x\rE', 'Ex'],
  ])('%s', (_what, line, expected) => {
    expect(plain(line)).toBe(expected)
  })

  test('each character keeps the colours in which it was written', () => {
    expect(shownLine(`${esc}[32mgreen${esc}[0m all\r${esc}[31mre`)).toBe(
      `${esc}[31mre${esc}[0m${esc}[32meen${esc}[0m all${esc}[31m`,
    )
  })

  test('leaves a line without overwriting as it is, whatever it contains', () => {
    for (const line of [`${esc}[32mok${esc}[0m`, `${esc}[01;31m${esc}[Kfound${esc}[m${esc}[K`, 'a\tb\r'])
      expect(shownLine(line)).toBe(line)
  })
})

const writing = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r', '\b', `${esc}[K`, `${esc}[2K`, `${esc}[3C`, `${esc}[2D`, `${esc}[4G`),
      fc.constantFrom(`${esc}[31m`, `${esc}[1m`, `${esc}[0m`, `${esc}[38;5;9m`, `${esc}[`, '载', 'é'),
      fc.string({ maxLength: 6 }).map((text) => text.replaceAll(/[^ -~]/g, '')),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

/** The backspace at the beginning changes nothing, but forces the line to be drawn. */
const draw = (line: string): string => shownLine(`\b${line}`)

test('text after a shortened line is shown as after the original line', () => {
  fc.assert(
    fc.property(writing, writing, (before, after) => {
      const short = shortLine(before)
      expect(before === '' || short !== '').toBe(true)
      expect(draw(short + after)).toBe(draw(before + after))
      expect(styleAfter('', short)).toBe(styleAfter('', before))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['a sequence with a space', `\r${esc}[ `, '@x'],
  ['one that is longer than any', `\r${esc}[${'1'.repeat(70)}`, 'mx'],
  ['one that grows too long', `\r${esc}[${'1'.repeat(60)}`, `${'1'.repeat(10)}mx`],
])('%s continues after a shortened line', (_what, before, after) => {
  expect(draw(shortLine(before) + after)).toBe(draw(before + after))
})

test('a hundred thousand rewrites become as short as the last one', () => {
  const bar = Array.from({ length: 100_000 }, (_, n) => `\r${esc}[32mstep${esc}[0m ${n}`).join('')
  expect(rewrites(bar)).toBe(true)
  expect(shortLine(bar)).toBe(`${esc}[32mstep${esc}[0m 99999`)
})

describe('a hostile line', () => {
  const half = 200_000
  test.each([
    ['returns alone', '\r'.repeat(half)],
    ['returns, then text', `${'\r'.repeat(half)}x`],
    ['erased far out', 'x'.repeat(half) + `${esc}[2Kx`.repeat(half / 10)],
    ['moved on and on', `${esc}[999C`.repeat(half / 10) + 'x'],
    ['moved on, written, erased', `${esc}[2K${esc}[999Gx`.repeat(half / 20)],
    ['sequences without an end', `\b${`${esc}[`.repeat(half)}`],
  ])('%s: costs time in proportion to its length', (_what, line) => {
    expect(shownLine(line).length).toBeLessThan(2 * line.length)
    expect(shortLine(line).length).toBeLessThan(2 * line.length)
  })
})

describe('tracks colours across texts', () => {
  test.each([
    ['', `${esc}[32mgreen`, `${esc}[32m`],
    [`${esc}[32m`, 'text', `${esc}[32m`],
    [`${esc}[32m`, `${esc}[1m${esc}[4m`, `${esc}[32;1;4m`],
    [`${esc}[32;1m`, `${esc}[22m`, `${esc}[32m`],
    [`${esc}[32m`, `${esc}[39m`, ''],
    [`${esc}[32;1m`, `${esc}[m`, ''],
    ['', `${esc}[38;5;208;1m`, `${esc}[38;5;208;1m`],
    ['', `${esc}[48;2;1;2;3m${esc}[38:2::1:2:3m`, `${esc}[48;2;1;2;3;38:2::1:2:3m`],
    ['', `a${esc}[3`, `${esc}[3`],
    [`${esc}[3`, '2m', `${esc}[32m`],
    [`${esc}[32m${esc}`, '[0mx', ''],
  ])('after %j and %j is %j', (before, text, after) => {
    expect(styleAfter(before, text)).toBe(after)
  })
})

describe('a long line', () => {
  test('shows both ends and what is missing', () => {
    expect(cutLine('a'.repeat(50) + 'b'.repeat(50), 20)).toBe('aaaaaaaaaa … [+80 B] … bbbbbbbbbb')
    expect(cutLine('a'.repeat(20), 20)).toBe('a'.repeat(20))
  })

  test('counts all missing bytes of a line that was cut before', () => {
    expect(cutLine(cutLine('é'.repeat(1000), 100), 20)).toBe(`${'é'.repeat(10)} … [+1960 B] … ${'é'.repeat(10)}`)
  })

  test('keeps the colours of its end, and splits neither characters nor sequences', () => {
    const cut = cutLine(`𝄞${'a'.repeat(50)}${esc}[32m${'b'.repeat(5)}`, 17)
    expect(cut).toBe(`𝄞aaaaaa … [+46 B] … ${esc}[32mbbbbb`)
  })
})
