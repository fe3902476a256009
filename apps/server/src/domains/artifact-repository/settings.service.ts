import type {
  ArtifactRepository,
  SavedArtifactRepository,
} from '@gantry/contract/artifact-repository/artifact-repository'
import { mask } from '@gantry/contract/validators'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { keepSecret, open, openOr, maskSealed } from '../../kernel/secrets/secrets.ts'
import { findRepository, lockRepository, type StoredRepository, writeRepository } from './settings.store.ts'

const visible = (stored: StoredRepository | undefined): SavedArtifactRepository | null =>
  stored === undefined || stored.url === '' ? null : { ...stored, password: maskSealed(stored.password) }

export const readRepository = async (ctx: Ctx): Promise<SavedArtifactRepository | null> =>
  visible(await findRepository(ctx.db))

/** With the decrypted password, so only for builds; undefined if no repository is set. */
export async function repositoryForBuilds(ctx: Ctx): Promise<ArtifactRepository | undefined> {
  const stored = await findRepository(ctx.db)
  if (stored === undefined || stored.url === '') return undefined
  const { url, userName, password } = stored
  const lost = () => new Fault('conflict', 'artifact-repository-sealed', { url })
  return { url, userName, password: password === '' ? '' : openOr(ctx, password, lost) }
}

/** Empty if there is no password. A stored password is never used for another address or user. */
function sealedPassword(ctx: Ctx, given: ArtifactRepository, stored: StoredRepository | undefined): string {
  if (given.url === '' || given.userName === '') return ''
  const isSame = stored?.url === given.url && stored.userName === given.userName
  const kept = keepSecret(ctx, given.password, stored?.password ?? null, isSame)
  if (kept === null && given.password === mask) throw new Fault('invalid', 'artifact-repository-password-again')
  return kept ?? ''
}

/** Repositories answer their base address in many ways: any status will do but a refused login or a server error. */
async function verify(ctx: Ctx, { url, userName, password }: ArtifactRepository): Promise<void> {
  const { host } = new URL(url)
  const login = Buffer.from(`${userName}:${password}`).toString('base64')
  const { status } = await ctx.ports.outbound
    .requestText({
      url: `${url}/`,
      headers: userName === '' ? {} : { authorization: `Basic ${login}` },
      timeout: 10_000,
      signal: ctx.signal,
    })
    .catch((error: unknown) => {
      if (!(error instanceof Fault) || error.key === 'outbound-refused') throw error
      throw new Fault('badGateway', 'artifact-repository-silent', { host })
    })
  if (status === 401 || status === 403) throw new Fault('badGateway', 'artifact-repository-login', { host })
  if (status >= 500) throw new Fault('badGateway', 'artifact-repository-silent', { host })
}

export async function saveRepository(
  ctx: Ctx,
  { revision, ...given }: ArtifactRepository & { revision?: number | undefined },
): Promise<SavedArtifactRepository | null> {
  const password = sealedPassword(ctx, given, await findRepository(ctx.db))
  note(ctx, { object: given.url || '–' })
  if (given.url !== '') await verify(ctx, { ...given, password: password === '' ? '' : open(ctx, password) })
  return inTx(ctx, async (ctx) => {
    const before = await lockRepository(ctx.db)
    // after a removal the row is still there, but callers cannot read its revision
    const readable = visible(before)?.revision ?? 0
    if (revision !== undefined && revision !== readable) throw new Fault('conflict', 'artifact-repository-changed')
    const after = { ...given, password, revision: (before?.revision ?? 0) + 1 }
    note(ctx, { object: given.url || (before?.url ?? ''), before: visible(before), after: visible(after) })
    await writeRepository(ctx.db, after)
    return visible(after)
  })
}
