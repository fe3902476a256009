import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Coverage } from '@gantry/contract/pipelines/findings/coverage'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { maskOfStep } from '../builds/masks.service.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { heldStep } from '../queue/held.service.ts'
import type { LeaseKey } from '../queue/leases.store.ts'
import { addLines, buildBefore, countLines, idOfBuild } from './coverage.store.ts'
import { rangesOf } from './measured.ts'
import { parseCoverage } from './reports.ts'

/** Parses a report and adds its lines to those of the step; returns the coverage by all reports. */
export async function takeCoverage(ctx: Ctx, lease: LeaseKey, step: number, body: Readable) {
  const mask = await maskOfStep(ctx, lease, step)
  const files = [...parseCoverage(await text(body), mask)].map(([file, lines]) => ({
    file,
    hit: rangesOf(lines, true),
    missed: rangesOf(lines, false),
  }))
  return inTx(ctx, async (ctx) => {
    const { buildId, cancelled: cancel } = await heldStep(ctx, lease, step)
    await addLines(ctx.db, buildId, step, files)
    const counts = (await countLines(ctx.db, buildId, step)) ?? { lines: 0, covered: 0 }
    return { cancel, ...counts, before: await coverageBefore(ctx, buildId) }
  })
}

async function coverageBefore(ctx: Ctx, buildId: number): Promise<Coverage['before']> {
  const build = await buildBefore(ctx.db, buildId)
  const counts = build && (await countLines(ctx.db, build.id))
  return build && counts ? { number: build.number, ...counts } : null
}

export async function buildOf(ctx: Ctx, key: PipelineKey, number: number): Promise<number> {
  return mustExist(await idOfBuild(ctx.db, (await getPipeline(ctx, key)).id, number))
}

export async function readCoverage(ctx: Ctx, key: PipelineKey, number: number): Promise<Coverage | null> {
  const buildId = await buildOf(ctx, key, number)
  const counts = await countLines(ctx.db, buildId)
  return counts ? { ...counts, before: await coverageBefore(ctx, buildId) } : null
}
