import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { script, work } from '../../test/works.ts'

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
beforeEach(() => {
  server.trouble = () => undefined
  server.on.artifact = () => undefined
  server.on.report = () => ({ total: 3, failed: 0, skipped: 1 })
  server.on.deploy = () => ({ state: 'success', log: [], reason: null })
})

test('artifacts are stored whole, under their paths, but not a link that leads out of the workspace', async () => {
  const build = server.give(
    work([
      script(
        'mkdir -p out/deep; seq 1 200000 > out/numbers; : > out/empty; echo x > "out/deep/名 字.txt"; ln -s /etc/passwd out/passwd',
      ),
      { name: 'keep', type: 'artifact', files: 'out/**' },
    ]),
  )
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect([...build.artifacts.keys()].sort()).toEqual(['out/deep/名 字.txt', 'out/empty', 'out/numbers'])
  expect(build.artifacts.get('out/numbers')?.length).toBe(1_288_895)
  expect(build.log(1).split('\n').slice(0, 3)).toEqual([
    'Passed over out/passwd: the link leads out of the workspace.',
    'Kept out/deep/名 字.txt (2 B)',
    'Kept out/empty (0 B)',
  ])
})

test('names of artifacts and reports, and reasons that contain them, are masked like the log', async () => {
  server.on.artifact = () => ({ status: 400, key: 'no-such-name' })
  const steps = [
    script('mkdir out; echo x > out/s3cr3t-Tok-99.txt'),
    { name: 'report', type: 'report' as const, files: 'out/*' },
    { name: 'keep', type: 'artifact' as const, files: 'out/*' },
  ]
  const build = server.give(work(steps, { masked: ['s3cr3t-Tok-99'] }))
  expect(await build.ended).toMatchObject({ reason: { vars: { path: 'out/******.txt' } } })
  expect([...build.reports.keys()]).toEqual(['out/******.txt'])
  expect(JSON.stringify(build.events)).not.toContain('s3cr3t')
})

test('an upload that is cut off is repeated from its first byte', async () => {
  let uploads = 0
  server.trouble = (request, when) => {
    if (!request.url?.includes('/artifacts')) return undefined
    if (when === 'before') uploads++
    return (uploads === 1 && when === 'before') || (uploads === 2 && when === 'after') ? 'cut' : undefined
  }
  const build = server.give(work([script('seq 1 300000 > big'), { name: 'keep', type: 'artifact', files: 'big' }]))
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect(uploads).toBe(3)
  expect(build.artifacts.get('big')?.length).toBe(1_988_895)
})

test.each([
  [{ status: 507, key: 'storage-full' }, { key: 'agents-server-storage-full' }],
  [
    { status: 413, key: 'body-too-large' },
    { key: 'agents-file-too-large', vars: { path: 'a' } },
  ],
  [
    { status: 400, key: 'no-such-name' },
    { key: 'agents-file-refused', vars: { path: 'a', text: 'no-such-name' } },
  ],
])('an artifact that the server refuses with %o', async (refuse, reason) => {
  server.on.artifact = () => refuse
  const build = server.give(work([script('echo > a'), { name: 'keep', type: 'artifact', files: '*' }]))
  expect(await build.ended).toMatchObject({ state: 'failed', reason })
})

test('a pattern without a match fails the step and is named', async () => {
  const build = server.give(work([{ name: 'keep', type: 'artifact', files: 'dist/*.tgz' }]))
  expect(await build.ended).toMatchObject({ reason: { key: 'agents-no-files', vars: { files: 'dist/*.tgz' } } })
  expect(build.log(0)).toBe('No file in the workspace matches dist/*.tgz.\n')
})

test('a name that the server does not accept is skipped with a line in the log, and the other files are stored', async () => {
  const build = server.give(
    work([
      script(String.raw`printf x > "$(printf 'a\nb.txt')"; printf x > 'back\slash.txt'; echo 1 > c.txt`),
      { name: 'keep', type: 'artifact', files: '*.txt' },
    ]),
  )
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect([...build.artifacts.keys()]).toEqual(['c.txt'])
  const why = 'the name has a backslash, a line break or another control character.'
  expect(build.log(1).split('\n')).toEqual([
    String.raw`Passed over a\x0ab.txt: ${why}`,
    String.raw`Passed over back\\slash.txt: ${why}`,
    'Kept c.txt (2 B)',
    '',
  ])
})

test.each([true, false])(
  'a report step without a matching file fails, with failOnFailure %j too',
  async (failOnFailure) => {
    const build = server.give(work([{ name: 'tests', type: 'report', files: 'out/*.xml', failOnFailure }]))
    expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-no-files' } })
    expect(build.log(0)).toBe('No file in the workspace matches out/*.xml.\n')
  },
)

test('reports are published even after a failed script, and failed tests fail their step', async () => {
  server.on.report = (xml) => ({ total: 2, failed: xml.includes('bad') ? 1 : 0, skipped: 0 })
  const build = server.give(
    work([
      script('echo "<good/>" > junit-1.xml; echo "<bad/>" > junit-2.xml; exit 1'),
      { name: 'tests', type: 'report', files: '*.xml', always: true },
    ]),
  )
  expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-script-failed' } })
  expect([...build.reports.keys()]).toEqual(['junit-1.xml', 'junit-2.xml'])
  expect(build.events).toContainEqual(
    expect.objectContaining({
      step: 1,
      state: 'failed',
      reason: { key: 'agents-tests-failed', vars: { failed: 1, total: 4 } },
    }),
  )
  expect(build.log(1)).toBe(
    'junit-1.xml: 2 tests, 0 failed, 0 skipped\njunit-2.xml: 2 tests, 1 failed, 0 skipped\nAll: 4 tests, 1 failed, 0 skipped\n',
  )
})

test('failed tests are only counted if the step says so', async () => {
  server.on.report = () => ({ total: 2, failed: 2, skipped: 0 })
  const build = server.give(
    work([script('echo > r.xml'), { name: 'tests', type: 'report', files: 'r.xml', failOnFailure: false }]),
  )
  expect(await build.ended).toMatchObject({ state: 'success' })
})

test('an invalid report is reported by name', async () => {
  server.on.report = () => ({ status: 400, key: 'not XML' })
  const build = server.give(work([script('echo > r.xml'), { name: 'tests', type: 'report', files: 'r.xml' }]))
  expect(await build.ended).toMatchObject({
    reason: { key: 'agents-report-invalid', vars: { path: 'r.xml', text: 'not XML' } },
  })
})

const deploy = {
  name: 'go',
  type: 'deploy',
  stackUuid: '0'.repeat(8) + '-0000-0000-0000-' + '0'.repeat(12),
  service: 'web',
} as const

test('a deployment is polled until it has ended, and its lines are in the log', async () => {
  server.on.deploy = (call) => ({ state: call < 3 ? 'running' : 'success', log: [`look ${call}`], reason: null })
  const build = server.give(work([deploy]))
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect(build.log(0)).toBe('look 1\nlook 2\nlook 3\n')
})

test('a deployment is requested once the server has what was reported before', async () => {
  let refused = 0
  server.trouble = (request, when) =>
    when === 'before' && request.url?.endsWith('/events') === true && refused++ < 3 ? 503 : undefined
  const build = server.give(work([script('true'), deploy]))
  const known: number[] = []
  server.on.deploy = () => {
    known.push(build.events.length)
    return { state: 'success', log: [], reason: null }
  }
  expect(await build.ended).toMatchObject({ state: 'success' })
  // the start and the end of the first step, and the start of the deployment
  expect(known).toEqual([3])
})

test('repeated lines of a deployment are logged once', async () => {
  server.on.deploy = (call) => ({
    state: call < 4 ? 'running' : 'success',
    log: [call < 4 ? 'on it' : 'ready'],
    reason: null,
  })
  const build = server.give(work([deploy]))
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect(build.log(0)).toBe('on it\nready\n')
})

test('a deployment that fails has the server’s reason', async () => {
  const reason = { key: 'services-not-ready', vars: { service: 'web' } }
  server.on.deploy = () => ({ state: 'failed', log: [], reason })
  expect(await server.give(work([deploy])).ended).toMatchObject({ state: 'failed', reason })
})

test('a deployment continues when the build is stopped', async () => {
  server.on.deploy = () => ({ state: 'running', log: [], reason: null })
  const build = server.give(work([deploy]))
  await eventually(
    () => build.deployCalls,
    (calls) => calls > 0,
  )
  server.cancel(build.work.jobId)
  expect(await build.ended).toMatchObject({ state: 'aborted' })
})

test('a step of the agent itself that was cut off by the agent’s end runs again, and logs nothing twice', async () => {
  server.on.deploy = (call) => ({
    state: call < 4 ? 'running' : 'success',
    log: [call < 3 ? 'waiting' : `look ${call}`],
    reason: null,
  })
  const build = server.give(
    work([script('echo 1 > a; echo 2 > b'), { name: 'keep', type: 'artifact', files: '*' }, deploy]),
  )
  await eventually(
    () => build.deployCalls,
    (calls) => calls > 0,
    { everyMs: 5 },
  )
  await agent.kill('SIGKILL')
  await agent.start()
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect(build.log(1)).toBe('Kept a (2 B)\nKept b (2 B)\n')
  expect(build.log(2)).toBe('waiting\nlook 3\nlook 4\n')
})
