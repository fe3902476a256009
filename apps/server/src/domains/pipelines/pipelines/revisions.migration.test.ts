import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PipelineDocument, definitions } from '@gantry/contract/pipelines/editing/definitions'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { Client } from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDatabase } from '../../../../test/new-database.ts'
import { testApp, type TestApp, type TestCaller } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { migrate } from '../../../db/migrate.ts'

const folder = join(import.meta.dirname, '../../../db/migrations')
const from = '202611232010_pipelines_revisions.sql'
const log = pino({ level: 'silent' })

const stages = [{ name: 'a', steps: [{ type: 'script', name: 'one', run: 'true', shell: 'sh', environment: [] }] }]
const parameters = [{ name: 'WHERE', description: 'to', defaultValue: 'here' }]
const variables = [
  { name: 'TOKEN', value: 'sealed1.canary', secret: true },
  { name: 'NONE', value: '', secret: true },
  { name: 'MODE', value: 'fast', secret: false },
]

let client: Client
let app: TestApp
let admin: TestCaller
const ids = { teamId: 0, appId: 0, full: 0, bare: 0 }

beforeAll(async () => {
  const url = await newDatabase('blank')
  const earlier = testFolder('migrations')
  for (const file of await readdir(folder)) if (file < from) await copyFile(join(folder, file), join(earlier, file))
  await migrate(url, log, earlier)
  client = new Client({ connectionString: url })
  await client.connect()
  const insert = async (text: string, values: unknown[]): Promise<number> =>
    (await client.query<{ id: number }>(`${text} returning id`, values)).rows[0]?.id ?? 0
  ids.teamId = await insert('insert into team (name) values ($1)', ['old'])
  ids.appId = await insert('insert into pipeline_group (team_id, name) values ($1, $2)', [ids.teamId, 'group'])
  ids.full = await insert(
    `insert into pipeline (team_id, group_id, name, description, repository_url, repository_branch, repository_username,
      repository_password, definition, definition_revision, setting_revision, timeout_minutes, keep_builds, concurrent,
      agent_labels, variables, parameters)
    values ($1, $2, 'full', 'of before', 'https://git.example.test/a.git', 'main', 'bot', 'sealed1.canary', $3, 4, 7, 30, 5,
      false, '{linux}', $4, $5)`,
    [ids.teamId, ids.appId, JSON.stringify({ stages }), JSON.stringify(variables), JSON.stringify(parameters)],
  )
  ids.bare = await insert(`insert into pipeline (team_id, group_id, name) values ($1, $2, 'bare')`, [
    ids.teamId,
    ids.appId,
  ])
  await migrate(url, log)
  const nobody = { kind: 'user', id: 0, name: 'nobody', admin: false, token: undefined } as const
  app = await testApp({ beside: { database: { url }, admin: nobody } })
  admin = await app.user({ admin: true })
})
afterAll(() => client.end())

const revisions = async (id: number) =>
  (await client.query('select * from pipeline_revision where pipeline_id = $1 order by revision', [id])).rows

test('a pipeline of the previous schema gets one revision: its document without secrets', async () => {
  const [revision, ...others] = await revisions(ids.full)
  expect(others).toEqual([])
  // the higher of its two counters, because an open page may have either of them
  expect(revision).toMatchObject({ revision: 7, action: 'migrate', by: '', fields: [] })
  // settings of later releases are added when it is read, not by the migration
  expect(() => PipelineDocument.parse(revision.document)).not.toThrow()
  expect(revision.document).toEqual({
    appId: ids.appId,
    projectName: 'full',
    description: 'of before',
    repository: { url: 'https://git.example.test/a.git', branch: 'main', username: 'bot', password: mask },
    definition: { stages },
    timeoutMinutes: 30,
    keepBuilds: 5,
    concurrent: false,
    agentLabels: ['linux'],
    variables: [{ name: 'TOKEN', value: mask, secret: true }, ...variables.slice(1)],
    parameters,
  })
  expect(JSON.stringify(revision)).not.toContain('canary')
})

test('a pipeline is read like its revision, and can be changed from there', async () => {
  for (const [id, revision] of [
    [ids.full, 7],
    [ids.bare, 1],
  ] as const) {
    const params = { appId: ids.appId, pipelineId: id }
    const setting = await admin.call(pipelines.setting, { params })
    const { stages } = await admin.call(definitions.get, { params })
    const { revision: _, ...fields } = setting
    const [first] = await revisions(id)
    expect(PipelineDocument.parse(first.document)).toEqual({
      ...fields,
      appId: ids.appId,
      definition: { stages },
      definitionText: '',
    })
    expect(setting.revision).toBe(revision)
    const saved = await admin.call(pipelines.setSetting, { params, body: { ...setting, description: 'of now' } })
    expect(saved).toMatchObject({ description: 'of now', revision: revision + 1 })
    expect(await revisions(id)).toMatchObject([{ revision }, { revision: revision + 1, fields: ['description'] }])
  }
})

test('the previous release keeps working: it reads what this one saves, and continues its revisions', async () => {
  const { rows } = await client.query(
    'select description, definition_revision, setting_revision from pipeline where id = $1',
    [ids.full],
  )
  expect(rows).toEqual([{ description: 'of now', definition_revision: 8, setting_revision: 8 }])
})
