import type { Endpoint } from '@gantry/contract/endpoint'
import type { Side } from './pool.ts'

export type RoleName =
  'visitor' | 'outsider' | 'idle' | 'member' | 'leader' | 'token' | 'other' | 'admin' | 'agent' | 'banned' | 'ended'

/** Somebody who calls. */
export interface Role {
  name: RoleName
  /** Whose things may be shown to it, beside those that are nobody's. */
  sees: Side | 'all'
  token: string | undefined
  /** Signs in anew, whatever happened to the account. */
  renew?: () => Promise<void>
  /** Whether an administrator's call has let it see more than it did at the beginning; then that is taken back. */
  demote?: () => Promise<boolean>
  /** Whether an administrator has given this cluster to its team. */
  uses?: (env: string | number | undefined) => Promise<boolean>
}

export type Roles = Record<RoleName, Role>

const sees: Record<RoleName, Role['sees']> = {
  /** Nobody is signed in. */
  visitor: 'nobodys',
  /** Signed in, and in neither of the two teams. */
  outsider: 'nobodys',
  /** In our team, without a role. */
  idle: 'ours',
  /** In our team, with a role that carries everything. */
  member: 'ours',
  leader: 'ours',
  /** An API token of our team. */
  token: 'ours',
  /** The leader of another team. */
  other: 'theirs',
  admin: 'all',
  agent: 'all',
  /** Holds a token of before the ban. */
  banned: 'nobodys',
  /** Holds a token of before the logout. */
  ended: 'nobodys',
}

export const noRoles = (): Roles =>
  Object.fromEntries(
    Object.entries(sees).map(([name, side]) => [name, { name, sees: side, token: undefined }]),
  ) as Roles

/** Who may be let in by a call, those more often whom it is for. */
export const able = ({ access, forTokens }: Endpoint): RoleName[] => {
  if (access === 'public') return ['visitor', 'leader']
  if (access === 'agent') return ['agent']
  if (access === 'user')
    return ['leader', 'member', 'admin', 'other', 'outsider', ...(forTokens ? (['token'] as const) : [])]
  if (access === 'admin' || 'system' in access) return ['admin']
  return ['leader', 'leader', 'member', 'admin', 'other', ...(forTokens === false ? [] : (['token'] as const))]
}
