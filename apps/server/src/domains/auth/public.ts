import { entries, permissionKeys } from './catalogue.ts'
import { changePassword } from './change-password.service.ts'
import { hashPassword } from './password.ts'

/** What other domains may call. */
export { changePassword, entries, hashPassword, permissionKeys }
