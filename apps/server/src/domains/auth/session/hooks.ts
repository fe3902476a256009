import type { IdentityProvider, LogoutUrlOf, TakeLink } from '../../../identity/sign-in.ts'
import { findModules } from '../../../module.ts'

export const identityProviders = async (): Promise<IdentityProvider[]> =>
  (await findModules()).flatMap(({ identityProvider }) => identityProvider ?? [])

export const logoutHooks = async (): Promise<LogoutUrlOf[]> =>
  (await findModules()).flatMap(({ onLogout }) => onLogout ?? [])

/** Whether the account is in a team by a link to join now; false where the link is over. */
export async function joinBy(...by: Parameters<TakeLink>): Promise<boolean> {
  for (const { onJoin } of await findModules()) if (onJoin && (await onJoin(...by)) !== undefined) return true
  return false
}
