import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { leaseSeconds } from '@gantry/agent-protocol/protocol'
import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { contents } from '@gantry/contract/images/contents'
import { repoIdOf, tagIdOf } from '@gantry/contract/images/keys'
import { registries } from '@gantry/contract/images/registries'
import type { RegistryToken } from '@gantry/contract/images/registry-token'
import { builds } from '@gantry/contract/pipelines/builds'
import { Definition, type StepInput } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { services } from '@gantry/contract/stacks/services'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { createRegistry } from '../../adapters/registry/registry.ts'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { startSandbox } from '../../../test/sandbox.ts'
import { testApp } from '../../../test/test-app.ts'
import { jsonb } from '../../db/json.ts'
import { seal } from '../../kernel/secrets/secrets.ts'
import { putSandbox } from './registries.store.ts'

const sandbox = await startSandbox()
const url = `http://${sandbox.registry}`
const outbound = createOutbound({ own: [url] })
const registry = createRegistry(outbound)
const sandboxRegistry = { url, key: readFileSync(sandbox.registryKey, 'utf8').trim() }
const app = await testApp({ ports: { registry }, config: { sandboxRegistry } })
afterAll(async () => {
  await outbound.close()
  await sandbox.stop()
})

type Team = Awaited<ReturnType<typeof app.team>>
let team: Team
let other: Team
let registryId = 0
beforeAll(async () => {
  await putSandbox(app.db, url)
  registryId = (await app.db.selectFrom('registry').select('id').executeTakeFirstOrThrow()).id
  ;[team, other] = [await app.team(), await app.team()]
})

const image = (repository: string, more: object = {}): StepInput => ({
  type: 'image',
  name: 'image',
  registryId,
  repository,
  ...more,
})

/** A build with one image step, taken by an agent, and its call for a token. */
async function built(of: Team, step: StepInput) {
  const pipeline = await testPipeline(app, of)
  const definition = Definition.parse({ stages: [{ name: 'only', steps: [step] }] })
  // stored like an earlier release did, because today's refuses some of these steps
  await app.db
    .updateTable('pipeline')
    .set({ definition: jsonb(definition), definition_revision: sql`definition_revision + 1` })
    .where('id', '=', pipeline.id)
    .execute()
  await of.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const [work] = (await agent.claim(1)).work
  if (!work) throw new Error('nothing was claimed')
  const lease = { jobId: work.jobId, attempt: work.attempt, buildId: work.buildId }
  const token = (by = agent.caller) =>
    by.call(stepProtocol.registryToken, {
      params: { jobId: lease.jobId, step: 0 },
      query: { attempt: lease.attempt },
    })
  return { agent, lease, work, token }
}

const tokenOf = async (of: Team, step = image(`team-${of.id}/app`)) => (await (await built(of, step)).token()).token

/** Pushes a minimal image. */
async function push(token: string, repository: string, tag = '1'): Promise<string> {
  const access = { url, token }
  const config = Buffer.from(JSON.stringify({ config: { Env: [`OF=${repository}`] } }))
  const digest = `sha256:${createHash('sha256').update(config).digest('hex')}`
  await registry.pushBlob(access, repository, { digest, size: config.length, open: () => config })
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const descriptor = { mediaType: 'application/vnd.oci.image.config.v1+json', digest, size: config.length }
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config: descriptor, layers: [] })
  return registry.pushManifest(access, repository, tag, manifest)
}

const named = (of: Team) => ({ teamId: of.id, registryId })
const repositories = async (of: Team) =>
  (await of.leader.call(registries.repositories, { params: named(of) })).items.map(({ name }) => name)
const tags = (of: Team, repo: string) => of.leader.call(registries.tags, { params: named(of), query: { repo } })

describe('a build', () => {
  test('pushes and reads its team’s repositories, and those of other teams do not exist', async () => {
    const [mine, theirs] = [await tokenOf(team), await tokenOf(other)]
    await push(mine, `team-${team.id}/app`)
    const digest = await push(theirs, `team-${other.id}/app`)
    const at = { url, token: mine }
    for (const repository of [`team-${other.id}/app`, `team-${other.id}/none`, 'base/os']) {
      await expect(push(mine, repository)).rejects.toMatchObject({ key: 'registry-forbidden' })
      await expect(registry.tags(at, repository)).rejects.toMatchObject({ key: 'registry-image-unknown' })
      await expect(registry.manifest(at, repository, '1')).rejects.toMatchObject({ key: 'registry-image-unknown' })
      expect(await registry.digest(at, repository, '1')).toBeNull()
      expect(await registry.remove(at, repository, digest)).toBe(false)
    }
    await expect(registry.remove(at, `team-${team.id}/app`, digest)).rejects.toMatchObject({
      key: 'registry-forbidden',
    })
    expect((await registry.repositories(at)).names).toEqual([`team-${team.id}/app`])
    expect(await registry.digest({ url, token: theirs }, `team-${other.id}/app`, '1')).toBe(digest)
  })

  test('gets a token that lasts as long as its lease, while its agent holds the lease', async () => {
    const { agent, lease, token } = await built(team, image(`team-${team.id}/app`))
    const { token: first, seconds } = await token()
    const content = JSON.parse(Buffer.from(first.split('.')[0] ?? '', 'base64url').toString()) as RegistryToken
    expect([seconds, content.subject]).toEqual([leaseSeconds, `build ${lease.buildId}`])
    const stranger = await testAgent(app)
    await expect(token(stranger.caller)).rejects.toMatchObject({ status: 409, key: 'agents-attempt-over' })
    await agent.events(lease, 1, [{ type: 'end', state: 'failed', logs: [] }])
    await expect(token()).rejects.toMatchObject({ status: 409, key: 'agents-attempt-over' })
  })

  test('gets no token for a step that does not push, nor for another registry', async () => {
    const script = await built(team, { type: 'script', name: 'hello', run: 'true' })
    await expect(script.token()).rejects.toMatchObject({ status: 404 })
    const another = await app.db
      .insertInto('registry')
      .values({ team_id: team.id, name: 'another', url: 'https://registry.example.com' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const elsewhere = await built(team, { ...image('a/b'), registryId: another.id } as StepInput)
    await expect(elsewhere.token()).rejects.toMatchObject({ status: 404 })
    await app.db.deleteFrom('registry').where('id', '=', another.id).execute()
    await expect(elsewhere.token()).rejects.toMatchObject({ status: 404 })
  })

  test('never passes credentials of the registry to its agent', async () => {
    const { work } = await built(team, image(`team-${team.id}/app`))
    const access = { id: registryId, url, username: '', password: '', ca: '', insecure: true, tokens: true }
    expect(work.registries).toEqual([access])
    expect(JSON.stringify(work)).not.toContain(sandboxRegistry.key)
  })
})

describe('a definition', () => {
  const prefix = () => `team-${team.id}/`

  test('may only push to and build on the team’s own repositories, and the refusal names their prefix', async () => {
    const pipeline = await testPipeline(app, team)
    const save = (step: StepInput) =>
      team.leader.call(definitions.set, {
        params: { appId: pipeline.appId, pipelineId: pipeline.id },
        body: { stages: [{ name: 'only', steps: [step] }] },
      })
    const create = (step: StepInput) =>
      team.leader.call(definitions.create, {
        body: {
          appId: pipeline.appId,
          projectName: 'another',
          definition: { stages: [{ name: 'only', steps: [step] }] },
        },
      })
    for (const step of [
      image('shop/web'),
      image(`team-${other.id}/app`),
      image(`team-${team.id}0/app`),
      image(`${prefix()}app`, { base: 'base/os:1' }),
      image(`${prefix()}app`, { base: `team-${other.id}/app@sha256:${'a'.repeat(64)}` }),
    ])
      for (const call of [save, create]) {
        await expect(call(step)).rejects.toMatchObject({ status: 400, key: 'images-outside-prefix' })
        await expect(call(step)).rejects.toThrow(prefix())
      }
    await save(image(`${prefix()}app`, { base: `${prefix()}base:1` }))
    await save(image(`${prefix()}app`))
    // names in other registries are not checked
    await save({ ...image('shop/web'), registryId: 2_000_000 } as StepInput)
  })

  test('that was stored without the prefix still builds, and pushes under the prefix', async () => {
    const { work, token } = await built(team, image('shop/web', { base: 'base/os:1' }))
    expect(work.stages[0]?.steps[0]).toMatchObject({ repository: `${prefix()}shop/web`, base: 'base/os:1' })
    const given = (await token()).token
    await push(given, `${prefix()}shop/web`)
    await expect(push(given, 'base/os')).rejects.toMatchObject({ key: 'registry-forbidden' })
    const hostile = await built(team, image(`team-${other.id}/app`, { base: `team-${other.id}/app:1` }))
    expect(hostile.work.stages[0]?.steps[0]).toMatchObject({ repository: `${prefix()}team-${other.id}/app` })
    const { token: stolen } = await hostile.token()
    expect(await registry.digest({ url, token: stolen }, `team-${other.id}/app`, '1')).toBeNull()
  })
})

test('the picker lists a team’s own repositories, and those of another team do not exist', async () => {
  const [one, two] = [await app.team(), await app.team()]
  await push(await tokenOf(one), `team-${one.id}/app`)
  await push(await tokenOf(two), `team-${two.id}/secret`, 'v2')
  expect(await repositories(one)).toEqual([`team-${one.id}/app`])
  expect(await repositories(two)).toEqual([`team-${two.id}/secret`])
  expect((await tags(two, `team-${two.id}/secret`)).items).toEqual([{ name: 'v2', dangling: false }])
  const said = async (repo: string) => {
    const answer = await one.leader.request(registries.tags, { params: named(one), query: { repo } })
    return { status: answer.statusCode, body: answer.body.replaceAll(repo, '<repository>') }
  }
  const there = await said(`team-${two.id}/secret`)
  expect(there.status).toBe(404)
  expect(there).toEqual(await said(`team-${two.id}/none`))
  const [own] = await one.leader.call(registries.list, { params: { teamId: one.id } })
  expect(own).toMatchObject({ sandbox: true, prefix: `team-${one.id}/` })
})

test('a team lists and deletes in its own repositories of the sandbox’s registry, and administrators see those of all teams', async () => {
  const [one, two] = [await app.team(), await app.team()]
  const mine = { registryId, repository: `team-${one.id}/app`, tag: '1' }
  const theirs = { registryId, repository: `team-${two.id}/app`, tag: '1' }
  const digest = await push(await tokenOf(one), mine.repository)
  const other = await push(await tokenOf(two), theirs.repository)
  const list = async (by: Team['leader']) =>
    (await by.call(contents.repositories, { params: { id: registryId }, query: { pageSize: -1 } })).items.map(
      ({ name }) => name,
    )
  expect(await list(one.leader)).toEqual([mine.repository])
  expect(await list(app.admin)).toEqual(expect.arrayContaining([mine.repository, theirs.repository]))
  const remove = (key: typeof mine, digest: string) =>
    one.leader.call(contents.removeTag, {
      params: { repoId: repoIdOf(key), tagId: tagIdOf(key) },
      query: { digest },
    })
  await expect(remove(theirs, other)).rejects.toMatchObject({ status: 404, key: 'images-tag-gone' })
  expect(await remove(mine, digest)).toEqual({ tags: ['1'] })
  expect((await tags(two, theirs.repository)).items).toEqual([{ name: '1', dangling: false }])
})

test('a service cannot run another team’s image of the sandbox’s registry, however its host is written', async () => {
  const address = seal(
    app.ctx(),
    JSON.stringify({ server: 'https://127.0.0.1:1', auth: { kind: 'token', token: 'x' } }),
  )
  const { uuid: envId } = await app.db
    .insertInto('environment')
    .values({ name: 'away', server: 'https://127.0.0.1:1', address })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('environment_team').values({ environment: envId, team_id: team.id }).execute()
  const { id: stackId } = await app.db
    .insertInto('stack')
    .values({ team_id: team.id, environment: envId, name: 'shop', namespace: 'shop', actor: 'x', state: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const port = new URL(url).port
  let made = 0
  const run = (name: string) =>
    team.leader.call(services.create, {
      params: { teamId: team.id, stackId, serviceName: `web-${++made}` },
      body: { image: name },
    })
  for (const host of [sandbox.registry, `localhost:${port}`, `127.0.0.2:${port}`])
    await expect(run(`${host}/team-${other.id}/app:1`)).rejects.toMatchObject({
      status: 400,
      key: 'images-outside-prefix',
    })
  const left = await app.db.selectFrom('service').select('name').execute()
  expect(left).toEqual([])
  for (const name of [`team-${team.id}/app`, 'pushed/before-prefixes']) await run(`${sandbox.registry}/${name}:1`)
  await run(`registry.example.test/team-${other.id}/app:1`)
  const { id: harborId } = await app.db
    .insertInto('harbor')
    .values({ name: 'sandbox', url, username: 'admin', password: null, sandbox: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [at, [owner, name, isPublic]] of (
    [
      [other, 'theirs', false],
      [other, 'open', true],
      [team, 'ours', false],
    ] as const
  ).entries())
    await app.db
      .insertInto('harbor_namespace')
      .values({ harbor_id: harborId, project_id: at + 1, name, team_id: owner.id, public: isPublic })
      .execute()
  await expect(run(`localhost:${port}/theirs/app:1`)).rejects.toMatchObject({
    status: 400,
    key: 'images-outside-prefix',
  })
  for (const name of ['open/app', 'ours/app']) await run(`${sandbox.registry}/${name}:1`)
})
