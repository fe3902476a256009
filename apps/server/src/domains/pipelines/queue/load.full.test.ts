import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import type { AgentEvent } from '@gantry/contract/agents/events'
import type { Work } from '@gantry/contract/agents/work'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { pipelines, type Setting } from '@gantry/contract/pipelines/pipelines'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { type ServerProcess, startServer } from '../../../../test/server-process.ts'
import { Refused, secretKey, testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'

const app = await testApp()
const data = testFolder('load')
const label = 'load'
const perPipeline = 50

const job = (name: string, retries = 0) => ({
  name,
  steps: [{ type: 'script' as const, name, run: 'true' }],
  retries: { count: retries },
})
const quay = { concurrent: false, concurrency: { scope: 'name' as const, name: 'quay', newestOnly: false } }

/** The pipelines: a job `fails` fails at its first attempt, and its build with it, unless it has a retry. */
const plans: Record<string, { stages: StageInput[]; setting?: Partial<Setting> }> = {
  exclusive: {
    stages: [
      { name: 'first', jobs: [job('a')] },
      { name: 'second', jobs: [job('fails'), job('c')] },
    ],
    setting: { concurrent: false },
  },
  quayed: { stages: [{ name: 'only', jobs: [job('a'), job('b')] }], setting: quay },
  quayedToo: { stages: [{ name: 'only', jobs: [job('fails')] }], setting: quay },
  retried: { stages: [{ name: 'only', jobs: [job('fails', 1), job('b')] }] },
  gated: {
    stages: [
      { name: 'first', jobs: [job('a')] },
      { name: 'second', mode: 'manual', jobs: [job('b')] },
    ],
    setting: { concurrent: false },
  },
  plain: { stages: [{ name: 'only', steps: [{ type: 'script', name: 'a', run: 'true' }] }] },
}

/** Errors that no server may answer with. */
const errors: string[] = []
/** The two servers; an agent that cannot reach its own uses the other. */
const origins: string[] = []

async function start(): Promise<ServerProcess> {
  const env = { GANTRY_DATA: data, GANTRY_SECRET_KEY: secretKey, GANTRY_RATE_LIMIT: 'off' }
  const off = { GANTRY_SANDBOX: 'off', GANTRY_EMBEDDED_AGENT: 'off' }
  const server = await startServer(app.database.url, { ...env, ...off })
  afterAll(() => server.end('SIGKILL'))
  return server
}

const ready = (server: ServerProcess) =>
  eventually(async () => expect((await fetch(`${server.origin}/readyz`)).status).toBe(200), undefined, { ms: 60_000 })

/** Takes jobs and reports them, three log lines each, until it is aborted; then it drops what it holds. */
async function work(own: number, name: string, leave: AbortSignal): Promise<{ id: number; ended: Promise<void> }> {
  const capacity = 4
  const { id, token } = await testAgent(app, { name, labels: [label], capacity })
  let tries = own
  const post = (path: string, body: object | string) =>
    eventually(
      async () => {
        const isText = typeof body === 'string'
        const type = isText ? 'application/octet-stream' : 'application/json'
        const headers = { authorization: `Bearer ${token}`, [protocolHeader]: protocolVersion, 'content-type': type }
        const to = `${origins[tries % 2]}${path}`
        const answer = await fetch(to, { method: 'POST', headers, body: isText ? body : JSON.stringify(body) }).catch(
          (error: unknown) => {
            tries += 1
            throw error
          },
        )
        if (answer.status >= 500 && answer.status !== 503) errors.push(`${path}: ${answer.status}`)
        if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}`)
        const { data } = (await answer.json()) as { data: { work: Work[]; cancel: boolean } }
        return { ok: answer.status === 200, data }
      },
      undefined,
      { ms: 60_000 },
    )
  const run = async ({ jobId, attempt, buildId, firstStep: step, stages }: Work) => {
    let first = 1
    const tell = async (...events: AgentEvent[]) => {
      const { ok, data } = await post(`/api/agent/jobs/${jobId}/events`, { attempt, first, events })
      first += events.length
      return ok ? data : undefined
    }
    const begun = await tell({ type: 'step', step, state: 'building', at: 0 })
    let bytes = 0
    let cancel = begun?.cancel
    for (let line = 1; line <= 3 && cancel === false && !leave.aborted; line += 1) {
      const text = `build ${buildId} job ${jobId} attempt ${attempt} line ${line}\n`
      const query = `attempt=${attempt}&offset=${bytes}`
      const { ok, data } = await post(`/api/agent/jobs/${jobId}/steps/${step}/log?${query}`, text)
      cancel = ok ? data.cancel : undefined
      bytes += text.length
    }
    if (cancel === undefined || leave.aborted) return
    const fails = attempt === 1 && stages[0]?.steps[0]?.name === 'fails'
    const state = cancel ? 'aborted' : fails ? 'failed' : 'success'
    await tell({ type: 'step', step, state, at: 0 }, { type: 'end', state, logs: [{ step, bytes }] })
  }
  const claims = async () => {
    const jobs = new Map<number, Work>()
    const self = { version: 'test', osType: 'linux', executors: ['process'], isolated: true, wait: 1 }
    while (!leave.aborted) {
      const holding = [...jobs.values()].map(({ jobId, attempt }) => ({ jobId, attempt }))
      const { data } = await post('/api/agent/claim', { ...self, holding, free: capacity - jobs.size })
      for (const one of data.work) {
        jobs.set(one.jobId, one)
        void run(one)
          .catch((error: unknown) => errors.push(String(error)))
          .finally(() => jobs.delete(one.jobId))
      }
    }
  }
  return { id, ended: claims() }
}

/** Records the end of each job's attempt and of each build's turn, in order. */
const watched = sql`
  create table seen (id bigint generated always as identity, kind text, one int, attempt int, place text);
  create function see_job() returns trigger language plpgsql as $$ begin
    insert into seen (kind, one, attempt) values (new.state, new.id, new.attempt); return null; end $$;
  create trigger see_job after update on build_job for each row
    when (old.state is distinct from new.state and new.state in ('success', 'failed', 'aborted'))
    execute function see_job();
  create function see_turn() returns trigger language plpgsql as $$ begin
    insert into seen (kind, one, place)
      select case when new.started_at is null or new.ended_at is not null then 'over' else 'turn' end, new.id, place
      from unnest(array['pipeline ' || new.pipeline_id, new.lane]) as place where place is not null;
    return null; end $$;
  create trigger see_turn after update on build for each row
    when (new.exclusive and (old.started_at is not null and old.ended_at is null)
      is distinct from (new.started_at is not null and new.ended_at is null))
    execute function see_turn()`

test('many builds on two servers and four agents, with one of each killed: every job ends once, no log has a gap, no turn is shared', async () => {
  for (const statement of watched.compile(app.db).sql.split(/;\n  (?=create)/)) await sql.raw(statement).execute(app.db)
  const team = await app.team()
  const made = new Map<number, string>()
  for (const [name, { stages, setting }] of Object.entries(plans)) {
    const { id, appId } = await testPipeline(app, team, undefined, stages)
    const params = { appId, pipelineId: id }
    const { revision: _, ...now } = await team.leader.call(pipelines.setting, { params })
    await team.leader.call(pipelines.setSetting, { params, body: { ...now, agentLabels: [label], ...setting } })
    made.set(id, name)
  }
  let server = await start()
  await ready(server)
  origins.push(await app.fastify.listen({ host: '127.0.0.1', port: 0 }), server.origin)

  const [over, lost] = [new AbortController(), new AbortController()]
  const leaving = AbortSignal.any([over.signal, lost.signal])
  const doomed = await work(1, 'doomed', leaving)
  const agents = [doomed]
  for (const [at, name] of ['a', 'b', 'c'].entries()) agents.push(await work(at % 2, name, over.signal))

  const refusable = (call: Promise<unknown>) =>
    call.catch((error: unknown) => {
      // another caller or the build itself was faster
      if (!(error instanceof Refused) || error.status >= 500) errors.push(String(error))
    })
  for (let n = 0; n < perPipeline; n += 1)
    await Promise.all(
      [...made.keys()].map((id) => refusable(team.leader.call(builds.trigger, { params: { id }, body: {} }))),
    )

  const all = perPipeline * made.size
  const acted = new Set<string>()
  const once = (what: string, act: () => Promise<unknown>) => {
    if (acted.has(what)) return
    acted.add(what)
    return act()
  }
  /** Acts as users do, and kills an agent and a server. */
  const look = async (): Promise<number> => {
    const rows = await app.db.selectFrom('build').select(['pipeline_id as id', 'number', 'state']).execute()
    let ended = 0
    for (const { id, number, state } of rows) {
      const params = { id, number }
      const name = `${id} #${number}`
      if (number % 10 === 3 && state === 'building')
        await once(`stop ${name}`, () => refusable(team.leader.call(builds.stop, { params })))
      if (state === 'waiting') {
        const body = { pass: number % 5 !== 0, parameters: {} }
        await refusable(team.leader.call(builds.decide, { params: { ...params, stage: 'second' }, body }))
      }
      if (state === 'failed' && !acted.has(`retry ${name}`))
        await once(`retry ${name}`, () => refusable(team.leader.call(builds.retry, { params, body: {} })))
      else if (['success', 'failed', 'aborted'].includes(state)) ended += 1
    }
    if (ended > all / 4)
      await once('lose an agent', async () => {
        lost.abort()
        await doomed.ended
        await sql`update build_job set lease_until = now() - interval '1 second'
          where agent_id = ${doomed.id} and state = 'building'`.execute(app.db)
        agents.push(await work(1, 'in its place', over.signal))
      })
    if (ended > all / 2)
      await once('lose a server', async () => {
        server.end('SIGKILL')
        await server.ended
        server = await start()
        origins[1] = server.origin
        await ready(server)
      })
    return ended
  }
  await eventually(look, (ended) => ended === all, { ms: 240_000, everyMs: 200 })
  over.abort()
  await Promise.all(agents.map(({ ended }) => ended))

  expect(errors).toEqual([])
  expect([...acted].filter((what) => what.startsWith('lose'))).toEqual(['lose an agent', 'lose a server'])
  const none = async (query: ReturnType<typeof sql>) => expect((await query.execute(app.db)).rows).toEqual([])
  // every job has ended, and each attempt ended once
  await none(
    sql`select id, state from build_job where ended_at is null or agent_id is not null and lease_until is not null`,
  )
  await none(sql`select one, attempt, count(*) from seen where place is null group by 1, 2 having count(*) > 1`)
  // in each pipeline and lane, a turn ended before the next one began
  await none(sql`select * from (select *, lag(kind, 1, 'over') over (partition by place order by id) as before from seen
    where place is not null) as turns where kind = before`)
  // no byte of a log is missing or duplicated, as the logs of passed steps show
  const steps = await app.db
    .selectFrom('build_step')
    .innerJoin('build', 'build.id', 'build_step.build_id')
    .innerJoin('build_job', (join) =>
      join.onRef('build_job.build_id', '=', 'build.id').onRef('build_job.index', '=', 'build_step.job'),
    )
    .select(['build.pipeline_id as id', 'build.number', 'build.id as buildId', 'build_step.index as step'])
    .select(['build_job.id as jobId', 'build_job.attempt'])
    .where('build_step.state', '=', 'success')
    .execute()
  expect(steps.length).toBeGreaterThan(all)
  for (const { id, number, step, buildId, jobId, attempt } of steps) {
    const path = builds.logFile.path.replace(':id', `${id}`).replace(':number', `${number}`).replace(':step', `${step}`)
    const headers = { authorization: `Bearer ${team.leader.token}` }
    const lines = [1, 2, 3].map((line) => `build ${buildId} job ${jobId} attempt ${attempt} line ${line}\n`)
    expect(await (await fetch(`${origins[1]}${path}`, { headers })).text()).toBe(lines.join(''))
  }
}, 360_000)
