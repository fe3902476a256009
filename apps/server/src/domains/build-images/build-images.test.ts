import { agents } from '@gantry/contract/agents/agents'
import { type BuildImageInput, buildImages } from '@gantry/contract/build-images/build-images'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { lint } from '@gantry/contract/pipelines/editing/lint'
import { describe, expect, test } from 'vitest'
import { protocol } from '@gantry/contract/agents/protocol'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'
import { seal } from '../../kernel/secrets/secrets.ts'

const app = await testApp()
const [team, other] = [await app.team(), await app.team()]
let made = 0
const add = (input: Partial<BuildImageInput> = {}) =>
  app.admin.call(buildImages.create, { body: { name: `image ${++made}`, image: 'node:24', ...input } })
const inImage = (
  image: number,
  executor: 'container' | 'process' | 'kubernetes' | null = 'container',
  services: { name: string; image: number; port?: number }[] = [],
) => [
  {
    name: 'one',
    jobs: [
      {
        name: 'job',
        image,
        services,
        ...(executor && { executor }),
        steps: [{ type: 'script' as const, name: 'run', run: 'true' }],
      },
    ],
  },
]
const pipelineIn = (image: number, of = team) => testPipeline(app, of, [], inImage(image))
const namesFor = async (caller: typeof team.leader, query: object = {}) =>
  (await caller.call(buildImages.list, { query: { pageSize: -1, ...query } })).items.map(({ name }) => name)

test('the platform ships build images, by catalog and use', async () => {
  const shipped = await team.leader.call(buildImages.list, { query: { kind: 'internal', type: 'BUILD' } })
  expect(shipped.items.map(({ image }) => image)).toContain('alpine:3')
  expect(shipped.items.every(({ teamId, kind }) => teamId === null && kind === 'internal')).toBe(true)
  const catalogs = await team.leader.call(buildImages.catalogs, { query: { type: 'LB' } })
  expect(catalogs).toEqual([
    { name: 'HAProxy', count: 1 },
    { name: 'NGINX', count: 1 },
  ])
})

test('a team sees its own images and the shared ones, and no other team’s', async () => {
  const [own, all] = [await add({ teamId: team.id, catalog: 'Secret' }), await add()]
  expect(await namesFor(team.leader)).toEqual(expect.arrayContaining([own.name, all.name]))
  const seen = await namesFor(other.leader)
  expect(seen).toContain(all.name)
  expect(seen).not.toContain(own.name)
  expect(await namesFor(other.leader, { teamId: team.id })).not.toContain(own.name)
  expect((await other.leader.call(buildImages.catalogs)).map(({ name }) => name)).not.toContain('Secret')
  expect(await namesFor(app.admin, { teamId: team.id })).toContain(own.name)
})

test('a name is unique within a team, and a change based on an outdated revision is refused', async () => {
  const image = await add({ teamId: team.id })
  await expect(add({ name: image.name, teamId: team.id })).rejects.toMatchObject({ key: 'build-images-name-taken' })
  await add({ name: image.name, teamId: other.id })
  const body = { name: image.name, image: 'node:25', teamId: team.id, revision: image.revision }
  expect(await app.admin.call(buildImages.update, { params: { id: image.id }, body })).toMatchObject({ revision: 2 })
  await expect(app.admin.call(buildImages.update, { params: { id: image.id }, body })).rejects.toMatchObject({
    key: 'build-images-changed',
  })
  await expect(add({ teamId: 2_000_000_000 })).rejects.toMatchObject({ key: 'build-images-team' })
})

test.each(['', 'a b', 'x/UPPER', 'x:', 'x@sha256:1', '-x', 'x//y', 'https://x/y', 'host:port/x'])(
  '%j is refused as an image',
  async (image) => {
    await expect(add({ image })).rejects.toMatchObject({ problems: [expect.objectContaining({ path: 'image' })] })
  },
)

describe('a job', () => {
  test('runs in its image, on an agent that has containers', async () => {
    const image = await add({ teamId: team.id, image: 'registry.example.test/tools/java:21' })
    const db = await add({ image: 'postgres:17' })
    const pipeline = await testPipeline(
      app,
      team,
      [],
      inImage(image.id, 'container', [
        { name: 'db', image: db.id, port: 5432 },
        { name: 'cache', image: db.id },
      ]),
    )
    await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
    const plain = await testAgent(app, { labels: [pipeline.projectName] })
    // this agent has no containers, so it does not get the job
    expect((await plain.claim(1)).work).toEqual([])
    const { work } = await plain.caller.call(protocol.claim, {
      body: {
        version: 'test',
        osType: 'linux',
        executors: ['process', 'container'],
        isolated: true,
        holding: [],
        free: 1,
        wait: 0,
      },
    })
    expect(work).toMatchObject([
      {
        executor: 'container',
        image: image.image,
        services: [
          { name: 'db', image: 'postgres:17', environment: [], port: 5432 },
          { name: 'cache', image: 'postgres:17', environment: [], port: null },
        ],
      },
    ])
    await expect(app.admin.call(buildImages.remove, { params: { id: db.id } })).rejects.toMatchObject({
      key: 'build-images-in-use',
    })
  })

  test.each([['process' as const], [null]])('that runs as a process cannot have an image: %s', async (executor) => {
    const image = await add()
    await expect(testPipeline(app, team, [], inImage(image.id, executor))).rejects.toMatchObject({
      problems: [expect.objectContaining({ key: 'build-images-process' })],
    })
  })

  test('with services needs containers, images that its team may use, and unique names', async () => {
    const [own, foreign] = [await add(), await add({ teamId: other.id })]
    const save = (executor: 'container' | 'process', ...services: { name: string; image: number }[]) =>
      testPipeline(app, team, [], inImage(own.id, executor, services))
    const db = { name: 'db', image: own.id }
    await expect(save('container', { name: 'db', image: foreign.id })).rejects.toMatchObject({
      key: 'pipelines-build-image-unknown',
    })
    await expect(save('process', db)).rejects.toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ key: 'job-services-process' })]) as unknown,
    })
    await expect(save('container', db, db)).rejects.toMatchObject({
      problems: [expect.objectContaining({ key: 'job-service-names-unique' })],
    })
  })

  test('cannot use another team’s image, a load balancer’s image, or one that does not exist', async () => {
    const [foreign, balancer] = [await add({ teamId: other.id }), await add({ type: 'LB' })]
    for (const id of [foreign.id, balancer.id, 2_000_000_000])
      await expect(pipelineIn(id)).rejects.toMatchObject({ key: 'pipelines-build-image-unknown' })
  })

  test('keeps its image from being deleted or withdrawn until it uses another', async () => {
    const image = await add({ teamId: team.id })
    const pipeline = await pipelineIn(image.id)
    const remove = () => app.admin.call(buildImages.remove, { params: { id: image.id } })
    await expect(remove()).rejects.toMatchObject({ key: 'build-images-in-use' })
    for (const change of [{ teamId: other.id }, { teamId: team.id, type: 'LB' as const }])
      await expect(
        app.admin.call(buildImages.update, {
          params: { id: image.id },
          body: { name: image.name, image: image.image, ...change },
        }),
      ).rejects.toMatchObject({ key: 'build-images-in-use' })
    await team.leader.call(definitions.set, {
      params: { appId: pipeline.appId, pipelineId: pipeline.id },
      body: { stages: [] },
    })
    await remove()
    expect(await namesFor(app.admin)).not.toContain(image.name)
  })

  test('whose image does not exist is reported by the lint', async () => {
    const image = await add()
    const pipeline = await pipelineIn(image.id)
    const body = { stages: inImage(2_000_000_000) }
    expect(await team.leader.call(lint.draft, { params: { id: pipeline.id }, body })).toContainEqual(
      expect.objectContaining({ path: 'stages.0.jobs.0.image', key: 'pipelines-build-image-unknown', fatal: true }),
    )
  })
})

test('a team’s image can be published to all teams, and its pipelines keep it', async () => {
  const image = await add({ teamId: team.id })
  const pipeline = await pipelineIn(image.id)
  const publish = (t: number) => app.admin.call(buildImages.publish, { params: { t }, body: { imageId: image.id } })
  await expect(publish(other.id)).rejects.toMatchObject({ status: 404 })
  expect(await publish(team.id)).toMatchObject({ kind: 'internal', teamId: null, pipelineNum: 1 })
  await pipelineIn(image.id, other)
  await expect(publish(team.id)).rejects.toMatchObject({ status: 404 })
  const body = { name: image.name, image: image.image, teamId: team.id }
  await expect(app.admin.call(buildImages.update, { params: { id: image.id }, body })).rejects.toMatchObject({
    key: 'build-images-internal-team',
  })
  expect(pipeline.id).toBeGreaterThan(0)
})

/** A cluster of a team that does not answer. */
async function clusterOf(teamId: number) {
  const address = seal(
    app.ctx(),
    JSON.stringify({ server: 'https://127.0.0.1:1', auth: { kind: 'token', token: 'x' } }),
  )
  const { uuid, name } = await app.db
    .insertInto('environment')
    .values({ name: `cluster-${++made}`, server: 'https://127.0.0.1:1', address })
    .returning(['uuid', 'name'])
    .executeTakeFirstOrThrow()
  await app.db.insertInto('environment_team').values({ environment: uuid, team_id: teamId }).execute()
  return { uuid, name }
}
const limit = (imageId: number, clusters: { uuid: string }[], t = team.id) =>
  app.admin.call(buildImages.assign, {
    params: { t },
    body: { imageId, environments: clusters.map(({ uuid }) => uuid) },
  })

test('an image is limited to clusters of the team, and the limit ends with the cluster', async () => {
  const [own, foreign] = [await clusterOf(team.id), await clusterOf(other.id)]
  const image = await add()
  await expect(limit(image.id, [foreign])).rejects.toMatchObject({ key: 'build-images-environment' })
  await limit(image.id, [own, own])
  await limit(image.id, [foreign], other.id)
  const seenBy = async (caller: typeof team.leader) =>
    (await caller.call(buildImages.list, { query: { keyword: image.name } })).items.find(({ id }) => id === image.id)
      ?.environments
  expect(await seenBy(team.leader)).toEqual([{ teamId: team.id, ...own }])
  expect(await seenBy(app.admin)).toHaveLength(2)
  await app.db.deleteFrom('environment_team').where('environment', '=', own.uuid).execute()
  expect(await seenBy(team.leader)).toEqual([])
  const strange = await add({ teamId: other.id })
  await expect(limit(strange.id, [])).rejects.toMatchObject({ status: 404 })
})

describe('an image that is limited to a cluster', () => {
  /** An agent for this pipeline only, in the given cluster or in none, with all executors. */
  async function agentIn(pipeline: { projectName: string }, cluster?: { uuid: string }) {
    const agent = await testAgent(app, { labels: [pipeline.projectName] })
    const put = (clusterId: string | null, revision: number) =>
      app.admin.call(agents.update, {
        params: { id: agent.id },
        body: { labels: [pipeline.projectName], capacity: 1, teamId: null, environment: clusterId, revision },
      })
    await put(cluster?.uuid ?? null, 1)
    const body = {
      version: 'test',
      osType: 'linux' as const,
      executors: ['process' as const, 'container' as const, 'kubernetes' as const],
      isolated: true,
      holding: [],
      free: 1,
      wait: 0,
    }
    return {
      name: agent.name,
      move: (to: { uuid: string }) => put(to.uuid, 2),
      take: async () => (await agent.caller.call(protocol.claim, { body })).work.length,
    }
  }
  const trigger = (id: number) => team.leader.call(builds.trigger, { params: { id }, body: {} })
  const reasons = async (id: number) => (await team.leader.call(builds.queue, { params: { id } }))[0]?.agents

  test.each(['job', 'service'])(
    'runs only there as the image of a %s, and the queue says why a build waits',
    async (as) => {
      const [inside, outside] = [await clusterOf(team.id), await clusterOf(team.id)]
      const [limited, free] = [await add(), await add()]
      await limit(limited.id, [inside])
      const [image, service] = as === 'job' ? [limited, free] : [free, limited]
      const pipeline = await testPipeline(
        app,
        team,
        [],
        inImage(image.id, 'kubernetes', [{ name: 'beside', image: service.id }]),
      )
      await trigger(pipeline.id)
      const [nowhere, elsewhere] = [await agentIn(pipeline), await agentIn(pipeline, outside)]
      expect([await nowhere.take(), await elsewhere.take()]).toEqual([0, 0])
      const said = `not in a cluster where the build image ${limited.name} may run: ${inside.name}`
      expect(await reasons(pipeline.id)).toEqual(
        expect.arrayContaining([nowhere, elsewhere].map(({ name }) => expect.objectContaining({ name, reason: said }))),
      )
      expect(await (await agentIn(pipeline, inside)).take()).toBe(1)
    },
  )

  test('is limited for builds already queued too, until the limit is lifted', async () => {
    const image = await add()
    const pipeline = await testPipeline(app, team, [], inImage(image.id, 'kubernetes'))
    await trigger(pipeline.id)
    await limit(image.id, [await clusterOf(team.id)])
    const agent = await agentIn(pipeline)
    expect(await agent.take()).toBe(0)
    await limit(image.id, [])
    expect(await agent.take()).toBe(1)
  })

  test('is limited for that team only, and not in containers on a machine', async () => {
    const image = await add()
    await limit(image.id, [await clusterOf(other.id)], other.id)
    const free = await testPipeline(app, team, [], inImage(image.id, 'kubernetes'))
    await trigger(free.id)
    expect(await (await agentIn(free)).take()).toBe(1)
    await limit(image.id, [await clusterOf(team.id)])
    const contained = await pipelineIn(image.id)
    await trigger(contained.id)
    expect(await (await agentIn(contained)).take()).toBe(1)
  })

  test('lets a job wait if no agent of its clusters can run it, and the lint reports this', async () => {
    const [cluster, image] = [await clusterOf(team.id), await add()]
    await limit(image.id, [cluster])
    const pipeline = await pipelineIn(image.id)
    const agent = await agentIn(pipeline)
    await agent.take()
    const findings = () =>
      team.leader.call(lint.draft, { params: { id: pipeline.id }, body: { stages: inImage(image.id, 'kubernetes') } })
    expect(await findings()).toEqual([
      expect.objectContaining({ path: 'stages.0.jobs.0.image', key: 'pipelines-lint-agent-image', fatal: false }),
    ])
    await agent.move(cluster)
    expect(await findings()).toEqual([])
  })
})
