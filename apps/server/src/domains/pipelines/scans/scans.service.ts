import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { putAnnotations } from '../annotations/annotations.store.ts'
import { maskOfStep } from '../builds/masks.service.ts'
import { heldStep } from '../queue/held.service.ts'
import type { LeaseKey } from '../queue/leases.store.ts'
import { countsOf, gravestFirst, parseScan } from './reports.ts'
import { putScan } from './scans.store.ts'

/** Counts the findings of a report and stores the most severe as annotations, replacing a report with the same path. */
export async function takeScan(ctx: Ctx, lease: LeaseKey, step: number, path: string, body: Readable) {
  const mask = await maskOfStep(ctx, lease, step)
  const findings = parseScan(await text(body), mask)
  const counts = countsOf(findings)
  return inTx(ctx, async (ctx) => {
    const { buildId, cancelled: cancel } = await heldStep(ctx, lease, step)
    await putScan(ctx.db, { buildId, step, path }, counts)
    const places = gravestFirst(findings).map(({ severity: _, ...found }) => ({ ...found, logLine: null }))
    await putAnnotations(ctx.db, { buildId, step, report: path }, places)
    return { cancel, ...counts }
  })
}
