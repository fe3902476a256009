import type { News } from '@gantry/contract/news/news'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { say } from '../../kernel/phrase.ts'
import { findUnread, markRead, noteVersion } from './news.store.ts'
import { notesOf, releaseOf } from './notes.ts'

const running = ({ config }: Pick<Ctx, 'config'>): string => releaseOf(config.product.version)

export async function readNews(ctx: Ctx): Promise<News> {
  const version = running(ctx)
  return {
    version,
    title: say(ctx.lang, 'news-title', { version }),
    notes: await notesOf(ctx.lang, version),
    unread: (await findUnread(ctx.db, ctx.actor.id)) === version,
  }
}

export async function markNewsRead(ctx: Ctx): Promise<News> {
  const version = running(ctx)
  note(ctx, { object: version })
  await inTx(ctx, (ctx) => markRead(ctx.db, ctx.actor.id, version))
  return readNews(ctx)
}

/** Called at every start. An earlier version that starts again changes nothing. */
export async function noteStart(ctx: Ctx): Promise<void> {
  const version = running(ctx)
  await noteVersion(ctx.db, version, (await notesOf('en', version)).length > 0)
}
