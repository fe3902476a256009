import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  creditOf,
  decodeFrame,
  encodeCredit,
  encodeFrame,
  encodeTell,
  type FrameKind,
  longestFrame,
  longestPayload,
  readTell,
} from './frames.ts'

const streamId = fc.integer({ min: 1, max: 0xffff_ffff })
const payload = fc.uint8Array({ maxLength: 2000 })

test('decodes what it encodes', () => {
  const withPayload = fc.constantFrom<FrameKind>('data', 'reset')
  fc.assert(
    fc.property(streamId, withPayload, payload, (stream, kind, bytes) => {
      const frame = decodeFrame(encodeFrame(stream, kind, bytes))
      expect(frame).toEqual({ stream, kind, payload: bytes })
    }),
  )
  fc.assert(
    fc.property(streamId, fc.constantFrom<FrameKind>('open', 'end'), (stream, kind) => {
      expect(decodeFrame(encodeFrame(stream, kind))).toEqual({ stream, kind, payload: new Uint8Array(0) })
    }),
  )
  fc.assert(
    fc.property(streamId, fc.nat(0xffff_ffff), (stream, count) => {
      const frame = decodeFrame(encodeCredit(stream, count))
      expect(frame && [frame.stream, frame.kind, creditOf(frame)]).toEqual([stream, 'credit', count])
    }),
  )
})

test('reads a view into the middle of a larger buffer', () => {
  fc.assert(
    fc.property(streamId, payload, fc.nat(50), (stream, bytes, offset) => {
      const encoded = encodeFrame(stream, 'data', bytes)
      const around = new Uint8Array(offset + encoded.length + 7)
      around.set(encoded, offset)
      expect(decodeFrame(around.subarray(offset, offset + encoded.length))).toEqual({
        stream,
        kind: 'data',
        payload: bytes,
      })
    }),
  )
})

test('any bytes either decode to a frame that encodes to the same bytes, or to none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const frame = decodeFrame(bytes)
      if (frame) expect(encodeFrame(frame.stream, frame.kind, frame.payload)).toEqual(bytes)
    }),
    { numRuns: 2000 },
  )
})

test.for([
  ['too short', new Uint8Array(4)],
  ['of an unknown kind', Uint8Array.of(0, 0, 0, 1, 9)],
  ['too long', Uint8Array.of(0, 0, 0, 1, 2, ...new Uint8Array(longestFrame))],
  ['data about the connection itself', Uint8Array.of(0, 0, 0, 0, 2, 1)],
  ['a tell about a stream', Uint8Array.of(0, 0, 0, 1, 0, 1)],
  ['an end with a payload', Uint8Array.of(0, 0, 0, 1, 3, 1)],
  ['a credit of another width', Uint8Array.of(0, 0, 0, 1, 5, 1, 2, 3)],
] as const)('refuses a frame that is %s', ([, bytes]) => {
  expect(decodeFrame(bytes)).toBeUndefined()
})

test('encodes nothing that it would not decode', () => {
  expect(() => encodeFrame(1, 'data', new Uint8Array(longestPayload + 1))).toThrow(RangeError)
  expect(decodeFrame(encodeFrame(1, 'data', new Uint8Array(longestPayload)))?.payload.length).toBe(longestPayload)
})

test('a tell holds JSON; anything else reads as undefined', () => {
  const report = { replica: 'a', replicas: 2 }
  const frame = decodeFrame(encodeTell(report))
  expect(frame && readTell(frame)).toEqual(report)
  expect(readTell({ stream: 0, kind: 'tell', payload: Uint8Array.of(123) })).toBeUndefined()
})
