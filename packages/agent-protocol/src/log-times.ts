/** The bytes from this one on were read from the step at this time (epoch milliseconds, the agent's clock). */
export interface ByteTime {
  byte: number
  at: number
}

/** Times that are closer are merged. */
export const timesApartMs = 100

/**
 * How a log request encodes the times of its bytes, counted from its own first: `0:1764000000000,5120:1764000000250`.
 */
export const writeTimes = (times: readonly ByteTime[]): string => times.map(({ byte, at }) => `${byte}:${at}`).join(',')

export const readTimes = (text: string): ByteTime[] =>
  (text === '' ? [] : text.split(',')).map((pair) => {
    const [byte, at] = pair.split(':')
    return { byte: Number(byte), at: Number(at) }
  })
