import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { en as allEnglish } from './en.gen.ts'
import { fill } from './fill.ts'
import { zh as allChinese } from './zh.gen.ts'

const en: Record<string, string> = allEnglish
const zh: Record<string, string> = allChinese

const han = /\p{Script=Han}/u
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)(?::[^{}|]*\|[^{}|]*)?\}/g)].map(([, name]) => name ?? '').sort()

/** Texts that may be equal in both languages: names, units, signs. */
const same = /^[\s\d\p{P}\p{S}]*$|^(\{\w+\}|[A-Z][\w.+-]*|[a-z]+:\/\/|\s|\p{P}|\p{S}|\d)*$/u

test('both languages have the same keys', () => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort())
})

test('no English text contains Chinese', () => {
  expect(Object.entries(en).filter(([, text]) => han.test(text))).toEqual([])
})

test('every Chinese text is Chinese, except names and signs', () => {
  expect(Object.entries(zh).filter(([, text]) => !han.test(text) && !same.test(text))).toEqual([])
})

test('both texts of a phrase have the same placeholders', () => {
  const differing = Object.keys(en).filter(
    (key) => [...new Set(placeholders(en[key] ?? ''))].join() !== [...new Set(placeholders(zh[key] ?? ''))].join(),
  )
  expect(differing).toEqual([])
})

test('no text is empty, ends in a blank, or contains a brace that is not a placeholder', () => {
  const untidy = (text: string) =>
    text.trim() !== text || text === '' || /[{}]/.test(text.replaceAll(/\{\w+(?::[^{}|]+\|[^{}|]+)?\}/g, ''))
  for (const texts of [en, zh]) expect(Object.entries(texts).filter(([, text]) => untidy(text))).toEqual([])
})

/** Mail texts whose paragraphs form a letter. */
const prose = (text: string): boolean => text.includes('\n')

test('a text of several sentences ends with a full stop, unless another text follows it', () => {
  const open = (ends: RegExp, several: RegExp) => (text: string) =>
    several.test(text) && !prose(text) && !/[.:。：] ?\{\w+\}$/u.test(text) && !ends.test(text)
  expect(Object.entries(en).filter(([, text]) => open(/[.?!…:]”?$/, /[.?!] (?=[“A-Z{])/)(text))).toEqual([])
  expect(Object.entries(zh).filter(([, text]) => open(/[。？！…：]”?$/, /[。？！](?=[^”）])/)(text))).toEqual([])
})

test('quotation marks and ellipses are typographic', () => {
  expect(Object.entries(en).filter(([, text]) => /\w'\w|"|\.\.\. | …/.test(text))).toEqual([])
})

test('no text names a permission by its key', () => {
  const key = /\b[a-z]+_[a-z]+_(?:view|create|edit|operate|delete|execute)\b/
  for (const texts of [en, zh]) expect(Object.entries(texts).filter(([, text]) => key.test(text))).toEqual([])
})

test('uses “delivery” for a trigger’s event, and “Git host” for its origin', () => {
  const older = /\bforges?\b|\boccasions?\b/i
  const named = Object.entries(en).filter(([, text]) => older.test(text.replaceAll(/\{\w+\}/g, '')))
  expect(named).toEqual([])
  expect(Object.entries(zh).filter(([, text]) => /触发记录|发送记录|代码托管服务/.test(text))).toEqual([])
})

/** Placeholders with a number that counts the next word. */
const counted = 'attempts|capacity|count|days|maximum|minimum|minutes|number|seconds|total|hard|left|taken|free|wanted'

test('a counted word agrees with its number', () => {
  const stiff = new RegExp(String.raw`(?<!#)\{(${counted})\} (?!across\b|is\b|was\b|has\b|plus\b|this\b)(\w+ )?\w+s\b`)
  expect(Object.entries(en).filter(([, text]) => stiff.test(text))).toEqual([])
  expect(Object.values(zh).filter((text) => /\{\w+:/.test(text))).toEqual([])
})

/** Placeholders whose values are Chinese themselves. */
const chinese = ['time', 'source', 'label']

test('Chinese is separated from letters and figures by a space, and uses full-width punctuation', () => {
  const close = (text: string) => {
    const filled = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => (chinese.includes(name) ? '字' : 'x'))
    return /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u.test(filled)
  }
  const narrow = (text: string) => /\p{Script=Han}[,.;:?!()]|[,;:?!()]\p{Script=Han}/u.test(text)
  const apart = (text: string) => /[\u3001\u3002\uff01-\uff1f“”] | [\u3001\u3002\uff01-\uff1f“”]/u.test(text)
  expect(Object.entries(zh).filter(([, text]) => close(text) || narrow(text) || apart(text))).toEqual([])
})

const folder = join(import.meta.dirname, '../../contract/src')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!\.test)\.ts$/.test(name),
)

test('every permission of the contract has words for itself, its area and its thing', () => {
  const keys = sources.flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /'(([a-z]+)_[a-z]+)_(?:view|create|edit|operate|delete|execute)'/g,
      ),
    ].flatMap(([key, thing = '', area = '']) => [
      `permission.${key.slice(1, -1)}`,
      `teams-ui-thing-${thing}`,
      `teams-ui-area-${area}`,
    ]),
  )
  expect(new Set(keys).size).toBeGreaterThan(100)
  expect([...new Set(keys)].filter((key) => !Object.hasOwn(en, key))).toEqual([])
})

test('every write of the contract has a noun for its toast', () => {
  const nouns = sources.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/audit: '([a-z-]+)\./g)].map(([, noun]) => `noun-${noun}`),
  )
  expect(new Set(nouns).size).toBeGreaterThan(20)
  expect([...new Set(nouns)].filter((key) => !Object.hasOwn(en, key))).toEqual([])
})

test('every message of the contract’s validators is a phrase', () => {
  const used = sources.flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /\.(?:min|max|int|regex|length|gte|lte)\([^'\n]*'([a-z]+(?:-[A-Za-z]+)+)'\)/g,
      ),
    ].map(([, key]) => `${name}: ${key}`),
  )
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((entry) => !Object.hasOwn(en, entry.split(': ')[1] ?? ''))).toEqual([])
})

describe('fill', () => {
  test('fills placeholders, and leaves one without a value unchanged', () => {
    expect(fill('{a} of {b}, {c}', { a: 1, b: 'two' })).toBe('1 of two, {c}')
  })

  test('chooses the form for one or for several', () => {
    const lines = (count: number) => fill('{count} {count:line|lines} of {name}', { count, name: 'web' })
    expect([0, 1, 2, 21].map(lines)).toEqual(['0 lines of web', '1 line of web', '2 lines of web', '21 lines of web'])
    expect(fill('{count:line|lines}')).toBe('{count:line|lines}')
  })

  test('does not read a value as a phrase, and uses only its own values', () => {
    expect(fill('{a} {constructor} {__proto__}', { a: '{b}', b: 'no' })).toBe('{b} {constructor} {__proto__}')
  })
})
