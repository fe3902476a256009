import { describe, expect, test } from 'vitest'
import { annotationScanner, placeOfFailure } from './lines.ts'

/** `level file:line:column message` of each line that is an annotation. */
const scan = (...lines: string[]) => {
  const look = annotationScanner()
  return lines.flatMap((line) => {
    const found = look(line)
    return found ? [`${found.level} ${found.file}:${found.line}:${found.column ?? '-'} ${found.message}`] : []
  })
}

describe('a line of a log', () => {
  test.each([
    ['gcc', "src/a.c:3:5: error: expected ';'", "error src/a.c:3:5 expected ';'"],
    ['gcc', 'src/a.c:3:5: fatal error: x.h: No such file', 'error src/a.c:3:5 x.h: No such file'],
    ['clang', './src/a.cpp:30:1: warning: unused', 'warning src/a.cpp:30:1 unused'],
    ['javac', 'Quay.java:12: error: cannot find symbol', 'error Quay.java:12:- cannot find symbol'],
    ['Maven', '[ERROR] /w/src/Quay.java:[12,8] cannot find symbol', 'error /w/src/Quay.java:12:8 cannot find symbol'],
    ['tsc', "src/a.ts(3,5): error TS2304: Cannot find name 'x'.", "error src/a.ts:3:5 TS2304: Cannot find name 'x'."],
    ['tsc --pretty', 'src/a.ts:3:5 - error TS1: no', 'error src/a.ts:3:5 TS1: no'],
    ['go', './main.go:12:2: undefined: x', 'error main.go:12:2 undefined: x'],
    ['flake8', 'app/quay.py:1:80: E501 line too long', 'error app/quay.py:1:80 E501 line too long'],
    ['mypy', 'app/quay.py:7: note: see the docs', 'notice app/quay.py:7:- see the docs'],
    ['Windows', 'C:\\w\\a.cs(3,5): warning CS1: old', 'warning C:\\w\\a.cs:3:5 CS1: old'],
    ['colours', '\u001b[1msrc/a.c:3:5: \u001b[31merror: \u001b[0mno', 'error src/a.c:3:5 no'],
  ])('in the format of %s is read as file, place and message', (_, line, expected) => {
    expect(scan(line)).toEqual([expected])
  })

  test.each([
    ['12:30:45: warning: a time of day'],
    ['http://registry.example.org:8080: error: no answer'],
    ['see https://example.org/a.html:1:2: there'],
    ['error: nothing in particular'],
    ['src/a.c:0:5: error: no such line'],
    ['src/a.c:99999999999:5: error: no such line'],
    ['src/a.c:3:5: error:'],
    ['1.5:3:4: ratio'],
    [''],
  ])('%j is no annotation', (line) => {
    expect(scan(line)).toEqual([])
  })

  test('of rustc gives the message, and the next line gives the place', () => {
    expect(
      scan('error[E0425]: cannot find value `x`', '  --> src/main.rs:3:5', '   |', '  --> src/lib.rs:1:1'),
    ).toEqual(['error src/main.rs:3:5 cannot find value `x`'])
  })

  test('of any shape is scanned quickly', () => {
    const look = annotationScanner()
    for (const text of ['a.'.repeat(500_000), ':1'.repeat(500_000), ' '.repeat(1_000_000), 'a/'.repeat(500_000)])
      expect(look(text)).toBeUndefined()
  })
})

describe('a failed test', () => {
  test.each([
    ['expected 1 to be 2\n    at node_modules/x/y.js:1:1\n    at f (src/a.test.ts:3:5)', 'src/a.test.ts:3:5'],
    [
      'Traceback:\n  File "/usr/lib/python3/unittest.py", line 9\n  File "tests/test_a.py", line 3, in t',
      'tests/test_a.py:3:-',
    ],
    ['    quay_test.go:12: not lit', 'quay_test.go:12:-'],
  ])('is placed at the first file of its own that its message names: %j', (message, expected) => {
    const place = placeOfFailure('quay is lit', message)
    expect(place && `${place.file}:${place.line}:${place.column ?? '-'}`).toBe(expected)
    expect(place?.message).toMatch(/^quay is lit: \S/)
  })

  test('has no place if its message names no file', () => {
    expect(placeOfFailure('quay is lit', 'expected 1 to be 2')).toBeUndefined()
  })
})
