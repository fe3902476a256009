import { annotations } from '@gantry/contract/pipelines/findings/annotations'
import { scans } from '@gantry/contract/pipelines/findings/scans'
import { describe, expect, test } from 'vitest'
import { runningBuild } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { parseScan } from './reports.ts'

const app = await testApp()

const sarif = {
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'scanner',
          rules: [
            { id: 'sql', properties: { 'security-severity': '9.8' } },
            { id: 'style', defaultConfiguration: { level: 'note' } },
          ],
        },
      },
      results: [
        {
          ruleId: 'style',
          message: { text: 'Odd' },
          locations: [{ physicalLocation: { artifactLocation: { uri: './src/b%20c.ts' } } }],
        },
        {
          ruleId: 'sql',
          level: 'error',
          message: { text: 'Injected' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'src/a.ts' },
                region: { startLine: 3, startColumn: 5 },
              },
            },
          ],
        },
        { ruleId: 'sql', message: { text: 'known' }, suppressions: [{ kind: 'inSource' }] },
        { ruleId: 'sql', kind: 'pass', message: { text: 'good' } },
      ],
    },
  ],
}

const trivy = {
  SchemaVersion: 2,
  Results: [
    {
      Target: 'package-lock.json',
      Vulnerabilities: [
        {
          VulnerabilityID: 'CVE-2026-1',
          PkgName: 'left',
          InstalledVersion: '1.0',
          FixedVersion: '1.1',
          Severity: 'HIGH',
          Title: 'It falls',
        },
        { VulnerabilityID: 'CVE-2026-2', PkgName: 'right', InstalledVersion: '1.0', Severity: 'UNKNOWN' },
      ],
    },
    {
      Target: 'Dockerfile',
      Misconfigurations: [
        { ID: 'DS002', Title: 'root', Severity: 'MEDIUM', Status: 'FAIL', CauseMetadata: { StartLine: 4 } },
        { ID: 'DS003', Title: 'fine', Severity: 'HIGH', Status: 'PASS' },
      ],
      Secrets: [{ RuleID: 'key', Title: 'Key', Severity: 'CRITICAL', StartLine: 2, Match: 'the-secret' }],
    },
  ],
}

describe('a scanner’s report', () => {
  const lines = (report: unknown) =>
    parseScan(JSON.stringify(report)).map(
      ({ level, file, line, column, message }) => `${level} ${file}:${line}:${column ?? '-'} ${message}`,
    )
  test('SARIF: severities by score, else by level; suppressed and passed results do not count', () => {
    expect(lines(sarif)).toEqual([
      'notice src/b c.ts:1:- low: style: Odd',
      'error src/a.ts:3:5 critical: sql: Injected',
    ])
  })
  test('Trivy: vulnerabilities, misconfigurations and secrets, without the secret itself', () => {
    expect(lines(trivy)).toEqual([
      'error package-lock.json:1:- high: CVE-2026-1: left 1.0 → 1.1: It falls',
      'notice package-lock.json:1:- low: CVE-2026-2: right 1.0',
      'warning Dockerfile:4:- medium: DS002: root',
      'error Dockerfile:2:- critical: key: Key',
    ])
  })
  test.for(['', 'hello', '[]', '{}', '{"runs":{}}', '{"Results":[]}'])('%j is refused', (text) => {
    expect(() => parseScan(text)).toThrow(expect.objectContaining({ key: 'scan-invalid' }) as Error)
  })
  test.for([{ runs: [] }, { runs: [{ results: null }] }, { SchemaVersion: 2 }, { runs: [{ results: [{}] }] }])(
    'with missing fields is accepted: %j',
    (report) => expect(() => parseScan(JSON.stringify(report))).not.toThrow(),
  )
})

test('a step counts the findings of its reports, and the most severe ones become annotations of the build', async () => {
  const team = await app.team()
  const { pipeline, number, agent, held } = await runningBuild(app, team)
  const publish = (path: string, report: object) => agent.upload(held, 0, 'scans', path, JSON.stringify(report))
  expect((await publish('a.sarif', sarif)).data).toMatchObject({ critical: 1, high: 0, medium: 0, low: 1 })
  expect((await publish('trivy.json', trivy)).data).toMatchObject({ critical: 1, high: 1, medium: 1, low: 1 })
  // a report sent again replaces itself
  await publish('a.sarif', sarif)
  const params = { id: pipeline.id, number }
  expect(await team.leader.call(scans.list, { params })).toEqual([
    { step: 0, stepName: 'hello', critical: 2, high: 1, medium: 1, low: 2 },
  ])
  const { items } = await team.leader.call(annotations.list, { params, query: {} })
  expect(items.map(({ level }) => level)).toEqual(['error', 'error', 'error', 'warning', 'notice', 'notice'])
  expect(await agent.upload(held, 0, 'scans', 'x', 'hello')).toMatchObject({ status: 400, message: 'scan-invalid' })
})
