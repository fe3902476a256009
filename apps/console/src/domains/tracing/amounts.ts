import { duration } from '../../ui/format.ts'

/** Formats microseconds: 840 µs, 1.25 ms, 84 ms, 9.4 s. */
export const spanTime = (microseconds: number): string =>
  microseconds < 1000
    ? `${Math.round(microseconds)} µs`
    : microseconds < 10_000
      ? `${(microseconds / 1000).toFixed(2)} ms`
      : duration(microseconds / 1000)

/** A part of a whole in percent, at least large enough to be visible. */
export const share = (part: number, whole: number): number => (whole <= 0 ? 0 : Math.min(100, (100 * part) / whole))
