import type { LdapServer } from '@gantry/contract/ldap/ldap'

/** A server as it is saved: what only reads tell is left out. */
export function bodyOf({ id: _, users: __, lastCheckedAt: ___, problem: ____, revision: _____, ...body }: LdapServer) {
  return body
}

/** Passwords of people would be read by whoever listens. */
export const isPlain = ({ url, startTls }: { url?: string | undefined; startTls?: boolean | undefined }): boolean =>
  /^\s*ldap:/i.test(url ?? '') && startTls !== true
