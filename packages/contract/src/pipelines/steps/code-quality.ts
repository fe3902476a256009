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

/** What an analysis must hold to pass. */
export const QualityGate = z
  .strictObject({
    /** At most so many. */
    bugs: count,
    vulnerabilities: count,
    smells: count,
    /** At least so many percent of the lines are covered by tests. */
    coverage: percent,
    /** At most so many percent of the lines are duplicated. */
    duplication: percent,
  })
  .refine((gate) => Object.values(gate).some((limit) => limit !== undefined), 'code-quality-gate-empty')
export type QualityGate = z.infer<typeof QualityGate>

/** What a gate may limit, in the order in which people read it. */
export const qualityMeasures = ['bugs', 'vulnerabilities', 'smells', 'coverage', 'duplication'] as const
export type QualityMeasure = (typeof qualityMeasures)[number]

/** Has the installation's code quality server analyse the workspace, and waits until it says what it found. */
export const CodeQualityStep = z.strictObject({
  ...common,
  type: z.literal('code-quality'),
  /** The command that analyses, with any scanner of SonarQube; empty: `sonar-scanner` of the agent's PATH. */
  run: z.string().max(100_000, 'script-too-long').default(''),
  /** The folder of the workspace that `sonar-scanner` analyses. */
  folder: place.default('.'),
  gate: QualityGate,
  /** For the analysis, and for the server to say what it found. */
  timeoutMinutes: z.number().int().min(1, 'timeout-range').max(1440, 'timeout-range').default(30),
})
