import type { GroupMapping } from '@gantry/contract/teams/group-mapping'
import type { OauthSettings } from '@gantry/contract/oauth/provider'
import type { Claims } from '../../adapters/oidc/oidc.ts'
import type { ExternalUser } from '../users/public.ts'

const ownProperty = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** A claim by its name, which may be a URL with dots in it; else by its path, as in `realm_access.roles`. */
export function claimOf(claims: Claims, name: string): unknown {
  const whole = ownProperty(claims, name)
  return whole === undefined ? name.split('.').reduce<unknown>(ownProperty, claims) : whole
}

/** Invisible and direction-changing characters make two names look alike. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu

const textOf = (value: unknown, longest: number): string =>
  typeof value === 'string' || typeof value === 'number'
    ? [...String(value).replaceAll(hidden, '').trim()].slice(0, longest).join('')
    : ''

const address = /^[^\s@<>"',;]{1,64}@[^\s@<>"',;]{1,189}$/

type Names = Pick<OauthSettings, 'userNameClaim' | 'nicknameClaim' | 'emailClaim' | 'groupsClaim' | 'mappings'>

/** Whether userinfo is needed besides the ID token. */
export const lacksClaims = (names: Names, claims: Claims): boolean =>
  [
    names.userNameClaim,
    names.nicknameClaim,
    names.emailClaim,
    ...(names.groupsClaim === '' || names.mappings.length === 0 ? [] : [names.groupsClaim]),
  ].some((name) => claimOf(claims, name) === undefined)

/** An unverified address could be somebody else's, so nothing is sent there. */
const confirmed = (claims: Claims): boolean => !['false', false].includes(claims['email_verified'] as string | boolean)

/**
 * The external user, identified by the provider and its `sub`; everything else is only displayed, and may equal another
 * user's.
 */
export function userOf(names: Names, claims: Claims & { iss: string; sub: string }): ExternalUser {
  const email = textOf(claimOf(claims, names.emailClaim), 254)
  const mail = confirmed(claims) && address.test(email) ? email : ''
  const userName = textOf(claimOf(claims, names.userNameClaim), 100) || mail || textOf(claims.sub, 100)
  const nickname = textOf(claimOf(claims, names.nicknameClaim), 100) || userName
  return { type: 'OAUTH', provider: claims.iss, subject: claims.sub, userName, nickname, email: mail }
}

/** The groups that the provider names; undefined if it says that there are too many to list. */
export function groupsOf(names: Names, claims: Claims): string[] | undefined {
  if (names.groupsClaim === '') return []
  const value = claimOf(claims, names.groupsClaim)
  if (value === undefined && ownProperty(claims['_claim_names'], names.groupsClaim) !== undefined) return undefined
  return (Array.isArray(value) ? value : [value]).filter((group) => typeof group === 'string')
}

/** Maximum of displayed groups, and of characters of each. */
const most = { groups: 200, length: 200 }

export const displayGroups = (groups: string[] | undefined): string[] | undefined =>
  groups?.slice(0, most.groups).map((group) => textOf(group, most.length))

/** The teams that the groups map to; undefined if there are too many groups to list. */
export function teamsOf(names: Names, claims: Claims): Omit<GroupMapping, 'group'>[] | undefined {
  const groups = groupsOf(names, claims)
  if (groups === undefined) return undefined
  const memberOf = new Set(groups)
  return names.mappings.filter(({ group }) => memberOf.has(group)).map(({ teamId, roleId }) => ({ teamId, roleId }))
}
