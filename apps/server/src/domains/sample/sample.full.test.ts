import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { registries } from '@gantry/contract/images/registries'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { products } from '@gantry/contract/products/products'
import { sample } from '@gantry/contract/sample/sample'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { sampleApp } from '../../../test/sample-app.ts'
import { testApp } from '../../../test/test-app.ts'
import { hashToken, newToken } from '../../identity/sessions.ts'
import { buildPorts } from '../../ports.ts'
import { putAgent } from '../agents/agents.store.ts'
import { start } from './sample.module.ts'

const { app, atEnd, config, data, look, make, of, origin, ports } = await sampleApp()
const { sandboxKubeconfig, sandboxRegistry } = config
type Team = Awaited<ReturnType<typeof app.team>>

/** All objects of a team of the kinds that a sample creates. */
async function belongings(team: Team) {
  const names = (list: { items: { name: string }[] }) => list.items.map(({ name }) => name)
  const { leader } = team
  return {
    groups: names(await leader.call(groups.list, of(team))),
    pipelines: (await leader.call(pipelines.list, of(team))).items.map(({ projectName }) => projectName),
    products: names(await leader.call(products.list, { params: { team: team.id } })),
    stacks: names(await leader.call(stacks.list, { params: { teamId: team.id, envId: 'all' } })),
  }
}
const nothing = { groups: [], pipelines: [], products: [], stacks: [] }
const one = { groups: ['samples'], pipelines: ['hello'], products: ['hello'], stacks: ['hello'] }

const repositoryOf = (team: Team): string => join(data, 'samples', String(team.id), 'hello.git')

const numbersOf = async (team: Team): Promise<number[]> => {
  const { pipeline } = await look(team)
  const { items } = await team.leader.call(builds.list, { params: { id: pipeline?.id ?? 0 } })
  return items.map(({ number }) => number)
}

describe('creating a sample', () => {
  test('by two concurrent clicks creates one of everything and one build', async () => {
    const team = await app.team()
    expect(await look(team)).toMatchObject({ state: 'none', reason: '', commits: 0 })
    await Promise.all([make(team), make(team)])
    expect(await make(team)).toMatchObject({ state: 'ready', version: '1.0.0', commits: 1, build: { number: 1 } })
    expect(await belongings(team)).toEqual(one)
    expect(await numbersOf(team)).toEqual([1])
  })

  test('creates deleted parts again, and deploys to where they are now', async () => {
    const team = await app.team()
    const first = await make(team)
    await app.db
      .deleteFrom('stack')
      .where('id', '=', first.stack?.id ?? 0)
      .execute()
    expect(await look(team)).toMatchObject({ stack: null, pipeline: first.pipeline, product: first.product })
    const second = await make(team)
    expect(second).toMatchObject({ pipeline: first.pipeline, product: first.product, stack: { name: 'hello' } })
    const definition = await team.leader.call(definitions.get, {
      params: { appId: first.pipeline?.groupId ?? 0, pipelineId: first.pipeline?.id ?? 0 },
    })
    expect(JSON.stringify(definition)).toContain(second.stack?.uuid)
    expect(await belongings(team)).toEqual(one)
  })

  test('leaves objects of the same names to the team', async () => {
    const team = await app.team()
    await team.leader.call(groups.create, { ...of(team), body: { name: 'samples' } })
    await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'hello' } })
    await make(team)
    expect(await belongings(team)).toMatchObject({ groups: ['samples', 'samples-2'], products: ['hello', 'hello-2'] })
  })

  test('requires all permissions for its parts, and a refusal leaves nothing behind', async () => {
    const team = await app.team()
    const all = [
      'pipeline_group_create',
      'pipeline_pipeline_create',
      'pipeline_build_execute',
      'product_product_create',
      'stack_stack_create',
      'stack_service_create',
    ]
    for (const missing of all) {
      const member = await team.member(all.filter((permission) => permission !== missing))
      await expect(member.call(sample.create, of(team))).rejects.toMatchObject({ status: 403 })
    }
    expect(await belongings(team)).toEqual(nothing)
    expect(existsSync(repositoryOf(team))).toBe(false)
    const member = await team.member(all)
    expect(await member.call(sample.create, of(team))).toMatchObject({ state: 'ready' })
  })

  test('is refused without a sandbox or git', async () => {
    const without = await testApp({ ports, config: { sandboxKubeconfig: undefined } })
    const team = await without.team()
    expect(await team.leader.call(sample.get, of(team))).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('GANTRY_SANDBOX=on'),
    })
    await expect(team.leader.call(sample.create, of(team))).rejects.toMatchObject({
      status: 503,
      key: 'sample-no-sandbox',
    })

    const gitless = await buildPorts({ ...config, path: '/nonexistent' }, pino({ level: 'silent' }))
    const other = await testApp({ ports: gitless.ports, config: { sandboxKubeconfig, sandboxRegistry } })
    await other.firstThings()
    const theirs = await other.team()
    await expect(theirs.leader.call(sample.create, of(theirs))).rejects.toMatchObject({
      status: 503,
      key: 'git-missing',
    })
    expect(await other.db.selectFrom('sample').selectAll().execute()).toEqual([])
    await gitless.close()
  })
})

describe('removing a sample', () => {
  const remove = async (team: Team) => {
    await team.leader.call(sample.remove, of(team))
    await eventually(
      () => look(team),
      ({ state }) => state === 'none',
    )
  }

  test('ends a waiting build, and leaves nothing', async () => {
    const team = await app.team()
    await make(team)
    await remove(team)
    expect(await belongings(team)).toEqual(nothing)
    expect(existsSync(repositoryOf(team))).toBe(false)
    expect(await make(team)).toMatchObject({ state: 'ready', build: { number: 1 } })
  })

  test('is continued after a crash, and meanwhile nothing can be created', async () => {
    const team = await app.team()
    await make(team)
    // as left by a server that died while its job ran
    await app.db.updateTable('sample').set({ state: 'removing' }).where('team_id', '=', team.id).execute()
    await expect(make(team)).rejects.toMatchObject({ status: 409, key: 'sample-being-removed' })
    await expect(team.leader.call(sample.change, of(team))).rejects.toMatchObject({ key: 'sample-being-removed' })
    await start.run(app.ctx())
    await eventually(
      () => look(team),
      ({ state }) => state === 'none',
    )
    expect(await belongings(team)).toEqual(nothing)
  })

  test('keeps objects that the team has added', async () => {
    const team = await app.team()
    const { pipeline, product } = await make(team)
    await team.leader.call(definitions.create, { body: { appId: pipeline?.groupId ?? 0, projectName: 'mine' } })
    const row = await app.db
      .selectFrom('environment')
      .select('uuid')
      .where('sandbox', '=', true)
      .executeTakeFirstOrThrow()
    await team.leader.call(stacks.create, {
      ...of(team),
      body: { name: 'mine', envId: row.uuid, productId: product?.id ?? 0 },
    })
    await remove(team)
    expect(await belongings(team)).toEqual({
      groups: ['samples'],
      pipelines: ['mine'],
      products: ['hello'],
      stacks: ['mine'],
    })
  })

  test('requires the permissions to delete its parts', async () => {
    const team = await app.team()
    await make(team)
    const member = await team.member([
      'pipeline_pipeline_delete',
      'pipeline_group_delete',
      'stack_stack_delete',
      'pipeline_build_execute',
    ])
    await expect(member.call(sample.remove, of(team))).rejects.toMatchObject({
      status: 403,
      key: 'permission-missing-nobody',
    })
    expect(await look(team)).toMatchObject({ state: 'ready' })
  })
})

test('a sample is created, answers, is changed and rolled back, and is removed', { timeout: 120_000 }, async () => {
  // builds of the previous tests would run first
  await app.db.updateTable('build').set({ state: 'aborted' }).where('state', '=', 'queued').execute()
  const token = newToken('agent')
  await putAgent(app.db, { name: 'embedded', tokenHash: hashToken(token), labels: [], capacity: 2 })
  writeFileSync(join(data, 'agent-token'), token, { mode: 0o600 })
  const agent = spawn(process.execPath, [join(import.meta.dirname, '../../../../agent/src/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      GANTRY_SERVER_URL: origin,
      GANTRY_AGENT_TOKEN_FILE: join(data, 'agent-token'),
      GANTRY_AGENT_DIR: join(data, 'agent'),
    },
    stdio: 'ignore',
  })
  const gone = new Promise((resolve) => agent.once('exit', resolve))
  atEnd(() => {
    // SIGKILL would leave the networks of its steps behind until its next start
    agent.kill()
    return gone
  })

  const team = await app.team()
  const answer = () => team.leader.call(sample.answer, of(team))
  const built = () =>
    eventually(
      () => look(team),
      ({ build }) => build !== null && !['queued', 'building'].includes(build.state),
      { ms: 60_000 },
    )
  expect(await answer()).toMatchObject({ status: 0, text: expect.stringContaining('is not running yet') })
  await make(team)
  await expect(team.leader.call(sample.change, of(team))).rejects.toMatchObject({ key: 'sample-build-running' })
  expect(await built()).toMatchObject({ build: { number: 1, state: 'success' }, service: { state: 'stable' } })
  const first = await answer()
  expect(first).toMatchObject({ status: 200, text: expect.stringContaining(`team-${team.id}/hello:1`) })
  const { pipeline, stack, service } = await look(team)
  const build = await team.leader.call(builds.get, { params: { id: pipeline?.id ?? 0, number: 1 } })
  expect(build).toMatchObject({ cause: 'sample', commitMessage: 'Add a service that says hello', tests: { failed: 0 } })

  expect(await team.leader.call(sample.change, of(team))).toMatchObject({ version: '1.1.0', build: { number: 2 } })
  expect(await built()).toMatchObject({ build: { state: 'success' }, service: { state: 'upgraded' } })
  expect((await answer()).text).toContain(`team-${team.id}/hello:2`)
  await expect(team.leader.call(sample.change, of(team))).rejects.toMatchObject({ key: 'sample-decide-first' })

  const params = { teamId: team.id, envId: stack?.envId ?? '', id: service?.id ?? 0 }
  await team.leader.call(services.rollBack, { params })
  await eventually(
    () => look(team),
    (now) => now.service?.state === 'stable',
  )
  expect((await answer()).text.split('\n').slice(0, 2)).toEqual(first.text.split('\n').slice(0, 2))

  await team.leader.call(sample.remove, of(team))
  await eventually(
    () => look(team),
    ({ state }) => state === 'none',
  )
  expect(await belongings(team)).toEqual(nothing)
  expect(existsSync(repositoryOf(team))).toBe(false)
  const [registry] = await team.leader.call(registries.list, { params: { teamId: team.id } })
  const images = await team.leader.call(registries.tags, {
    params: { teamId: team.id, registryId: registry?.id ?? 0 },
    query: { repo: `team-${team.id}/hello` },
  })
  expect(images.items).toEqual([])
})
