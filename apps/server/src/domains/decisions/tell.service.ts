import { type Ctx, inTx } from '../../kernel/context.ts'
import { mailsAreSent, sendMail } from '../settings/public.ts'
import { waitingFor } from './decisions.service.ts'
import { mailedAccounts } from './decisions.store.ts'

/** Older decisions are not mailed, so that switching the mails on does not send old ones. */
const newsMs = 24 * 3_600_000

/** Mails each user who wants it what waits for them. Each decision is mailed once, because the outbox keeps its key. */
export async function tellByMail(ctx: Ctx, teamId: number | null): Promise<void> {
  if (!(await mailsAreSent(ctx))) return
  for (const { id, name, admin } of await mailedAccounts(ctx.db, teamId)) {
    if (ctx.signal.aborted) return
    const waiting = await waitingFor({ db: ctx.db, actor: { kind: 'user', id, name, admin } }, teamId)
    const fresh = waiting.filter(({ since }) => Date.parse(since) > Date.now() - newsMs)
    if (fresh.length === 0) continue
    await inTx(ctx, async (ctx) => {
      for (const { key, text, by, team, path } of fresh) {
        const vars = { text, by: by || '–', team: team?.name ?? '–' }
        await sendMail(ctx, { to: id, template: 'decision', vars, key, path })
      }
    })
  }
}
