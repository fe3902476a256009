import { harborContents } from '@gantry/contract/harbor/contents'
import { replications } from '@gantry/contract/harbor/replication'
import { expect, test } from 'vitest'
import { harborApp } from '../../../../test/harbor-app.ts'
import { Fault } from '../../../kernel/fault.ts'

const { app, simulated, port, harbor, create, assign } = await harborApp()
const { push, access, url } = simulated
const params = { id: harbor.id }
type Team = Awaited<ReturnType<typeof app.team>>

/** A team with two projects, and images in the first. */
async function prepared(...tags: string[]) {
  const team = await app.team()
  const [from, into] = [await create(), await create()]
  for (const { projectId } of [from, into]) await assign(projectId, [team.id])
  for (const tag of tags) await push(`${from.name}/web`, tag)
  const repo = `${from.name}/web`
  const target = { harborId: harbor.id, projectId: into.projectId }
  return { team, from, into, images: tags.map((tag) => ({ repo, tag })), target, copied: `${into.name}/web` }
}
const start = (team: Team, body: { images: { repo: string; tag: string }[]; target: typeof harborTarget }) =>
  team.leader.call(replications.start, { params, body })
const harborTarget = { harborId: 0, projectId: 0 }
const get = (team: Team, replicationId: string) =>
  team.leader.call(replications.get, { params: { ...params, replicationId } })

/** The robots that a copy leaves in the Harbor; nothing else can be listed. */
async function robots(): Promise<string[]> {
  const authorization = `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`
  const answer = await fetch(`${url}/api/v2.0/robots?page_size=100`, { headers: { authorization } })
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name)
}

test('the Harbor itself copies images, with a robot that is deleted afterwards', async () => {
  const { team, into, images, target, copied } = await prepared('1.0', '2.0')
  const { id, state, total } = await start(team, { images, target })
  expect([state, total]).toEqual(['running', 2])
  expect((await robots()).some((name) => name.includes('gantry-copy-'))).toBe(true)
  await expect.poll(async () => (await get(team, id)).state).toBe('succeeded')
  const done = await get(team, id)
  expect(done).toMatchObject({ done: 2, failed: 0, target: `${harbor.name}/${into.name}` })
  expect(done.endedAt).not.toBeNull()
  const found = await team.leader.call(harborContents.tags, {
    params,
    query: { repo: copied, projectId: into.projectId },
  })
  expect(found.items.flatMap(({ tags }) => tags.map(({ name }) => name)).toSorted()).toEqual(['1.0', '2.0'])
  expect((await robots()).some((name) => name.includes('gantry-copy-'))).toBe(false)
})

test('a copy is stopped, and what was copied stays', async () => {
  const { team, images, target } = await prepared(...Array.from({ length: 30 }, (_, at) => `v${at}`))
  const { id } = await start(team, { images, target })
  await team.leader.call(replications.stop, { params: { ...params, replicationId: id } })
  const stopped = await get(team, id)
  expect(stopped.state).toBe('stopped')
  expect(stopped.done).toBeLessThan(30)
})

test('a missing image fails the copy', async () => {
  const { team, images, target, from } = await prepared('1.0')
  const { id } = await start(team, { images: [...images, { repo: `${from.name}/web`, tag: 'none' }], target })
  await expect.poll(async () => (await get(team, id)).state).toBe('failed')
  expect(await get(team, id)).toMatchObject({ done: 1, failed: 1 })
})

test('a copy that cannot be set up leaves nothing behind', async () => {
  const { team, images, target } = await prepared('1.0')
  const { addPolicy } = port
  port.addPolicy = () =>
    Promise.reject(new Fault('badGateway', 'harbor-refused', { host: 'h', status: 400, reason: 'no' }))
  await expect(start(team, { images, target })).rejects.toMatchObject({ status: 502, key: 'harbor-refused' })
  port.addPolicy = addPolicy
  expect((await robots()).some((name) => name.includes('gantry-copy-'))).toBe(false)
})

test('a copy from or to another team’s project is refused', async () => {
  const mine = await prepared('1.0')
  const foreign = await prepared('1.0')
  const missing = { status: 404, key: 'resource-missing' }
  await expect(start(mine.team, { images: foreign.images, target: mine.target })).rejects.toMatchObject(missing)
  await expect(start(mine.team, { images: mine.images, target: foreign.target })).rejects.toMatchObject(missing)
  const same = { harborId: harbor.id, projectId: mine.from.projectId }
  await expect(start(mine.team, { images: mine.images, target: same })).rejects.toMatchObject({
    status: 400,
    key: 'harbor-same-project',
  })
  const { id } = await start(foreign.team, { images: foreign.images, target: foreign.target })
  await expect(get(mine.team, id)).rejects.toMatchObject(missing)
})
