import { join } from 'node:path'
import { groups } from '@gantry/contract/pipelines/groups'
import { runningUrl } from '@gantry/postgres/cluster'
import pg from 'pg'
import { figure, ms, perSecond, repeat } from './figures.ts'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import type { Product } from '../e2e/product.ts'

/** A page of 50 of 10,000 pipelines, by one connection sequentially and by ten at once. */
export async function benchLists({ admin, data }: Product, teamId: number): Promise<void> {
  const group = await admin.call(groups.create, { params: { teamId }, body: { name: 'ten thousand' } })
  const database = await runningUrl(join(data, 'postgres'))
  if (!database) throw new Error('the embedded database does not run')
  const client = new pg.Client({ connectionString: database('gantry') })
  await client.connect()
  await client.query(
    `insert into pipeline (team_id, group_id, name) select $1, $2, 'pipeline ' || n from generate_series(1, 10000) n`,
    [teamId, group.id],
  )
  await client.query(
    `insert into build (pipeline_id, team_id, number, state, cause, user_cause, by_admin, definition, timeout_seconds, started_at, ended_at)
     select id, team_id, n, 'success', 'manual', 'bench', false, '{"stages": []}', 60, now(), now()
     from pipeline, generate_series(1, 3) n where group_id = $1`,
    [group.id],
  )
  await client.query('analyze pipeline')
  await client.query('analyze build')
  await client.end()
  const read = async (requestPage: number) => {
    const query = { pageSize: 50, groupId: group.id, requestPage }
    const answer = await admin.call(pipelines.list, { params: { teamId }, query })
    if (answer.items.length !== 50 || answer.totalSize !== 10_000) throw new Error('a page is not whole')
  }
  for (let n = 1; n <= 50; n++) await read(n)
  const single = await repeat(100, async () => {
    const started = performance.now()
    await read(1 + Math.floor(Math.random() * 200))
    return performance.now() - started
  })
  figure('a page of 50 of 10,000 pipelines', single, ms)
  const rate = await repeat(5, async () => {
    const started = performance.now()
    let left = 500
    const worker = async () => {
      while (left-- > 0) await read(1 + Math.floor(Math.random() * 200))
    }
    await Promise.all(Array.from({ length: 10 }, worker))
    return 500 / ((performance.now() - started) / 1000)
  })
  figure('a page of 50 of 10,000 pipelines, ten callers at once', rate, perSecond)
}
