import type { Decision } from '@gantry/contract/decisions/decisions'
import type { List } from '@gantry/contract/paging'
import { teamsHolding } from '../../identity/access.ts'
import type { DecisionSource, Waiting } from '../../db/decisions.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { type Page, paged } from '../../kernel/paging.ts'
import { say, sayReasonTo } from '../../kernel/phrase.ts'
import { findModules } from '../../module.ts'
import { mailsAreSent } from '../settings/public.ts'
import { teamsOf } from '../teams/public.ts'
import { mailOf, setMail } from './decisions.store.ts'

const sources = async (): Promise<DecisionSource[]> => (await findModules()).flatMap(({ decisions }) => decisions ?? [])

type Found = Waiting & Pick<DecisionSource, 'kind'>

/**
 * What the caller may decide, newest first, in their own teams and the current one: somebody who may decide in every
 * team could not read the list otherwise. `only`: only that team's, or with null only the installation's.
 */
export async function waitingFor(ctx: Pick<Ctx, 'db' | 'actor' | 'tenantId'>, only?: number | null): Promise<Found[]> {
  const { db, actor, tenantId } = ctx
  // a view as a role decides nothing
  if (actor.kind !== 'user' || actor.limit) return []
  const all = (await sources()).filter(({ needs }) => only === undefined || (only === null) === (needs === 'admin'))
  const permitted = await teamsHolding(
    ctx,
    all.map(({ needs }) => (needs === 'admin' ? [] : needs)),
  )
  const own = only === undefined ? await teamsOf(db, actor.id) : [only]
  const near = new Set([...own, tenantId].filter((team) => typeof team === 'number'))
  const found: Found[] = []
  for (const [at, { kind, needs, find }] of all.entries()) {
    const teams = permitted[at]?.filter((team) => near.has(team)) ?? [...near]
    if (needs === 'admin' ? !actor.admin : teams.length === 0) continue
    found.push(...(await find(db, { id: actor.id, teams })).map((one) => ({ ...one, kind })))
  }
  return found.toSorted((a, b) => Date.parse(b.since) - Date.parse(a.since))
}

export async function readDecisions(ctx: Ctx, at: Page): Promise<List<Decision>> {
  const { items, ...list } = paged(await waitingFor(ctx), at)
  return { ...list, items: items.map(({ text, ...one }) => ({ ...one, text: sayReasonTo(ctx, text) }) as Decision) }
}

export async function readMailSetting(ctx: Ctx): Promise<{ on: boolean; obstacle: string }> {
  const { on = false, hasAddress = false } = (await mailOf(ctx.db, ctx.actor.id)) ?? {}
  const obstacle = !(await mailsAreSent(ctx)) ? 'decisions-mail-off' : hasAddress ? undefined : 'decisions-mail-nowhere'
  return { on, obstacle: obstacle === undefined ? '' : say(ctx.lang, obstacle) }
}

export const writeMailSetting = (ctx: Ctx, on: boolean): Promise<null> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: ctx.actor.name, after: { on } })
    await setMail(ctx.db, ctx.actor.id, on)
    return null
  })
