interface Counts {
  lines: number
  covered: number
}

export const percentOf = ({ lines, covered }: Counts): number => (lines === 0 ? 100 : (covered / lines) * 100)

const tenths = (percent: number): number => Math.floor(percent * 10)

/** Rounded down, as the step's log says it: 99.96% is not all. */
export const shownPercent = (percent: number): string => (tenths(percent) / 10).toFixed(1)

/** Percentage points between the two as they are shown. */
export const differenceOf = (now: Counts, before: Counts): number =>
  (tenths(percentOf(now)) - tenths(percentOf(before))) / 10
