import { entries, permissionKeys } from './catalogue.ts'
import { changePassword } from './change-password.service.ts'
import { hashPassword } from './password.ts'
import { makeAdmin, resetPassword, unbanUser } from './rescue.service.ts'

/** What other domains, and the command on the server, may call. */
export { changePassword, entries, hashPassword, makeAdmin, permissionKeys, resetPassword, unbanUser }
