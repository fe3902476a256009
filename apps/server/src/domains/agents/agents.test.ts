import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import { agents } from '@gantry/contract/agents/agents'
import { protocol } from '@gantry/contract/agents/protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import { teams } from '@gantry/contract/teams/teams'
import { expect, test } from 'vitest'
import { runningBuild, testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'

const app = await testApp()
const team = await app.team()

const get = (id: number) => app.admin.call(agents.get, { params: { id } })
const set = async (
  id: number,
  more: { labels?: string[]; capacity?: number; teamId?: number | null; environment?: string | null },
) => {
  const { givenLabels, capacity, teamId, revision } = await get(id)
  return app.admin.call(agents.update, {
    params: { id },
    body: { labels: givenLabels, capacity, teamId, revision, ...more },
  })
}
const machine = {
  name: 'builder-1',
  system: 'Linux 6.1',
  architecture: 'x64',
  cpus: 8,
  memory: 2 ** 35,
  disk: 2 ** 40,
  diskFree: 2 ** 39,
}
const self = { version: '1', osType: 'linux' as const, executors: ['process' as const], isolated: true, holding: [] }
const report = (
  { caller }: Awaited<ReturnType<typeof testAgent>>,
  more: { labels?: string[]; machine?: typeof machine; cleaned?: boolean; free?: number; version?: string } = {},
  headers: Record<string, string> = {},
) => caller.call(protocol.claim, { body: { ...self, free: 1, wait: 0, ...more } }, headers)

const trigger = (id: number) => team.leader.call(builds.trigger, { params: { id }, body: {} })

test('labels set on the server and labels of the agent match alike, and are listed apart', async () => {
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: ['both'] })
  await trigger(pipeline.id)
  expect((await report(agent)).work).toEqual([])
  const { work } = await report(agent, { labels: [pipeline.projectName, 'both'] })
  expect(work).toMatchObject([{ pipelineId: pipeline.id }])
  expect(await get(agent.id)).toMatchObject({
    labels: ['both', pipeline.projectName],
    givenLabels: ['both'],
    ownLabels: [pipeline.projectName, 'both'],
  })
})

test('an agent of one team takes only builds of that team, and other teams do not see it', async () => {
  const [ours, theirs] = [await testPipeline(app, team), await testPipeline(app, await app.team())]
  const agent = await testAgent(app, { labels: [ours.projectName, theirs.projectName] })
  await set(agent.id, { teamId: theirs.teamId })
  await trigger(ours.id)
  expect((await agent.claim()).work).toEqual([])
  const [waiting] = await team.leader.call(builds.queue, { params: { id: ours.id } })
  expect(waiting?.agents.map(({ name }) => name)).not.toContain((await get(agent.id)).name)
  await expect(
    app.admin.call(teams.remove, { params: { id: theirs.teamId }, query: { confirm: (await get(agent.id)).teamName } }),
  ).rejects.toMatchObject({
    status: 409,
  })
  await set(agent.id, { teamId: null })
  expect((await agent.claim()).work).toHaveLength(1)
})

test("an agent's cluster must exist, is kept when a change omits it, and is cleared when the cluster is deleted", async () => {
  const agent = await testAgent(app)
  const { uuid, name } = await app.db
    .insertInto('environment')
    .values({ name: agent.name, server: 'https://127.0.0.1:1', address: '' })
    .returning(['uuid', 'name'])
    .executeTakeFirstOrThrow()
  const unknown = '00000000-0000-4000-8000-000000000000'
  await expect(set(agent.id, { environment: unknown })).rejects.toMatchObject({ key: 'agents-environment-missing' })
  await expect(
    app.admin.call(agents.create, { body: { name: `new-${agent.id}`, environment: unknown } }),
  ).rejects.toMatchObject({ key: 'agents-environment-missing' })
  expect(await set(agent.id, { environment: uuid })).toMatchObject({ environment: uuid, environmentName: name })
  expect(await set(agent.id, { capacity: 3 })).toMatchObject({ environment: uuid, capacity: 3 })
  await app.db.deleteFrom('environment').where('uuid', '=', uuid).execute()
  expect(await get(agent.id)).toMatchObject({ environment: null, environmentName: '' })
})

test('a paused agent finishes what it runs and takes no builds, and waiting builds name this reason', async () => {
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  await trigger(pipeline.id)
  const [work] = (await agent.claim(1)).work
  if (!work) throw new Error('nothing was claimed')
  await app.admin.call(agents.pause, { params: { id: agent.id }, body: { paused: true } })
  await trigger(pipeline.id)
  expect(await agent.claim(1, [work])).toMatchObject({ work: [], drop: [] })
  const [waiting] = await team.leader.call(builds.queue, { params: { id: pipeline.id } })
  const { name } = await get(agent.id)
  expect(waiting?.agents.find((one) => one.name === name)?.reason).toBe('paused')
  await app.admin.call(agents.pause, { params: { id: agent.id }, body: { paused: false } })
  expect((await agent.claim(1, [work])).work).toHaveLength(1)
})

test('an agent never holds more jobs than its capacity, however many free slots it reports', async () => {
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  await set(agent.id, { capacity: 2 })
  for (const _ of [1, 2, 3]) await trigger(pipeline.id)
  const { work } = await agent.claim(10)
  expect(work).toHaveLength(2)
  expect((await agent.claim(10, work)).work).toEqual([])
})

test('a change based on an earlier revision is refused', async () => {
  const agent = await testAgent(app)
  const { revision } = await get(agent.id)
  await set(agent.id, { capacity: 5 })
  const body = { labels: [], capacity: 9, teamId: null, revision }
  await expect(app.admin.call(agents.update, { params: { id: agent.id }, body })).rejects.toMatchObject({
    status: 409,
    key: 'agents-changed',
  })
})

test('an agent that runs builds is neither cleaned nor removed, and the refusal names the builds', async () => {
  const { agent, pipeline, number, held } = await runningBuild(app, team)
  const params = { id: agent.id }
  const named = new RegExp(`${pipeline.projectName} #${number}`)
  const busy = (key: string) => ({ status: 409, key, message: expect.stringMatching(named) })
  await expect(app.admin.call(agents.clean, { params })).rejects.toMatchObject(busy('agent-busy'))
  await expect(app.admin.call(agents.remove, { params })).rejects.toMatchObject(busy('agents-remove-busy'))
  await agent.events(held, 1, [{ type: 'end', state: 'success', logs: [] }])
  await app.admin.call(agents.remove, { params })
  await expect(get(agent.id)).rejects.toMatchObject({ status: 404 })
  await expect(agent.claim()).rejects.toMatchObject({ status: 401 })
})

test('an agent learns with its next claim that it must clean, and takes builds again once it reports that it has', async () => {
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  await report(agent)
  await app.admin.call(agents.clean, { params: { id: agent.id } })
  await trigger(pipeline.id)
  for (const _ of [1, 2]) expect(await report(agent)).toMatchObject({ clean: true, work: [] })
  expect(await get(agent.id)).toMatchObject({ cleaning: true, cleanedAt: null })
  expect(await report(agent, { cleaned: true })).toMatchObject({ clean: false, work: [{ pipelineId: pipeline.id }] })
  expect(await get(agent.id)).toMatchObject({ cleaning: false, cleanedAt: expect.any(String) })
})

test('an agent one minor version apart works, and the list says whether agent or server needs the update', async () => {
  const agent = await testAgent(app)
  const updateAt = async (version: string) => {
    await report(agent, {}, { [protocolHeader]: version })
    return (await app.admin.call(agents.list, {})).find(({ id }) => id === agent.id)?.update
  }
  const [major = 0, minor = 0] = protocolVersion.split('.').map(Number)
  const at = (step: number) => updateAt(`${major}.${minor + step}`)
  expect([await at(-1), await at(0), await at(1)]).toEqual(['agent', null, 'server'])
  // the agent last called before the server was updated
  await app.db.updateTable('agent').set({ protocol: '2.0' }).where('id', '=', agent.id).execute()
  await expect(app.admin.call(agents.clean, { params: { id: agent.id } })).rejects.toMatchObject({
    status: 409,
    key: 'agents-clean-old',
  })
})

test('lists the jobs that an agent runs, has run and could take', async () => {
  const { agent, pipeline, number, held } = await runningBuild(app, team)
  const params = { id: agent.id }
  const job = { jobId: held.jobId, name: pipeline.projectName, number, teamId: team.id, job: '' }
  expect(await app.admin.call(agents.jobs, { params })).toMatchObject([{ ...job, state: 'building' }])
  const next = await trigger(pipeline.id)
  expect(await app.admin.call(agents.queues, { params })).toMatchObject({
    totalSize: 1,
    items: [{ name: pipeline.projectName, number: next.number, state: 'queued', queueId: next.queueId }],
  })
  expect((await app.admin.call(agents.history, { params })).items).toEqual([])
  await agent.events(held, 1, [{ type: 'end', state: 'success', logs: [] }])
  expect(await app.admin.call(agents.history, { params })).toMatchObject({
    totalSize: 1,
    items: [{ ...job, state: 'success' }],
  })
  const other = await testAgent(app)
  expect(await app.admin.call(agents.queues, { params: { id: other.id } })).toMatchObject({ items: [] })
  for (const list of [agents.jobs, agents.queues, agents.history])
    await expect(app.admin.call(list, { params: { id: 999_999 } })).rejects.toMatchObject({ status: 404 })
})

test('a job is stopped only if agent, pipeline and number match, and only while it runs', async () => {
  const { agent, pipeline, number, held } = await runningBuild(app, team)
  const other = await testAgent(app)
  const stop = (id: number, name: string, jobId = held.jobId) =>
    app.admin.call(agents.stopJob, { params: { id, name, jobId } })
  const name = pipeline.projectName
  const foreign = [
    [other.id, name],
    [agent.id, 'other'],
    [agent.id, name, 999_999],
  ] as const
  for (const [id, called, jobId] of foreign)
    await expect(stop(id, called, jobId)).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
  await expect(
    team.leader.call(agents.stopJob, { params: { id: agent.id, name, jobId: held.jobId } }),
  ).rejects.toMatchObject({ status: 403 })
  await stop(agent.id, name)
  expect((await agent.claim(0, [held])).cancel).toEqual([held.jobId])
  await expect(stop(agent.id, name)).rejects.toMatchObject({ status: 409 })
  await agent.events(held, 1, [{ type: 'end', state: 'aborted', logs: [] }])
  await expect(stop(agent.id, name)).rejects.toMatchObject({ status: 409, key: 'stop-fail-build' })
  expect(await team.leader.call(builds.get, { params: { id: pipeline.id, number } })).toMatchObject({
    state: 'aborted',
  })
})

test('each machine is listed once with its agents, sorted and searched by the server', async () => {
  const reports: [string, { machine: typeof machine }][] = [
    ['m-one', { machine: { ...machine, name: 'box-10', cpus: 2 } }],
    ['m-two', { machine: { ...machine, name: 'box-10', cpus: 4 } }],
    ['m-three', { machine: { ...machine, name: 'box-9' } }],
  ]
  for (const [name, more] of reports) await report(await testAgent(app, { name }), more)
  const list = (query: { sort?: string; keyword?: string } = {}) =>
    app.admin.call(agents.hosts, { query: { keyword: 'box-', ...query } })
  expect(await list()).toMatchObject({
    totalSize: 2,
    items: [
      { ...machine, name: 'box-9' },
      { name: 'box-10', cpus: 4, agents: [{ name: 'm-one', state: 'online' }, { name: 'm-two' }] },
    ],
  })
  expect((await list({ sort: 'cpus' })).items.map(({ name }) => name)).toEqual(['box-10', 'box-9'])
  expect((await list({ keyword: 'm-two' })).items).toMatchObject([{ name: 'box-10' }])
  await expect(list({ sort: 'nothing' })).rejects.toMatchObject({ status: 400 })
})

test('an agent that no longer calls is listed with its last call, version and machine', async () => {
  const agent = await testAgent(app)
  await report(agent, { machine, version: '7.7' })
  expect(await get(agent.id)).toMatchObject({ state: 'online', offline: null, machine })
  await app.db
    .updateTable('agent')
    .set({ last_seen_at: new Date('2026-01-02T03:04:05Z') })
    .where('id', '=', agent.id)
    .execute()
  expect(await get(agent.id)).toMatchObject({
    state: 'offline',
    offline: { since: expect.stringContaining('2026-01-02'), version: '7.7' },
    machine,
  })
})
