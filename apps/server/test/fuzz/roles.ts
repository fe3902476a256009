import type { Endpoint } from '@gantry/contract/endpoint'
import type { Side } from './pool.ts'

export type RoleName =
  | 'visitor'
  | 'outsider'
  | 'idle'
  | 'member'
  | 'leader'
  | 'token'
  | 'other'
  | 'admin'
  | 'agent'
  | 'banned'
  | 'ended'

/** A caller. */
export interface Role {
  name: RoleName
  /** Whose things it may see, besides those of nobody. */
  sees: Side | 'all'
  token: string | undefined
  /** Logs in again, whatever happened to the account. */
  renew?: () => Promise<void>
  /** Reverses what an administrator's random calls have let it see; returns whether there was anything. */
  demote?: () => Promise<boolean>
  /** Whether an administrator has given this cluster to its team. */
  uses?: (env: string | number | undefined) => Promise<boolean>
}

export type Roles = Record<RoleName, Role>

const sees: Record<RoleName, Role['sees']> = {
  /** Not logged in. */
  visitor: 'nobodys',
  /** Logged in, but in neither of the two teams. */
  outsider: 'nobodys',
  /** In our team, without a role. */
  idle: 'ours',
  /** In our team, with a role of all permissions. */
  member: 'ours',
  leader: 'ours',
  /** An API token of our team. */
  token: 'ours',
  /** The leader of another team. */
  other: 'theirs',
  admin: 'all',
  agent: 'all',
  /** Has a token from before the ban. */
  banned: 'nobodys',
  /** Has a token from before the logout. */
  ended: 'nobodys',
}

export const noRoles = (): Roles =>
  Object.fromEntries(
    Object.entries(sees).map(([name, side]) => [name, { name, sees: side, token: undefined }]),
  ) as Roles

/** Roles that a call may accept, those that it is meant for more often. */
export const able = ({ access, forTokens }: Endpoint): RoleName[] => {
  if (access === 'public') return ['visitor', 'leader']
  if (access === 'agent') return ['agent']
  if (access === 'user')
    return ['leader', 'member', 'admin', 'other', 'outsider', ...(forTokens ? (['token'] as const) : [])]
  if (access === 'admin' || 'system' in access) return ['admin']
  return ['leader', 'leader', 'member', 'admin', 'other', ...(forTokens === false ? [] : (['token'] as const))]
}
