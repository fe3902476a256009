import fc from 'fast-check'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import type { Fault } from '../../kernel/fault.ts'
import { formatOf, readFile, writeFile } from './file-formats.ts'
import { keysIn, render, renderedSize } from './render.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (format: 'properties' | 'yaml', text: string) =>
  readFile(format, bytes(text)).map(({ key, value }) => [key, value])

function refusal(run: () => unknown): Partial<Pick<Fault, 'key' | 'vars'>> {
  try {
    run()
  } catch (error) {
    const { key, vars } = error as Fault
    return { key, vars }
  }
  return {}
}

test.each([
  ['a=1\nb = 2\nc: 3\nd 4', ['a', '1'], ['b', '2'], ['c', '3'], ['d', '4']],
  ['# no\n! no\n\n  a=1', ['a', '1']],
  ['a=one\\\n   two\\\\', ['a', 'onetwo\\']],
  ['a=\\u00e4\\t\\n\\=\\x', ['a', 'ä\t\n=x']],
  ['a==b\nc=', ['a', '=b'], ['c', '']],
  ['a=\\ b ', ['a', ' b ']],
  ['a\r\nb=1\rc=2', ['a', ''], ['b', '1'], ['c', '2']],
])('reads a .properties file as Java does: %j', (text, ...entries) => {
  expect(read('properties', text)).toEqual(entries)
})

test.each([
  ['a: 1\nb: true\nc: null\nd:\ne: "x\\n"', ['a', '1'], ['b', 'true'], ['c', 'null'], ['d', ''], ['e', 'x\n']],
  [
    'spring:\n  datasource:\n    url: jdbc:x\n  name: shop',
    ['spring.datasource.url', 'jdbc:x'],
    ['spring.name', 'shop'],
  ],
  ['version: 1.10\nzip: 007', ['version', '1.10'], ['zip', '007']],
  [''],
])('reads a YAML file, every scalar as its text: %j', (text, ...entries) => {
  expect(read('yaml', text)).toEqual(entries)
})

test.each([
  ['properties', 'a=1\n1b=2', 'config-import-key', 2],
  ['properties', 'a=1\nb=2\na=3', 'config-import-twice', 3],
  ['properties', 'a=1\nb=\\u12', 'config-import-escape', 2],
  ['properties', `a=${'x'.repeat(65_537)}`, 'config-import-value', 1],
  ['yaml', 'a: 1\nb: [1, 2]', 'config-import-yaml', 2],
  ['yaml', 'a: 1\nb: "open', 'config-import-yaml', 2],
  ['yaml', 'a: &x 1\nb: *x', 'config-import-yaml', 2],
  ['yaml', 'a.b: 1\na:\n  b: 2', 'config-import-twice', 3],
  ['yaml', '- a', 'config-import-yaml', 1],
  ['yaml', '{'.repeat(100_000), 'config-import-yaml', 1],
  ['yaml', 'just text', 'config-import-yaml', 1],
] as const)('says where a %s file is wrong: %#', (format, text, key, line) => {
  expect(refusal(() => readFile(format, bytes(text)))).toMatchObject({ key, vars: { line } })
})

test('a file that is no text or has an unknown extension is refused', () => {
  expect(refusal(() => readFile('yaml', Uint8Array.of(0xff, 0xfe, 0x00)))).toMatchObject({
    key: 'config-import-encoding',
  })
  expect(refusal(() => formatOf('shop.json'))).toMatchObject({ key: 'config-import-name' })
  expect(['a.yml', 'b.YAML', 'c.properties'].map(formatOf)).toEqual(['yaml', 'yaml', 'properties'])
})

const key = fc.stringMatching(/^[A-Za-z_.-][A-Za-z0-9_.-]{0,30}$/)
const value = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0'))
const entries = fc.uniqueArray(fc.record({ key, value }), { selector: (one) => one.key, maxLength: 20 })

test.each(['properties', 'yaml'] as const)('a written %s file reads back unchanged', (format) => {
  fc.assert(
    fc.property(entries, (given) => {
      expect(readFile(format, bytes(writeFile(format, 'shop/production', given)))).toMatchObject(given)
    }),
  )
})

test('other parsers also read a written YAML file', () => {
  const text = writeFile('yaml', 'shop/production', [
    { key: 'a', value: 'true' },
    { key: '-', value: 'ä: "#\n' },
  ])
  expect(parse(text)).toEqual({ a: 'true', '-': 'ä: "#\n' })
})

test('no file makes the parser throw anything but a refusal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('properties', 'yaml'), (text, format) => {
      expect(refusal(() => readFile(format, bytes(text))).key ?? 'config-').toMatch(/^config-/)
    }),
  )
})

test.each([
  ['url=${HOST}:${PORT}', 'url=db:5432', ['HOST', 'PORT']],
  ['$${HOST} ${HOST}', '${HOST} db', ['HOST']],
  ['${HOST:localhost} ${1} $HOST', '${HOST:localhost} ${1} $HOST', []],
  ['${NESTED}', '${HOST}', ['NESTED']],
])('a template is rendered: %s', (template, text, keys) => {
  const values = new Map([
    ['HOST', 'db'],
    ['PORT', '5432'],
    ['NESTED', '${HOST}'],
  ])
  expect(keysIn(template)).toEqual(keys)
  expect(render(template, values)).toBe(text)
})

test('the size of a rendered template is known beforehand', () => {
  const parts = fc.array(fc.oneof(fc.constantFrom('${A}', '${B}', '$${', '$', '${', '}'), fc.string()))
  fc.assert(
    fc.property(parts, fc.string(), fc.string(), (given, a, b) => {
      const values = new Map([
        ['A', a],
        ['B', b],
      ])
      const sizes = new Map([...values].map(([name, text]) => [name, Buffer.byteLength(text)]))
      const template = given.join('')
      expect(renderedSize(template, sizes)).toBe(Buffer.byteLength(render(template, values)))
    }),
  )
})
