import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { batches } from '@gantry/contract/batch-edits/batches'
import type { ChangeInput } from '@gantry/contract/batch-edits/changes'
import { groups } from '@gantry/contract/pipelines/groups'
import { runningUrl } from '@gantry/postgres/cluster'
import pg from 'pg'
import { figure, ms, repeat } from './figures.ts'
import type { Product } from '../e2e/product.ts'

const many = 500

/** 500 pipelines of ten steps are validated, changed and restored. */
export async function benchBatches({ admin, data }: Product, teamId: number): Promise<void> {
  const group = await admin.call(groups.create, { params: { teamId }, body: { name: 'five hundred' } })
  const database = await runningUrl(join(data, 'postgres'))
  if (!database) throw new Error('the embedded database does not run')
  const steps = Array.from({ length: 10 }, (_, n) => ({
    type: 'script',
    name: `step ${n}`,
    run: 'npm test\n'.repeat(20),
  }))
  const client = new pg.Client({ connectionString: database('gantry') })
  await client.connect()
  await client.query(
    `insert into pipeline (team_id, group_id, name, definition)
     select $1, $2, 'batch ' || n, $3::jsonb from generate_series(1, $4::int) n`,
    [teamId, group.id, JSON.stringify({ stages: [{ name: 'all', steps }] }), many],
  )
  await client.end()
  const changes = (text: string): ChangeInput[] => [
    { type: 'replace-text', in: 'scripts', find: 'npm', replacement: `npm ${text}` },
    { type: 'set', field: 'timeoutMinutes', value: 30 },
    { type: 'set-variable', variable: { name: 'REGION', value: text } },
  ]
  const validate = async (text: string) => {
    const selection = { filter: { groupId: group.id } }
    const told = await admin.call(batches.validate, { body: { teamId, selection, changes: changes(text) } })
    if (told.counts.changed !== many) throw new Error(`${told.counts.changed} pipelines would change`)
    return told.pipelines
  }
  const ended = async (id: number, wanted: string) => {
    for (;;) {
      const { state } = await admin.call(batches.get, { params: { id } })
      if (state === wanted) return
      if (state !== 'EDITING' && state !== 'RESTORING') throw new Error(state)
      await pause(20)
    }
  }
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  figure(`${many} pipelines validated`, await repeat(5, () => timed(() => validate('x'))), ms)
  const restored: number[] = []
  const applied = await repeat(3, async () => {
    const pipelines = await validate('x')
    let id = 0
    const took = await timed(async () => {
      ;({ id } = await admin.call(batches.apply, { params: { teamId }, body: { pipelines, changes: changes('x') } }))
      await ended(id, 'SUCCESS')
    })
    restored.push(
      await timed(async () => {
        await admin.call(batches.restore, { params: { id } })
        await ended(id, 'RESTORE_SUCCESS')
      }),
    )
    return took
  })
  figure(`${many} pipelines changed in batch`, applied, ms)
  figure(`${many} pipelines restored`, restored, ms)
}
