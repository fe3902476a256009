import { allPermissions, entries, type Permission, permissionKeys } from './permissions/catalogue.ts'
import { changePassword } from './password/change-password.service.ts'
import { countFailure } from './bans/attempts.ts'
import { ban, unban } from './bans/ban.service.ts'
import { browserOf, enter } from './session/cookie.ts'
import { newInitialPassword, setInitialPassword } from './password/initial-password.service.ts'
import { openLogin } from './session/login.service.ts'
import { hashPassword } from './password/password.ts'
import { publishUsers } from './session/publish.ts'
import { makeAdmin, resetPassword, unbanUser } from './password/rescue.service.ts'

/** What other domains, and the command on the server, may call. */
export {
  allPermissions,
  ban,
  browserOf,
  changePassword,
  countFailure,
  enter,
  entries,
  hashPassword,
  makeAdmin,
  newInitialPassword,
  openLogin,
  type Permission,
  permissionKeys,
  publishUsers,
  resetPassword,
  setInitialPassword,
  unban,
  unbanUser,
}
