import { jsonb } from '../db/json.ts'
import { type AuditNote, type Ctx, systemActor } from './context.ts'
import { masked, storable, withoutSecretQuery } from './secrets/masking.ts'

/**
 * Adds to the audit row of the current call: `note(ctx, { object: pipeline.name, before, after })`. Later values win.
 */
export const note = (ctx: Ctx, more: AuditNote): void => {
  Object.assign(ctx.note, more)
}

/** Maximum lengths of a row's texts. */
const longest = { object: 500, url: 2_000 }

/**
 * The columns of an audit row from its note. Secrets are masked in the detail; of the object and the address, by which
 * rows are searched, only secrets in the address's query are.
 */
export function auditColumns({ told }: Ctx, { object = '', before, after }: AuditNote, url: string) {
  return {
    object: storable(object.slice(0, longest.object)),
    url: storable(withoutSecretQuery(url).slice(0, longest.url)),
    detail: before === undefined && after === undefined ? null : jsonb(masked({ before, after }, told.hide)),
  }
}

interface Done extends Pick<AuditNote, 'object' | 'before' | 'after'> {
  action: string
  /** Name of the job or command that did it. */
  by: string
  /** The reason, as a phrase key. */
  message?: string
}

/**
 * Writes an audit row for an action of the product itself, in the action's transaction. Rows of calls are written
 * without this.
 */
export async function writeSystemAuditRow(ctx: Ctx, { action, by, message = '', ...done }: Done): Promise<void> {
  await ctx.db
    .insertInto('audit_log')
    .values({
      duration_ms: 0,
      actor_kind: systemActor.kind,
      actor_id: systemActor.id,
      actor_name: systemActor.name,
      action,
      method: 'RUN',
      status: 200,
      message,
      ip: '',
      request_id: ctx.requestId,
      ...auditColumns(ctx, done, by),
    })
    .execute()
}
