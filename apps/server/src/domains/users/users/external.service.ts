import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import type { Browser, Login } from '../../../identity/sign-in.ts'
import { openLogin, publishUsers } from '../../auth/public.ts'
import { applyMappings, type MappedTeam } from '../../teams/public.ts'
import { publishUser } from './publish.ts'
import { type ExternalUser, findExternal, insertExternal, updateExternal } from './users.store.ts'

export interface Grants {
  /** Whether a user without an account gets one. */
  create: boolean
  /** The teams that the groups map to; undefined if the provider cannot tell. */
  teams: MappedTeam[] | undefined
}

/** Value of `team_member.granted_by` for memberships of this source. */
export const sourceOf = ({ type, provider }: Pick<ExternalUser, 'type' | 'provider'>): string => `${type}:${provider}`

/** Creates or updates the account of an external user; undefined if there is none and none may be created. */
export const keepExternal = (ctx: Ctx, user: ExternalUser, grants: Grants): Promise<number | undefined> =>
  inTx(ctx, async (ctx) => {
    const known = await findExternal(ctx.db, user)
    const accountId = known?.id ?? (grants.create ? (await insertExternal(ctx.db, user)).id : undefined)
    if (accountId === undefined) return undefined
    if (!known) await publishUsers(ctx)
    else if (await updateExternal(ctx.db, accountId, user)) await publishUser(ctx, accountId)
    if (grants.teams) await applyMappings(ctx, accountId, sourceOf(user), grants.teams)
    return accountId
  })

/** Logs in a user identified by a directory or provider. Refused as for anyone if banned or without a team. */
export async function signInExternal(
  ctx: Ctx,
  user: ExternalUser,
  grants: Grants,
  browser: Browser | undefined,
): Promise<Login> {
  note(ctx, { object: user.userName })
  const accountId = await keepExternal(ctx, user, grants)
  if (accountId === undefined) throw new Fault('forbidden', 'login-not-imported')
  return openLogin(ctx, accountId, { passwordHash: null, browser })
}
