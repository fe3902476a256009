import type { Period, reports } from '@gantry/contract/pipelines/reports'
import type { z } from 'zod'
import { mustHoldInOneOf } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { databaseNow } from '../../../db/clock.ts'
import { pipelineTeams } from '../pipelines/pipelines.store.ts'
import { type PeriodInput, type Slots, slotsOf } from './periods.ts'
import { readAbilities } from './reports.read.ts'

/** The result of `read` for the requested period, with the period's times. */
export async function report<F extends object>(
  { db }: Ctx,
  input: PeriodInput,
  read: (slots: Slots) => Promise<F>,
): Promise<Period & F> {
  const slots = slotsOf(input, (await databaseNow(db)).getTime())
  const { bounds: _, ...period } = slots
  return { ...period, ...(await read(slots)) }
}

/** Refused as a whole if one of the pipelines does not exist, or is of a team whose builds the caller may not see. */
export async function compare(
  ctx: Ctx,
  { ids, ...input }: z.output<typeof reports.abilities.query>,
): Promise<z.output<typeof reports.abilities.data>> {
  const teams = await pipelineTeams(ctx.db, ids)
  if (teams.size < ids.length) throw new Fault('missing', 'resource-missing')
  for (const team of new Set(teams.values())) await mustHoldInOneOf(ctx, [team], 'pipeline_build_view')
  return report(ctx, input, async (slots) => ({ items: await readAbilities(ctx.db, ids, slots) }))
}
