import { useState } from 'react'

interface History<T> {
  past: readonly T[]
  present: T
  future: readonly T[]
  /** What was typed into last: typing on at the same place is one change. */
  at: string
}

/** How many changes can be taken back. */
const most = 200

/** A value with its changes, to be taken back and made again. */
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
    /** `where` names what is typed into; without it the change is one of its own. */
    change: (next: T, where = '') =>
      set((now) => ({
        past: where !== '' && where === now.at ? now.past : [...now.past, now.present].slice(-most),
        present: next,
        future: [],
        at: where,
      })),
    reset: (value: T) => set({ past: [], present: value, future: [], at: '' }),
    /** Both answer what is present then; undefined where there is nothing to take back, or to make again. */
    undo: before
      .map((value) => go({ past: past.slice(0, -1), present: value, future: [present, ...future], at: '' }))
      .at(0),
    redo: future
      .slice(0, 1)
      .map((value) => go({ past: [...past, present], present: value, future: future.slice(1), at: '' }))
      .at(0),
  }
}
