import type { z } from 'zod'
import type { ApiToken, tokens } from '@gantry/contract/tokens/tokens'
import { duplicates } from '@gantry/contract/validators'
import { brokenConstraint } from '../../db/constraint.ts'
import { rightsIn } from '../../identity/access.ts'
import { note } from '../../kernel/audit.ts'
import { afterCommit, type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { hashToken, newToken } from '../../identity/sessions.ts'
import { permissionKeys } from '../auth/public.ts'
import { countTokens, deleteToken, findToken, insertToken } from './tokens.store.ts'

/** Enough for every machine of a team, and few enough to review. */
const maxTokens = 100

type Input = z.output<typeof tokens.create.body>

/** Permissions of the token: all that its creator holds, or the requested ones of these. */
async function granted(ctx: Ctx, teamId: number, wanted: string[] | undefined): Promise<string[]> {
  const rights = await rightsIn(ctx, teamId)
  const known = await permissionKeys()
  const isHeld = (key: string) => rights !== undefined && (rights.leader || rights.permissions.has(key))
  if (wanted === undefined) return [...known].filter(isHeld)
  const doubled = duplicates(wanted)
  if (doubled.length > 0) throw new Fault('invalid', 'role-double-permissions', { permissions: doubled.join(', ') })
  const unknown = wanted.filter((key) => !known.has(key))
  if (unknown.length > 0) throw new Fault('invalid', 'role-unknown-permissions', { keys: unknown.join(', ') })
  const lacking = wanted.filter((key) => !isHeld(key))
  if (lacking.length > 0) throw new Fault('forbidden', 'token-grant-lacking', { permissions: lacking.join(', ') })
  return wanted.toSorted()
}

/** Only this answer contains the secret; only its hash is stored. */
export const createToken = (
  ctx: Ctx,
  teamId: number,
  alias: string,
  { permissions: wanted, days }: Input,
): Promise<ApiToken & { token: string }> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: alias })
    const permissions = await granted(ctx, teamId, wanted)
    note(ctx, { after: { permissions, days } })
    if ((await countTokens(ctx.db, teamId)) >= maxTokens)
      throw new Fault('conflict', 'tokens-too-many', { maximum: maxTokens })
    const token = newToken('api')
    const { id } = await insertToken(ctx.db, {
      teamId,
      accountId: ctx.actor.id,
      alias,
      hash: hashToken(token),
      permissions,
      days,
    }).catch(brokenConstraint('api_token_alias', new Fault('invalid', 'token-alias-taken', { alias })))
    return { ...(await existing(ctx, id)), token }
  })

async function existing(ctx: Ctx, id: number): Promise<ApiToken> {
  return mustExist(await findToken(ctx.db, id))
}

/** Calls with the token are refused from now on, and its sockets close within a second. */
export const removeToken = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { alias, creator, permissions } = await existing(ctx, id)
    note(ctx, { object: alias, before: { creator, permissions } })
    await deleteToken(ctx.db, id)
    afterCommit(ctx, ctx.events.committed)
    return null
  })
