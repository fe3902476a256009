import type { Endpoint } from '@gantry/contract/endpoint'
import { auditColumns } from '../kernel/audit.ts'
import type { AuditNote, Ctx } from '../kernel/context.ts'

interface Outcome {
  ctx: Ctx
  endpoint: Endpoint
  /** As the caller wrote it, its query included. */
  url: string
  startedAt: number
  status: number
  message: string
}

/** Each page asks for a ticket to hear news; what a ticket opens leaves the row. */
const beforehand = 'ticket.create'

/** Calls that were turned away before anybody looked at them: a row of each would let a visitor fill the disk. */
const turnedAway = new Set(['rate-limited', 'server-busy'])

/** Agents report twice a minute and more: only what was refused them is worth a row. */
const worthARow = ({ ctx, endpoint, status, message }: Outcome): boolean =>
  !turnedAway.has(message) && ((ctx.actor.kind !== 'agent' && endpoint.audit !== beforehand) || status >= 400)

/** What is told of before and after is no JSON, or none that the database takes. */
const ofDetail = (error: unknown): boolean =>
  error instanceof TypeError || ((error as { code?: string }).code ?? '').startsWith('22')

/**
 * Leaves a row for what was done or refused. Written before the answer goes out, so that nothing that was answered is
 * missing; a row that cannot be written is logged and holds nobody up.
 */
export async function leaveTrail(outcome: Outcome): Promise<void> {
  const { ctx, endpoint, url, startedAt, status, message } = outcome
  if (endpoint.audit === undefined || !worthARow(outcome)) return
  const action = endpoint.audit
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
