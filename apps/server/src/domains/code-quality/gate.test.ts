import { qualityMeasures, QualityGate } from '@gantry/contract/pipelines/steps/code-quality'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judge, formatCheck } from './gate.ts'

const found = (measures: Record<string, number>): Map<string, number> => new Map(Object.entries(measures))
const clean = { bugs: 0, vulnerabilities: 0, code_smells: 0, coverage: 100, duplicated_lines_density: 0 }

describe('a quality gate', () => {
  test.each([
    ['bugs', { bugs: 3 }, { bugs: 4 }, 'bugs 4 > 3'],
    ['vulnerabilities', { vulnerabilities: 0 }, { vulnerabilities: 1 }, 'vulnerabilities 1 > 0'],
    ['smells', { smells: 65_535 }, { code_smells: 65_536 }, 'smells 65536 > 65535'],
    ['coverage', { coverage: 80 }, { coverage: 79.9 }, 'coverage 79.9% < 80%'],
    ['duplication', { duplication: 2.5 }, { duplicated_lines_density: 2.6 }, 'duplication 2.6% > 2.5%'],
  ])('refuses %s beyond its limit, but not at the limit', (measure, gate, measured, words) => {
    const refused = judge(gate, found({ ...clean, ...measured })).filter(({ passed }) => !passed)
    expect(refused.map((check) => check.measure)).toEqual([measure])
    expect(refused.map(formatCheck)).toEqual([words])
    const limit = Object.values(gate)[0] ?? 0
    const at = found({ ...clean, ...Object.fromEntries(Object.keys(measured).map((metric) => [metric, limit])) })
    expect(judge(gate, at).every(({ passed }) => passed)).toBe(true)
  })

  test('refuses a limited measure that has no value', () => {
    const checks = judge({ coverage: 0, bugs: 0 }, found({ bugs: 0 }))
    expect(checks.filter(({ passed }) => !passed).map(formatCheck)).toEqual(['coverage – < 0%'])
  })

  test('ignores measures without a limit', () => {
    const measured = fc.record(Object.fromEntries(Object.keys(clean).map((metric) => [metric, fc.nat()])))
    fc.assert(
      fc.property(measured, fc.constantFrom(...qualityMeasures), (measures, only) => {
        const refused = judge({ [only]: 0 }, found(measures)).filter(({ passed }) => !passed)
        expect(refused.every(({ measure }) => measure === only)).toBe(true)
      }),
    )
  })

  test.each([
    [{}, 'code-quality-gate-empty'],
    [{ bugs: -1 }, 'code-quality-count'],
    [{ vulnerabilities: 65_536 }, 'code-quality-count'],
    [{ smells: 1.5 }, 'code-quality-count'],
    [{ coverage: 100.1 }, 'code-quality-percent'],
    [{ duplication: -0.1 }, 'code-quality-percent'],
  ])('cannot be saved as %j', (gate, message) => {
    expect(QualityGate.safeParse(gate).error?.issues.map((issue) => issue.message)).toContain(message)
  })
})
