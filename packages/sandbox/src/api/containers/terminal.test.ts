import { expect, test } from 'vitest'
import { lineEditor } from './terminal.ts'

/** Types keys into a terminal from which a shell reads; answers the lines that it read and the output shown. */
async function typed(keys: string[], lines: number): Promise<{ read: (string | null)[]; output: string }> {
  let output = ''
  const input = lineEditor({ tty: true, echo: (text) => (output += text) })
  for (const key of keys) input.push(key)
  const read: (string | null)[] = []
  for (let n = 0; n < lines; n++) read.push(await input.read())
  return { read, output }
}

const table: [title: string, keys: string[], read: (string | null)[]][] = [
  ['lines', ['ls\r', 'pwd\n'], ['ls\n', 'pwd\n']],
  ['letters one by one', ['e', 'c', 'h', 'o', '\r'], ['echo\n']],
  ['a correction', ['lss\u007f -l\r'], ['ls -l\n']],
  ['a correction of a sign of more than one unit', ['a🙂\u007fb\r'], ['ab\n']],
  ['a line and a word taken back', ['one two\u0017three\r', 'gone\u0015here\r'], ['one three\n', 'here\n']],
  ['a line given up', ['rm -rf\u0003', 'ls\r'], ['ls\n']],
  [
    'the line before',
    ['one\r', 'two\r', '\u001b[A\u001b[A\r', '\u001b[A\u001b[B\u001b[A!\r'],
    ['one\n', 'two\n', 'one\n', 'one!\n'],
  ],
  ['a key whose sequence comes in two parts', ['one\r', '\u001b', '[A\r'], ['one\n', 'one\n']],
  ['keys that mean nothing here', ['a\u001b[Cb\u0001c\r'], ['abc\n']],
  ['the end', ['one\r\u0004'], ['one\n', null]],
  ['no end in the middle of a line', ['on\u0004e\r'], ['one\n']],
]

test.each(table)('%s', async (_, keys, read) => {
  expect((await typed(keys, read.length)).read).toEqual(read)
})

test('echoes typed characters, and removes deleted ones', async () => {
  expect((await typed(['ab\u007fc\r'], 1)).output).toBe('ab\b \bc\r\n')
})

test('Ctrl-C interrupts a wait, and so does the end of the input', async () => {
  const input = lineEditor({ tty: true, echo: () => undefined })
  const first = input.interrupted(60_000)
  input.push('typed ahead\u0003')
  expect(await first).toBe(true)
  const second = input.interrupted(60_000)
  input.end()
  expect(await second).toBe(true)
  expect(await input.interrupted(0)).toBe(false)
  expect(await input.read()).toBeNull()
})

test('passes the input through without a terminal', async () => {
  const input = lineEditor({ tty: false, echo: () => expect.fail('nothing is echoed') })
  input.push('a\u0003b')
  input.end()
  expect([await input.read(), await input.read()]).toEqual(['a\u0003b', null])
})

test('a sleeping program keeps some of the input typed ahead, blocks nobody, and still receives Ctrl-C', async () => {
  const input = lineEditor({ tty: true, echo: () => undefined })
  const sleeping = input.interrupted(60_000)
  for (let n = 0; n < 100; n++) input.push('a'.repeat(10_000))
  await input.room()
  input.push('\u0003ls\r')
  expect(await sleeping).toBe(true)
  expect(await input.read()).toBe('ls\n')
})

test('a sender whose program does not read has no room until it reads', async () => {
  const input = lineEditor({ tty: false, echo: () => undefined })
  await input.room()
  for (let n = 0; n < 100; n++) input.push('a'.repeat(1_000))
  let room = false
  const waiting = input.room().then(() => (room = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(room).toBe(false)
  expect(await input.read()).toHaveLength(100_000)
  await waiting
})
