import { builds } from '@gantry/contract/pipelines/builds'
import { images } from '@gantry/contract/pipelines/images'
import { expect, test } from 'vitest'
import { runningBuild, testAgent } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const team = await app.team()
const other = await app.team()

const digest = `sha256:${'a'.repeat(64)}`

/** A pipeline of the team with an image that its first build pushed. */
async function withImage(of = team, image = 'r.example.test:5000/shop/web', tag = '1.7') {
  const { pipeline, agent, held } = await runningBuild(app, of)
  await agent.events(held, 1, [
    { type: 'step', step: 0, state: 'building', at: 0 },
    { type: 'image', step: 0, image, tag, digest, size: 1, registryId: 1 },
    { type: 'step', step: 0, state: 'success', exitCode: 0, at: 0 },
    { type: 'end', state: 'success', logs: [] },
  ])
  return pipeline
}

test('an image of a pipeline starts builds that get its name, by tag or digest', async () => {
  const pipeline = await withImage()
  const { items } = await team.leader.call(images.versions, { params: { id: pipeline.id } })
  const name = 'r.example.test:5000/shop/web'
  expect(items).toMatchObject([{ image: name, imageTag: '1.7', version: `${name}:1.7`, digest, buildNumber: 1 }])
  for (const image of [`${name}:1.7`, `${name}@${digest}`]) {
    const { number } = await team.leader.call(builds.triggerForImage, {
      params: { uuid: pipeline.uuid },
      body: { image },
    })
    const build = await team.leader.call(builds.get, { params: { id: pipeline.id, number } })
    expect(build).toMatchObject({ cause: 'image', image })
    const agent = await testAgent(app, { labels: [pipeline.projectName] })
    const [work] = (await agent.claim(1)).work
    expect(work?.environment).toContainEqual({ name: 'GANTRY_IMAGE', value: image })
  }
})

test('one idempotency key starts one build of an image, and every concurrent call returns this build', async () => {
  const pipeline = await withImage()
  const image = 'r.example.test:5000/shop/web:1.7'
  for (const idempotencyKey of ['a', 'b', 'c', 'd', 'e']) {
    const call = () =>
      team.leader.call(builds.triggerForImage, { params: { uuid: pipeline.uuid }, body: { image, idempotencyKey } })
    const [first, ...others] = await Promise.all([call(), call(), call()])
    expect(others).toEqual([first, first])
  }
  const { items } = await team.leader.call(builds.list, { params: { id: pipeline.id }, query: {} })
  // no build number is skipped either
  expect(items.map(({ number }) => number)).toEqual([6, 5, 4, 3, 2, 1])
})

test('another team’s image is 404 exactly like a missing one, to start a build and to look up', async () => {
  const pipeline = await withImage()
  await withImage(other, 'r.example.test:5000/theirs/web', '1')
  const trigger = (image: string) =>
    team.leader.request(builds.triggerForImage, { params: { uuid: pipeline.uuid }, body: { image } })
  const release = (image: string) =>
    team.leader.request(images.release, { params: { teamId: team.id }, query: { image } })
  for (const ask of [trigger, release]) {
    const [foreign, none] = [await ask('r.example.test:5000/theirs/web:1'), await ask('r.example.test:5000/none:1')]
    expect([foreign.statusCode, none.statusCode]).toEqual([404, 404])
    expect(foreign.body).toBe(none.body)
  }
  await expect(
    other.leader.call(images.release, { params: { teamId: team.id }, query: { image: 'x' } }),
  ).rejects.toMatchObject({ status: 403 })
})

test('an image that a pipeline made and nothing runs has no releases', async () => {
  await withImage(team, 'r.example.test/quiet', '3')
  expect(
    await team.leader.call(images.release, { params: { teamId: team.id }, query: { image: 'r.example.test/quiet:3' } }),
  ).toEqual([])
})

test('removing an image removes it from its own pipeline’s list only', async () => {
  const [one, two] = [await withImage(), await withImage()]
  const idOf = async ({ id }: { id: number }) =>
    (await team.leader.call(images.versions, { params: { id } })).items[0]?.imageId ?? 0
  const imageId = await idOf(one)
  const remove = (id: number) => team.leader.call(images.remove, { params: { id, imageId } })
  await expect(remove(two.id)).rejects.toMatchObject({ status: 404 })
  expect(await remove(one.id)).toBeNull()
  await expect(remove(one.id)).rejects.toMatchObject({ status: 404 })
  expect(await idOf(two)).toBeGreaterThan(0)
})
