import { store } from './store.ts'

/** Forms with something typed and not saved. While there is one, an expired session is renewed in place. */
export const dirtyForms = store(0)

/** Counts one form as dirty until the answer is called. */
export function holdDraft(): () => void {
  dirtyForms.set((n) => n + 1)
  let held = true
  return () => {
    if (held) dirtyForms.set((n) => n - 1)
    held = false
  }
}
