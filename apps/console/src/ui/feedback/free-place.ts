export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The distance between the floating box and obstacles. */
const gap = 8

const meets = (a: Box, b: Box): boolean =>
  a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap

const shared = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))

/**
 * The lowest bottom edge at which a box of this column and height covers no obstacle; if there is no such place between
 * `top` and `bottom`, the one that covers least.
 */
export function freeBottom(space: Box, height: number, obstacles: readonly Box[]): number {
  const at = (bottom: number): Box => ({ ...space, top: bottom - height, bottom })
  const near = obstacles.filter((one) => meets(space, one))
  // The lowest free place touches the end of the space, or is right above an obstacle.
  const places = [space.bottom, ...near.map(({ top }) => top - gap)]
    .filter((bottom) => bottom <= space.bottom && bottom - height >= space.top)
    .toSorted((a, b) => b - a)
  const free = places.find((bottom) => !near.some((one) => meets(at(bottom), one)))
  if (free !== undefined) return free
  const covers = (bottom: number) => near.reduce((sum, one) => sum + shared(at(bottom), one), 0)
  return places.toSorted((a, b) => covers(a) - covers(b))[0] ?? space.bottom
}
