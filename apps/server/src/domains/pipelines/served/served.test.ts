import { createServer, type IncomingHttpHeaders } from 'node:http'
import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { lint } from '@gantry/contract/pipelines/editing/lint'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { runningBuild, testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp({ ports: { outbound: createOutbound({ allow: ['127.0.0.0/8'] }) } })
const guarded = await testApp({ beside: app, ports: { outbound: createOutbound() } })
let team: Awaited<ReturnType<typeof app.team>>

interface Seen {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}
const seen: Seen[] = []
const target = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(parts).toString() })
    response.writeHead(Number(/\d+$/.exec(url)?.[0] ?? 200), { location: '/elsewhere' }).end('first\nsecond')
  })
})
let origin = ''

beforeAll(async () => {
  team = await app.team()
  await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening))
  origin = `http://127.0.0.1:${(target.address() as { port: number }).port}`
})
afterAll(() => target.close())

/** A build of one step that the server runs, and a function that calls it as the agent. */
async function serving(step: StepInput, texts: Record<string, string> = {}, of = app) {
  const build = await runningBuild(app, team, [step])
  const { jobId, attempt } = build.held
  const token = build.agent
  const input = { params: { jobId, step: 0 }, query: { attempt }, body: { texts } }
  const asker =
    of === app ? token.caller : of.caller({ kind: 'agent', id: token.id, name: token.name, admin: false }, token.token)
  return { ...build, ask: () => asker.call(stepProtocol.serve, input) }
}
const call = (path: string, more: object = {}): StepInput => ({
  type: 'http',
  name: 'call',
  url: `${origin}${path}`,
  ...more,
})

describe('a call of a URL', () => {
  test('sends what the agent filled in, and gives later steps the status', async () => {
    const step = call('/hook', { method: 'POST', headers: [{ name: 'x-token', value: '${variables.T}' }], body: '{}' })
    const { ask } = await serving(step, { url: `${origin}/hook?a=b`, 'headers.0': 'filled', body: '{"a":1}' })
    expect(await ask()).toEqual({
      cancel: false,
      state: 'success',
      log: ['POST answered 200', 'first', 'second'],
      reason: null,
      outputs: { STATUS: '200' },
    })
    expect(seen.at(-1)).toMatchObject({ method: 'POST', url: '/hook?a=b', body: '{"a":1}' })
    expect(seen.at(-1)?.headers['x-token']).toBe('filled')
  })

  test.for<[string, object, 'success' | 'failed']>([
    ['/404', {}, 'failed'],
    ['/404', { statuses: [404] }, 'success'],
    ['/200', { statuses: [201] }, 'failed'],
    ['/302', {}, 'failed'],
  ])('%s with %j is a %s', async ([path, more, state]) => {
    const before = seen.length
    const answer = await (await serving(call(path, more))).ask()
    expect(answer.state).toBe(state)
    expect(answer.reason?.key).toBe(state === 'failed' ? 'agents-http-status' : undefined)
    // redirects are not followed
    expect(seen.length).toBe(before + 1)
  })

  test('is refused to an address of this machine, like all outgoing requests of the server', async () => {
    const before = seen.length
    const { ask } = await serving(call('/hook'), {}, guarded)
    expect(await ask()).toMatchObject({ state: 'failed', reason: { key: 'outbound-refused' } })
    expect(seen.length).toBe(before)
  })
})

describe('another pipeline', () => {
  const starts = (pipelineId: number, more: object = {}): StepInput => ({
    type: 'pipeline',
    name: 'next',
    pipelineId,
    ...more,
  })
  const ended = async (label: string, state: 'success' | 'failed') => {
    const agent = await testAgent(app, { labels: [label] })
    const [work] = (await agent.claim(1)).work
    if (!work) throw new Error('nothing was claimed')
    await agent.events(work, 1, [{ type: 'end', state, logs: [] }])
  }

  test.for(['success', 'failed'] as const)('is started once, waited for, and decides the step: %s', async (state) => {
    const other = await testPipeline(app, team)
    const { ask } = await serving(starts(other.id))
    const running = { state: 'running', log: [`${other.projectName} #1 is queued`] }
    expect(await Promise.all([ask(), ask()])).toMatchObject([running, running])
    expect(await ask()).toMatchObject(running)
    await ended(other.projectName, state)
    expect(await ask()).toMatchObject({ state, outputs: { NUMBER: '1', STATE: state } })
    const list = await team.leader.call(builds.list, { params: { id: other.id } })
    expect(list.items).toMatchObject([{ number: 1, cause: 'pipeline', userCause: team.leader.name }])
  })

  test('is not waited for if the step says so', async () => {
    const other = await testPipeline(app, team)
    const { ask } = await serving(starts(other.id, { wait: false }))
    expect(await ask()).toMatchObject({ state: 'success', log: [`started ${other.projectName} #1`] })
  })

  test('that leads back to the step’s own is reported by lint and refused at the trigger, even if the cycle was closed later', async () => {
    const first = await testPipeline(app, team)
    const second = await testPipeline(app, team, [starts(first.id, { wait: false })])
    const { number } = await team.leader.call(builds.trigger, { params: { id: second.id }, body: {} })
    expect(number).toBe(1)
    const agent = await testAgent(app, { labels: [second.projectName] })
    const [work] = (await agent.claim(1)).work
    if (!work) throw new Error('nothing was claimed')
    const where = { params: { jobId: work.jobId, step: 0 }, query: { attempt: work.attempt }, body: { texts: {} } }
    expect(await agent.caller.call(stepProtocol.serve, where)).toMatchObject({ state: 'success' })
    // close the cycle while the build of the first pipeline waits
    const saved = await team.leader.call(definitions.set, {
      params: { appId: first.appId, pipelineId: first.id },
      body: { stages: [{ name: 'only', steps: [starts(second.id)] }] },
    })
    const way = `${second.projectName} → ${first.projectName}`
    expect(saved.warnings).toContainEqual(expect.objectContaining({ key: 'pipelines-lint-circle', fatal: true }))
    expect(saved.warnings.map(({ text }) => text).join(' ')).toContain(way)
    expect(await team.leader.call(lint.stored, { params: { id: second.id } })).toContainEqual(
      expect.objectContaining({ key: 'pipelines-lint-circle' }),
    )
    await expect(team.leader.call(builds.trigger, { params: { id: first.id }, body: {} })).rejects.toMatchObject({
      status: 409,
      key: 'pipelines-cannot-run',
    })
  })

  test('of another team is refused like a missing one', async () => {
    const stranger = await app.team()
    const theirs = await testPipeline(app, stranger)
    const { id } = await testPipeline(app, team, [starts(theirs.id)])
    await expect(team.leader.call(builds.trigger, { params: { id }, body: {} })).rejects.toMatchObject({
      key: 'pipelines-cannot-run',
    })
    const list = await stranger.leader.call(builds.list, { params: { id: theirs.id } })
    expect(list.totalSize).toBe(0)
  })

  test('is refused if the step’s build descends from it, and beyond a chain of five', async () => {
    const [one, two] = [await testPipeline(app, team), await testPipeline(app, team)]
    const { ask, held } = await serving(starts(one.id))
    const parent = async (pipelineId: number, child: number) => {
      const { queueId } = await team.leader.call(builds.trigger, { params: { id: pipelineId }, body: {} })
      await app.db.updateTable('build').set({ parent_id: queueId }).where('id', '=', child).execute()
      return queueId
    }
    const above = await parent(one.id, held.buildId)
    expect(await ask()).toMatchObject({ state: 'failed', reason: { key: 'pipelines-step-circle' } })
    const deep = await serving(starts(two.id))
    let child = deep.held.buildId
    for (let depth = 0; depth < 4; depth++) child = await parent((await testPipeline(app, team)).id, child)
    expect(await deep.ask()).toMatchObject({ state: 'failed', reason: { key: 'pipelines-step-too-deep' } })
    expect(above).toBeGreaterThan(0)
  })

  test('needs the permission of the build’s actor to start builds', async () => {
    const other = await testPipeline(app, team)
    const { ask, held } = await serving(starts(other.id))
    const viewer = await team.member(['pipeline_build_view'])
    const { id } = await app.db
      .selectFrom('account')
      .select('id')
      .where('user_name', '=', viewer.name)
      .executeTakeFirstOrThrow()
    await app.db.updateTable('build').set({ user_id: id }).where('id', '=', held.buildId).execute()
    expect(await ask()).toMatchObject({ state: 'failed', reason: { vars: { permission: 'pipeline_build_execute' } } })
  })
})
