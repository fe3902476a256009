import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import type { Browser, Login } from '../../../identity/sign-in.ts'
import { openLogin, publishUsers } from '../../auth/public.ts'
import { applyMappings, type MappedTeam } from '../../teams/public.ts'
import { publishUser } from './publish.ts'
import { findExternal, insertExternal, updateExternal } from './users.store.ts'

/** Somebody whom a directory or a provider vouches for. Identity is (type, provider, subject), never a name. */
export interface ExternalUser {
  type: 'LDAP' | 'OAUTH'
  /** The directory or issuer, for good: not its name, which may change. */
  provider: string
  /** What the provider never gives to somebody else: an entry's UUID, the claim `sub`. */
  subject: string
  userName: string
  nickname: string
  email: string
}

export interface Grants {
  /** Whoever has no account gets one. */
  create: boolean
  /** The teams that the groups open; undefined where the provider cannot tell. */
  teams: MappedTeam[] | undefined
}

/** What a membership is granted by, in `team_member.granted_by`. */
export const sourceOf = ({ type, provider }: Pick<ExternalUser, 'type' | 'provider'>): string => `${type}:${provider}`

/** The account of an external user, made or brought up to date; undefined where there is none and none may be made. */
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

/** Signs in whom a directory or provider vouches for. Bans, and having no team, are refused as for anyone. */
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
