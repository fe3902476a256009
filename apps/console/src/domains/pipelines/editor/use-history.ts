import { useState } from 'react'

interface History<T> {
  past: readonly T[]
  present: T
  future: readonly T[]
  /** The field edited last: continued typing in it is one change. */
  at: string
}

/** How many changes can be undone. */
const most = 200

/** A value with an undo and redo history. */
export function useHistory<T>(begin: () => T) {
  const [{ past, present, future }, set] = useState<History<T>>(() => ({
    past: [],
    present: begin(),
    future: [],
    at: '',
  }))
  const go = (next: History<T>) => () => {
    set(next)
    return next.present
  }
  const before = past.slice(-1)
  return {
    present,
    /** `where` names the edited field; without it the change is a separate one. */
    change: (next: T, where = '') =>
      set((now) => ({
        past: where !== '' && where === now.at ? now.past : [...now.past, now.present].slice(-most),
        present: next,
        future: [],
        at: where,
      })),
    reset: (value: T) => set({ past: [], present: value, future: [], at: '' }),
    /** Both return the value after the call; undefined if there is nothing to undo, or to redo. */
    undo: before
      .map((value) => go({ past: past.slice(0, -1), present: value, future: [present, ...future], at: '' }))
      .at(0),
    redo: future
      .slice(0, 1)
      .map((value) => go({ past: [...past, present], present: value, future: future.slice(1), at: '' }))
      .at(0),
  }
}
