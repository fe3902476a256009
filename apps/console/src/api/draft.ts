import { store } from './store.ts'

/** The number of forms with unsaved input. While it is not 0, an expired session is renewed in place. */
export const dirtyForms = store(0)

/** Counts a form as dirty until the returned function is called. */
export function holdDraft(): () => void {
  dirtyForms.set((n) => n + 1)
  let held = true
  return () => {
    if (held) dirtyForms.set((n) => n - 1)
    held = false
  }
}
