import type { CoverageStep, ScanStep } from '@gantry/contract/pipelines/steps/reports'
import type { z } from 'zod'
import type { FoundFile } from '../files.ts'
import type { Data } from '../protocol.ts'
import { reason } from '../reasons.ts'
import { success, type StepContext, type StepResult } from './step.ts'
import { filesToSend, uploadFile } from './uploads.ts'

const reportBytes = 50 * 1024 ** 2

const send = <C extends 'coverage' | 'scan'>(ctx: StepContext, name: C, file: FoundFile): Promise<Data<C>> =>
  uploadFile(ctx, file, {
    limit: reportBytes,
    refused: name === 'coverage' ? 'agents-coverage-invalid' : 'agents-scan-invalid',
    send: (options) =>
      ctx.client.call<C>(
        name,
        {
          params: { jobId: ctx.work.jobId, step: ctx.index },
          query: { attempt: ctx.work.attempt, path: ctx.mask(file.path) },
        } as Parameters<typeof ctx.client.call<C>>[1],
        options,
      ),
  })

const percentOf = ({ lines, covered }: { lines: number; covered: number }): number =>
  lines === 0 ? 100 : (covered / lines) * 100

/** Rounded down, so that a shown value which reaches the threshold really does. */
const shownPercent = (percent: number): string => (Math.floor(percent * 10) / 10).toFixed(1)

/** Publishes coverage reports; the server adds up their lines, and compares them with the previous build. */
export async function runCoverage(ctx: StepContext<z.output<typeof CoverageStep>>): Promise<StepResult> {
  const { minimum, maximumDrop } = ctx.step
  let last: Data<'coverage'> | undefined
  for (const file of await filesToSend(ctx, ctx.step.files)) {
    ctx.signal.throwIfAborted()
    last = await send(ctx, 'coverage', file)
    ctx.say(`Read ${file.path}`)
  }
  if (last === undefined) return success
  const percent = percentOf(last)
  const before = last.before && percentOf(last.before)
  const beside = last.before ? `, ${shownPercent(percentOf(last.before))}% in build #${last.before.number}` : ''
  ctx.say(`${last.covered} of ${last.lines} lines are covered: ${shownPercent(percent)}%${beside}`)
  ctx.report({ type: 'output', step: ctx.index, values: { PERCENT: shownPercent(percent) } })
  if (minimum !== undefined && percent < minimum)
    return { state: 'failed', reason: reason('agents-coverage-low', { percent: shownPercent(percent), minimum }) }
  if (maximumDrop !== undefined && before !== null && before - percent > maximumDrop)
    return {
      state: 'failed',
      reason: reason('agents-coverage-dropped', {
        percent: shownPercent(percent),
        before: shownPercent(before),
        number: last.before?.number ?? 0,
        most: maximumDrop,
      }),
    }
  return success
}

/** Publishes scanners' reports; the server counts their findings. */
export async function runScan(ctx: StepContext<z.output<typeof ScanStep>>): Promise<StepResult> {
  const { limits } = ctx.step
  const sum = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const file of await filesToSend(ctx, ctx.step.files)) {
    ctx.signal.throwIfAborted()
    const { critical, high, medium, low } = await send(ctx, 'scan', file)
    ctx.say(`${file.path}: ${critical} critical, ${high} high, ${medium} medium, ${low} low`)
    sum.critical += critical
    sum.high += high
    sum.medium += medium
    sum.low += low
  }
  const { critical, high, medium, low } = sum
  const values = { CRITICAL: critical, HIGH: high, MEDIUM: medium, LOW: low }
  ctx.report({
    type: 'output',
    step: ctx.index,
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  })
  const isOver = (found: number, limit: number | undefined): boolean => limit !== undefined && found > limit
  if (
    isOver(critical, limits.critical) ||
    isOver(high, limits.high) ||
    isOver(medium, limits.medium) ||
    isOver(low, limits.low)
  )
    return { state: 'failed', reason: reason('agents-scan-refused', { critical, high, medium, low }) }
  return success
}
