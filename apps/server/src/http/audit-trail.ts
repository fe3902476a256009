import type { Endpoint } from '@gantry/contract/endpoint'
import { auditColumns } from '../kernel/audit.ts'
import type { AuditNote, Ctx } from '../kernel/context.ts'

interface Outcome {
  ctx: Ctx
  endpoint: Endpoint
  /** As the caller sent it, with its query. */
  url: string
  startedAt: number
  status: number
  message: string
}

/**
 * Calls that leave no row when they succeed. Every page requests a ticket for the push channel; what the ticket opens
 * leaves the row. A definition is checked while it is typed; the call that saves it leaves the row.
 */
const beforehand: ReadonlySet<string | undefined> = new Set(['ticket.create', 'pipeline.lint'])

/** Calls that were refused before they were parsed: a row for each would let a visitor fill the disk. */
const turnedAway = new Set(['rate-limited', 'server-busy'])

/** Agents report at least twice a minute: only refusals are recorded. */
const isRecorded = ({ ctx, endpoint, status, message }: Outcome): boolean =>
  !turnedAway.has(message) && ((ctx.actor.kind !== 'agent' && !beforehand.has(endpoint.audit)) || status >= 400)

/** Whether the detail caused the error: it is not JSON, or not JSON that the database accepts. */
const ofDetail = (error: unknown): boolean =>
  error instanceof TypeError || ((error as { code?: string }).code ?? '').startsWith('22')

/**
 * Writes the audit row of a call, successful or refused. It runs before the answer is sent, so that no answered call is
 * missing; a row that cannot be written is logged and does not fail the call.
 */
export async function writeAuditRow(outcome: Outcome): Promise<void> {
  const { ctx, endpoint, url, startedAt, status, message } = outcome
  if (endpoint.audit === undefined || !isRecorded(outcome)) return
  const action = ctx.note.action ?? endpoint.audit
  const write = async (note: AuditNote) =>
    ctx.db
      .insertInto('audit_log')
      .values({
        started_at: new Date(startedAt),
        duration_ms: Math.max(0, Date.now() - startedAt),
        actor_kind: ctx.actor.kind,
        actor_id: ctx.actor.id,
        actor_name: ctx.actor.name,
        team_id: ctx.teamId ?? ctx.note.teamId ?? null,
        action,
        method: endpoint.method,
        status,
        message,
        ip: ctx.ip,
        request_id: ctx.requestId,
        ...auditColumns(ctx, note, url),
      })
      .execute()
  try {
    await write(ctx.note).catch((error: unknown) => {
      if (!ofDetail(error)) throw error
      ctx.log.error({ err: error, audit: action, status }, 'an audit row is written without its detail')
      return write({ ...ctx.note, before: undefined, after: undefined })
    })
  } catch (error) {
    ctx.log.error({ err: error, audit: action, status }, 'an audit row could not be written')
  }
}
