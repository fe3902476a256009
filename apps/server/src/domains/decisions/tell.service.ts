import { type Ctx, inTx } from '../../kernel/context.ts'
import { mailsAreSent, sendMail } from '../settings/public.ts'
import { waitingFor } from './decisions.service.ts'
import { mailedAccounts } from './decisions.store.ts'

/** What waits longer is of no news any more: whoever switches the mails on is not told of old things. */
const newsMs = 24 * 3_600_000

/** Tells those who want it by mail what waits for them, each decision once: the outbox knows what was told. */
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
