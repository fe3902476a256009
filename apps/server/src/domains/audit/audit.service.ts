import type { AuditRow } from '@gantry/contract/audit/audit'
import type { List } from '@gantry/contract/paging'
import type { Ctx } from '../../kernel/context.ts'
import { page } from '../../kernel/paging.ts'
import { type Scope, searchAudit, teamsLedBy, type Wanted } from './audit.read.ts'

/** An administrator sees all, a leader what happened in the team, anyone what they did themselves. */
async function scopeOf(ctx: Ctx): Promise<Scope | undefined> {
  if (ctx.actor.admin) return undefined
  const led = await teamsLedBy(ctx.db, ctx.actor.id)
  const teamIds = ctx.tenantId === undefined ? led : led.filter((teamId) => teamId === ctx.tenantId)
  return { userId: ctx.actor.id, teamIds }
}

export const search = async (ctx: Ctx, wanted: Wanted): Promise<List<AuditRow>> =>
  searchAudit(ctx.db, wanted, page(wanted), await scopeOf(ctx))
