import { createClient } from '@hapic/harbor'
import { afterAll, expect, test } from 'vitest'
import { simulatedHarbor } from '../../../test/simulated-harbor.ts'

/** Our adapter and our simulation may share a mistake, so a third-party client reads the simulation too. */
const { access, push, stop } = await simulatedHarbor()
afterAll(stop)

const client = (password = access.password) =>
  createClient({ connectionOptions: { host: `${access.url}/api/v2.0/`, user: access.username, password } })

test('a third-party client finds projects, repositories and artifacts in the simulated Harbor', async () => {
  const harbor = client()
  const { id = 0 } = await harbor.project.create({ project_name: 'payments', public: false })
  await harbor.project.create({ project_name: 'archive', public: true })
  const digest = await push('payments/web/shop', '1.0')
  await push('payments/api', '1.0')
  await push('payments/api', '2.0')

  expect(await harbor.project.getOne('payments', true)).toMatchObject({ project_id: id, repo_count: 2 })
  const all = await harbor.project.getAll()
  expect(all.data.map(({ name }) => name)).toEqual(expect.arrayContaining(['payments', 'archive']))
  expect(all.meta.total).toBe(all.data.length)
  const paged = await harbor.projectRepository.getMany({
    projectName: 'payments',
    query: { page: 2, page_size: 1, sort: ['name'] },
  })
  expect(paged).toMatchObject({ data: [{ name: 'payments/web/shop', artifact_count: 1 }], meta: { total: 2 } })
  // Harbor expects a name's slash encoded twice, which this client leaves to its caller
  const shop = { projectName: 'payments', repositoryName: encodeURIComponent(encodeURIComponent('web/shop')) }
  const [artifact] = await harbor.projectRepositoryArtifact.getMany({
    ...shop,
    query: { with_tag: true },
  })
  expect(artifact).toMatchObject({ digest, type: 'IMAGE', tags: [{ name: '1.0' }] })

  await harbor.projectRepositoryArtifact.delete({
    projectName: 'payments',
    repositoryName: 'api',
    tagOrDigest: '2.0',
  })
  await harbor.projectRepository.delete(shop)
  expect((await harbor.projectRepository.getAll({ projectName: 'payments' })).data.map(({ name }) => name)).toEqual([
    'payments/api',
  ])
  await expect(harbor.project.delete(id)).rejects.toMatchObject({ response: { status: 412 } })
})

test('a third-party client creates a robot, renews its secret and deletes it; a wrong password is refused', async () => {
  const harbor = client()
  await harbor.project.create({ project_name: 'robots', public: false })
  const robot = await harbor.robot.create({
    name: 'reader',
    level: 'system',
    duration: -1,
    permissions: [{ kind: 'project', namespace: 'robots', access: [{ resource: 'repository', action: 'pull' }] }],
  })
  expect(robot).toMatchObject({ id: expect.any(Number), name: expect.stringContaining('reader') })
  const { secret } = await harbor.robot.updateSecret(robot.id)
  expect(secret).not.toBe(robot.secret)
  await harbor.robot.delete(robot.id)
  await expect(client('wrong').project.getMany()).rejects.toMatchObject({ response: { status: 401 } })
})
