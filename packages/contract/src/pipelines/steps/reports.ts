import { z } from 'zod'
import { common, files } from './common.ts'

/** Steps that publish what a tool has written into the workspace, beside the report of tests. */

const percent = z.number('coverage-percent').min(0, 'coverage-percent').max(100, 'coverage-percent').optional()

/** Publishes coverage reports, LCOV or Cobertura. */
export const CoverageStep = z.strictObject({
  ...common,
  type: z.literal('coverage'),
  files,
  /** At least so many percent of the lines are covered. */
  minimum: percent,
  /** At most so many percentage points fewer than in the last successful build of the branch. */
  maximumDrop: percent,
})

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

const count = z.number('scan-count').int('scan-count').min(0, 'scan-count').max(65_535, 'scan-count').optional()

/** Publishes reports of scanners, SARIF or the JSON of Trivy, and fails where they found more than it allows. */
export const ScanStep = z.strictObject({
  ...common,
  type: z.literal('scan'),
  files,
  /** At most so many of a severity; without a number any. */
  limits: z.strictObject({ critical: count, high: count, medium: count, low: count }).default({}),
})
