import type { AnnotationLevel } from '@gantry/contract/pipelines/findings/annotations'
import { severities, type Severity } from '@gantry/contract/pipelines/steps/reports'
import { z } from 'zod'
import { Fault } from '../../../kernel/fault.ts'
import type { Found } from '../annotations/lines.ts'

/** A finding of a scanner, with its place. */
export interface Finding extends Found {
  severity: Severity
}

const text = z.string().catch('')
const number = z.number().int().min(1).max(2_147_483_647).nullable().catch(null)
const listOf = <T extends z.ZodType>(item: T) => z.array(item).nullish().catch(null)

const Rule = z.object({
  id: text,
  defaultConfiguration: z.object({ level: text }).nullish().catch(null),
  properties: z
    .object({ 'security-severity': z.coerce.number().catch(NaN) })
    .nullish()
    .catch(null),
})
const Component = z
  .object({ rules: listOf(Rule) })
  .nullish()
  .catch(null)

const Result = z.object({
  ruleId: text,
  rule: z.object({ id: text }).nullish().catch(null),
  kind: text,
  level: text,
  message: z.object({ text: text }).nullish().catch(null),
  suppressions: listOf(z.unknown()),
  properties: z
    .object({ 'security-severity': z.coerce.number().catch(NaN) })
    .nullish()
    .catch(null),
  locations: listOf(
    z.object({
      physicalLocation: z
        .object({
          artifactLocation: z.object({ uri: text }).nullish().catch(null),
          region: z.object({ startLine: number, startColumn: number }).nullish().catch(null),
        })
        .nullish()
        .catch(null),
    }),
  ),
})

const Sarif = z.object({
  runs: z.array(
    z.object({
      tool: z
        .object({ driver: Component, extensions: listOf(Component) })
        .nullish()
        .catch(null),
      results: listOf(Result),
    }),
  ),
})

const Trivy = z.object({
  SchemaVersion: z.number(),
  Results: listOf(
    z.object({
      Target: text,
      Vulnerabilities: listOf(
        z.object({
          VulnerabilityID: text,
          PkgName: text,
          InstalledVersion: text,
          FixedVersion: text,
          Severity: text,
          Title: text,
        }),
      ),
      Misconfigurations: listOf(
        z.object({
          ID: text,
          Title: text,
          Severity: text,
          Status: text,
          CauseMetadata: z.object({ StartLine: number }).nullish().catch(null),
        }),
      ),
      // the matched text is left out, because it is a secret
      Secrets: listOf(z.object({ RuleID: text, Title: text, Severity: text, StartLine: number })),
    }),
  ),
})

/** Parses a report of a scanner. Throws Fault `scan-invalid` if it is in neither SARIF nor Trivy's format. */
export function parseScan(report: string, mask: (text: string) => string = (text) => text): Finding[] {
  const kept = (found: Finding): Finding => ({
    ...found,
    file: excerpt(mask(found.file), 500).replace(/^(\.\/)+/, '') || '?',
    message: excerpt(mask(found.message), 1000),
  })
  let json: unknown
  try {
    json = JSON.parse(report)
  } catch {
    throw new Fault('invalid', 'scan-invalid')
  }
  const sarif = Sarif.safeParse(json)
  if (sarif.success) return sarif.data.runs.flatMap(ofRun).map(kept)
  const trivy = Trivy.safeParse(json)
  if (trivy.success) return (trivy.data.Results ?? []).flatMap(ofTarget).map(kept)
  throw new Fault('invalid', 'scan-invalid')
}

/** By the CVSS score if there is one, else by the level. */
function severityOf(score: number, level: string): Severity {
  if (score > 0) return score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low'
  return level === 'error' ? 'high' : level === 'note' || level === 'none' ? 'low' : 'medium'
}

function ofRun({ tool, results }: z.output<typeof Sarif>['runs'][number]): Finding[] {
  const components = [tool?.driver, ...(tool?.extensions ?? [])]
  const rules = new Map(components.flatMap((one) => one?.rules ?? []).map((rule) => [rule.id, rule]))
  return (results ?? []).flatMap((result) => {
    if ((result.suppressions ?? []).length > 0 || (result.kind !== '' && result.kind !== 'fail')) return []
    const id = result.ruleId || (result.rule?.id ?? '')
    const rule = rules.get(id)
    const score = result.properties?.['security-severity'] ?? rule?.properties?.['security-severity'] ?? 0
    const severity = severityOf(score, result.level || (rule?.defaultConfiguration?.level ?? ''))
    const place = result.locations?.[0]?.physicalLocation
    const file = decoded(place?.artifactLocation?.uri ?? '')
    const { startLine, startColumn } = place?.region ?? { startLine: null, startColumn: null }
    return [
      finding(severity, file, startLine, startColumn, [id, result.message?.text ?? ''].filter(Boolean).join(': ')),
    ]
  })
}

const words: Record<string, Severity> = { critical: 'critical', high: 'high', medium: 'medium' }
const wordOf = (text: string): Severity => words[text.toLowerCase()] ?? 'low'

function ofTarget(target: NonNullable<z.output<typeof Trivy>['Results']>[number]): Finding[] {
  const file = target.Target
  return [
    ...(target.Vulnerabilities ?? []).map((one) => {
      const fix = one.FixedVersion === '' ? '' : ` → ${one.FixedVersion}`
      const what = `${one.VulnerabilityID}: ${one.PkgName} ${one.InstalledVersion}${fix}`
      return finding(wordOf(one.Severity), file, null, null, one.Title === '' ? what : `${what}: ${one.Title}`)
    }),
    ...(target.Misconfigurations ?? [])
      .filter(({ Status }) => Status !== 'PASS' && Status !== 'EXCEPTION')
      .map((one) =>
        finding(wordOf(one.Severity), file, one.CauseMetadata?.StartLine ?? null, null, `${one.ID}: ${one.Title}`),
      ),
    ...(target.Secrets ?? []).map((one) =>
      finding(wordOf(one.Severity), file, one.StartLine, null, `${one.RuleID}: ${one.Title}`),
    ),
  ]
}

/** The path of a file below the root of the code, from its URI. */
function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\//, ''))
  } catch {
    return uri
  }
}

const levels: Record<Severity, AnnotationLevel> = { critical: 'error', high: 'error', medium: 'warning', low: 'notice' }

/** A finding about a whole file is placed in its first line. */
function finding(
  severity: Severity,
  file: string,
  line: number | null,
  column: number | null,
  message: string,
): Finding {
  return {
    severity,
    level: levels[severity],
    file,
    line: line ?? 1,
    column,
    message: `${severity}: ${message}`,
  }
}

const excerpt = (text: string, most: number): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()

export const countsOf = (findings: readonly Finding[]): Record<Severity, number> => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}

/** Most severe first, because only the first of very many are kept. */
export const gravestFirst = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
