import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { codeQuality } from '@gantry/contract/code-quality/results'
import { sonarqubes } from '@gantry/contract/code-quality/sonarqube'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { runningBuild } from '../../../test/build-agent.ts'
import { fakeSonar } from '../../../test/fake-sonar.ts'
import { testApp } from '../../../test/test-app.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { createSonar } from '../../adapters/sonarqube/sonarqube.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const sonar = await fakeSonar()
afterAll(async () => {
  await outbound.close()
  sonar.close()
})
const app = await testApp({ ports: { sonar: createSonar(outbound) } })
const team = await app.team()

const clean = { bugs: '0', vulnerabilities: '0', code_smells: '0', coverage: '90.5', duplicated_lines_density: '1.0' }

type Gate = Extract<StepInput, { type: 'code-quality' }>['gate']

/** A build with a single code quality step, leased by an agent. */
async function running(gate: Gate = { bugs: 0, coverage: 80 }) {
  const build = await runningBuild(app, team, [{ type: 'code-quality', name: 'quality', gate }])
  const { held, agent } = build
  const where = { params: { jobId: held.jobId, step: 0 }, query: { attempt: held.attempt } }
  return {
    ...build,
    begin: () => agent.caller.call(stepProtocol.codeQuality, where),
    result: (task: string) =>
      agent.caller.call(stepProtocol.codeQualityResult, { ...where, query: { ...where.query, task } }),
    results: () => team.leader.call(codeQuality.results, { params: { id: build.pipeline.id, number: build.number } }),
  }
}

beforeEach(async () => {
  sonar.ill = undefined
  await app.admin.call(sonarqubes.set, { body: { url: sonar.url, token: sonar.token } })
})

test('a step gets a token only for its pipeline’s project, which expires with the result', async () => {
  const { begin, result, results, pipeline } = await running()
  const { analysis } = await begin()
  const { projectKey, url } = await team.leader.call(codeQuality.projectKey, { params: { uuid: pipeline.uuid } })
  expect(analysis).toMatchObject({ url: sonar.url, projectKey, tokenProperty: 'sonar.login' })
  expect(url).toBe(`${sonar.url}/dashboard?id=${encodeURIComponent(projectKey)}`)
  expect(sonar.projects.get(projectKey)).toContain(pipeline.projectName)
  const issued = [...sonar.tokens.values()]
  expect(issued).toMatchObject([{ token: analysis?.token, type: 'PROJECT_ANALYSIS_TOKEN', projectKey }])
  expect(issued[0]?.expirationDate).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(analysis?.token).not.toBe(sonar.token)
  const task = sonar.analysed(projectKey, clean)
  expect(await result(task)).toMatchObject({ state: 'success', reason: null })
  expect(sonar.tokens.size).toBe(0)
  expect(await results()).toMatchObject([
    {
      step: 0,
      stepName: 'quality',
      passed: true,
      url,
      checks: [
        { measure: 'bugs', value: 0, limit: 0, passed: true },
        { measure: 'vulnerabilities', value: 0, limit: null, passed: true },
        { measure: 'smells', value: 0, limit: null, passed: true },
        { measure: 'coverage', value: 90.5, limit: 80, passed: true },
        { measure: 'duplication', value: 1, limit: null, passed: true },
      ],
    },
  ])
})

test('a refusal names measure, value, limit and link, and is final', async () => {
  const { begin, result, results } = await running({ bugs: 2, coverage: 95 })
  const { analysis } = await begin()
  const task = sonar.analysed(analysis?.projectKey ?? '', { ...clean, bugs: '3' })
  const refused = await result(task)
  const url = `${sonar.url}/dashboard?id=${encodeURIComponent(analysis?.projectKey ?? '')}`
  expect(refused).toMatchObject({
    state: 'failed',
    reason: { key: 'code-quality-refused', vars: { problems: 'bugs 3 > 2; coverage 90.5% < 95%', url } },
  })
  expect(refused.log).toEqual(expect.arrayContaining(['Refused: bugs 3 > 2', url]))
  // repeated, as by an agent that lost the answer: later analyses do not change it
  sonar.analysed(analysis?.projectKey ?? '', clean)
  expect(await result(task)).toMatchObject({ state: 'failed', reason: refused.reason })
  expect(await results()).toMatchObject([{ passed: false }])
})

test('a result belongs to its own analysis, whatever is analysed later', async () => {
  const { begin, result } = await running({ bugs: 0 })
  const { analysis } = await begin()
  const task = sonar.analysed(analysis?.projectKey ?? '', clean)
  sonar.analysed(analysis?.projectKey ?? '', { ...clean, bugs: '9' })
  expect(await result(task)).toMatchObject({ state: 'success' })
})

test('an analysis of another project, an older one, and an unknown one are refused', async () => {
  const { begin, result } = await running()
  const { analysis } = await begin()
  const { projectKey = '' } = analysis ?? {}
  const tasks = [
    sonar.analysed('another', clean),
    sonar.analysed(projectKey, clean, { submittedAt: '2020-01-01T00:00:00+0000' }),
    'unknown',
  ]
  for (const task of tasks)
    expect(await result(task)).toMatchObject({ state: 'failed', reason: { key: 'code-quality-foreign-analysis' } })
})

test('an unfinished analysis keeps the step running, and a failed one fails it with the server’s message', async () => {
  const { begin, result, results } = await running()
  const { analysis } = await begin()
  const { projectKey = '' } = analysis ?? {}
  expect(await result(sonar.analysed(projectKey, clean, { status: 'PENDING' }))).toMatchObject({ state: 'running' })
  expect(await results()).toEqual([])
  const broken = sonar.analysed(projectKey, {}, { status: 'FAILED', errorMessage: 'out of heap' })
  expect(await result(broken)).toMatchObject({
    state: 'failed',
    reason: { key: 'code-quality-analysis-failed', vars: { text: 'out of heap' } },
  })
})

test('a code quality server that does not answer or is not configured is reported', async () => {
  const { begin, result } = await running()
  sonar.ill = 503
  expect(await begin()).toMatchObject({ analysis: null, reason: { key: 'code-quality-silent' } })
  sonar.ill = undefined
  const { analysis } = await begin()
  const task = sonar.analysed(analysis?.projectKey ?? '', clean)
  sonar.ill = 503
  expect(await result(task)).toMatchObject({ state: 'running', reason: { key: 'code-quality-silent' } })
  sonar.ill = undefined
  await app.admin.call(sonarqubes.set, { body: { url: '', token: '' } })
  expect(await result(task)).toMatchObject({ state: 'failed', reason: { key: 'code-quality-none' } })
  expect(await begin()).toMatchObject({ analysis: null, reason: { key: 'code-quality-none' } })
})

test('the code of a fork is not analysed as the team’s own', async () => {
  const { begin, work } = await running()
  const fork = JSON.stringify({ number: 7, source: 'fix', target: 'main', fork: true })
  await sql`update build set merge_request = ${fork}::jsonb where id = ${work.buildId}`.execute(app.db)
  const before = sonar.tokens.size
  await expect(begin()).rejects.toMatchObject({ status: 404 })
  expect(sonar.tokens.size).toBe(before)
})

test('a code quality step on Windows is refused', async () => {
  const { pipeline } = await running()
  const step: StepInput = { type: 'code-quality', name: 'quality', gate: { bugs: 0 } }
  const stages = [{ name: 'one', jobs: [{ name: 'job', osType: 'windows' as const, steps: [step] }] }]
  const saved = team.leader.call(definitions.set, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
    body: { stages },
  })
  await expect(saved).rejects.toMatchObject({
    problems: [expect.objectContaining({ key: 'code-quality-windows' })],
  })
})
