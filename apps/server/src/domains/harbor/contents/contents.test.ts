import { harborContents } from '@gantry/contract/harbor/contents'
import { harborProjects } from '@gantry/contract/harbor/projects'
import { expect, test } from 'vitest'
import { harborApp } from '../../../../test/harbor-app.ts'
import { jsonb } from '../../../db/json.ts'
import { runningBuild } from '../../../../test/build-agent.ts'
import { addRegistry, runs } from '../../../../test/registry-uses.ts'

const { app, simulated, harbor, create, assign, settle } = await harborApp()
const { push } = simulated
const host = new URL(harbor.url).host
const params = { id: harbor.id }

/** A project of two teams; only the first one acts. */
async function shared() {
  const [team, other] = [await app.team(), await app.team()]
  const { projectId, name } = await create()
  await assign(projectId, [team.id, other.id])
  const repo = `${name}/web`
  const remove = (reference: { tag?: string; digest?: string }) =>
    team.leader.call(harborContents.removeTag, { params, query: { repo, projectId, ...reference } })
  const removeMany = async (...tags: string[]) =>
    (await team.leader.call(harborContents.removeTags, { params, body: { projectId, repo, tags } })).map(
      ({ done, problem }) => problem || done,
    )
  const removeRepositories = async (...repositories: string[]) =>
    (
      await team.leader.call(harborContents.removeRepositories, { params, query: { projectId }, body: repositories })
    ).map(({ done, problem }) => problem || done)
  const image = (tag: string) => `${host}/${repo}:${tag}`
  const listRepositories = async () =>
    (await team.leader.call(harborContents.repositories, { params: { ...params, projectId } })).items
  const listImages = async () =>
    (await team.leader.call(harborContents.tags, { params, query: { repo, projectId } })).items
  const lists = { listRepositories, listImages }
  return { team, other, projectId, name, repo, image, remove, removeMany, removeRepositories, ...lists }
}

const used = { status: 409, key: 'images-tag-used' }

test('an image that a service runs, or could roll back to, cannot be deleted, and the refusal names the service', async () => {
  const { team, repo, image, remove, removeMany, removeRepositories, name } = await shared()
  const [running, back, sidecar, free] = [
    await push(repo, '1'),
    await push(repo, '2'),
    await push(repo, '3'),
    await push(repo, '4'),
  ]
  await push(`${name}/unused`, '1')
  await runs(app, team.id, {
    web: { image: image('1'), podDigest: running, digest: running, revisions: [{ image: image('2'), digest: back }] },
    proxy: { image: 'other.example.test/x:1', containers: [{ name: 'side', role: 'sidecar', image: image('3') }] },
  })
  for (const reference of [{ tag: '1' }, { digest: running }, { tag: '2', digest: back }, { digest: sidecar }])
    await expect(remove(reference)).rejects.toMatchObject(used)
  await expect(remove({ tag: '3' })).rejects.toThrow('/proxy')
  expect(await removeMany('1', '2', free)).toEqual([
    expect.stringContaining('/web'),
    expect.stringContaining('/web'),
    true,
  ])
  expect(await removeRepositories(repo, `${name}/unused`)).toEqual([expect.stringMatching('/proxy.*/web'), true])
})

test('repositories and images list what uses them, including Helm releases', async () => {
  const { team, repo, image, listRepositories, listImages } = await shared()
  for (const tag of ['1', '2', '3']) await push(repo, tag)
  await runs(app, team.id, { web: { image: image('1') } }, { shop: { runs: image('2'), back: image('1') } })
  const counts = ({ running, back, others }: { running: number; back: number; others: number }) => [
    running,
    back,
    others,
  ]
  expect((await listRepositories()).map(({ uses }) => counts(uses))).toEqual([[2, 0, 0]])
  const images = await listImages()
  expect(new Map(images.map(({ tags, uses }) => [tags[0]?.name, counts(uses)]))).toEqual(
    new Map([
      ['1', [1, 1, 0]],
      ['2', [1, 0, 0]],
      ['3', [0, 0, 0]],
    ]),
  )
})

test('an image lists everything that uses it, the pipelines that push to it, and the build that made it', async () => {
  const { team, other, repo, image } = await shared()
  const digest = await push(repo, '1')
  await runs(app, team.id, {
    web: { image: image('1'), digest },
    back: { image: image('2'), revisions: [{ image: image('1'), digest }] },
  })
  await runs(app, other.id, { theirs: { image: `${host}/${repo}@${digest}` } })
  // a team pushes to the same address by a registry of its own
  const registryId = await addRegistry(app, team.id, 'to push to', harbor.url)
  const { pipeline, number, work } = await runningBuild(app, team)
  const definition = jsonb({ stages: [{ jobs: [{ steps: [{ type: 'image', registryId, repository: repo }] }] }] })
  await app.db.updateTable('pipeline').set({ definition }).where('id', '=', pipeline.id).execute()
  const pushed = { image: `${host}/${repo}`, tag: '1', digest, size: 1, step: 0 }
  await app.db
    .insertInto('build_image')
    .values({ ...pushed, build_id: work.buildId, pipeline_id: pipeline.id, registry_id: registryId })
    .execute()

  const uses = (by = team.leader) => by.call(harborContents.uses, { params, query: { repo, digest } })
  expect(await uses()).toMatchObject({
    services: [{ serviceName: 'web' }],
    revisions: [{ serviceName: 'back', revision: 1 }],
    pipelines: [{ id: pipeline.id }],
    builds: [{ pipelineId: pipeline.id, number }],
    others: 1,
  })
  expect(await uses(other.leader)).toMatchObject({
    services: [{ serviceName: 'theirs' }],
    revisions: [],
    pipelines: [],
    builds: [],
    others: 2,
  })
  const looks = await team.member(['image_harbor_view'])
  const nothing = { services: [], revisions: [], pipelines: [], builds: [], others: 3 }
  expect(await uses(looks)).toEqual(nothing)
  expect((await uses(app.admin)).services).toHaveLength(2)
  await expect(uses((await app.team()).leader)).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
})

test('too many repositories, names that leave a project and another team’s public project are refused', async () => {
  const { team, other, name, removeRepositories, listRepositories } = await shared()
  await push(`${name}/web`, '1')
  const names = Array.from({ length: 1001 }, (_, at) => `${name}/r${at}`)
  await expect(removeRepositories(...names)).rejects.toMatchObject({ status: 400, key: 'list-too-long' })
  await expect(removeRepositories()).rejects.toMatchObject({ status: 400, key: 'list-empty' })
  for (const bad of [`${name}/../../b`, `../${name}/web`, `${name}//web`, `${name}/web%2f..`, name])
    await expect(removeRepositories(bad)).rejects.toMatchObject({ status: 400, key: 'harbor-repository-format' })
  const foreign = await create()
  await assign(foreign.projectId, [other.id])
  await push(`${foreign.name}/web`, '1')
  await app.admin.call(harborProjects.publicity, {
    params: { ...params, projectId: foreign.projectId },
    query: { public: 'true' },
  })
  // like an unknown project; its repositories cannot be deleted by the number of one's own project either
  for (const id of [foreign.projectId, 999_999])
    await expect(
      team.leader.call(harborContents.removeRepositories, {
        params,
        query: { projectId: id },
        body: [`${foreign.name}/web`],
      }),
    ).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
  expect(await removeRepositories(`${foreign.name}/web`)).toEqual([expect.stringContaining('does not lie in')])
  expect((await listRepositories()).map((one) => one.name)).toEqual([`${name}/web`])
  const theirs = await other.leader.call(harborContents.repositories, {
    params: { ...params, projectId: foreign.projectId },
  })
  expect(theirs.items.map((one) => one.name)).toEqual([`${foreign.name}/web`])
})

test('of an image in use, tags that no service names can be deleted', async () => {
  const { team, repo, image, remove } = await shared()
  for (const tag of ['1.0', 'stable', 'old']) await push(repo, tag, 'the same')
  const digest = await push(repo, 'latest', 'the same')
  await runs(app, team.id, { web: { image: image('1.0'), digest, podDigest: digest } })
  await expect(remove({ tag: '1.0' })).rejects.toMatchObject(used)
  await remove({ tag: 'stable', digest })
  await remove({ tag: 'old' })
  await remove({ tag: 'latest' })
  await expect(remove({ tag: '1.0' })).rejects.toMatchObject(used)
})

test('a service of another team keeps an image too, but the refusal does not name it', async () => {
  const { other, repo, image, remove } = await shared()
  await push(repo, '1')
  await runs(app, other.id, { hidden: { image: image('1') } })
  const refusal = remove({ tag: '1' })
  await expect(refusal).rejects.toMatchObject({ status: 409, key: 'images-tag-used-by-others' })
  await expect(refusal).rejects.not.toThrow('hidden')
})

test('a project cannot be withdrawn while a container or revision of the team’s services names an image in it', async () => {
  const { team, projectId, image } = await shared()
  await settle()
  await runs(app, team.id, {
    web: { image: 'x.example.test/a:1', revisions: [{ image: image('1'), digest: '' }] },
    proxy: { image: 'x.example.test/b:1' },
  })
  const { id: registryId } = await app.db
    .selectFrom('registry')
    .select('id')
    .where('team_id', '=', team.id)
    .where('harbor_id', '=', harbor.id)
    .executeTakeFirstOrThrow()
  const spec = { image: 'x.example.test/b:1', containers: [{ name: 'side', image: image('1'), registryId }] }
  await app.db
    .updateTable('service')
    .set({ spec: jsonb(spec) })
    .where('name', '=', 'proxy')
    .execute()
  await app.db
    .updateTable('service_revision')
    .set({ spec: jsonb({ image: image('1'), registryId }) })
    .where('image', '=', image('1'))
    .execute()
  const withdrawal = app.admin.call(harborProjects.assign, { params, body: { projectId, teams: [] } })
  await expect(withdrawal).rejects.toMatchObject({ status: 409, key: 'harbor-project-in-use' })
  await expect(withdrawal).rejects.toThrow(/\/proxy, .*\/web/)
})

test('a scan is started, and its report lists the findings, the worst first', async () => {
  const { team, repo } = await shared()
  const digest = await push(repo, '1')
  const image = { repo, digest }
  const figures = async () =>
    (await team.leader.call(harborContents.scans, { params, query: { repo, digests: digest } }))[0]
  await team.leader.call(harborContents.scan, { params, body: image })
  expect(await figures()).toMatchObject({ state: 'running' })
  await expect.poll(async () => (await figures())?.state).toBe('done')
  const report = (query: object = {}) =>
    team.leader.call(harborContents.report, { params, query: { ...image, ...query } })
  const { items, totalSize, scanner, at } = await report()
  expect([totalSize, scanner]).toEqual([(await figures())?.total, 'simulated 1'])
  expect(Date.now() - Date.parse(at ?? '')).toBeLessThan(60_000)
  const order = ['critical', 'high', 'medium', 'low']
  const ranks = items.map(({ severity }) => order.indexOf(severity))
  expect(ranks).toEqual(ranks.toSorted())
  expect(items.filter(({ fixedIn }) => fixedIn !== '')).toHaveLength((await figures())?.fixable ?? NaN)
  expect(items[0]).toMatchObject({ id: expect.stringMatching(/^CVE-/), link: expect.stringMatching(/^https:/) })
  expect((await report({ keyword: items[0]?.id ?? '' })).items).toEqual(items.slice(0, 1))
  expect((await report({ pageSize: 1 })).items).toHaveLength(1)
  await expect(
    team.leader.call(harborContents.report, { params, query: { repo, digest: `sha256:${'0'.repeat(64)}` } }),
  ).rejects.toMatchObject({ status: 404, key: 'harbor-report-none' })
  const stranger = await app.team()
  await expect(stranger.leader.call(harborContents.scan, { params, body: image })).rejects.toMatchObject({
    status: 404,
  })
  await expect(stranger.leader.call(harborContents.report, { params, query: image })).rejects.toMatchObject({
    status: 404,
    key: 'resource-missing',
  })
})

test('the rules of a project are shown as in the Harbor, and tags that they protect cannot be deleted', async () => {
  const { team, projectId, repo, removeMany } = await shared()
  await push(repo, 'release-1')
  await push(repo, '2')
  const rules = await team.leader.call(harborProjects.rules, { params: { ...params, projectId } })
  const any = [{ fits: true, pattern: '**' }]
  expect(rules).toEqual({
    used: expect.any(Number) as number,
    limit: null,
    retention: [{ template: 'latestPushedK', count: 10, repositories: any, tags: any, disabled: false }],
    schedule: '',
    immutable: [
      {
        template: 'immutable_template',
        count: null,
        repositories: any,
        tags: [{ fits: true, pattern: 'release-*' }],
        disabled: false,
      },
    ],
  })
  expect(rules.used).toBeGreaterThan(0)
  expect(await removeMany('release-1', '2')).toEqual([expect.stringContaining('immutable'), true])
  const stranger = await app.team()
  await expect(stranger.leader.call(harborProjects.rules, { params: { ...params, projectId } })).rejects.toMatchObject({
    status: 404,
  })
})
