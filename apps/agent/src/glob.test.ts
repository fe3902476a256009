import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pattern } from './glob.ts'

/** The rules again, simple and slow: a pattern matches a path if it matches the path or one of its leading folders. */
function meant(parts: string[], names: string[]): boolean {
  const within = (p: number, n: number): boolean => {
    if (p === parts.length) return true
    if (parts[p] === '**') return within(p + 1, n) || (n < names.length && within(p, n + 1))
    return n < names.length && name(parts[p] ?? '', names[n] ?? '') && within(p + 1, n + 1)
  }
  return within(0, 0)
}
function name(part: string, text: string): boolean {
  if (part === '') return text === ''
  if (part[0] === '*') return name(part.slice(1), text) || (text !== '' && name(part, text.slice(1)))
  return text !== '' && (part[0] === '?' || part[0] === text[0]) && name(part.slice(1), text.slice(1))
}

const letter = fc.constantFrom('a', 'b', '.')
const path = fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 })
const parts = fc.array(
  fc.oneof(
    fc.constant('**'),
    fc
      .string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), minLength: 1, maxLength: 4 })
      .filter((p) => !['.', '**', '***', '****'].includes(p)),
  ),
  { minLength: 1, maxLength: 4 },
)

describe('a pattern', () => {
  test('matches by the rules', () => {
    fc.assert(
      fc.property(parts, path, (parts, names) => {
        expect(pattern(parts.join('/')).matches(names.join('/'))).toBe(meant(parts, names))
      }),
      { numRuns: 2000 },
    )
  })

  test('never skips a folder that contains a matching file', () => {
    fc.assert(
      fc.property(parts, path, (parts, names) => {
        const { matches, mayHold } = pattern(parts.join('/'))
        if (!matches(names.join('/'))) return
        for (let i = 1; i < names.length; i++) expect(mayHold(names.slice(0, i).join('/'))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['dist', 'dist/a/b.js', true],
    ['dist', 'distant', false],
    ['dist/', 'dist/a', true],
    ['./dist/*.js', 'dist/a.js', true],
    ['**/*.xml', 'report.xml', true],
    ['**/*.xml', 'a/b/report.xml', true],
    ['**/junit-?.xml', 'x/junit-1.xml', true],
    ['*', '.env', true],
    ['**', '.git/config', false],
    ['*', '.git/HEAD', false],
    ['.git/HEAD', '.git/HEAD', true],
    ['**', 'vendored/.git/config', true],
    ['a+(b)', 'a+(b)', true],
    ['名*', '名字', true],
    ['?', '😀', true],
  ])('%s and %s: %s', (text, path, expected) => {
    expect(pattern(text).matches(path)).toBe(expected)
  })

  test('has a base, from which the search begins', () => {
    expect(pattern('a/b/*.js')).toMatchObject({ base: 'a/b', literal: false })
    expect(pattern('a/b')).toMatchObject({ base: 'a/b', literal: true })
    expect(pattern('**')).toMatchObject({ base: '', literal: false })
  })

  test('with many stars takes no longer', () => {
    expect(pattern('*a*a*a*a*a*a*a*a*a*a*b').matches('a'.repeat(100))).toBe(false)
    expect(pattern(`${'**/'.repeat(100)}x`).matches(`${'a/'.repeat(100)}y`)).toBe(false)
  })
})
