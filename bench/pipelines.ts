import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import { agents } from '@gantry/contract/agents/agents'
import { protocol } from '@gantry/contract/agents/protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { reports } from '@gantry/contract/pipelines/reports'
import { triggers } from '@gantry/contract/pipelines/triggers'
import { teams } from '@gantry/contract/teams/teams'
import { runningUrl } from '@gantry/postgres/cluster'
import pg from 'pg'
import { giteaPush } from '../apps/server/test/forge-reports.ts'
import type { Caller } from '../e2e/caller.ts'
import type { Product } from '../e2e/product.ts'
import { ended, newPipeline, pause, script } from './builds.ts'
import { figure, ms, repeat, timed } from './figures.ts'

/** The parts of a pipeline besides running a step: triggers, jobs, caches, searches, reports, a long queue. */
export async function benchPipelines(product: Product, teamId: number): Promise<void> {
  const { admin } = product
  await benchStarts(product, teamId)
  await benchSearch(admin, teamId)
  await benchCache(admin, teamId)
  await benchReport(product, teamId)
  await benchClaim(product)
}

async function benchStarts({ admin, url }: Product, teamId: number): Promise<void> {
  const { call } = admin
  const said = await newPipeline(admin, teamId, [script('echo "written by the step"; sleep 0.2')])
  const { uuid } = await call(pipelines.get, { params: { id: said } })
  const rule = { kind: 'webhook' as const, events: ['push' as const] }
  const { secret } = await call(triggers.create, { params: { id: said }, body: { rule } })
  const reported = await repeat(15, async () => {
    const { headers, payload } = giteaPush(secret)
    let number = 0
    const took = await timed(async () => {
      const answer = await fetch(`${url}/api/v2/pipelines/${uuid}/trigger`, { method: 'POST', headers, body: payload })
      number = ((await answer.json()) as { data: { number: number } }).data.number
      for (;;) {
        const log = await call(builds.log, { params: { id: said, number, stage: 'only' }, query: {} })
        if (log.lines.some(({ text }) => text === 'written by the step')) return
        await pause(2)
      }
    })
    await ended(admin, said, number, 20)
    return took
  })
  figure('webhook → first line that the step wrote', reported, ms)

  const failing = await newPipeline(admin, teamId, [script('false')])
  const { number } = await call(builds.trigger, { params: { id: failing }, body: {} })
  const failed = () => ended(admin, failing, number, 2, 'failed')
  await failed()
  const retried = await repeat(15, () =>
    timed(async () => {
      await call(builds.retry, { params: { id: failing, number }, body: { from: 'failed' } })
      await failed()
    }),
  )
  figure('retry → done of a step `false`', retried, ms)

  const jobs = Array.from({ length: 8 }, (_, n) => ({ name: `job ${n}`, steps: [script('sleep 1')] }))
  const sleeping = await newPipeline(admin, teamId, [{ name: 'only', jobs }])
  const slept = await repeat(5, () =>
    timed(async () => {
      const build = await call(builds.trigger, { params: { id: sleeping }, body: {} })
      await ended(admin, sleeping, build.number, 5)
    }),
  )
  figure('8 jobs of `sleep 1` at once, on one agent', slept, ms)
}

async function benchSearch(admin: Caller, teamId: number): Promise<void> {
  const lines = 1_000_000
  const talker = await newPipeline(admin, teamId, [
    script(`seq -f 'line %.0f of a build that has much to say' 1 ${lines}`),
  ])
  const { number } = await admin.call(builds.trigger, { params: { id: talker }, body: {} })
  await ended(admin, talker, number, 10)
  const searched = await repeat(5, () =>
    timed(async () => {
      let found = 0
      for (let at: { step: number; line: number } | null = { step: 0, line: 0 }; at !== null;) {
        const query: { search: string; step: number; line: number } = { search: `line ${lines} of`, ...at }
        const answer = await admin.call(builds.searchLog, { params: { id: talker, number }, query })
        found += answer.hits.length
        at = answer.next
      }
      if (found !== 1) throw new Error(`${found} hits`)
    }),
  )
  figure('one line found among 1,000,000', searched, ms)
}

/** Restoring and keeping a cache, compared with tar and zstd on the same files. */
async function benchCache(admin: Caller, teamId: number): Promise<void> {
  const files = 20_000
  const fill = `mkdir -p cached && cd cached && seq 1 ${files} | awk '{ f = "f" $1; for (i = 0; i < 40; i++) print $1 * 7919 + i > f; close(f) }'`
  const cache = (key: string): StepInput => ({ type: 'cache', name: 'cache', key, paths: ['cached'] })
  const make = script(`test -d cached || { ${fill}; }; echo "KEY=$(date +%s%N)" > "$GANTRY_OUTPUT"`)
  const keeping = await newPipeline(admin, teamId, [make, cache('files ${outputs.run.KEY}')])
  const restoring = await newPipeline(admin, teamId, [cache('files'), make])
  const times = async (id: number) => {
    const { number } = await admin.call(builds.trigger, { params: { id }, body: {} })
    await ended(admin, id, number, 5)
    const { stages, endedAt } = await admin.call(builds.get, { params: { id, number } })
    const [first, last] = stages.flatMap(({ steps }) => steps)
    const at = (time: string | null | undefined) => Date.parse(time ?? '')
    return { first: at(first?.endedAt) - at(first?.startedAt), end: at(endedAt) - at(last?.endedAt) }
  }
  const kept = await repeat(5, async () => (await times(keeping)).end)
  await times(restoring)
  const restored = await repeat(5, async () => (await times(restoring)).first)

  const dir = mkdtempSync(join(tmpdir(), 'gantry-bench-cache-'))
  try {
    // not synchronous, because connections to the product would be closed meanwhile
    const run = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: dir })
    await run(fill)
    const raw = async (command: string) => {
      const took = await repeat(5, () => timed(() => run(command)))
      return ms(took.toSorted((a, b) => a - b)[2] ?? Number.NaN)
    }
    mkdirSync(join(dir, 'out'))
    figure(
      '20,000 files kept in the cache',
      kept,
      ms,
      `tar, zstd ${await raw('tar -cf - cached | zstd -q -f -o a.tar.zst')}`,
    )
    const unpack = 'rm -rf out && mkdir out && zstd -q -d -c a.tar.zst | tar -xf - -C out'
    figure('20,000 files restored from the cache', restored, ms, `zstd, tar ${await raw(unpack)}`)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function database({ data }: Product): Promise<pg.Client> {
  const url = await runningUrl(join(data, 'postgres'))
  if (!url) throw new Error('the embedded database does not run')
  const client = new pg.Client({ connectionString: url('gantry') })
  await client.connect()
  return client
}

async function benchReport(product: Product, teamId: number): Promise<void> {
  const { admin } = product
  const id = await newPipeline(admin, teamId, [script('true')])
  const client = await database(product)
  await client.query(
    `insert into build (pipeline_id, team_id, number, state, cause, user_cause, by_admin, definition, timeout_seconds,
       queued_at, started_at, ended_at, deployment)
     select $1, $2, n, case n % 10 when 0 then 'failed' else 'success' end, 'manual', 'bench', false, '{"stages": []}', 60,
       at - interval '70 seconds', at - interval '60 seconds', at, case n % 10 when 0 then 'failed' else 'success' end
     from (select n, now() - n * interval '5 minutes' as at from generate_series(1, 100000) n) past`,
    [id, teamId],
  )
  await client.query('analyze build')
  await client.end()
  for (const [name, report] of [
    ['success and duration', reports.ability],
    ['DORA', reports.delivery],
  ] as const) {
    const query = { type: 'YEAR' as const }
    const read = await repeat(10, () => timed(() => admin.call(report, { params: { id }, query })))
    figure(`a report of 100,000 builds: ${name}`, read, ms)
  }
}

/** An agent that only asks for jobs: the time the server takes to choose a job among many. */
async function benchClaim({ admin, url }: Product): Promise<void> {
  const label = 'bench-claim'
  const body = { name: label, labels: [label], capacity: 100 }
  const { token } = await admin.call(agents.create, { body })
  const credential = `ga_${randomBytes(32).toString('base64url')}`
  const ask = async (path: string, what: object): Promise<{ work: { jobId: number; attempt: number }[] }> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
        [protocolHeader]: protocolVersion,
      },
      body: JSON.stringify(what),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: { work: { jobId: number; attempt: number }[] } }).data
  }
  await ask(protocol.register.path, { token, credential })
  // at most 500 builds of a team may wait
  for (let team = 0; team < 4; team++) {
    const { id: teamId } = await admin.call(teams.create, { body: { name: `queue-${team}` } })
    const stage = { name: 'only', jobs: [{ name: 'job', labels: [label], steps: [script('true')] }] }
    const id = await newPipeline(admin, teamId, [stage])
    for (let n = 0; n < 500; n += 10)
      await Promise.all(Array.from({ length: 10 }, () => admin.call(builds.trigger, { params: { id }, body: {} })))
  }
  const self = { version: 'bench', osType: 'linux', executors: ['process'], isolated: true, holding: [] }
  const claimed = await repeat(50, async () => {
    let held: { jobId: number; attempt: number } | undefined
    const took = await timed(async () => {
      held = (await ask(protocol.claim.path, { ...self, free: 1, wait: 0 })).work[0]
    })
    if (!held) throw new Error('nothing was claimed')
    const events = [{ type: 'end', state: 'success', logs: [] }]
    await ask(`/api/agent/jobs/${held.jobId}/events`, { attempt: held.attempt, first: 1, events })
    return took
  })
  figure('a claim beside 2,000 queued builds', claimed, ms)
}
