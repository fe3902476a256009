import { store } from './store.ts'

/** The number of forms with unsaved input. While there is one, an expired session is renewed in place. */
export const dirtyForms = store(0)

/** Counts one form as dirty until the returned function is called. */
export function holdDraft(): () => void {
  dirtyForms.set((n) => n + 1)
  let held = true
  return () => {
    if (held) dirtyForms.set((n) => n - 1)
    held = false
  }
}
