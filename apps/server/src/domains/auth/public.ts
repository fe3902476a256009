import { allPermissions, entries, type Permission, permissionKeys } from './catalogue.ts'
import { changePassword } from './change-password.service.ts'
import { countFailure } from './attempts.ts'
import { ban, unban } from './ban.service.ts'
import { enter } from './cookie.ts'
import type { IdentityProvider, Login, LogoutUrlOf } from './hooks.ts'
import { setInitialPassword } from './initial-password.service.ts'
import { openLogin } from './login.service.ts'
import { hashPassword } from './password.ts'
import { makeAdmin, resetPassword, unbanUser } from './rescue.service.ts'

/** What other domains, and the command on the server, may call. */
export {
  allPermissions,
  ban,
  changePassword,
  countFailure,
  enter,
  entries,
  hashPassword,
  type IdentityProvider,
  type Login,
  type LogoutUrlOf,
  makeAdmin,
  openLogin,
  type Permission,
  permissionKeys,
  resetPassword,
  setInitialPassword,
  unban,
  unbanUser,
}
