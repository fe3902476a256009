import type { LdapServer } from '@gantry/contract/ldap/ldap'

/** A server as the body of a write, without the fields that only reads return. */
export function bodyOf({ id: _, users: __, lastCheckedAt: ___, problem: ____, revision: _____, ...body }: LdapServer) {
  return body
}

/** Whether passwords would be sent unencrypted. */
export const isPlain = ({ url, startTls }: { url?: string | undefined; startTls?: boolean | undefined }): boolean =>
  /^\s*ldap:/i.test(url ?? '') && startTls !== true
