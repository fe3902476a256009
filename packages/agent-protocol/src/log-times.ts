/** From this byte on, what was sent was read from the step at this moment (epoch milliseconds, the agent's clock). */
export interface ByteTime {
  byte: number
  at: number
}

/** Two times that are closer are one. */
export const timesApartMs = 100

/** How a log request tells the times of its bytes, counted from its own first: `0:1764000000000,5120:1764000000250`. */
export const writeTimes = (times: readonly ByteTime[]): string => times.map(({ byte, at }) => `${byte}:${at}`).join(',')

export const readTimes = (text: string): ByteTime[] =>
  (text === '' ? [] : text.split(',')).map((pair) => {
    const [byte, at] = pair.split(':')
    return { byte: Number(byte), at: Number(at) }
  })
