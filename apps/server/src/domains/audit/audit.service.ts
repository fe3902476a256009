import type { AuditRow } from '@gantry/contract/audit/audit'
import type { List } from '@gantry/contract/paging'
import { holdsSystem, teamsHolding } from '../../identity/access.ts'
import type { Ctx, Lang } from '../../kernel/context.ts'
import { mustExist, type Vars } from '../../kernel/fault.ts'
import { toList, page } from '../../kernel/paging.ts'
import { isPhrase, say } from '../../kernel/phrase.ts'
import { type Filters, type Scope, type Search, teamsCalled, valuesOf, type Wanted } from './filter.read.ts'
import { findAudit, readRow, readRows, type StoredRow } from './audit.read.ts'

/**
 * Administrators and auditors see everything, holders of the permission their team's rows, everybody their own actions.
 */
export async function scopeOf(ctx: Ctx): Promise<Scope | undefined> {
  if (await holdsSystem(ctx, 'system_audit_view')) return undefined
  const [teams] = await teamsHolding(ctx, [['team_audit_view']])
  const teamIds = ctx.tenantId === undefined ? (teams ?? 'all') : narrowed(teams, ctx.tenantId)
  return { userId: ctx.actor.id, teamIds }
}

const narrowed = (teams: number[] | undefined, to: number): number[] =>
  teams?.includes(to) === false ? (teams ?? []) : [to]

const actionText = (lang: Lang, action: string): string => {
  const key = `audit-action-${action}`
  return isPhrase(key) ? say(lang, key) : action
}

/** The trail keeps a refusal's phrase without its values, of which some are secret: an ellipsis stands for each. */
const reasonText = (lang: Lang, message: string, vars: Vars = {}): string =>
  isPhrase(message) ? say(lang, message, vars).replaceAll(/\{\w+\}/g, '…') : message

/** The values that contain the text as stored, or as displayed in either language. */
const containing = (values: string[], text: string, read: (lang: Lang, value: string) => string): string[] => {
  const wanted = text.toLowerCase()
  return values.filter((value) =>
    [value, read('en', value), read('zh', value)].some((spelling) => spelling.toLowerCase().includes(wanted)),
  )
}

export async function searchOf(ctx: Ctx, filters: Filters): Promise<Search> {
  const { apiValue, msg, teamName } = filters
  return {
    scope: await scopeOf(ctx),
    filters,
    teamIds: teamName ? await teamsCalled(ctx.db, teamName) : undefined,
    actions: apiValue ? containing(await valuesOf(ctx.db, 'action'), apiValue, actionText) : undefined,
    messages: msg ? containing(await valuesOf(ctx.db, 'message'), msg, reasonText) : undefined,
  }
}

/** A row as displayed to the caller. */
export const displayRow = <Row extends StoredRow>({ lang }: Pick<Ctx, 'lang'>, row: Row): Row & AuditRow => ({
  ...row,
  action: actionText(lang, row.apiValue),
  reason: row.msg === '' ? '' : reasonText(lang, row.msg, { requestId: row.requestId }),
})

export async function search(ctx: Ctx, wanted: Wanted): Promise<List<AuditRow>> {
  const at = page(wanted)
  const { ids, total, truncated } = await findAudit(ctx.db, await searchOf(ctx, wanted), at)
  const items = (await readRows(ctx.db, ids)).map((row) => displayRow(ctx, row))
  return { ...toList(items, total, at), ...(truncated ? { truncated } : {}) }
}

export async function readOne(ctx: Ctx, id: number) {
  const row = mustExist(await readRow(ctx.db, id, await scopeOf(ctx)))
  const { detail, ...rest } = row
  const { before = null, after = null } = (detail ?? {}) as { before?: unknown; after?: unknown }
  return { ...displayRow(ctx, rest), before, after }
}
