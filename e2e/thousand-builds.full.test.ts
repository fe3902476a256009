import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agents } from '@gantry/contract/agents/agents'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { runningUrl } from '@gantry/postgres/cluster'
import { eventually } from '@gantry/waiting/eventually'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../apps/agent/test/agent-process.ts'
import type { Caller } from './caller.ts'
import { newUser, startProduct, type Product } from './product.ts'

const counts = { teams: 4, buildsOfEach: 250, lines: 40 }
const all = counts.teams * counts.buildsOfEach
/** The lines of a log, the last of which comes a moment after the others. */
const run = `seq 1 ${counts.lines - 1}; sleep 0.2; echo ${counts.lines}`

let product: Product
let database: pg.Client
const running: AgentProcess[] = []
beforeAll(async () => {
  product = await startProduct({ GANTRY_SERVERS: '2', GANTRY_EMBEDDED_AGENT: 'off', GANTRY_SANDBOX: 'off' })
  const address = await runningUrl(join(product.data, 'postgres'))
  database = new pg.Client({ connectionString: address?.('gantry') })
  await database.connect()
  for (let at = 0; at < 4; at++) {
    const { token } = await product.admin.call(agents.create, { body: { name: `agent-${at}`, capacity: 4 } })
    const env = {
      GANTRY_AGENT_TOKEN: token,
      GANTRY_AGENT_CAPACITY: '4',
      GANTRY_AGENT_FIRST_UID: String(61_000 + at * 20),
    }
    running.push(await agentProcess(product.url, env))
  }
})
afterAll(async () => {
  await database?.end()
  for (const agent of running) await agent.close()
  await product?.stop()
})

const rows = async <T extends object>(sql: string): Promise<T[]> => (await database.query<T>(sql)).rows
const ended = async (): Promise<number> =>
  (await rows(`select from build where state in ('success', 'failed', 'aborted')`)).length

async function newTeam(at: number): Promise<{ leader: Caller; id: number }> {
  const { id: teamId } = await product.admin.call(teams.create, { body: { name: `many-${at}` } })
  const leader = await newUser(product, `many-lead-${at}`, { teamId, roleId: 'leader' })
  const { id: appId } = await leader.call(groups.create, { params: { teamId }, body: { name: 'many' } })
  const stages = [{ name: 'only', steps: [{ type: 'script' as const, name: 'count', run }] }]
  const { id } = await leader.call(definitions.create, {
    body: { appId, projectName: `many-${at}`, definition: { stages } },
  })
  return { leader, id }
}

/** Triggers builds, each again until a server has taken it; the key makes sure that it is taken once. */
async function triggerAll({ leader, id }: { leader: Caller; id: number }): Promise<void> {
  for (let at = 0; at < counts.buildsOfEach; at++)
    await eventually(() =>
      leader.call(builds.trigger, { params: { id }, body: { idempotencyKey: `many-${id}-${at}` } }),
    )
}

test('a thousand builds of four teams each end once, with their whole log, while a server and two agents are killed', async () => {
  const owners = await Promise.all(Array.from({ length: counts.teams }, (_, at) => newTeam(at)))
  const triggered = Promise.all(owners.map(triggerAll))
  await eventually(ended, (count) => count > all / 10, { ms: 300_000 })
  const second = JSON.parse(readFileSync(join(product.data, 'run/server-2.json'), 'utf8')) as { pid: number }
  process.kill(second.pid, 'SIGKILL')
  await running[0]?.kill('SIGKILL')
  await eventually(ended, (count) => count > all / 5, { ms: 300_000 })
  await running[1]?.kill('SIGKILL')
  // one comes back and adopts what it left; the jobs of the other go to others when their leases end
  await running[1]?.start()
  await triggered
  await eventually(ended, (count) => count === all, { ms: 600_000 })

  expect(await rows('select state, count(*)::int as count from build group by state')).toEqual([
    { state: 'success', count: all },
  ])
  expect(await rows('select state, count(*)::int as count from build_job group by state')).toEqual([
    { state: 'success', count: all },
  ])
  // the transaction that ends a build tells its user; the newest of what a user is told is kept
  const told = `select count(*)::int as count from notification where kind = 'build' group by account_id, text`
  expect(new Set((await rows<{ count: number }>(told)).map(({ count }) => count))).toEqual(new Set([1]))
  const numbers = await rows('select pipeline_id, max(number) as last, count(*)::int as count from build group by 1')
  expect(numbers).toEqual(
    expect.arrayContaining(
      owners.map(({ id }) => ({ pipeline_id: id, last: counts.buildsOfEach, count: counts.buildsOfEach })),
    ),
  )
  expect(await rows('select from build where attempt > 1')).not.toEqual([])
  const whole = Array.from({ length: counts.lines }, (_, at) => String(at + 1))
  for (const { leader, id } of owners)
    for (let number = 1; number <= counts.buildsOfEach; number++) {
      const params = { id, number, stage: 'only' }
      const { lines } = await leader.call(builds.log, { params, query: {} })
      expect(lines.map(({ text }) => text)).toEqual(whole)
    }
}, 900_000)
