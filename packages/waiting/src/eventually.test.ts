import { afterEach, expect, test, vi } from 'vitest'
import { eventually } from './eventually.ts'

afterEach(() => {
  vi.useRealTimers()
})

const failed = async (waiting: Promise<unknown>): Promise<Error> => {
  const error: unknown = await waiting.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('It did not fail.')
  return error
}

test('reads again until the value is accepted, and resolves with it', async () => {
  let calls = 0
  expect(
    await eventually(
      () => ++calls,
      (count) => count === 3,
      { everyMs: 1 },
    ),
  ).toBe(3)
  expect(calls).toBe(3)
})

test('an exception, immediate or later, counts as not yet', async () => {
  const read = vi
    .fn<() => Promise<string>>()
    .mockImplementationOnce(() => {
      throw new Error('at once')
    })
    .mockRejectedValueOnce(new Error('later'))
    .mockResolvedValue('there')
  expect(await eventually(read, undefined, { everyMs: 1 })).toBe('there')
  expect(read).toHaveBeenCalledTimes(3)
})

test('returns a narrowed type', async () => {
  const found: string = await eventually(
    () => ['a', 'b'].find((text) => text === 'b'),
    (text) => text !== undefined,
  )
  expect(found).toBe('b')
})

test('an assertion that fails to the end is reported at the line that waits', async () => {
  const error = await failed(eventually(() => expect(1).toBe(2), undefined, { ms: 20, everyMs: 1 }))
  expect(error.message).toContain('expected 1 to be 2')
  expect(error.cause).toMatchObject({ name: 'AssertionError', expected: 2, actual: 1 })
  expect(error.stack).toMatch(/^Error: expected 1 to be 2.*\n\s+at .*eventually\.test\.ts/)
})

test('reports the last value, shortened, if no value is accepted', async () => {
  const state = { phase: 'pending', log: 'x'.repeat(10_000) }
  const { message } = await failed(
    eventually(
      () => state,
      ({ phase }) => phase === 'ready',
      { ms: 20, everyMs: 1 },
    ),
  )
  expect(message).toContain("phase: 'pending'")
  expect(message.length).toBeLessThan(2_100)
})

test('a read that never ends does not exceed the limit', async () => {
  const never = eventually(() => new Promise(() => {}), undefined, { ms: 20 })
  await expect(never).rejects.toThrow('no call ended')
})

test('nothing is read after the end', async () => {
  const read = vi.fn<() => boolean>(() => false)
  await failed(eventually(read, Boolean, { ms: 20, everyMs: 1 }))
  const calls = read.mock.calls.length
  await eventually(
    vi.fn<() => boolean>().mockReturnValueOnce(false).mockReturnValueOnce(false).mockReturnValue(true),
    Boolean,
    { everyMs: 1 },
  )
  expect(read).toHaveBeenCalledTimes(calls)
})

test('works while the test mocks the clock', async () => {
  vi.useFakeTimers()
  let calls = 0
  expect(
    await eventually(
      () => ++calls,
      (count) => count === 2,
    ),
  ).toBe(2)
})

test('a slow read takes at most half of the time', async () => {
  let reads = 0
  const computes = () => {
    reads += 1
    for (const end = performance.now() + 50; performance.now() < end;);
    return false
  }
  await failed(eventually(computes, Boolean, { ms: 220, everyMs: 1 }))
  expect(reads).toBeLessThanOrEqual(3)
})
