import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { audit, AuditRow } from '@gantry/contract/audit/audit'
import type { List } from '@gantry/contract/paging'
import type { Tables } from '../../db/tables.gen.ts'
import { anyContains, countMatches, sorting } from '../../db/list.ts'
import { listed, type Page } from '../../kernel/paging.ts'

export type Wanted = z.output<typeof audit.search.query>

/** Whose rows: of these teams, and what this user did. Undefined: all. */
export interface Scope {
  userId: number
  teamIds: number[]
}

/** The whole range of a JavaScript date, which no text form carries into PostgreSQL. */
const atMillis = (millis: number) => sql<string>`to_timestamp(${millis}::float8 / 1000)`

function matchingRows(db: Kysely<Tables>, wanted: Wanted, scope: Scope | undefined) {
  let query = db.selectFrom('audit_log').leftJoin('team', 'team.id', 'audit_log.team_id')
  if (scope) {
    query = query.where((eb) => {
      const own = eb.and([eb('actor_kind', '=', 'user'), eb('actor_id', '=', scope.userId)])
      return scope.teamIds.length > 0 ? eb.or([own, eb('audit_log.team_id', 'in', scope.teamIds)]) : own
    })
  }
  if (wanted.userId !== undefined) query = query.where('actor_kind', '=', 'user').where('actor_id', '=', wanted.userId)
  if (wanted.result !== undefined) query = query.where('status', wanted.result === '1' ? '<' : '>=', 400)
  if (wanted.teamName) query = query.where(anyContains(['team.name'], wanted.teamName))
  if (wanted.msg) query = query.where(anyContains(['audit_log.message', 'audit_log.object'], wanted.msg))
  if (wanted.url) query = query.where(anyContains(['audit_log.url'], wanted.url))
  if (wanted.apiValue) query = query.where(anyContains(['audit_log.action'], wanted.apiValue))
  if (wanted.keyword)
    query = query.where(anyContains(['audit_log.actor_name', 'audit_log.object', 'audit_log.action'], wanted.keyword))
  if (wanted.startTime > 0) query = query.where('started_at', '>=', atMillis(wanted.startTime))
  if (wanted.endTime > 0) query = query.where('started_at', '<=', atMillis(wanted.endTime))
  return query
}

/** The newest first, unless sorted otherwise. */
export async function searchAudit(
  db: Kysely<Tables>,
  wanted: Wanted,
  at: Page,
  scope: Scope | undefined,
): Promise<List<AuditRow>> {
  const { direction } = sorting(wanted.sort ?? '-startTime', ['startTime'])
  const matching = matchingRows(db, wanted, scope)
  const items = await matching
    .select(['audit_log.id', 'actor_id as userId', 'actor_name as username', 'ip', 'audit_log.team_id as teamId'])
    .select((eb) => eb.fn.coalesce('team.name', sql<string>`''`).as('teamName'))
    .select(['method', 'url', 'action as apiValue', 'object', 'message as msg'])
    .select(['action', sql<string>`''`.as('reason')])
    .select(sql<0 | 1>`case when status < 400 then 1 else 0 end`.as('result'))
    .select(['started_at as startTime', 'duration_ms as durationMs'])
    .orderBy('started_at', direction)
    .orderBy('audit_log.id', direction)
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return listed(items, await countMatches(db, matching), at)
}

export const teamsLedBy = async (db: Kysely<Tables>, userId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('team_member')
    .select('team_id')
    .where('account_id', '=', userId)
    .where('leader', '=', true)
    .execute()
  return rows.map((row) => row.team_id)
}
