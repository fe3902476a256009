import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import pino from 'pino'
import { expect, test } from 'vitest'
import { newDatabase } from '../../../../test/new-database.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { migrate } from '../../../db/migrate.ts'

const folder = join(import.meta.dirname, '../../../db/migrations')
const from = '202612051000_pipelines_who_decides.sql'
const log = pino({ level: 'silent' })

test('names in earlier definitions refer to the users who have them now, and unknown names to nobody', async () => {
  const url = await newDatabase('blank')
  const earlier = testFolder('migrations')
  for (const file of await readdir(folder)) if (file < from) await copyFile(join(folder, file), join(earlier, file))
  await migrate(url, log, earlier)
  const client = new Client({ connectionString: url })
  await client.connect()
  const insert = async (text: string, values: unknown[]) =>
    (await client.query<{ id: number }>(`${text} returning id`, values)).rows[0]?.id ?? 0
  const team = await insert('insert into team (name) values ($1)', ['old'])
  const group = await insert('insert into pipeline_group (team_id, name) values ($1, $2)', [team, 'group'])
  const user = await insert('insert into account (subject, user_name) values ($1, $1)', ['grace'])
  const role = await insert('insert into team_role (team_id, name, permissions) values ($1, $2, $3)', [team, 'ops', []])
  const approval = { users: ['grace', 'mistyped'], roles: ['ops'] }
  const definition = JSON.stringify({ stages: [{ name: 'Ship', mode: 'approve', approval, steps: [] }] })
  const pipeline = await insert('insert into pipeline (team_id, group_id, name, definition) values ($1, $2, $3, $4)', [
    team,
    group,
    'full',
    definition,
  ])
  await insert('insert into pipeline (team_id, group_id, name) values ($1, $2, $3)', [team, group, 'bare'])
  await insert(
    `insert into build (team_id, pipeline_id, number, state, cause, user_cause, by_admin, definition, timeout_seconds, agent_labels, exclusive)
     values ($1, $2, 1, 'waiting', 'manual', 'ada', false, $3, 60, '{}', false)`,
    [team, pipeline, definition],
  )
  await migrate(url, log)
  const named = { users: [{ id: user, name: 'grace' }], roles: [{ id: role, name: 'ops' }] }
  const read = async (table: string) =>
    (await client.query<{ approvers: unknown }>(`select approvers from ${table} order by id`)).rows
  expect(await read('pipeline')).toEqual([{ approvers: named }, { approvers: { users: [], roles: [] } }])
  expect(await read('build')).toEqual([{ approvers: named }])
  await client.end()
})
