import type { IdentityProvider, LogoutUrlOf, TakeLink } from '../../../identity/sign-in.ts'
import { findModules } from '../../../module.ts'

export const identityProviders = async (): Promise<IdentityProvider[]> =>
  (await findModules()).flatMap(({ identityProvider }) => identityProvider ?? [])

export const logoutHooks = async (): Promise<LogoutUrlOf[]> =>
  (await findModules()).flatMap(({ onLogout }) => onLogout ?? [])

/** Adds the account to the team of a link to join; false if the link has expired. */
export async function joinBy(...by: Parameters<TakeLink>): Promise<boolean> {
  for (const { onJoin } of await findModules()) if (onJoin && (await onJoin(...by)) !== undefined) return true
  return false
}
