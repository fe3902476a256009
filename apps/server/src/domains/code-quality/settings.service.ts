import type { SavedSonar, SonarSettings } from '@gantry/contract/code-quality/sonarqube'
import { mask } from '@gantry/contract/validators'
import type { SonarAccess } from '../../adapters/sonarqube/sonarqube.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { open, seal, maskSealed } from '../../kernel/secrets/secrets.ts'
import { findSonar, lockSonar, type StoredSonar, writeSonar } from './settings.store.ts'

const visible = (stored: StoredSonar | undefined): SavedSonar | null =>
  stored === undefined || stored.url === '' ? null : { ...stored, token: maskSealed(stored.token) }

export const readSonar = async (ctx: Ctx): Promise<SavedSonar | null> => visible(await findSonar(ctx.db))

/** With the decrypted token, only for the adapter; undefined if no code quality server is set. */
export async function sonarAccess(ctx: Ctx): Promise<SonarAccess | undefined> {
  const stored = await findSonar(ctx.db)
  return stored === undefined || stored.url === '' ? undefined : { url: stored.url, token: open(ctx, stored.token) }
}

export async function readVersion(ctx: Ctx): Promise<{ version: string | null }> {
  const access = await sonarAccess(ctx)
  return { version: access === undefined ? null : await ctx.ports.sonar.version(access, ctx.signal) }
}

/** The mask stands for the stored token, which is never sent to another address. */
function sealedToken(ctx: Ctx, given: SonarSettings, stored: StoredSonar | undefined): string {
  if (given.url === '') return ''
  if (given.token === mask) {
    if (stored === undefined || stored.url !== given.url) throw new Fault('invalid', 'code-quality-token-again')
    return stored.token
  }
  if (given.token === '') throw new Fault('invalid', 'code-quality-token-required')
  return seal(ctx, given.token)
}

export async function saveSonar(
  ctx: Ctx,
  { revision, ...given }: SonarSettings & { revision?: number | undefined },
): Promise<SavedSonar | null> {
  const token = sealedToken(ctx, given, await findSonar(ctx.db))
  note(ctx, { object: given.url || '–' })
  if (given.url !== '') await ctx.ports.sonar.verify({ url: given.url, token: open(ctx, token) }, ctx.signal)
  return inTx(ctx, async (ctx) => {
    const before = await lockSonar(ctx.db)
    const known = before?.revision ?? 0
    // after a removal the row is still there, but callers cannot read its revision
    const readable = visible(before)?.revision ?? 0
    if (revision !== undefined && revision !== readable) throw new Fault('conflict', 'code-quality-changed')
    const after = { url: given.url, token, revision: known + 1 }
    note(ctx, { object: given.url || (before?.url ?? ''), before: visible(before), after: visible(after) })
    await writeSonar(ctx.db, after)
    return visible(after)
  })
}
