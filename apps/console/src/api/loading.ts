import { local } from './storage.ts'
import { store } from './store.ts'

/**
 * The overlay over the whole page, for work that must not be interrupted. It never stays forever: see `watchLoading`.
 */
export const loading = store(false)

export const resetMs = 20_000
export const hideDelayMs = 500
export const pollMs = 1000

let ends: ReturnType<typeof setTimeout> | undefined
let hides: ReturnType<typeof setTimeout> | undefined

export function startLoading(): void {
  clearTimeout(ends)
  clearTimeout(hides)
  local.remove('error')
  loading.set(true)
  ends = setTimeout(() => loading.set(false), resetMs)
}

/** Hides after half a second, so that consecutive steps do not flicker. */
export function stopLoading(): void {
  clearTimeout(ends)
  clearTimeout(hides)
  hides = setTimeout(() => loading.set(false), hideDelayMs)
}

/** Checks once a second for the error flag of a failed call, which hides the overlay. */
export function watchLoading(): () => void {
  const timer = setInterval(() => {
    if (!loading.get() || local.get('error') !== true) return
    local.remove('error')
    clearTimeout(ends)
    loading.set(false)
  }, pollMs)
  return () => clearInterval(timer)
}
