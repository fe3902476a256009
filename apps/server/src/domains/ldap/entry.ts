import { createHash } from 'node:crypto'
import type { FoundEntry } from '../../adapters/ldap/wire.ts'
import { normalDn } from '../../adapters/ldap/dn.ts'
import { equal, type Filter } from '../../adapters/ldap/filter.ts'
import type { MappedTeam } from '../teams/public.ts'
import type { ServerFields } from './servers.store.ts'

/** An entry of a directory, read as a user. */
export interface DirectoryUser {
  dn: string
  /**
   * Possible identifiers, the best first. An update may give a directory better ones; an account keeps the one that it
   * was created with.
   */
  subjects: string[]
  /** Empty if the entry lacks the attribute: then it cannot become an account. */
  userName: string
  nickname: string
  email: string
  /** The name by which POSIX groups refer to the entry. */
  uid: string
  /** Whether the entry is disabled or expired in the directory. */
  disabled: boolean
}

/** Attributes that an entry keeps for ever and no other entry gets, by kind of directory. */
const identifiers = [
  // OpenLDAP, 389, Apache DS
  { name: 'entryUUID', binary: false },
  // Active Directory
  { name: 'objectGUID', binary: true },
  // FreeIPA
  { name: 'ipaUniqueID', binary: false },
  // 389 before entryUUID
  { name: 'nsUniqueId', binary: false },
  // eDirectory
  { name: 'GUID', binary: true },
] as const

const standing = [
  'userAccountControl',
  'accountExpires',
  'nsAccountLock',
  'pwdAccountLockedTime',
  'loginDisabled',
] as const

/** Requested attributes; operational ones are returned only if named. */
export const userAttributes = (
  server: Pick<ServerFields, `${'userName' | 'nickname' | 'email'}Attribute`>,
): string[] => [
  ...new Set([
    server.userNameAttribute,
    server.nicknameAttribute,
    server.emailAttribute,
    'uid',
    ...identifiers.map(({ name }) => name),
    ...standing,
  ]),
]

const valuesOf = (entry: FoundEntry, name: string): Buffer[] => entry.attributes.get(name.toLowerCase()) ?? []

/** The first value as one line of text, cut to the length of a name or address. */
const textOf = (entry: FoundEntry, name: string): string =>
  [...(valuesOf(entry, name)[0]?.toString('utf8') ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ').trim()]
    .slice(0, 200)
    .join('')

function subjectsOf(entry: FoundEntry): string[] {
  const found = identifiers.flatMap(({ name, binary }) => {
    const value = valuesOf(entry, name)[0]
    if (!value || value.length === 0 || value.length > 200) return []
    return [`${name}:${binary ? value.toString('hex') : value.toString('utf8').toLowerCase()}`]
  })
  if (found.length > 0) return found
  const dn = normalDn(entry.dn)
  return dn === undefined ? [] : [`dn:${dn}`]
}

/** How to find a subject again: by a filter, or by its name if the entry has no identifier. */
export function lookUpOf(subject: string): { filter: Filter } | { dn: string } | undefined {
  const name = subject.slice(0, subject.indexOf(':'))
  const value = subject.slice(name.length + 1)
  if (name === 'dn') return { dn: value }
  const known = identifiers.find((identifier) => identifier.name === name)
  return known && { filter: equal(name, known.binary ? Buffer.from(value, 'hex') : value) }
}

const accountDisable = 0x2
/** Active Directory counts units of 100 ns since 1601. */
const fileTime = (ms: number): bigint => (BigInt(ms) + 11_644_473_600_000n) * 10_000n
const never = 0x7fff_ffff_ffff_ffffn

function isExpired(text: string, now: number): boolean {
  if (!/^\d{1,19}$/.test(text)) return false
  const at = BigInt(text)
  return at !== 0n && at !== never && at <= fileTime(now)
}

/**
 * Whether an administrator of the directory has disabled the entry. A temporary lock after wrong passwords does not
 * count, because anybody could then end another user's sessions by guessing.
 */
function isDisabled(entry: FoundEntry, now: number): boolean {
  const text = (name: (typeof standing)[number]): string => textOf(entry, name)
  return (
    (Number.parseInt(text('userAccountControl') || '0', 10) & accountDisable) !== 0 ||
    isExpired(text('accountExpires'), now) ||
    text('nsAccountLock').toLowerCase() === 'true' ||
    text('loginDisabled').toLowerCase() === 'true' ||
    // the time 0 means locked for ever
    text('pwdAccountLockedTime').startsWith('000001010000Z')
  )
}

export function userOf(
  server: Pick<ServerFields, `${'userName' | 'nickname' | 'email'}Attribute`>,
  entry: FoundEntry,
  now = Date.now(),
): DirectoryUser {
  const userName = textOf(entry, server.userNameAttribute)
  return {
    dn: entry.dn,
    subjects: subjectsOf(entry),
    userName,
    nickname: textOf(entry, server.nicknameAttribute) || userName,
    email: textOf(entry, server.emailAttribute),
    uid: textOf(entry, 'uid') || userName,
    disabled: isDisabled(entry, now),
  }
}

/** What was copied from an entry: while it is unchanged, the check every minute has nothing to write. */
export const fingerprint = ({ dn, userName, nickname, email }: DirectoryUser, teams: MappedTeam[]): string =>
  createHash('sha256')
    .update(JSON.stringify([dn, userName, nickname, email, teams.map(({ teamId, roleId }) => [teamId, roleId])]))
    .digest('hex')
