import { z } from 'zod'
import { common, files } from './common.ts'

/** Steps that publish reports which a tool has written to the workspace, other than test reports. */

const percent = z.number('coverage-percent').min(0, 'coverage-percent').max(100, 'coverage-percent').optional()

/** Publishes coverage reports, LCOV or Cobertura. */
export const CoverageStep = z.strictObject({
  ...common,
  type: z.literal('coverage'),
  files,
  /** At least this percentage of the lines is covered. */
  minimum: percent,
  /** At most this number of percentage points below the last successful build of the branch. */
  maximumDrop: percent,
})

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

const count = z.number('scan-count').int('scan-count').min(0, 'scan-count').max(65_535, 'scan-count').optional()

/** Publishes reports of scanners, SARIF or the JSON of Trivy, and fails if they have more findings than allowed. */
export const ScanStep = z.strictObject({
  ...common,
  type: z.literal('scan'),
  files,
  /** The most findings of each severity; without a number, any. */
  limits: z.strictObject({ critical: count, high: count, medium: count, low: count }).default({}),
})
