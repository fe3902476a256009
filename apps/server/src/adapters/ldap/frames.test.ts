import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrames, NotLdap, TooLarge } from './frames.ts'

/** A BER sequence with this content. */
function message(content: Uint8Array): Buffer {
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([0x30, ...head]), content])
}

test('messages are complete, in any chunks', () => {
  const contents = fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 8 })
  fc.assert(
    fc.property(contents, fc.array(fc.integer({ min: 1, max: 60 })), (all, cuts) => {
      const messages = all.map(message)
      const bytes = Buffer.concat(messages)
      const frames = createFrames(1_000_000)
      const got: Buffer[] = []
      let at = 0
      for (const size of [...cuts, bytes.length]) {
        got.push(...frames.push(bytes.subarray(at, at + size)))
        at += size
      }
      expect(got).toEqual(messages)
      expect(frames.waiting()).toBe(0)
    }),
  )
})

test('thousands of small messages in one chunk are read in order', () => {
  const small = message(Buffer.from([2, 1, 1]))
  expect(createFrames(1_000_000).push(Buffer.concat(Array.from({ length: 50_000 }, () => small)))).toHaveLength(50_000)
})

test('anything but a message, or one that is too large, ends reading at its first bytes', () => {
  for (const bytes of ['HTTP/1.1 400', 'E\0\0\0', '\x30\x80\0\0', '\x30\x85\0\0\0\0\0'])
    expect(() => createFrames(1_000).push(Buffer.from(bytes, 'latin1'))).toThrow(NotLdap)
  expect(() => createFrames(1_000).push(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]))).toThrow(TooLarge)
  const frames = createFrames(1_000)
  frames.push(message(new Uint8Array(600)))
  expect(() => frames.push(message(new Uint8Array(600)))).toThrow(TooLarge)
})
