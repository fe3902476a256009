import { hint } from '../topic.ts'

/** Directories. */
export const ldapsTopic = hint({ path: 'ldaps', access: { system: 'system_ldap_view' } })
