import type { Pressure } from './pressure.ts'

/** Seconds without a call after which nobody is taken to wait for one. */
export const quietSeconds = 30

/**
 * Gives memory back once nobody has called for half a minute. V8 keeps what a start, or many callers, have made it
 * take: 25 MB after a start. To collect all of it stops the process for a quarter of a second, so it is done when nobody
 * waits, and once until somebody calls again. `collect` is missing unless Node runs with `--expose-gc`, as the launcher
 * has it.
 */
export function collectWhenQuiet(
  { watch, apart }: Pick<Pressure, 'watch' | 'apart'>,
  collect: NodeJS.GCFunction | undefined,
): void {
  if (!collect) return
  let quiet = 0
  watch(({ calls }) => {
    quiet = calls.length > 0 ? 0 : quiet + 1
    // only a last resort makes V8 return pages
    if (quiet === quietSeconds) apart(() => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
  })
}
