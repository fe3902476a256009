/**
 * Browser storage. Every key has the specification's prefix; a value may expire. If storage is full or forbidden,
 * nothing is stored, and nothing fails.
 */
export const prefix = 'WISECLOUD__'

interface Stored {
  value: unknown
  until?: number
}

function box(storage: () => Storage) {
  return {
    get<T>(key: string): T | undefined {
      try {
        const text = storage().getItem(prefix + key)
        if (text === null) return undefined
        const kept = JSON.parse(text) as Stored
        if (kept.until !== undefined && kept.until < Date.now()) {
          storage().removeItem(prefix + key)
          return undefined
        }
        return kept.value as T
      } catch {
        return undefined
      }
    },
    set(key: string, value: unknown, forMs?: number): void {
      const kept: Stored = forMs === undefined ? { value } : { value, until: Date.now() + forMs }
      try {
        storage().setItem(prefix + key, JSON.stringify(kept))
      } catch {
        // Storage is full or forbidden.
      }
    },
    remove(key: string): void {
      try {
        storage().removeItem(prefix + key)
      } catch {
        // Storage is forbidden.
      }
    },
  }
}

/** Shared by all tabs, and kept when they close. */
export const local = box(() => localStorage)
/** Separate for each tab. */
export const session = box(() => sessionStorage)

export const day = 86_400_000
/** How long list parameters and the page size are kept. */
export const keepParameters = 30 * day
export const keepPageSize = 7 * day
