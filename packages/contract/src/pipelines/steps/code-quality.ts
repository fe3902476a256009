import { z } from 'zod'
import { common, place } from './common.ts'

const count = z
  .number('code-quality-count')
  .int('code-quality-count')
  .min(0, 'code-quality-count')
  .max(65_535, 'code-quality-count')
  .optional()

const percent = z
  .number('code-quality-percent')
  .min(0, 'code-quality-percent')
  .max(100, 'code-quality-percent')
  .optional()

/** The limits that an analysis must meet to pass. */
export const QualityGate = z
  .strictObject({
    /** At most this number. */
    bugs: count,
    vulnerabilities: count,
    smells: count,
    /** At least this percentage of the lines is covered by tests. */
    coverage: percent,
    /** At most this percentage of the lines is duplicated. */
    duplication: percent,
  })
  .refine((gate) => Object.values(gate).some((limit) => limit !== undefined), 'code-quality-gate-empty')
export type QualityGate = z.infer<typeof QualityGate>

/** The measures that a gate may limit, in display order. */
export const qualityMeasures = ['bugs', 'vulnerabilities', 'smells', 'coverage', 'duplication'] as const
export type QualityMeasure = (typeof qualityMeasures)[number]

/** Has the installation's code quality server analyse the workspace, and waits for the result. */
export const CodeQualityStep = z.strictObject({
  ...common,
  type: z.literal('code-quality'),
  /** The command that runs the analysis, with any scanner of SonarQube; empty: the agent's `sonar-scanner`. */
  run: z.string().max(100_000, 'script-too-long').default(''),
  /** The folder of the workspace that `sonar-scanner` analyses. */
  folder: place.default('.'),
  gate: QualityGate,
  /** For the analysis and the wait for its result. */
  timeoutMinutes: z.number().int().min(1, 'timeout-range').max(1440, 'timeout-range').default(30),
})
