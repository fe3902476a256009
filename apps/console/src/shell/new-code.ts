import { dirtyForms } from '../api/draft.ts'
import { session } from '../api/storage.ts'

/** Twice in this time would be a loop. */
const onceIn = 20_000

/** What still fails while the page goes is of no interest. */
let reloading = false

/**
 * A part of the console could not be fetched: the network failed, or the server was upgraded and the part's name is
 * gone. Loading the page anew helps in both cases; not twice in a row, and not over something typed and unsaved.
 */
export function reloadForNewCode(): boolean {
  if (reloading) return true
  if (dirtyForms.get() > 0 || session.get('reloaded') !== undefined) return false
  session.set('reloaded', true, onceIn)
  reloading = true
  location.reload()
  return true
}
