import type { IdentityProvider, LogoutUrlOf } from '../../../identity/sign-in.ts'
import { findModules } from '../../../module.ts'

export const identityProviders = async (): Promise<IdentityProvider[]> =>
  (await findModules()).flatMap(({ identityProvider }) => identityProvider ?? [])

export const logoutHooks = async (): Promise<LogoutUrlOf[]> =>
  (await findModules()).flatMap(({ onLogout }) => onLogout ?? [])
