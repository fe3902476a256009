type Point = [number, number | null]

/**
 * Figures at the times of a range, in order; the value is null if nothing was measured, so that a gap stays a gap. A
 * figure holds from its own time for `lasts` milliseconds.
 */
export function onGrid(points: readonly Point[], moments: readonly number[], lasts = 0): Point[] {
  let next = 0
  let last: Point | undefined
  return moments.map((at): Point => {
    for (; next < points.length; next++) {
      const point = points[next]
      if (point === undefined || point[0] > at) break
      if (point[1] !== null) last = point
    }
    return [at, last !== undefined && at - last[0] <= lasts ? last[1] : null]
  })
}

/**
 * The mean of each step, for figures that come more often than the times: those since the previous time. Falls back to
 * the last figure within `lasts`.
 */
export function averaged(points: readonly Point[], moments: readonly number[], stepMs: number, lasts: number): Point[] {
  const gridPoints = onGrid(points, moments, lasts)
  let next = 0
  return gridPoints.map(([at, value]): Point => {
    let sum = 0
    let count = 0
    for (; next < points.length; next++) {
      const [time, figure] = points[next] ?? [Infinity, null]
      if (time > at) break
      if (time <= at - stepMs || figure === null) continue
      sum += figure
      count++
    }
    return [at, count > 0 ? sum / count : value]
  })
}

/** Sums several series; at each time over those that have a figure. */
export function summed(many: readonly (readonly Point[])[]): Point[] {
  const [first = []] = many
  return first.map(([at], index): Point => {
    const figures = many.flatMap((points) => points[index]?.[1] ?? [])
    return [at, figures.length === 0 ? null : figures.reduce((sum, one) => sum + one, 0)]
  })
}
