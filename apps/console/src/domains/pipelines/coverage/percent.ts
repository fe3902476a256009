interface Counts {
  lines: number
  covered: number
}

export const percentOf = ({ lines, covered }: Counts): number => (lines === 0 ? 100 : (covered / lines) * 100)

const tenths = (percent: number): number => Math.floor(percent * 10)

/** Rounded down, as in the step's log: 99.96% is not all. */
export const shownPercent = (percent: number): string => (tenths(percent) / 10).toFixed(1)

/** The difference of the rounded values in percentage points. */
export const differenceOf = (now: Counts, before: Counts): number =>
  (tenths(percentOf(now)) - tenths(percentOf(before))) / 10
