import type { AuditNote, Ctx } from './context.ts'

/** Adds to the audit row of the call that runs: `note(ctx, { object: pipeline.name, before, after })`. Later values win. */
export const note = (ctx: Ctx, more: AuditNote): void => {
  Object.assign(ctx.note, more)
}
