/** The bytes from `byte` on were read from the step at the time `at` (epoch milliseconds, the agent's clock). */
export interface ByteTime {
  byte: number
  at: number
}

/** Times that are closer together than this are merged. */
export const timesApartMs = 100

/** The encoding of a log request's times; bytes count from its own first: `0:1764000000000,5120:1764000000250`. */
export const writeTimes = (times: readonly ByteTime[]): string => times.map(({ byte, at }) => `${byte}:${at}`).join(',')

export const readTimes = (text: string): ByteTime[] =>
  (text === '' ? [] : text.split(',')).map((pair) => {
    const [byte, at] = pair.split(':')
    return { byte: Number(byte), at: Number(at) }
  })
