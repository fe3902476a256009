import type { Ctx } from './context.ts'

/** What a call adds to its audit row. Secrets are masked when the row is written. */
export interface AuditNote {
  /** What was touched, in words: a pipeline's name. */
  object?: string
  /** Its team, where the path does not say it. */
  teamId?: number
  before?: unknown
  after?: unknown
}

/** Adds to the audit row of the call that runs: `note(ctx, { object: pipeline.name, before, after })`. Later values win. */
export const note = (ctx: Ctx, more: AuditNote): void => {
  Object.assign(ctx.note, more)
}
