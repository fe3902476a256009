import { type AddressInfo, connect as connectTo, createServer } from 'node:net'
import { agents } from '@gantry/contract/agents/agents'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { terminals } from '@gantry/contract/pipelines/terminals'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess, modes } from '../../../../../agent/test/agent-process.ts'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { connectTerminal } from '../../../../test/build-terminal.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'

const app = await testApp()
const { origin, ticket } = await socketClient(app)
const team = await app.team()
const soon = { timeout: 20_000 }
const started: AgentProcess[] = []
afterAll(async () => {
  for (const agent of started) await agent.close()
})

let made = 0

/** An agent in its own process, with its name as its label. */
async function realAgent(at = origin, uid?: number) {
  const name = `terminal-agent-${++made}`
  const { token, id } = await app.admin.call(agents.create, { body: { name, labels: [name], capacity: 2 } })
  const env = { GANTRY_AGENT_TOKEN: token, GANTRY_AGENT_FIRST_UID: String(63_000 + made * 20) }
  const agent = await agentProcess(at, env, undefined, uid === undefined ? {} : { uid })
  started.push(agent)
  return { agent, name, id }
}

async function startBuild(label: string, stages: StageInput[]) {
  const pipeline = await testPipeline(app, team, [], stages)
  await app.db
    .updateTable('pipeline')
    .set({ agent_labels: [label] })
    .where('id', '=', pipeline.id)
    .execute()
  const { id } = pipeline
  const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
  const params = { id, number, job: 0 }
  const lines = async () => {
    const { lines } = await team.leader.call(builds.log, {
      params: { id, number, stage: stages[0]?.name ?? '' },
      query: {},
    })
    return lines.map(({ text }) => text)
  }
  const state = async () => (await team.leader.call(builds.get, { params: { id, number } })).state
  return { id, number, params, lines, state }
}

const running = (label: string, run = 'echo here; sleep 600'): Promise<Awaited<ReturnType<typeof startBuild>>> =>
  startBuild(label, [{ name: 'only', steps: [{ type: 'script', name: 'run', run, shell: 'bash' }] }])

async function open(params: { id: number; number: number; job: number }, who: TestCaller = team.leader) {
  const { url, ticket: given } = await who.call(terminals.open, { params })
  return connectTerminal(origin, url, given)
}

describe.each(modes)('in a running step, for an agent as $mode,', ({ mode, uid }) => {
  let build: Awaited<ReturnType<typeof startBuild>>
  beforeAll(async () => {
    const { name } = await realAgent(origin, uid)
    build = await running(name, 'echo kept > file; echo here; sleep 600')
    // expect.poll can only be used in tests
    await eventually(build.lines, (lines) => lines.includes('here'))
  })

  test('a shell runs like the step’s processes: same user, folder, process group, environment and window size', async () => {
    const shell = await open(build.params)
    shell.resize(91, 33)
    shell.type('echo "is $(cat file) $GANTRY_PIPELINE_X$GANTRY_BUILD_NUMBER"; ps ax | grep -c "[s]leep 600"\r')
    await expect.poll(shell.output, soon).toContain(`is kept ${build.number}`)
    shell.type('stty size; id -u; touch /etc/mine; echo end$((1 + 1))\r')
    await expect.poll(shell.output, soon).toContain('end2')
    expect(shell.output()).toContain('33 91')
    if (mode === 'root') expect(shell.output()).toMatch(/\n63\d\d\d\r/)
    expect(shell.output()).toMatch(/touch: cannot touch '\/etc\/mine'/)
    shell.type('exit 3\r')
    await shell.closed
    expect(shell.message()).toBe('')
    expect(await build.state()).toBe('building')
  })

  test('opens only with its permission, and once for each ticket', async () => {
    const member = await team.member(['pipeline_build_view', 'pipeline_build_execute'])
    await expect(member.call(terminals.open, { params: build.params })).rejects.toMatchObject({ status: 403 })
    const stranger = await app.team()
    await expect(stranger.leader.call(terminals.open, { params: build.params })).rejects.toMatchObject({ status: 404 })
    const { url, ticket: given } = await team.leader.call(terminals.open, { params: build.params })
    const first = await connectTerminal(origin, url, given)
    expect(first.status).toBe(101)
    expect((await connectTerminal(origin, url, given)).status).toBe(401)
    expect((await connectTerminal(origin, url, await ticket(member, url))).status).toBe(403)
    first.ws.close()
    await first.closed
  })

  test('closing it ends all its processes and writes to the audit log', async () => {
    const shell = await open(build.params)
    shell.type('(setsid sleep 4321 &); echo on$((1 + 1))\r')
    await expect.poll(shell.output, soon).toContain('on2')
    shell.ws.close()
    await shell.closed
    const next = await open(build.params)
    const count = async () => {
      next.type('echo "left $(ps ax | grep -c "[s]leep 4321")."\r')
      return next.output()
    }
    await expect.poll(count, soon).toContain('left 0.')
    next.ws.close()
    const rows = () =>
      app.db.selectFrom('audit_log').select('action').where('action', 'like', 'build.terminal%').execute()
    await expect.poll(rows, soon).toContainEqual({ action: 'build.terminal' })
    expect(await rows()).toContainEqual({ action: 'build.terminal-open' })
  })

  test('it ends with its step', async () => {
    const shell = await open(build.params)
    shell.type('echo up$((1 + 1))\r')
    await expect.poll(shell.output, soon).toContain('up2')
    await team.leader.call(builds.stop, { params: { id: build.id, number: build.number } })
    await shell.closed
    expect(shell.message()).toBe('The step has ended, and this terminal with it.')
    await expect.poll(build.state, soon).toBe('aborted')
    await expect(team.leader.call(terminals.open, { params: build.params })).rejects.toMatchObject({
      status: 409,
      key: 'pipelines-terminal-ended',
    })
  })
})

test('the agent reconnects until it reaches the replica that holds the terminal', async () => {
  const beside = await testApp({ beside: app })
  const there = await socketClient(beside)
  // like a load balancer: each connection goes to the other replica
  const ports = [origin, there.origin].map((url) => Number(new URL(url).port))
  let turn = 0
  const balancer = createServer((socket) => {
    const to = connectTo(ports[turn++ % 2] ?? 0, '127.0.0.1')
    for (const end of [socket, to]) end.on('error', () => undefined)
    socket.pipe(to).pipe(socket)
  })
  await new Promise<void>((done) => balancer.listen(0, '127.0.0.1', done))
  afterAll(() => balancer.close())
  const { name } = await realAgent(`http://127.0.0.1:${(balancer.address() as AddressInfo).port}`)
  const build = await running(name)
  await expect.poll(build.lines, soon).toContain('here')
  for (const host of [origin, there.origin, origin]) {
    const { url, ticket: given } = await team.leader.call(terminals.open, { params: build.params })
    const shell = await connectTerminal(host, url, given)
    shell.type('echo on$((1 + 1))\r')
    await expect.poll(shell.output, soon).toContain('on2')
    shell.ws.close()
    await shell.closed
  }
})

describe('a failed job', () => {
  let agent: AgentProcess
  let label = ''
  beforeAll(async () => {
    const one = await realAgent()
    agent = one.agent
    label = one.name
  })

  const failing = (run: string, keepsWorkspace = true) =>
    startBuild(label, [{ name: 'only', keepsWorkspace, steps: [{ type: 'script', name: 'run', run }] }])

  test('has a terminal with the files of the failed step and its variables without secrets', async () => {
    const secret = `s3cret-${Math.random()}`
    const pipeline = await testPipeline(
      app,
      team,
      [],
      [
        {
          name: 'only',
          keepsWorkspace: true,
          steps: [{ type: 'script', name: 'run', run: 'echo "made $TOKEN" > made.txt; exit 7' }],
        },
      ],
    )
    await app.db
      .updateTable('pipeline')
      .set({ agent_labels: [label] })
      .where('id', '=', pipeline.id)
      .execute()
    const { id } = pipeline
    const variables = [
      { name: 'TOKEN', value: secret, secret: true },
      { name: 'PLAIN', value: 'plain', secret: false },
    ]
    await team.leader.call(pipelines.setVariables, { params: { id }, body: { variables } })
    const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
    const state = async () => (await team.leader.call(builds.get, { params: { id, number } })).state
    await expect.poll(state, soon).toBe('failed')
    const params = { id, number, job: 0 }
    const shell = await eventually(async () => {
      const one = await open(params)
      one.type('echo "[$(cat made.txt)] [$PLAIN] [$TOKEN]"; echo end$((1 + 1))\r')
      await eventually(() => one.output().includes('end2') || one.message() !== undefined, Boolean)
      expect(one.message()).toBeUndefined()
      return one
    })
    expect(shell.output()).toContain('[made ******] [plain] []')
    expect(shell.output()).not.toContain(secret)
    // a second terminal waits for the first
    const second = await open(params)
    await second.closed
    expect(second.message()).toContain('already has a terminal open')
    shell.type('echo more > more.txt; exit\r')
    await shell.closed
    const again = await open(params)
    again.type('ls; echo end$((1 + 1))\r')
    await expect.poll(again.output, soon).toContain('more.txt')
    // a retry takes the workspace and ends the terminals in it
    await team.leader.call(builds.retry, { params: { id, number }, body: { from: 'failed' } })
    await again.closed
    expect(again.message()).toContain('A retry of the job has taken the workspace')
    await expect.poll(state, soon).toBe('failed')
  })

  test('that keeps no workspace says how to keep one', async () => {
    const build = await failing('exit 1', false)
    await expect.poll(build.state, soon).toBe('failed')
    await expect(team.leader.call(terminals.open, { params: build.params })).rejects.toMatchObject({
      status: 409,
      key: 'pipelines-terminal-not-kept',
    })
  })

  test('whose agent dies ends its terminal with the reason', async () => {
    const build = await failing('echo x > x; exit 1')
    await expect.poll(build.state, soon).toBe('failed')
    const shell = await eventually(async () => {
      const one = await open(build.params)
      one.type('echo end$((1 + 1))\r')
      await eventually(() => one.output().includes('end2') || one.message() !== undefined, Boolean)
      expect(one.message()).toBeUndefined()
      return one
    })
    await agent.kill('SIGKILL')
    await shell.closed
    expect(shell.message()).toContain('The connection to the agent')
    await agent.start()
    const next = await open(build.params)
    next.type('cat x; echo end$((1 + 1))\r')
    await expect.poll(next.output, soon).toContain('end2')
    next.ws.close()
    await next.closed
  })
})

test('a terminal closes at its time limit with the reason', async () => {
  const short = await testApp({ beside: app, config: { buildTerminalSeconds: 1 } })
  const there = await socketClient(short)
  const { name } = await realAgent(there.origin)
  const build = await running(name)
  await expect.poll(build.lines, soon).toContain('here')
  const { url, ticket: given } = await team.leader.call(terminals.open, { params: build.params })
  const shell = await connectTerminal(there.origin, url, given)
  await shell.closed
  expect(shell.message()).toBe('A terminal closes after 1 minute. Open another one to go on.')
  expect(await build.state()).toBe('building')
})

test('a job that cannot have a terminal is refused with the reason', async () => {
  const script = { type: 'script' as const, name: 'run', run: 'true' }
  const pipeline = await testPipeline(
    app,
    team,
    [],
    [{ name: 'jobs', jobs: [{ name: 'one', steps: [{ type: 'checkout', name: 'get' }, script] }] }],
  )
  const { id, projectName } = pipeline
  const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
  const params = { id, number, job: 0 }
  const refused = (key: string) =>
    expect(team.leader.call(terminals.open, { params })).rejects.toMatchObject({ status: 409, key })
  await refused('pipelines-terminal-not-begun')
  await expect(team.leader.call(terminals.open, { params: { ...params, job: 5 } })).rejects.toMatchObject({
    status: 404,
  })
  const agent = await testAgent(app, { labels: [projectName] })
  const [job] = (await agent.claim(1)).work
  if (!job) throw new Error('nothing was claimed')
  const now = { at: Date.now() }
  await agent.events(job, 1, [{ type: 'step', step: 0, state: 'building', ...now }])
  await refused('pipelines-terminal-no-script')
  await agent.events(job, 2, [
    { type: 'step', step: 0, state: 'success', ...now },
    { type: 'step', step: 1, state: 'building', ...now },
  ])
  expect(await team.leader.call(terminals.open, { params })).toMatchObject({ step: 'run', seconds: 1800 })
  const setAgent = (set: object) => app.db.updateTable('agent').set(set).where('id', '=', agent.id).execute()
  await setAgent({ isolated: false })
  await refused('pipelines-terminal-not-isolated')
  await setAgent({ isolated: true, last_seen_at: new Date(0).toISOString() })
  await refused('pipelines-terminal-agent-offline')
  const setJob = (set: object) => app.db.updateTable('build_job').set(set).where('id', '=', job.jobId).execute()
  await setJob({ executor: 'kubernetes', state: 'failed' })
  await refused('pipelines-terminal-pod-gone')
  await setJob({ executor: 'process', state: 'building' })
  await app.db.deleteFrom('agent').where('id', '=', agent.id).execute()
  await refused('pipelines-terminal-agent-gone')
})
