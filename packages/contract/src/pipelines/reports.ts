import { z } from 'zod'
import { zoneName } from '../cron-validators.ts'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'

/** The period of a report; RANGE has a start and an end of its own. */
export const ReportType = z.enum(['WEEK', 'MONTH', 'QUARTER', 'YEAR', 'RANGE'])
export type ReportType = z.infer<typeof ReportType>

/** Epoch milliseconds. */
const time = z.coerce.number().int('range-order').min(0, 'range-order').max(9_999_999_999_999, 'range-order').optional()

const yearMs = 366 * 86_400_000

const reportQuery = {
  type: ReportType.default('WEEK'),
  startTime: time,
  /** 0: until now. */
  endTime: time,
  /** The time zone in which days, weeks and months begin. */
  zone: zoneName.default('UTC'),
}

interface PeriodInput {
  type: ReportType
  startTime?: number | undefined
  endTime?: number | undefined
}

/** Only RANGE has its own times: both are required, in order, and at most five years apart. */
function problemOf({ type, startTime, endTime }: PeriodInput): { message: string; path: string[] } | undefined {
  if (type !== 'RANGE') return undefined
  if (startTime === undefined || endTime === undefined)
    return { message: 'report-range-required', path: [startTime === undefined ? 'startTime' : 'endTime'] }
  const span = (endTime || Date.now()) - startTime
  if (span <= 0) return { message: 'range-order', path: ['endTime'] }
  return span > 5 * yearMs ? { message: 'report-range-too-long', path: ['startTime'] } : undefined
}

const periodOf = <S extends z.ZodRawShape>(more: S) =>
  z.strictObject({ ...reportQuery, ...more }).superRefine((query, ctx) => {
    const problem = problemOf(query as unknown as PeriodInput)
    if (problem) ctx.addIssue({ code: 'custom', ...problem })
  })

const count = z.number().int()
const figure = z.number().nullable()

/** The period of a report. It contains the builds that ended in it. */
const period = {
  unit: z.enum(['hour', 'day', 'week', 'month']),
  startTime: count,
  /** Exclusive. */
  endTime: count,
}
export const Period = z.object(period)
export type Period = z.infer<typeof Period>

/** A part of the period, as long as its unit; the first and the last may be shorter. */
const slot = { startTime: count, endTime: count }

const counts = { success: count, failed: count, aborted: count }

export const StateDistribution = z.object({ ...period, ...counts, items: z.array(z.object({ ...slot, ...counts })) })
export type StateDistribution = z.infer<typeof StateDistribution>

/** Seconds are means. A rate is between 0 and 1. Null: there is no build to compute it from. */
const ability = { ...counts, successRate: figure, seconds: figure, waitSeconds: figure }
export const Ability = z.object({ ...period, ...ability, items: z.array(z.object({ ...slot, ...ability })) })
export type Ability = z.infer<typeof Ability>

const recovery = { recoveries: count, seconds: figure }
export const RecoverAvg = z.object({
  ...period,
  ...recovery,
  /** Since when the pipeline has been failing; null: it does not fail. */
  failingSince: count.nullable(),
  items: z.array(z.object({ ...slot, ...recovery })),
})
export type RecoverAvg = z.infer<typeof RecoverAvg>

const part = { name: z.string(), runs: count, failed: count, seconds: figure }
export const StageMeta = z.object({
  ...period,
  /** The number of builds that were evaluated: the newest of the period. */
  builds: count,
  /** The period has more builds. */
  truncated: z.boolean(),
  stages: z.array(z.object({ ...part, steps: z.array(z.object({ ...part, type: z.string() })) })),
})
export type StageMeta = z.infer<typeof StageMeta>

/** The findings of code quality scans, one entry per scan; empty without scans. */
export const CodeReport = z.object({
  ...period,
  items: z.array(
    z.object({
      time: count,
      buildNumber: count,
      bugs: figure,
      vulnerabilities: figure,
      codeSmells: figure,
      coverage: figure,
      duplication: figure,
    }),
  ),
})

/** DORA's four metrics. A deployment is a build in which a deploy step ended. */
const delivery = {
  deployments: count,
  failedDeployments: count,
  /** Counts successful deployments. */
  perDay: figure,
  leadSeconds: figure,
  failureRate: figure,
  restoreSeconds: figure,
}
export const Delivery = z.object({ ...period, ...delivery, items: z.array(z.object({ ...slot, ...delivery })) })
export type Delivery = z.infer<typeof Delivery>

export const PipelineAbility = z.object({ pipelineId: count, appId: count, projectName: z.string(), ...ability })
export type PipelineAbility = z.infer<typeof PipelineAbility>

const ofPipeline = {
  params: z.strictObject({ id: idOrUuid }),
  query: periodOf({}),
  access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' },
} as const

/** `1,2,3` in the query. */
const ids = z
  .string()
  .max(1200, 'list-too-long')
  .transform((text): unknown[] => [...new Set(text.split(','))])
  .pipe(z.array(id).min(1, 'list-empty').max(100, 'list-too-long'))

export const reports = {
  recoverAvg: endpoint({
    ...ofPipeline,
    method: 'GET',
    path: '/api/v2/pipelines/:id/report/buildRecoverAvg',
    summary: 'How long a pipeline takes from a failed build to the next successful one',
    data: RecoverAvg,
  }),
  stageMeta: endpoint({
    ...ofPipeline,
    method: 'GET',
    path: '/api/v2/pipelines/:id/report/stageMeta',
    summary: 'How long the stages and steps of a pipeline take, and how often they fail',
    data: StageMeta,
  }),
  ability: endpoint({
    ...ofPipeline,
    method: 'GET',
    path: '/api/v2/pipelines/:id/report/buildAbility',
    summary: "How many of a pipeline's builds succeed, how long they take and how long they wait",
    data: Ability,
  }),
  stateDistribution: endpoint({
    ...ofPipeline,
    method: 'GET',
    path: '/api/v2/pipelines/:id/report/buildStateDistribution',
    summary: "How a pipeline's builds ended",
    data: StateDistribution,
  }),
  code: endpoint({
    ...ofPipeline,
    method: 'GET',
    path: '/api/v2/pipelines/:id/report/code',
    summary: "What code quality scans found in a pipeline's builds",
    data: CodeReport,
  }),
  abilities: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/batch/report/buildAbilitys',
    access: 'user',
    forTokens: true,
    asks: ['pipeline_build_view'],
    summary: 'Several pipelines beside each other; 404 for all where one of them is not there',
    query: periodOf({ ids }),
    data: z.object({ ...period, items: z.array(PipelineAbility) }),
  }),
  /** Not in the specification: DORA's metrics, also for a group and for a team. */
  delivery: endpoint({
    ...ofPipeline,
    method: 'GET',
    path: '/api/v2/pipelines/:id/report/delivery',
    summary:
      "How often a pipeline deploys, how fast, how often that fails and how fast it is restored (DORA's figures)",
    data: Delivery,
  }),
  groupDelivery: endpoint({
    method: 'GET',
    path: '/api/projects/:id/report/delivery',
    access: { owner: 'pipeline-group', by: 'id', permission: 'pipeline_build_view' },
    summary: "DORA's figures of a pipeline group",
    params: z.strictObject({ id }),
    query: periodOf({}),
    data: Delivery,
  }),
  teamDelivery: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/report/delivery',
    access: { team: 'teamId', permission: 'pipeline_build_view' },
    summary: "DORA's figures of a team",
    params: z.strictObject({ teamId: id }),
    query: periodOf({}),
    data: Delivery,
  }),
}
