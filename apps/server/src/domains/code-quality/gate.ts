import type { QualityCheck } from '@gantry/contract/code-quality/results'
import { type QualityGate, type QualityMeasure, qualityMeasures } from '@gantry/contract/pipelines/steps/code-quality'

/** The code quality server's names of the measures. */
const metrics: Record<QualityMeasure, string> = {
  bugs: 'bugs',
  vulnerabilities: 'vulnerabilities',
  smells: 'code_smells',
  coverage: 'coverage',
  duplication: 'duplicated_lines_density',
}

export const metricNames = Object.values(metrics)

/** Checks every measure against the gate. A limited measure without a value does not pass. */
export const judge = (gate: QualityGate, found: ReadonlyMap<string, number>): QualityCheck[] =>
  qualityMeasures.map((measure) => {
    const value = found.get(metrics[measure]) ?? null
    const limit = gate[measure] ?? null
    const passed = limit === null || (value !== null && (measure === 'coverage' ? value >= limit : value <= limit))
    return { measure, value, limit, passed }
  })

/** A check as text, the same in every language: `bugs 3 > 0`, `coverage 41.5% < 80%`. */
export function formatCheck({ measure, value, limit }: QualityCheck): string {
  const unit = measure === 'coverage' || measure === 'duplication' ? '%' : ''
  const sign = measure === 'coverage' ? '<' : '>'
  return `${measure} ${value === null ? '–' : `${value}${unit}`} ${sign} ${limit}${unit}`
}
