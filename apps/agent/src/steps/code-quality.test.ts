import type { StepInput } from '@gantry/contract/pipelines/definition'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { script, work } from '../../test/works.ts'

/** A scanner that reads its properties like a real one, and writes them to a file. */
const scanner = `#!/bin/sh
echo "scanner $*"
echo "$SONARQUBE_SCANNER_PARAMS" > seen.json
file=$(printf %s "$SONARQUBE_SCANNER_PARAMS" | sed 's/.*"sonar.scanner.metadataFilePath":"\\([^"]*\\)".*/\\1/')
token=$(printf %s "$SONARQUBE_SCANNER_PARAMS" | sed 's/.*"sonar.token":"\\([^"]*\\)".*/\\1/')
echo "my token is $token"
echo "TOKEN=$token" > "$GANTRY_OUTPUT"
printf 'projectKey=key\\nceTaskId=AYx-1_z\\n' > "$file"
`

let server: FakeServer
let agent: AgentProcess

beforeAll(async () => {
  server = await fakeServer()
  agent = await agentProcess(server.url)
})
afterAll(async () => {
  await agent.close()
  await server.close()
})

const usual = { state: 'success' as const, log: [], reason: null }
let tasks: string[] = []
beforeEach(() => {
  tasks = []
  server.on.codeQualityResult = (task) => {
    tasks.push(task)
    return usual
  }
})

/** Runs a step whose scanner is in the workspace, or is missing. */
async function analyse(step: Partial<Extract<StepInput, { type: 'code-quality' }>> = {}, installed = true) {
  const quality: StepInput = { type: 'code-quality', name: 'quality', gate: { bugs: 0 }, ...step }
  const before = script(
    installed ? 'mkdir -p tools; printf %s "$SCANNER" > tools/sonar-scanner; chmod +x tools/*' : 'true',
  )
  const environment = [
    { name: 'PATH', value: 'tools:/usr/bin:/bin' },
    { name: 'SCANNER', value: scanner },
  ]
  const build = server.give(work([before, quality, script('cat seen.json')], { environment }))
  const { state, reason } = await build.ended
  return { state, reason, log: build.log(1), seen: build.log(2), events: build.events }
}

test('the agent’s scanner gets address, project and token, and the log does not show the token', async () => {
  const { state, log, seen, events } = await analyse({ folder: 'a b' })
  expect(state).toBe('success')
  expect(log).toContain('scanner -Dsonar.projectBaseDir=a b')
  expect(log).toContain('my token is ******')
  expect(log).not.toContain('analysis-token')
  const properties = JSON.parse(seen) as Record<string, string>
  expect(properties).toMatchObject({
    'sonar.host.url': 'http://127.0.0.1:9000',
    'sonar.projectKey': 'key',
    'sonar.token': 'analysis-token',
  })
  expect(events).toContainEqual({ type: 'output', step: 1, values: { TOKEN: '******' } })
  expect(tasks).toEqual(['AYx-1_z'])
})

test('a custom command analyses instead, and its lines keep their numbers', async () => {
  const run = 'echo "$SONAR_PROJECT_KEY at $SONAR_HOST_URL"\nsonar-scanner\nno-such-program || true'
  const { state, log } = await analyse({ run })
  expect(state).toBe('success')
  expect(log).toMatch(/^key at http:\/\/127\.0\.0\.1:9000$/m)
  expect(log).toMatch(/: 3: .*no-such-program: not found$/m)
})

test('a slow analysis is polled until it has a result, and the server’s messages are logged', async () => {
  server.on.codeQualityResult = (task) => {
    tasks.push(task)
    if (tasks.length === 1) return { state: 'running', log: [], reason: { key: 'code-quality-silent', vars: {} } }
    const reason = { key: 'code-quality-refused', vars: { problems: 'bugs 1 > 0' } }
    return { state: 'failed', log: ['Refused: bugs 1 > 0'], reason }
  }
  const { state, reason, log } = await analyse()
  expect(state).toBe('failed')
  expect(reason).toEqual({ key: 'code-quality-refused', vars: { problems: 'bugs 1 > 0' } })
  expect(log).toContain('Refused: bugs 1 > 0')
  expect(tasks).toHaveLength(2)
})

test.each([
  ['a command that fails', 'exit 3', { key: 'agents-scanner-failed', vars: { code: 3 } }],
  ['a command that analyses nothing', 'true', { key: 'agents-no-analysis', vars: {} }],
  [
    'an analysis of its own invention',
    'echo "ceTaskId=../x" > "$HOME/.gantry-analysis-1"',
    { key: 'agents-no-analysis', vars: {} },
  ],
  ['a link in its place', 'ln -s /etc/passwd "$HOME/.gantry-analysis-1"', { key: 'agents-no-analysis', vars: {} }],
])('%s fails the step with the reason', async (_, run, reason) => {
  expect(await analyse({ run })).toMatchObject({ state: 'failed', reason })
  expect(tasks).toEqual([])
})

test('without a scanner on the PATH the step fails with that reason', async () => {
  expect(await analyse({}, false)).toMatchObject({ state: 'failed', reason: { key: 'agents-scanner-missing' } })
})

test('an analysis that the server refuses to start fails the step with the reason', async () => {
  const before = server.on.codeQuality
  server.on.codeQuality = () => ({ analysis: null, reason: { key: 'code-quality-silent', vars: { host: 'sonar' } } })
  try {
    const { reason, log } = await analyse({ run: 'echo ran' })
    expect(reason).toEqual({ key: 'code-quality-silent', vars: { host: 'sonar' } })
    expect(log).not.toContain('ran')
  } finally {
    server.on.codeQuality = before
  }
})
