import { dirtyForms } from '../api/draft.ts'
import { session } from '../api/storage.ts'

/** A second reload within this time would be a loop. */
const onceIn = 20_000

/** Further failures while the page reloads are ignored. */
let reloading = false

/**
 * Part of the console could not be loaded: the network failed, or the server was upgraded and the file no longer
 * exists. Reloading the page helps in both cases; but not twice in a row, and not with unsaved input.
 */
export function reloadForNewCode(): boolean {
  if (reloading) return true
  if (dirtyForms.get() > 0 || session.get('reloaded') !== undefined) return false
  session.set('reloaded', true, onceIn)
  reloading = true
  location.reload()
  return true
}
