import { session as calls } from '@gantry/contract/auth/session'
import { call } from './call.ts'
import { session as tab } from './storage.ts'
import { store } from './store.ts'

export interface Entry {
  name: string
  enable: boolean
}

/** Entries grouped by module, as the server groups them, or ungrouped. */
type Grouped = Entry | { permissions: readonly Grouped[] }

export const flatten = (entries: readonly Grouped[]): Entry[] =>
  entries.flatMap((entry) =>
    'permissions' in entry ? flatten(entry.permissions) : [{ name: entry.name, enable: entry.enable }],
  )

/**
 * The specified check: an administrator has every permission; a list that was never loaded allows all, an empty one
 * denies all; otherwise the entry must exist and be enabled. It only controls the display: the server decides.
 */
export function allows(admin: boolean, entries: readonly Entry[] | undefined, name: string): boolean {
  if (admin || entries === undefined) return true
  return entries.some((entry) => entry.name === name && entry.enable)
}

export const permissions = store<readonly Entry[] | undefined>(tab.get('permissions'))

/**
 * Loads the user's permissions in a team; without a team, those of system roles. If that fails the list is empty, so
 * that screens are locked rather than open; `known` ones stay. An answer that is no longer wanted is dropped.
 */
export async function loadPermissions(
  teamId: number | undefined,
  userId: number,
  isWanted: () => boolean,
  known: readonly Entry[] = [],
): Promise<void> {
  const request: Promise<readonly Grouped[]> =
    teamId === undefined ? call(calls.catalogue) : call(calls.permissions, { params: { teamId, userId } })
  const entries = await request.then(flatten, () => known)
  if (!isWanted()) return
  tab.set('permissions', entries)
  permissions.set(entries)
}

export function forgetPermissions(): void {
  tab.remove('permissions')
  permissions.set(undefined)
}
