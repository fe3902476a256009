import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testPipeline } from '../../../../test/build-agent.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'

const file = '../../../db/migrations/202611220540_stacks_figures_beyond.sql'
const migration = readFileSync(join(import.meta.dirname, file), 'utf8')
const { app, newEnvironment } = await sandboxApp()
const team = await app.team()
const { uuid: envId } = await newEnvironment('figures', team)
const stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name: 'a', envId } })

const resources = { cpu: '0.25', memory: '64Mi' }
const beyond = [{ cpu: '2000000' }, { memory: '20000000Gi' }, { cpu: '9'.repeat(400) }, { memory: '99999Ti' }]
const migrate = () => sql.raw(migration).execute(app.db)

test('a service that was stored beyond today’s limits can be read again, and others are unchanged', async () => {
  const create = (serviceName: string) =>
    team.leader.call(services.create, {
      params: { teamId: team.id, stackId: stack.uuid, serviceName },
      body: { image: 'example.test/a:1', resources },
    })
  const [far, near] = [await create('far'), await create('near')]
  const params = { teamId: team.id, envId }
  for (const more of beyond) {
    const stored = JSON.stringify({ ...resources, ...more })
    await sql`update service set spec = jsonb_set(spec, '{resources}', ${stored}::jsonb) where id = ${far.id}`.execute(
      app.db,
    )
    const list = () => team.leader.call(services.list, { params: { ...params, uuid: stack.uuid } })
    await expect(list()).rejects.toThrow()
    await migrate()
    expect((await list()).items).toHaveLength(2)
  }
  const kept = await team.leader.call(services.get, { params: { ...params, id: near.id } })
  expect(kept.spec.resources).toMatchObject(resources)
})

test('a pipeline that creates such a service can be read too', async () => {
  const deploy = {
    type: 'deploy',
    name: 'ship',
    stackUuid: stack.uuid,
    service: 'made',
  } as const
  const { id } = await testPipeline(app, team, [
    { type: 'script', name: 'hello', run: 'echo hello' },
    { ...deploy, create: { resources } },
  ])
  const at = '{stages,0,steps,1,create,resources,cpu}'
  await sql`update pipeline set definition = jsonb_set(definition, ${at}::text[], '"2000000"') where id = ${id}`.execute(
    app.db,
  )
  const read = () => team.leader.call(pipelines.get, { params: { id } })
  await expect(read()).rejects.toThrow()
  await migrate()
  await expect(read()).resolves.toBeDefined()
})
