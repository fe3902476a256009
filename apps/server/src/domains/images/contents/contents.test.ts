import { contents } from '@gantry/contract/images/contents'
import { repoIdOf, tagIdOf } from '@gantry/contract/images/keys'
import { registries } from '@gantry/contract/images/registries'
import { expect, test } from 'vitest'
import { testPipeline } from '../../../../test/build-agent.ts'
import { digestNamed, memoryRegistry } from '../../../../test/memory-registry.ts'
import { addRegistry, runs } from '../../../../test/registry-uses.ts'
import { testApp } from '../../../../test/test-app.ts'
import { jsonb } from '../../../db/json.ts'
import { Fault } from '../../../kernel/fault.ts'
import { assignRegistry } from '../platform.store.ts'
import { pipelinesPushing } from './uses.read.ts'

const memory = memoryRegistry()
const app = await testApp({ ports: { registry: memory.registry } })
let hosts = 0

/** A registry of its own for a new team, so that nothing of it is cached. */
async function withRegistry() {
  const team = await app.team()
  const host = `registry-${++hosts}.example.test`
  const registryId = await addRegistry(app, team.id, 'images', `https://${host}`)
  const by = team.leader
  return {
    team,
    host,
    registryId,
    repos: (query: object = {}) => by.call(contents.repositories, { params: { id: registryId }, query }),
    tags: (repo: string, query: object = {}) =>
      by.call(contents.tags, { params: { id: registryId }, query: { repo, ...query } }),
    image: (repository: string, tag: string) => {
      const key = { registryId, repository, tag }
      return by.call(contents.image, { params: { repoId: repoIdOf(key), tagId: tagIdOf(key) } })
    },
  }
}

test('repositories are paged and searched, and list the services that run their images', async () => {
  const { team, host, registryId, repos } = await withRegistry()
  const other = await app.team()
  for (let at = 1; at <= 12; at++) memory.push(`list/app-${at}`, `app-${at}`, ['1'])
  await runs(app, team.id, {
    web: { image: `${host}/list/app-2:1` },
    old: { image: `${host}/list/app-2:9`, revisions: [{ image: `${host}/list/app-2:1`, digest: digestNamed('x') }] },
    elsewhere: { image: 'elsewhere.example.test/list/app-2:1' },
  })
  await runs(app, other.id, { theirs: { image: `${host}/list/app-2:1` } })
  const first = await repos({ pageSize: 10, keyword: 'list/' })
  expect(first.items.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, at) => `list/app-${at + 1}`))
  expect(first).toMatchObject({ totalSize: 12, problem: null })
  const [found] = (await repos({ keyword: 'APP-2' })).items
  expect(found).toMatchObject({
    name: 'list/app-2',
    image: `${host}/list/app-2`,
    repoId: repoIdOf({ registryId, repository: 'list/app-2' }),
    uses: { running: 2, back: 0, others: 1 },
  })
  expect(found?.uses.services.map((name) => name.split('/')[1])).toEqual(['old', 'web'])
  const { items } = await repos({ requestPage: 2, keyword: 'list/', sort: '-name' })
  expect(items.map(({ name }) => name)).toEqual(['list/app-2', 'list/app-1'])
})

test('searches are compared here and never sent to a registry', async () => {
  const { repos, tags } = await withRegistry()
  memory.push('searched/app', 'searched', ['x-and-y'])
  const before = memory.asked.lists
  expect((await repos({ keyword: 'x&q=password=~a' })).items).toEqual([])
  expect((await tags('searched/app', { keyword: 'x&n=1' })).items).toEqual([])
  expect((await tags('searched/app', { keyword: 'x-and' })).totalSize).toBe(1)
  expect(memory.asked.lists - before).toBe(2)
})

test('a registry without a catalogue is reported, and its repositories are opened by name', async () => {
  const { host, repos, tags } = await withRegistry()
  memory.push('by/name', 'named', ['1'])
  memory.hooks.refuse = () => new Fault('badGateway', 'registry-no-catalogue', { host, status: 404 })
  const { items, problem } = await repos()
  expect(items).toEqual([])
  expect(problem?.key).toBe('registry-no-catalogue')
  expect(problem?.text).toContain(host)
  delete memory.hooks.refuse
  expect((await tags('by/name')).items).toMatchObject([{ tag: '1' }])
  await expect(tags('a'.repeat(256))).rejects.toMatchObject({ status: 400 })
})

test('a registry that does not answer is reported beside the contents of the others', async () => {
  const { team, host } = await withRegistry()
  await addRegistry(app, team.id, 'silent', 'https://silent.example.test')
  memory.push('shown/app', 'shown', ['1'])
  memory.hooks.refuse = (at) =>
    at === 'silent.example.test' ? new Fault('badGateway', 'outbound-timeout', { host: at }) : undefined
  const list = (query: object = {}) =>
    team.leader.call(contents.external, { params: { teamId: team.id }, query: { keyword: 'shown/', ...query } })
  const { items, registries } = await list()
  delete memory.hooks.refuse
  expect(items).toMatchObject([{ name: 'shown/app', image: `${host}/shown/app` }])
  expect(registries).toMatchObject([
    { name: 'images', problem: null },
    { name: 'silent', problem: { key: 'outbound-timeout' } },
  ])
  await expect(list({ registryId: 2_000_000_000 })).rejects.toMatchObject({ status: 404 })
})

test('tags are listed newest version first with their image, and each image is read once', async () => {
  const { team, host, tags } = await withRegistry()
  const digest = memory.push('tagged/app', 'tagged', ['1.9', '1.10', 'latest'])
  memory.push('tagged/app', 'ageless', ['0.1'], { createdAt: null })
  await runs(app, team.id, {
    web: { image: `${host}/tagged/app:1.9`, digest, podDigest: digest },
    back: { image: `${host}/tagged/app:2`, previous: { image: `${host}/tagged/app:1.9`, digest } },
  })
  memory.asked.images = 0
  const { items, totalSize, image } = await tags('tagged/app')
  expect(image).toBe(`${host}/tagged/app`)
  expect(totalSize).toBe(4)
  expect(items.map(({ tag }) => tag)).toEqual(['latest', '1.10', '1.9', '0.1'])
  expect(items[1]).toMatchObject({
    digest,
    size: 30,
    createdAt: '2026-01-02T03:04:05.000Z',
    platforms: ['linux/amd64'],
    layers: 1,
    uses: { running: 1, back: 1, others: 0 },
    problem: null,
  })
  expect(items[3]).toMatchObject({ createdAt: null, uses: { running: 0, back: 0 } })
  await tags('tagged/app')
  expect(memory.asked.images).toBe(2)
})

test('a tag that cannot be read says why, and the others are still listed', async () => {
  const { tags } = await withRegistry()
  memory.push('broken/app', 'whole', ['1'])
  memory.push('broken/app', 'gone', ['2'])
  const { manifest } = memory.registry
  memory.registry.manifest = async (access, repository, reference, options) => {
    if (reference === '2') throw new Fault('badGateway', 'registry-image-broken', { image: repository })
    return manifest(access, repository, reference, options)
  }
  const { items } = await tags('broken/app')
  memory.registry.manifest = manifest
  expect(items).toMatchObject([
    { tag: '2', digest: '', problem: { key: 'registry-image-broken' } },
    { tag: '1', problem: null },
  ])
})

test('a tag whose manifest is missing is dangling, and pickers mark it', async () => {
  const { team, host, registryId, tags } = await withRegistry()
  memory.push('dangling/app', 'kept', ['1'])
  memory.lose(memory.push('dangling/app', 'lost', ['2']))
  const { items, problem } = await tags('dangling/app')
  expect(problem).toBeNull()
  expect(items).toMatchObject([
    { tag: '2', digest: '', problem: { key: 'registry-tag-dangling', text: expect.stringContaining(host) } },
    { tag: '1', problem: null },
  ])
  const params = { teamId: team.id, registryId }
  const offered = () => team.leader.call(registries.tags, { params, query: { repo: 'dangling/app' } })
  expect((await offered()).items).toEqual([
    { name: '1', dangling: false },
    { name: '2', dangling: true },
  ])
  const { digest } = memory.registry
  memory.registry.digest = async () => {
    throw new Fault('badGateway', 'outbound-timeout', { host })
  }
  expect((await offered()).items.map(({ dangling }) => dangling)).toEqual([false, false])
  memory.registry.digest = digest
})

test('an image shows its layers, and everything of the team that uses it', async () => {
  const { team, host, registryId, image } = await withRegistry()
  const other = await app.team()
  const digest = memory.push('whole/app', 'whole-app', ['1'])
  await runs(app, team.id, {
    web: { image: `${host}/whole/app:1`, digest },
    side: { image: 'x.example.test/y:1', containers: [{ name: 's', role: 'side', image: `${host}/whole/app:1` }] },
    back: { image: `${host}/whole/app:2`, revisions: [{ image: `${host}/whole/app:1`, digest }] },
  })
  await runs(app, other.id, { theirs: { image: `${host}/whole/app@${digest}` } })
  const pipeline = await testPipeline(app, team)
  const step = { type: 'image', registryId, repository: 'whole/app' }
  const definition = jsonb({ stages: [{ jobs: [{ steps: [step] }] }] })
  await app.db.updateTable('pipeline').set({ definition }).where('id', '=', pipeline.id).execute()
  const found = await image('whole/app', '1')
  expect(found).toMatchObject({
    image: `${host}/whole/app:1@${digest}`,
    platform: 'linux/amd64',
    layers: [
      { createdBy: 'COPY app /', size: 30 },
      { createdBy: 'CMD app', digest: '' },
    ],
  })
  expect(found.uses.services.map(({ serviceName }) => serviceName).sort()).toEqual(['side', 'web'])
  expect(found.uses.revisions).toMatchObject([{ serviceName: 'back', revision: 1 }])
  expect(found.uses.pipelines).toMatchObject([{ id: pipeline.id }])
  // several registries may push to the same place
  const pushing = (ids: number[]) => pipelinesPushing(app.db, undefined, ids, 'whole/app')
  expect(await pushing([0, registryId])).toMatchObject([{ id: pipeline.id }])
  for (const ids of [[], [0]]) expect(await pushing(ids)).toEqual([])
  expect(found.uses.others).toBe(1)
})

test('a member who may not see services learns only how many use an image', async () => {
  const { team, host, registryId } = await withRegistry()
  const digest = memory.push('hidden/app', 'hidden', ['1'])
  await runs(app, team.id, { web: { image: `${host}/hidden/app:1`, digest } })
  const member = await team.member(['image_registry_view'])
  const { items } = await member.call(contents.tags, { params: { id: registryId }, query: { repo: 'hidden/app' } })
  expect(items[0]?.uses).toEqual({ services: [], running: 0, back: 0, others: 1 })
})

test('another team’s registry, repository and tag do not exist in any call', async () => {
  const { registryId } = await withRegistry()
  const digest = memory.push('secret/app', 'secret', ['1'])
  const stranger = (await app.team()).leader
  const team = await app.team()
  const calls = (id: number) => {
    const key = { registryId: id, repository: 'secret/app', tag: '1' }
    const params = { repoId: repoIdOf(key), tagId: tagIdOf(key) }
    const body = { tags: [{ tag: '1', digest }] }
    return [
      () => stranger.request(contents.repositories, { params: { id } }),
      () => stranger.request(contents.tags, { params: { id }, query: { repo: 'secret/app' } }),
      () => stranger.request(contents.image, { params }),
      () => stranger.request(contents.removeTag, { params, query: { digest } }),
      () => stranger.request(contents.check, { params, body }),
      () => stranger.request(contents.removeTags, { params, body }),
      () => stranger.request(contents.unused, { params, query: { days: 1 } }),
      () =>
        team.leader.request(contents.removeTeamTag, {
          params: { teamId: team.id, tagId: params.tagId },
          query: { digest },
        }),
    ]
  }
  const [theirs, none] = [calls(registryId), calls(2_000_000_000)]
  for (const [at, ask] of theirs.entries()) {
    const [foreign, missing] = [await ask(), await none[at]?.()]
    expect([foreign.statusCode, foreign.body]).toEqual([404, missing?.body])
  }
  expect(memory.tagsOf('secret/app')).toEqual(['1'])
})

test('the contents of a platform registry are visible to its teams and to administrators', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const id = await addRegistry(app, null, 'shared contents', 'https://shared.example.test')
  await assignRegistry(app.db, id, team.id)
  memory.push('shared/app', 'shared', ['1'])
  const query = { keyword: 'shared/app' }
  for (const by of [team.leader, app.admin])
    expect((await by.call(contents.repositories, { params: { id }, query })).totalSize).toBe(1)
  await expect(other.leader.call(contents.repositories, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('a tag’s key includes its repository: under another repository it does not exist', async () => {
  const { team, registryId } = await withRegistry()
  const digest = memory.push('one/app', 'one', ['1'])
  memory.push('two/app', 'two', ['1'])
  const tagId = tagIdOf({ registryId, repository: 'one/app', tag: '1' })
  const params = { repoId: repoIdOf({ registryId, repository: 'two/app' }), tagId }
  await expect(team.leader.call(contents.image, { params })).rejects.toMatchObject({ status: 404 })
  await expect(team.leader.call(contents.removeTag, { params, query: { digest } })).rejects.toMatchObject({
    status: 404,
  })
  for (const wrong of ['x', `${tagId}=`, tagIdOf({ registryId, repository: '../app', tag: '1' }), 'a'.repeat(700)])
    await expect(
      team.leader.call(contents.removeTeamTag, { params: { teamId: team.id, tagId: wrong }, query: { digest } }),
    ).rejects.toMatchObject({ status: 400 })
  expect(memory.tagsOf('one/app')).toEqual(['1'])
})

test('a tag is unused if nothing uses it or used it recently, and one of unknown age is never offered', async () => {
  const { team, host, registryId } = await withRegistry()
  const old = '2020-01-02T03:04:05.000Z'
  const run = memory.push('unused/app', 'run', ['run'], { createdAt: old })
  memory.push('unused/app', 'left', ['left-1', 'left-2'], { createdAt: old })
  memory.push('unused/app', 'fresh', ['fresh'], { createdAt: new Date().toISOString() })
  memory.push('unused/app', 'ageless-1', ['ageless'], { createdAt: null })
  const back = memory.push('unused/app', 'back', ['back'], { createdAt: old })
  await runs(app, team.id, {
    web: { image: `${host}/unused/app:run`, digest: run },
    gone: { image: `${host}/unused/app:2`, revisions: [{ image: `${host}/unused/app:back`, digest: back }] },
  })
  const repoId = repoIdOf({ registryId, repository: 'unused/app' })
  const unused = await team.leader.call(contents.unused, { params: { repoId }, query: { days: 30 } })
  expect(unused.items.map(({ tag }) => tag)).toEqual(['left-1', 'left-2'])
  expect(unused).toMatchObject({ looked: 6, ageless: 1, totalSize: 6 })
  expect(unused.items[0]?.usedAt).toBe(old)
  for (const days of [0, 3651, 'x' as never])
    await expect(team.leader.call(contents.unused, { params: { repoId }, query: { days } })).rejects.toMatchObject({
      status: 400,
    })
})
