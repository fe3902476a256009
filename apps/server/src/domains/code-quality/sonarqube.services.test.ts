import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { codeQuality } from '@gantry/contract/code-quality/results'
import { sonarqubes } from '@gantry/contract/code-quality/sonarqube'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runningBuild } from '../../../test/build-agent.ts'
import { labService } from '../../../test/lab.ts'
import { testApp } from '../../../test/test-app.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { createSonar } from '../../adapters/sonarqube/sonarqube.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'gantry-scan-'))
const artifact = 'org.sonarsource.scanner.cli:sonar-scanner-cli:5.0.1.3006:jar'

/** Path of the scanner, which Maven downloads; undefined if that fails. */
function scanner(): string | undefined {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' })
    const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}/tool`]
    execFileSync('mvn', ['-q', '-B', 'dependency:copy', ...options], { stdio: 'ignore' })
    return join(folder, 'tool/sonar-scanner-cli-5.0.1.3006.jar')
  } catch {
    return undefined
  }
}

const copied = Array.from({ length: 14 }, (_, i) => `    total_${i} = first + second * ${i} - third / (${i} + 1)`).join(
  '\n',
)
const sources = {
  'bug.py': 'def always(first):\n    if first == first:\n        return 1\n    return 2\n',
  'hole.py': 'import ssl\n\ncontext = ssl.SSLContext(ssl.PROTOCOL_SSLv3)\n',
  'one.py': `def one(first, second, third):\n${copied}\n    return first\n`,
  'two.py': `def two(first, second, third):\n${copied}\n    return first\n`,
  'coverage.xml': `<?xml version="1.0"?><coverage><sources><source>.</source></sources><packages><package name="."><classes>
    <class name="bug.py" filename="bug.py"><lines><line number="2" hits="1"/><line number="3" hits="0"/></lines></class>
    </classes></package></packages></coverage>`,
}

const lab = labService('sonarqube')
const jar = lab === undefined ? undefined : scanner()
const url = lab?.['SONARQUBE_URL'] ?? ''
const token = lab?.['SONARQUBE_TOKEN'] ?? ''
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
afterAll(async () => {
  await outbound.close()
  rmSync(folder, { recursive: true, force: true })
})

type Gate = Extract<StepInput, { type: 'code-quality' }>['gate']
const loose: Gate = { bugs: 100, vulnerabilities: 100, smells: 100, coverage: 0, duplication: 100 }
const gates: [name: string, gate: Gate, problem: RegExp | undefined][] = [
  ['passes', loose, undefined],
  ['bugs', { ...loose, bugs: 0 }, /^bugs [1-9]\d* > 0$/],
  ['vulnerabilities', { ...loose, vulnerabilities: 0 }, /^vulnerabilities [1-9]\d* > 0$/],
  ['smells', { ...loose, smells: 0 }, /^smells [1-9]\d* > 0$/],
  ['coverage', { ...loose, coverage: 100 }, /^coverage [\d.]+% < 100%$/],
  ['duplication', { ...loose, duplication: 0 }, /^duplication [\d.]+% > 0%$/],
]

describe.skipIf(jar === undefined)('a real SonarQube (needs the lab: GANTRY_LAB, and java and mvn)', async () => {
  const app = await testApp({ ports: { sonar: createSonar(outbound) } })
  const team = await app.team()
  const steps = gates.map(([name, gate]): StepInput => ({ type: 'code-quality', name, gate, always: true }))
  let build: Awaited<ReturnType<typeof runningBuild>>
  let task = ''
  const issued: string[] = []
  const at = (step: number) => ({
    params: { jobId: build.held.jobId, step },
    query: { attempt: build.held.attempt },
  })
  const accepts = async (given: string) =>
    fetch(`${url}/api/authentication/validate`, { headers: { authorization: `Basic ${btoa(`${given}:`)}` } })
      .then((answer) => answer.json())
      .then((answer) => (answer as { valid: boolean }).valid)
      .catch(() => false)

  beforeAll(async () => {
    await app.admin.call(sonarqubes.set, { body: { url, token } })
    build = await runningBuild(app, team, steps)
    let analysis
    for (const step of gates.keys()) {
      ;({ analysis } = await build.agent.caller.call(stepProtocol.codeQuality, at(step)))
      issued.push(analysis?.token ?? '')
    }
    for (const [name, content] of Object.entries(sources)) writeFileSync(join(folder, name), content)
    const options = {
      'sonar.host.url': url,
      [analysis?.tokenProperty ?? '']: analysis?.token,
      'sonar.projectKey': analysis?.projectKey,
      'sonar.projectBaseDir': folder,
      'sonar.exclusions': 'tool/**,coverage.xml',
      'sonar.python.coverage.reportPaths': 'coverage.xml',
      'sonar.scanner.metadataFilePath': join(folder, 'report-task.txt'),
    }
    await run('java', [
      '-Xmx256m',
      '-jar',
      jar ?? '',
      ...Object.entries(options).map(([key, value]) => `-D${key}=${value}`),
    ])
    ;[, task = ''] = /^ceTaskId=(.*)$/m.exec(readFileSync(join(folder, 'report-task.txt'), 'utf8')) ?? []
  }, 300_000)

  const result = (step: number) => {
    const one = { ...at(step), query: { ...at(step).query, task } }
    return eventually(
      () => build.agent.caller.call(stepProtocol.codeQualityResult, one),
      ({ state }) => state !== 'running',
      { ms: 60_000, everyMs: 250 },
    )
  }

  test('is saved after a test, with its version', async () => {
    expect((await app.admin.call(sonarqubes.version)).version).toMatch(/^\d+\.\d+/)
    await expect(app.admin.call(sonarqubes.set, { body: { url, token: 'squ_wrong' } })).rejects.toMatchObject({
      key: 'code-quality-token',
    })
    // a token for analyses only cannot issue others
    await expect(app.admin.call(sonarqubes.set, { body: { url, token: issued[0] ?? '' } })).rejects.toMatchObject({
      key: expect.stringMatching(/^code-quality-(rights|token|forbidden)$/),
    })
  })

  test.each(gates.map(([name, , problem], step) => ({ name, problem, step })))(
    'one scan: $name',
    async ({ problem, step }) => {
      expect(await accepts(issued[step] ?? '')).toBe(true)
      const answer = await result(step)
      if (problem === undefined) expect(answer).toMatchObject({ state: 'success', reason: null })
      else
        expect(answer).toMatchObject({
          state: 'failed',
          reason: {
            key: 'code-quality-refused',
            vars: { problems: expect.stringMatching(problem), url: expect.stringContaining(`${url}/dashboard?id=`) },
          },
        })
      expect(await accepts(issued[step] ?? '')).toBe(false)
    },
    120_000,
  )

  test('the build shows its measures', async () => {
    const params = { id: build.pipeline.id, number: build.number }
    const results = await team.leader.call(codeQuality.results, { params })
    expect(results.map(({ passed }) => passed)).toEqual([true, false, false, false, false, false])
    expect(results[0]?.checks.every(({ value }) => value !== null)).toBe(true)
  })
})
