import { vi } from 'vitest'

/** As long as a test may take: a busy machine needs more than the second that vi waits by itself. */
const patienceMs = 20_000

type WaitOptions = Parameters<typeof vi.waitFor>[1]
const withPatience = (options: WaitOptions): WaitOptions =>
  typeof options === 'number' ? options : { timeout: patienceMs, ...options }

// a worker runs many files, and each of them comes by here
if (!('patient' in vi)) {
  const { waitFor, waitUntil } = vi
  Object.assign(vi, {
    patient: true,
    waitFor: (...[work, options]: Parameters<typeof waitFor>) => waitFor(work, withPatience(options)),
    waitUntil: (...[work, options]: Parameters<typeof waitUntil>) => waitUntil(work, withPatience(options)),
  })
}
