import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ini } from './ini.ts'

/** Parses like oslo.config (iniparser, then the `$` templates): a section's options in order, with their values. */
function read(text: string): Record<string, [name: string, value: string][]> {
  const found: Record<string, [string, string][]> = {}
  let section = ''
  for (const line of text.split(/\r\n|\r|\n/).map((one) => one.trimEnd())) {
    if (line === '' || /^[#;]/.test(line)) continue
    if (/^\s/.test(line)) throw new Error('a continuation of the line before')
    if (line.startsWith('[')) {
      section = line.slice(1, line.indexOf(']'))
      found[section] ??= []
      continue
    }
    const at = line.search(/[:=]/)
    const name = line.slice(0, at).trim()
    let value = line.slice(at + 1).trim()
    if (/^["']/.test(value) && value.at(0) === value.at(-1)) value = value.slice(1, -1)
    value = value
      .replaceAll(String.raw`\$`, '$$$$')
      .replaceAll(/\$(\$|[_a-z][._a-z0-9]*|\{[^}]*\})?/gi, (whole, next) => (next === '$' ? '$' : whole))
    found[section]?.push([name, value])
  }
  return found
}

const line = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text))
const odd = fc
  .array(fc.constantFrom('$', '\\', '"', "'", '[', ']', '=', ':', '#', ';', '%', ' ', '{', '}', 'a', '中'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))

test('any value is read back unchanged, in its own option and section', () => {
  fc.assert(
    fc.property(fc.oneof(line, odd), fc.oneof(line, odd), (first, second) => {
      const text = ini({ neutron: { username: first, password: second }, gantry: { zone: 'z' } })
      expect(read(text)).toEqual({
        neutron: [
          ['username', first],
          ['password', second],
        ],
        gantry: [['zone', 'z']],
      })
    }),
    { numRuns: 2_000 },
  )
})

test('a value with a line break is refused', () => {
  for (const end of ['\n', '\r', '\u2028', '\u0085', '\0', '\v'])
    expect(() => ini({ neutron: { password: `a${end}[DEFAULT]${end}debug = true` } })).toThrow('more than one line')
  expect(() => ini({ 'a]\n[b': { x: '1' } })).toThrow('no name of a section')
  expect(() => ini({ a: { 'x = 1\ny': '1' } })).toThrow('no name of an option')
})

test('an option without a value is omitted, and a section without options has no header', () => {
  expect(ini({ a: { x: undefined }, b: { y: '1', z: undefined } })).toBe('[b]\ny = 1\n')
})
