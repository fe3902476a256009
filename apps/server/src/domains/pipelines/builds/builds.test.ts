import { Readable } from 'node:stream'
import { artifacts } from '@gantry/contract/pipelines/artifacts'
import { builds } from '@gantry/contract/pipelines/builds'
import { tests } from '@gantry/contract/pipelines/findings/tests'
import { pipelines, Repository } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { newBlobKey } from '../../../adapters/blobs/blobs.ts'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { type Held, runningBuild, testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { jsonb } from '../../../db/json.ts'
import { sweepBlobs } from '../uploads/blobs.jobs.ts'
import { expectBlob } from '../uploads/blobs.store.ts'
import { expireGates } from '../jobs/gates.service.ts'
import { collectLost } from '../queue/leases.service.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs } })
let team: Awaited<ReturnType<typeof app.team>>

beforeAll(async () => {
  team = await app.team()
})

const trigger = (id: number, body: object = {}) => team.leader.call(builds.trigger, { params: { id }, body })
const read = (id: number, number: number) => team.leader.call(builds.get, { params: { id, number } })
const log = (id: number, number: number, query: object = {}) =>
  team.leader.call(builds.log, { params: { id, number, stage: 'only' }, query })

const running = () => runningBuild(app, team)

const at = 0
const started = { type: 'step' as const, step: 0, state: 'building' as const, at }
const succeeded = { type: 'step' as const, step: 0, state: 'success' as const, exitCode: 0, at }

test('a build is queued, claimed, run and ended, and its log is complete', async () => {
  const { pipeline, number, agent, held } = await running()
  expect(await read(pipeline.id, number)).toMatchObject({ state: 'building', attempt: 1 })
  await agent.events(held, 1, [started])
  await agent.log(held, 0, 0, 'hello\nwor')
  expect(await log(pipeline.id, number)).toMatchObject({
    total: 2,
    complete: false,
    lines: [
      { n: 0, text: 'hello' },
      { n: 1, text: 'wor' },
    ],
  })
  await agent.log(held, 0, 9, 'ld\n')
  await agent.events(held, 2, [succeeded, { type: 'end', state: 'success', logs: [{ step: 0, bytes: 12 }] }])
  const build = await read(pipeline.id, number)
  expect(build).toMatchObject({
    state: 'success',
    stages: [{ state: 'success', steps: [{ state: 'success', logLines: 2 }] }],
  })
  await app.drainJobs()
  expect(await log(pipeline.id, number)).toMatchObject({
    total: 2,
    complete: true,
    lines: [
      { n: 0, text: 'hello' },
      { n: 1, text: 'world' },
    ],
  })
  expect(
    (await app.db.selectFrom('build_log_chunk').selectAll().where('build_id', '=', held.buildId).execute()).length,
  ).toBe(0)
})

describe('the branch, tag and commit of a build', () => {
  const commit = 'a'.repeat(40)
  const { credentialId: _, ...repository } = Repository.parse({ url: 'https://git.example.test/a.git', branch: 'main' })
  const withRepository = async () => {
    const pipeline = await testPipeline(app, team)
    const { url, branch } = repository
    await app.db
      .updateTable('pipeline')
      .set({ repository_url: url, repository_branch: branch })
      .where('id', '=', pipeline.id)
      .execute()
    return { pipeline, agent: await testAgent(app, { labels: [pipeline.projectName] }) }
  }

  test.each([
    [{}, { branch: 'main', tag: '', commit: '' }],
    [{ branch: 'next' }, { branch: 'next', tag: '', commit: '' }],
    [{ tag: 'v1' }, { branch: '', tag: 'v1', commit: '' }],
    [
      { branch: 'next', commit },
      { branch: 'next', tag: '', commit },
    ],
  ])('follow from the trigger: %j', async (body, expected) => {
    const { pipeline, agent } = await withRepository()
    const { number } = await trigger(pipeline.id, body)
    const [work] = (await agent.claim(1)).work
    expect(work?.repository).toEqual({ ...repository, ...expected, fork: false })
    expect(await read(pipeline.id, number)).toMatchObject(expected)
    const environment = Object.fromEntries((work?.environment ?? []).map(({ name, value }) => [name, value]))
    expect(environment).toMatchObject({
      GANTRY_BRANCH: expected.branch,
      GANTRY_TAG: expected.tag,
      GANTRY_COMMIT: expected.commit,
      GANTRY_CAUSE: 'manual',
    })
  })

  test('are refused: a branch together with a tag, and half a commit', async () => {
    const { pipeline } = await withRepository()
    for (const body of [{ branch: 'a', tag: 'b' }, { commit: 'c0ffee' }, { tag: '--upload-pack=x' }])
      await expect(trigger(pipeline.id, body)).rejects.toMatchObject({ status: 400 })
  })

  test('the first checkout determines the commit for good if the trigger names none', async () => {
    const { pipeline, agent } = await withRepository()
    const { number } = await trigger(pipeline.id)
    const [work] = (await agent.claim(1)).work
    const lease = { jobId: work?.jobId ?? 0, attempt: 1 }
    await agent.events(lease, 1, [{ type: 'commit', commit, message: 'first' }])
    await app.db
      .updateTable('build_job')
      .set({ lease_until: sql`now() - interval '1 second'` })
      .where('id', '=', lease.jobId)
      .execute()
    await collectLost(app.ctx())
    const [again] = (await agent.claim(1)).work
    expect(again).toMatchObject({ attempt: 2, repository: { commit } })
    await agent.events({ ...lease, attempt: 2 }, 1, [{ type: 'commit', commit: 'b'.repeat(40), message: 'other' }])
    expect(await read(pipeline.id, number)).toMatchObject({ commit, commitMessage: 'first' })
  })
})

test('a build is not started if its pipeline is deleted at the same moment', async () => {
  const pipeline = await testPipeline(app, team)
  let starting: ReturnType<typeof trigger> | undefined
  await app.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('pipeline').where('id', '=', pipeline.id).execute()
    starting = trigger(pipeline.id)
    starting.catch(() => undefined)
    // It has read the pipeline and waits for its row's lock.
    const waits = sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%next_number%'`
    await expect.poll(async () => (await waits.execute(app.db)).rows[0]?.n).toBe(1)
  })
  await expect(starting).rejects.toMatchObject({ status: 404 })
})

test('a keyword filters the lists of builds and of images, on every page and in the total', async () => {
  const { pipeline, agent, held } = await running()
  const image = { type: 'image', step: 0, image: 'r.example.test/shop/web', tag: '1.7', digest: 'sha256:ab' } as const
  await agent.events(held, 1, [
    started,
    { type: 'commit', commit: 'c0ffee', message: 'Sell 100% more' },
    { ...image, size: 1, registryId: 1 },
  ])
  const params = { id: pipeline.id }
  const found = async (list: typeof builds.list | typeof builds.images, keyword: string) => {
    const { items, totalSize } = await team.leader.call(list, { params, query: { keyword } })
    return [items.length, totalSize]
  }
  for (const keyword of ['', 'SHOP/', '1.7', 'sha256:ab']) expect(await found(builds.images, keyword)).toEqual([1, 1])
  for (const keyword of ['', 'C0ffee', '100%', team.leader.name])
    expect(await found(builds.list, keyword)).toEqual([1, 1])
  for (const keyword of ['other', '1%7', '_'])
    for (const list of [builds.images, builds.list]) expect(await found(list, keyword)).toEqual([0, 0])
})

describe('the name of a variable that controls what a step executes', () => {
  const names = ['PATH', 'LD_PRELOAD', 'BASH_ENV', 'ENV', 'IFS', 'NODE_OPTIONS', 'GIT_SSH_COMMAND', 'GANTRY_WORKSPACE']

  test.each(names)('%s is refused for a parameter, in the settings and when a build is started', async (name) => {
    const pipeline = await testPipeline(app, team)
    const at = { params: { appId: pipeline.appId, pipelineId: pipeline.id } }
    const { revision: _, ...setting } = await team.leader.call(pipelines.setting, at)
    const refused = { status: 400, key: 'pipelines-parameter-reserved' }
    const save = (more: object) => team.leader.call(pipelines.setSetting, { ...at, body: { ...setting, ...more } })
    await expect(save({ parameters: [{ name }] })).rejects.toMatchObject(refused)
    await expect(save({ parameters: [{ name }] })).rejects.toThrow(name)
    await save({ variables: [{ name, value: '/editor' }], parameters: [{ name: `MY_${name}` }] })

    // stored by an earlier release: still read, with its default value
    const parameters = [{ name, description: '', defaultValue: '/default' }]
    await app.db
      .updateTable('pipeline')
      .set({ parameters: jsonb(parameters) })
      .where('id', '=', pipeline.id)
      .execute()
    expect((await team.leader.call(pipelines.setting, at)).parameters).toMatchObject(parameters)
    const start = (given: Record<string, string>) =>
      team.leader.call(builds.triggerWithParameters, { params: { id: pipeline.id }, body: { parameters: given } })
    await expect(start({ [name]: '/evil' })).rejects.toMatchObject(refused)
    await start({})
    const agent = await testAgent(app, { labels: [pipeline.projectName] })
    const [work] = (await agent.claim(1)).work
    expect(work?.environment).toContainEqual({ name, value: '/editor' })
    expect(work?.environment).toContainEqual({ name, value: '/default' })
  })
})

test('a build does not end while a log is incomplete', async () => {
  const { pipeline, number, agent, held } = await running()
  await agent.log(held, 0, 0, 'half')
  await expect(
    agent.events(held, 1, [started, succeeded, { type: 'end', state: 'success', logs: [{ step: 0, bytes: 8 }] }]),
  ).rejects.toMatchObject({ status: 409, key: 'agents-log-incomplete' })
  expect(await read(pipeline.id, number)).toMatchObject({
    state: 'building',
    stages: [{ steps: [{ state: 'pending' }] }],
  })
})

describe('attempts', () => {
  test('a build whose agent was lost is queued again, and events of the old attempt are refused', async () => {
    const { pipeline, number, agent, held } = await running()
    await agent.events(held, 1, [started])
    await agent.log(held, 0, 0, 'first attempt\n')
    await app.db
      .updateTable('build_job')
      .set({ lease_until: sql`now() - interval '1 second'` })
      .where('id', '=', held.jobId)
      .execute()
    expect(await collectLost(app.ctx())).toBe(1)
    expect(await read(pipeline.id, number)).toMatchObject({
      state: 'queued',
      stages: [{ steps: [{ state: 'pending', logLines: 0 }] }],
    })

    const other = await testAgent(app, { labels: [pipeline.projectName] })
    const [again] = (await other.claim(1)).work
    expect(again).toMatchObject({ jobId: held.jobId, attempt: 2 })
    await expect(agent.events(held, 2, [succeeded])).rejects.toMatchObject({ status: 409, key: 'agents-attempt-over' })
    expect(await agent.log(held, 0, 14, 'late\n')).toMatchObject({ status: 409, message: 'agents-attempt-over' })
    expect((await agent.claim(0, [held])).drop).toEqual([held.jobId])
    expect(await log(pipeline.id, number)).toMatchObject({ total: 0 })
  })

  test('a build fails with its reason after three attempts', async () => {
    const { pipeline, number, held } = await running()
    const lose = async () => {
      await app.db
        .updateTable('build_job')
        .set({ lease_until: sql`now() - interval '1 second'` })
        .where('id', '=', held.jobId)
        .execute()
      await collectLost(app.ctx())
    }
    for (let attempt = 2; attempt <= 3; attempt++) {
      await lose()
      await (await testAgent(app, { labels: [pipeline.projectName] })).claim(1)
    }
    await lose()
    const build = await read(pipeline.id, number)
    expect(build.state).toBe('failed')
    expect(build.message).toContain('3 attempts')
  })

  test('work whose answer was lost is sent again in the same attempt', async () => {
    const { agent, work } = await running()
    const [again] = (await agent.claim(1)).work
    expect(again).toEqual(work)
    expect((await agent.claim(1, [{ jobId: work.jobId, attempt: 1 }])).work).toEqual([])
  })

  test('each build is leased to one agent under many concurrent claims', async () => {
    const pipeline = await testPipeline(app, team)
    const numbers = await Promise.all(Array.from({ length: 20 }, () => trigger(pipeline.id).then((one) => one.number)))
    expect(new Set(numbers).size).toBe(20)
    const agents = await Promise.all(
      Array.from({ length: 5 }, () => testAgent(app, { labels: [pipeline.projectName] })),
    )
    const leases = agents.map((): Held[] => [])
    const ask = (at: number) => agents[at]?.claim(3, leases[at])
    const claimed: number[] = []
    for (let round = 0; claimed.length < 20 && round < 10; round++)
      for (const [at, answer] of (await Promise.all(agents.map((_, at) => ask(at)))).entries())
        for (const { number, jobId, attempt } of answer?.work ?? []) {
          claimed.push(number)
          leases[at]?.push({ jobId, attempt })
        }
    expect(claimed.toSorted((a, b) => a - b)).toEqual(numbers.toSorted((a, b) => a - b))
  })
})

test('an exclusive pipeline never runs two builds', async () => {
  const pipeline = await testPipeline(app, team)
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const setting = await team.leader.call(pipelines.setting, { params })
  await team.leader.call(pipelines.setSetting, { params, body: { ...setting, concurrent: false } })
  for (let n = 0; n < 3; n++) await trigger(pipeline.id)
  const labels = [pipeline.projectName]
  const [one, two] = [await testAgent(app, { labels }), await testAgent(app, { labels })]
  const claimed = (await Promise.all([one.claim(3), two.claim(3)])).flatMap(({ work }) => work)
  expect(claimed.map((work) => work.number)).toEqual([1])
  const [entry] = await team.leader.call(builds.queue, { params: { id: pipeline.id } })
  expect(entry?.reason).toContain('#1')
})

test('teams take turns: a team that queued many builds does not keep all slots', async () => {
  const labels = ['for all']
  const queueOf = async (many: number) => {
    const own = await app.team()
    const { id } = await testPipeline(app, own)
    await app.db.updateTable('pipeline').set({ agent_labels: labels }).where('id', '=', id).execute()
    for (let n = 0; n < many; n++) await own.leader.call(builds.trigger, { params: { id }, body: {} })
    const places = async () => (await own.leader.call(builds.queue, { params: { id } })).map(({ position }) => position)
    return { id, places }
  }
  const [first, second] = [await queueOf(4), await queueOf(2)]
  const [[a1, a2, a3], [b1, b2]] = [await first.places(), await second.places()]
  expect([a1, b1, a2, b2, a3]).toEqual([a1, b1, a2, b2, a3].toSorted((a = 0, b = 0) => a - b))
  const agent = await testAgent(app, { labels })
  const take = async (free: number) =>
    (await agent.claim(free)).work.map((work) => `${work.pipelineId === first.id ? 'first' : 'second'} ${work.number}`)
  // a leased build is returned again, in any order, until its agent reports on it
  expect((await take(3)).toSorted()).toEqual(['first 1', 'first 2', 'second 1'])
  expect((await take(4)).toSorted()).toEqual(['first 1', 'first 2', 'second 1', 'second 2'])
})

test('labels decide which agent may take a build, and the queue names the missing ones', async () => {
  const pipeline = await testPipeline(app, team)
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const setting = await team.leader.call(pipelines.setting, { params })
  await team.leader.call(pipelines.setSetting, { params, body: { ...setting, agentLabels: ['gpu'] } })
  await trigger(pipeline.id)
  const plain = await testAgent(app, { name: 'plain' })
  expect((await plain.claim(5)).work).toEqual([])
  const [entry] = await team.leader.call(builds.queue, { params: { id: pipeline.id } })
  expect(entry?.agents.find((agent) => agent.name === 'plain')?.reason).toContain('gpu')
  const fitting = await testAgent(app, { labels: ['gpu', 'linux'] })
  expect((await fitting.claim(5)).work).toHaveLength(1)
})

test('an agent without isolation gets administrators’ builds only', async () => {
  const pipeline = await testPipeline(app, team)
  await trigger(pipeline.id)
  const loose = await testAgent(app, { isolated: false, labels: [pipeline.projectName] })
  expect((await loose.claim(5)).work.filter((work) => work.pipelineId === pipeline.id)).toEqual([])
  await app.admin.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  expect((await loose.claim(5)).work.filter((work) => work.pipelineId === pipeline.id)).toMatchObject([{ number: 2 }])
})

describe('stopping', () => {
  test('tells the agent of a running build once, and takes the outcome from its report', async () => {
    const { pipeline, number, agent, held } = await running()
    await team.leader.call(builds.stop, { params: { id: pipeline.id, number } })
    await expect(team.leader.call(builds.stop, { params: { id: pipeline.id, number } })).rejects.toMatchObject({
      status: 409,
      key: 'pipelines-stopping-already',
    })
    expect((await agent.claim(0, [held])).cancel).toEqual([held.jobId])
    expect((await agent.events(held, 1, [])).cancel).toBe(true)
    await agent.events(held, 1, [
      { type: 'end', state: 'aborted', reason: { key: 'agents-stopped', vars: {} }, logs: [] },
    ])
    expect(await read(pipeline.id, number)).toMatchObject({
      state: 'aborted',
      message: `Stopped by ${team.leader.name}`,
      stages: [{ steps: [{ state: 'not_built' }] }],
    })
  })

  test('cancels a queued build, and refuses an ended one', async () => {
    const pipeline = await testPipeline(app, team)
    const { number, queueId } = await trigger(pipeline.id)
    await team.leader.call(builds.cancel, { params: { id: pipeline.id, queueId } })
    expect(await read(pipeline.id, number)).toMatchObject({
      state: 'aborted',
      message: `Stopped by ${team.leader.name}`,
    })
    await expect(team.leader.call(builds.stop, { params: { id: pipeline.id, number } })).rejects.toMatchObject({
      status: 409,
      key: 'stop-fail-build',
    })
    await expect(team.leader.call(builds.cancel, { params: { id: pipeline.id, queueId } })).rejects.toMatchObject({
      status: 409,
    })
  })
})

test('one idempotency key starts one build, however often and concurrently it is sent', async () => {
  const pipeline = await testPipeline(app, team)
  const answers = await Promise.all(Array.from({ length: 20 }, () => trigger(pipeline.id, { idempotencyKey: 'once' })))
  expect(new Set(answers.map((one) => one.number)).size).toBe(1)
  expect((await team.leader.call(builds.list, { params: { id: pipeline.id } })).totalSize).toBe(1)
})

test.for(['queued', 'waiting'])('a team with too many %s builds gets 429 for another one', async (state) => {
  const crowded = await app.team()
  const pipeline = await testPipeline(app, crowded)
  await crowded.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  await sql`insert into build (pipeline_id, team_id, number, state, cause, user_cause, by_admin, definition, timeout_seconds)
    select ${pipeline.id}, ${crowded.id}, n, ${state}::text, 'manual', 'x', false, '{"stages": []}', 60 from generate_series(1000, 1498) n`.execute(
    app.db,
  )
  await expect(crowded.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })).rejects.toMatchObject({
    status: 429,
    key: 'pipelines-queue-full',
  })
  await app.db.deleteFrom('build').where('pipeline_id', '=', pipeline.id).execute()
})

test('artifacts and reports are stored, listed and downloaded; a path outside the workspace is refused', async () => {
  const { pipeline, number, agent, held } = await running()
  expect((await agent.upload(held, 0, 'artifacts', 'out/app.txt', 'content')).data).toMatchObject({ size: 7 })
  expect((await agent.upload(held, 0, 'artifacts', '../../etc/passwd', 'x')).status).toBe(400)
  const junit =
    '<testsuite name="s"><testcase name="ok"/><testcase name="bad"><failure message="no"/></testcase></testsuite>'
  expect((await agent.upload(held, 0, 'reports', 'junit.xml', junit)).data).toMatchObject({ total: 2, failed: 1 })
  await agent.upload(held, 0, 'reports', 'junit.xml', junit)
  expect(await read(pipeline.id, number)).toMatchObject({ tests: { total: 2, failed: 1, skipped: 0 }, artifactNum: 1 })
  const cases = await team.leader.call(tests.list, { params: { id: pipeline.id, number } })
  expect(cases.items.map((one) => [one.name, one.state])).toEqual([
    ['bad', 'failed'],
    ['ok', 'passed'],
  ])
  const [artifact] = await team.leader.call(artifacts.list, { params: { id: pipeline.id, number } })
  const file = await team.leader.request(artifacts.file, {
    params: { id: pipeline.id, number, artifactId: artifact?.id ?? 0 },
  })
  expect(file.body).toBe('content')
  expect(file.headers['content-disposition']).toContain('app.txt')
})

test('texts of reports are masked like a log before they are stored', async () => {
  const { pipeline, number, agent, held } = await running()
  const { revision: _, ...setting } = await team.leader.call(pipelines.setting, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
  })
  const variables = [
    { name: 'TOK', value: `s3cr3t-T&k'99`, secret: true },
    { name: 'PIN', value: '4711', secret: true },
  ]
  await team.leader.call(pipelines.setSetting, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
    body: { ...setting, variables },
  })
  const said = 's3cr3t-T&amp;k&apos;99'
  const filler = 'x'.repeat(3_990)
  const junit = `<testsuite name="s ${said}"><testcase name="n-${said}"><failure message="m ${said}">${btoa(`s3cr3t-T&k'99`)} ${said} 4711</failure></testcase><testcase name="long"><failure>${filler} ${said}</failure></testcase></testsuite>`
  expect((await agent.upload(held, 0, 'reports', 'junit.xml', junit)).status).toBe(200)
  const { items } = await team.leader.call(tests.list, { params: { id: pipeline.id, number } })
  expect(items).toMatchObject([
    {
      suite: `s ${mask}`,
      name: `n-${mask}`,
      message: `m ${mask}\n${mask}Q== ${mask} ${mask}`,
    },
    { name: 'long', message: `${filler} ${mask}` },
  ])
  const sarif = {
    runs: [{ results: [{ message: { text: `found s3cr3t-T&k'99` }, locations: [] }] }],
  }
  expect((await agent.upload(held, 0, 'scans', 'a.sarif', JSON.stringify(sarif))).status).toBe(200)
  expect(
    (await agent.upload(held, 0, 'coverage', 'a.info', `SF:s3cr3t-T&k'99.ts\nDA:1,1\nend_of_record\n`)).status,
  ).toBe(200)
  const kept = await Promise.all([
    app.db.selectFrom('build_annotation').selectAll().execute(),
    app.db.selectFrom('build_coverage').selectAll().execute(),
  ])
  expect(JSON.stringify(kept)).toContain(mask)
  expect(JSON.stringify(kept)).not.toContain('s3cr3t')
})

test('a suite that failed without a test case counts as an error, and an unreadable duration is null', async () => {
  const { pipeline, number, agent, held } = await running()
  const broken = '<testsuite name="broken" tests="0" errors="1"><error message="collection failed"/></testsuite>'
  const timed =
    '<testsuite name="s"><testcase name="ok" time="0,125"/><testcase name="slow" time="1,234.5"/></testsuite>'
  const sent = await agent.upload(held, 0, 'reports', 'junit.xml', `<testsuites>${broken}${timed}</testsuites>`)
  expect(sent.data).toMatchObject({ total: 3, failed: 1 })
  const { items } = await team.leader.call(tests.list, { params: { id: pipeline.id, number } })
  expect(items.map(({ name, state, seconds }) => [name, state, seconds])).toEqual([
    ['broken', 'error', null],
    ['ok', 'passed', null],
    ['slow', 'passed', 1234.5],
  ])
  const history = await team.leader.call(tests.history, {
    params: { id: pipeline.id },
    query: { suite: 's', name: 'ok' },
  })
  expect(history.items).toEqual([expect.objectContaining({ number, seconds: null })])
})

test('a report is stored even if truncation splits a character of a suite’s name', async () => {
  const { pipeline, number, agent, held } = await running()
  const [outer, inner] = ['a'.repeat(400), `${'b'.repeat(96)}🙂`]
  const junit = `<testsuite name="${outer}"><testsuite name="${inner}"><testcase name="ok"/></testsuite></testsuite>`
  expect((await agent.upload(held, 0, 'reports', 'junit.xml', junit)).status).toBe(200)
  const cases = await team.leader.call(tests.list, { params: { id: pipeline.id, number } })
  expect(cases.items[0]?.suite).toBe(`${outer} › ${'b'.repeat(96)}\ufffd`)
  expect((await agent.upload(held, 0, 'reports', 'nul.xml', junit.replace('ok', '\0'))).status).toBe(400)
})

test('a blob without a row is removed if its server died, and kept while its upload runs', async () => {
  const { agent, held } = await running()
  const keys = async () =>
    (await app.db.selectFrom('blob_garbage').select('key').orderBy('created_at').execute()).map(({ key }) => key)
  const before = new Set(await keys())
  const put = blobs.put
  let during: string[] = []
  blobs.put = async (...given) => {
    const stored = await put(...given)
    during = (await keys()).filter((key) => !before.has(key))
    await sweepBlobs(app.ctx())
    await app.drainJobs()
    return stored
  }
  try {
    expect((await agent.upload(held, 0, 'artifacts', 'a', 'content')).status).toBe(200)
  } finally {
    blobs.put = put
  }
  const { blob } = await app.db
    .selectFrom('build_artifact')
    .select('blob')
    .where('build_id', '=', held.buildId)
    .executeTakeFirstOrThrow()
  expect(during).toEqual([blob])
  expect(await blobs.size(blob)).toBe(7)
  expect(await keys()).not.toContain(blob)

  // a server that is killed here never inserts the row
  const lost = newBlobKey('artifacts')
  await expectBlob(app.db, lost)
  await blobs.put('artifacts', Readable.from(['lost']), lost)
  await app.db
    .updateTable('blob_garbage')
    .set({ created_at: sql<string>`created_at - interval '1 day'` })
    .where('key', '=', lost)
    .execute()
  await sweepBlobs(app.ctx())
  await app.drainJobs()
  await expect(blobs.size(lost)).rejects.toMatchObject({ key: 'blobs-missing' })
})

test('deleting builds deletes their logs and artifacts, all or none, and removes them from open lists', async () => {
  const { pipeline, number, agent, held } = await running()
  await agent.upload(held, 0, 'artifacts', 'a', 'x')
  const remove = () => team.leader.call(builds.removeMany, { params: { id: pipeline.id }, body: [number] })
  await expect(remove()).rejects.toMatchObject({ status: 409, key: 'pipelines-build-not-ended' })
  await agent.events(held, 1, [{ type: 'end', state: 'failed', logs: [] }])
  const { blob } = await app.db
    .selectFrom('build_artifact')
    .select('blob')
    .where('build_id', '=', held.buildId)
    .executeTakeFirstOrThrow()
  await remove()
  const published = await app.db
    .selectFrom('outbox')
    .select('content')
    .where('topic', '=', `builds/${team.id}`)
    .execute()
  expect(published).toContainEqual({ content: { pipelineId: pipeline.id, number, state: 'deleted' } })
  await app.drainJobs()
  await expect(blobs.size(blob)).rejects.toMatchObject({ key: 'blobs-missing' })
})

test('another agent or a user cannot report on a build', async () => {
  const { held } = await running()
  const other = await testAgent(app)
  await expect(other.events(held, 1, [started])).rejects.toMatchObject({ status: 409 })
  const asPerson = await team.leader.raw({
    method: 'POST',
    url: `/api/agent/jobs/${held.jobId}/events`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ attempt: 1, first: 1, events: [] }),
  })
  expect(asPerson.statusCode).toBe(403)
})

test('a gap in the events is refused, and a repetition is ignored', async () => {
  const { pipeline, number, agent, held } = await running()
  await agent.events(held, 1, [started])
  await expect(agent.events(held, 3, [succeeded])).rejects.toMatchObject({ status: 409, key: 'agents-event-gap' })
  await agent.events(held, 1, [started, succeeded])
  expect(await read(pipeline.id, number)).toMatchObject({ stages: [{ steps: [{ state: 'success' }] }] })
})

describe('a retry', () => {
  const retry = (id: number, number: number, from: 'failed' | { job: string } = 'failed', by = team.leader) =>
    by.call(builds.retry, { params: { id, number }, body: { from } })
  const failed = async () => {
    const build = await running()
    await build.agent.log(build.held, 0, 0, 'first attempt\n')
    await build.agent.events(build.held, 1, [
      started,
      { type: 'step', step: 0, state: 'failed', exitCode: 1, at },
      { type: 'end', state: 'failed', logs: [{ step: 0, bytes: 14 }] },
    ])
    await app.drainJobs()
    return build
  }

  test('runs what failed in a new attempt, with a new log', async () => {
    const { pipeline, number, agent, held } = await failed()
    await retry(pipeline.id, number)
    expect(await read(pipeline.id, number)).toMatchObject({ state: 'queued', message: '', endedAt: null })
    expect(await log(pipeline.id, number)).toMatchObject({ total: 0, complete: false })
    const [work] = (await agent.claim(1)).work
    expect(work).toMatchObject({ jobId: held.jobId, attempt: 2 })
    await agent.events({ ...held, attempt: 2 }, 1, [started, succeeded, { type: 'end', state: 'success', logs: [] }])
    expect(await read(pipeline.id, number)).toMatchObject({ state: 'success', attempt: 2 })
    await expect(retry(pipeline.id, number)).rejects.toMatchObject({ status: 409, key: 'pipelines-retry-nothing' })
  })

  test('of a running build is refused, and only one of many concurrent retries succeeds', async () => {
    const { pipeline, number } = await running()
    await expect(retry(pipeline.id, number)).rejects.toMatchObject({ status: 409, key: 'pipelines-build-not-ended' })
    const other = await failed()
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => retry(other.pipeline.id, other.number)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('acts for the user who retries: an agent without isolation does not take a build that an administrator had started', async () => {
    const { pipeline, number } = await failed()
    await app.db.updateTable('build').set({ by_admin: true }).where('pipeline_id', '=', pipeline.id).execute()
    const member = await team.member(['pipeline_build_view', 'pipeline_build_execute'])
    await retry(pipeline.id, number, 'failed', member)
    expect(await read(pipeline.id, number)).toMatchObject({ userCause: team.leader.name, retriedBy: member.name })
    const loose = await testAgent(app, { isolated: false, labels: [pipeline.projectName] })
    expect((await loose.claim(5)).work).toEqual([])
  })
})

describe('a stage with an approval', () => {
  const script = { type: 'script' as const, name: 'ship', run: 'true' }
  const waiting = async (approval: object = {}) => {
    const stages = [{ name: 'Ship', mode: 'approve' as const, approval, steps: [script] }]
    const { id } = await testPipeline(app, team, [], stages)
    const { number } = await trigger(id)
    expect(await read(id, number)).toMatchObject({ state: 'waiting', stages: [{ gate: { state: 'waiting' } }] })
    return { id, number }
  }
  const decide = (by: typeof team.leader, at: { id: number; number: number }, pass = true) =>
    by.call(builds.decide, { params: { ...at, stage: 'Ship' }, body: { pass } })
  const approver = () => team.member(['pipeline_build_view', 'pipeline_review_operate'])

  test('begins once enough people have approved it, each of whom counts once', async () => {
    const build = await waiting({ count: 2 })
    const [one, other] = [await approver(), await approver()]
    await decide(one, build)
    await expect(decide(one, build)).rejects.toMatchObject({ status: 409, key: 'pipelines-gate-once' })
    expect(await read(build.id, build.number)).toMatchObject({ state: 'waiting' })
    await decide(other, build)
    expect(await read(build.id, build.number)).toMatchObject({
      state: 'queued',
      stages: [{ gate: { state: 'passed', decisions: [{ name: one.name }, { name: other.name }] } }],
    })
    await expect(decide(await approver(), build)).rejects.toMatchObject({ status: 409, key: 'pipelines-gate-decided' })
  })

  test('accepts one of many concurrent decisions', async () => {
    const build = await waiting()
    const people = await Promise.all([1, 2, 3, 4].map(approver))
    const outcomes = await Promise.allSettled(people.map((by, at) => decide(by, build, at % 2 === 0)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await read(build.id, build.number)).stages[0]?.gate?.decisions).toHaveLength(1)
  })

  test('refuses the user who started the build, users without the permission, and users who are not named', async () => {
    const named = await approver()
    const build = await waiting({ users: [named.name] })
    await expect(decide(team.leader, build)).rejects.toMatchObject({ status: 403, key: 'pipelines-gate-own' })
    const viewer = await team.member(['pipeline_build_view', 'pipeline_build_execute'])
    await expect(decide(viewer, build)).rejects.toMatchObject({
      status: 403,
      key: expect.stringMatching(/^permission-missing/) as string,
    })
    await expect(decide(await approver(), build)).rejects.toMatchObject({ status: 403, key: 'pipelines-gate-others' })
    await expect(decide(app.admin, build)).rejects.toMatchObject({ status: 403, key: 'pipelines-gate-others' })
    await decide(named, build)
  })

  test('ends the build if nobody decides in time', async () => {
    const build = await waiting({ hours: 2 })
    await app.db
      .updateTable('build_gate')
      .set({ until: sql`now() - interval '1 second'` })
      .where('stage', '=', 'Ship')
      .where('until', 'is not', null)
      .execute()
    await Promise.all([expireGates(app.ctx()), expireGates(app.ctx())])
    const ended = await read(build.id, build.number)
    expect(ended).toMatchObject({ state: 'aborted', stages: [{ state: 'not_built', gate: { state: 'expired' } }] })
    expect(ended.message).toContain('within 2 hours')
  })
})
