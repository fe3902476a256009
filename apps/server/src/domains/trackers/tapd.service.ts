import type { SavedTapd, TapdConfig } from '@gantry/contract/trackers/tapd'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { TapdAccess } from '../../adapters/tapd/tapd.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'
import { keepSecret, open, maskSealed } from '../../kernel/secrets/secrets.ts'
import { changed, stored } from './connections.service.ts'
import { type Connection, findTapd, insertJira, type StoredJira, updateJira } from './connections.store.ts'

/** The only connection to TAPD is stored like those to Jira, because builds use it in the same way. */
const connectionOf = ({ enabled, url, user, workspaces, comment, status }: TapdConfig, token: string): Connection => ({
  name: 'TAPD',
  kind: 'tapd',
  enabled,
  url,
  email: user,
  token,
  allTeams: true,
  teams: [],
  projects: workspaces,
  comment,
  transition: status,
})

const visible = ({ enabled, url, email, token, projects, comment, transition, revision }: StoredJira): SavedTapd => ({
  enabled,
  url,
  user: email,
  password: maskSealed(token),
  workspaces: projects,
  comment,
  status: transition,
  revision,
})

/** With the decrypted password, only for the adapter. */
export const tapdAccessOf = (
  ctx: Ctx,
  { url, email, token, projects }: Pick<StoredJira, 'url' | 'email' | 'token' | 'projects'>,
): TapdAccess => ({ url, user: email, password: open(ctx, token), workspaces: projects })

export async function readTapd(ctx: Ctx): Promise<SavedTapd | null> {
  const row = await findTapd(ctx.db)
  return row ? visible(row) : null
}

const wrong = (ctx: Ctx, path: string, key: PhraseKey, vars = {}): Fault =>
  new Fault('invalid', key, vars, [{ path, key, text: say(ctx.lang, key, vars) }])

async function verify(ctx: Ctx, connection: Connection): Promise<void> {
  const access = tapdAccessOf(ctx, connection)
  await ctx.ports.tapd.verify(access, ctx.signal)
  const unseen: string[] = []
  for (const workspace of access.workspaces)
    if (!(await ctx.ports.tapd.sees(access, workspace, ctx.signal))) unseen.push(workspace)
  if (unseen.length > 0) throw wrong(ctx, 'workspaces', 'tapd-workspace-unknown', { workspaces: unseen.join(', ') })
}

export async function saveTapd(
  ctx: Ctx,
  { revision, ...given }: TapdConfig & { revision?: number | undefined },
): Promise<SavedTapd> {
  const seen = await findTapd(ctx.db)
  note(ctx, {
    object: 'TAPD',
    before: seen ? visible(seen) : null,
    after: { ...given, password: maskSealed(given.password) },
  })
  const isSame = seen?.url === given.url && seen.email === given.user
  const token = keepSecret(ctx, given.password, seen?.token ?? null, isSame)
  if (token === null) throw wrong(ctx, 'password', 'tapd-password-again')
  const connection = connectionOf(given, token)
  if (given.enabled) await verify(ctx, connection)
  const checked = { version: '', login: given.user }
  return inTx(ctx, async (ctx) => {
    const before = await findTapd(ctx.db, { lock: true })
    // the tested input includes the password of the revision that was read before
    if (before?.revision !== seen?.revision || (revision !== undefined && revision !== (before?.revision ?? 0)))
      throw changed('TAPD')
    if (before) await updateJira(ctx.db, before.id, connection, checked)
    else await stored(insertJira(ctx.db, connection, checked), connection)
    const after = await findTapd(ctx.db)
    if (!after) throw changed('TAPD')
    return visible(after)
  })
}
