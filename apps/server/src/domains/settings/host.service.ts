import { HostSettings } from '@gantry/contract/settings/host'
import { findSetting, lockSetting, writeSetting } from '../../db/setting.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { ownOrigin } from '../../config.ts'
import { mustBeMadeOn, revisionOf } from '../../db/revision.ts'

const unset: HostSettings = { publicUrl: '', notice: '' }

const stored = async (ctx: Pick<Ctx, 'db'>): Promise<HostSettings> =>
  (await findSetting(ctx.db, 'host', HostSettings)) ?? unset

const effective = ({ config }: Pick<Ctx, 'config'>, { publicUrl }: HostSettings): string =>
  publicUrl === '' ? ownOrigin(config) : publicUrl

/** The product's URL for links: an administrator's setting, else GANTRY_PUBLIC_URL, else where it listens. */
export const publicUrl = async (ctx: Pick<Ctx, 'db' | 'config'>): Promise<string> => effective(ctx, await stored(ctx))

export async function readHost(ctx: Ctx): Promise<HostSettings & { effectiveUrl: string; revision: string }> {
  const settings = await stored(ctx)
  return { ...settings, effectiveUrl: effective(ctx, settings), revision: revisionOf(settings) }
}

export const writeHost = (
  ctx: Ctx,
  { revision, ...after }: HostSettings & { revision?: string | undefined },
): Promise<HostSettings> =>
  inTx(ctx, async (ctx) => {
    const before = (await lockSetting(ctx.db, 'host', HostSettings)) ?? unset
    mustBeMadeOn(revisionOf(before), revision)
    note(ctx, { object: after.publicUrl || 'host', before, after })
    await writeSetting(ctx.db, 'host', after)
    return after
  })

/**
 * Whether a URL answers. All failures have the same refusal, so that nobody learns which ports of a network are open.
 */
export async function checkUrl(ctx: Ctx, url: string): Promise<{ reachable: boolean; status: number | null }> {
  note(ctx, { object: url })
  await ctx.ports.outbound.probe(url)
  return { reachable: true, status: null }
}
