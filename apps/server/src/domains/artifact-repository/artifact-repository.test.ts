import { artifactRepository } from '@gantry/contract/artifact-repository/artifact-repository'
import { builds } from '@gantry/contract/pipelines/builds'
import { mask } from '@gantry/contract/validators'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { triggerBuild } from '../pipelines/public.ts'

const password = 's3cret-of-the-store'
const login = `Basic ${btoa(`deployer:${password}`)}`
/** A repository that allows anonymous reads, but refuses a wrong login. */
const server = createServer(({ headers }, response) => {
  const { authorization = login } = headers
  response.writeHead(authorization === login ? ill : 401).end()
})
let ill = 200
await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
afterAll(async () => {
  await outbound.close()
  server.closeAllConnections()
  server.close()
})
const app = await testApp({ ports: { outbound } })
const save = (body: { url: string; userName?: string; password?: string; revision?: number }) =>
  app.admin.call(artifactRepository.set, { body })
const stored = async () =>
  (await app.db.selectFrom('setting').select('value').where('name', '=', 'artifact-repository').executeTakeFirst())
    ?.value

beforeEach(async () => {
  ill = 200
  await app.db.deleteFrom('setting').where('name', '=', 'artifact-repository').execute()
})

test('a repository is tested, then stored with its password encrypted and masked', async () => {
  expect(await app.admin.call(artifactRepository.get)).toBeNull()
  const saved = await save({ url: `${url}/`, userName: 'deployer', password })
  expect(saved).toEqual({ url, userName: 'deployer', password: mask, revision: 1 })
  expect(await app.admin.call(artifactRepository.get)).toEqual(saved)
  expect(JSON.stringify(await stored())).not.toContain(password)
  expect(await save({ url, userName: 'deployer', password: mask, revision: 1 })).toMatchObject({ revision: 2 })
  await expect(save({ url: '', revision: 1 })).rejects.toMatchObject({
    status: 409,
    key: 'artifact-repository-changed',
  })
  expect(await save({ url: '', revision: 2 })).toBeNull()
})

test.each([
  ['a wrong password', { password: 'wrong' }, 200, 'artifact-repository-login'],
  ['a wrong user', { userName: 'other' }, 200, 'artifact-repository-login'],
  ['a repository with a server error', {}, 503, 'artifact-repository-silent'],
  ['no repository at all', { url: 'http://127.0.0.1:1' }, 200, 'artifact-repository-silent'],
])('%s is refused and nothing is stored', async (_, wrong, status, key) => {
  ill = status
  await expect(save({ url, userName: 'deployer', password, ...wrong })).rejects.toMatchObject({ key })
  expect(await stored()).toBeUndefined()
})

test('a stored password is sent to no other server and with no other user', async () => {
  await save({ url, userName: 'deployer', password })
  for (const other of [{ url: `${url}/other` }, { userName: 'root' }])
    await expect(save({ url, userName: 'deployer', password: mask, ...other })).rejects.toMatchObject({
      key: 'artifact-repository-password-again',
    })
})

test.each([[false], [true]])('a build finds it in its environment; of a fork (%s) without the login', async (fork) => {
  await save({ url, userName: 'deployer', password })
  const team = await app.team()
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const mergeRequest = { number: 7, source: 'fix', target: 'main', fork }
  await triggerBuild(app.ctx(team.leader), pipeline.id, { cause: 'webhook', branch: 'fix', mergeRequest })
  const [work] = (await agent.claim()).work
  const found = work?.environment.filter(({ name }) => name.startsWith('GANTRY_ARTIFACTS_')) ?? []
  const given = { GANTRY_ARTIFACTS_URL: url, GANTRY_ARTIFACTS_USER: 'deployer', GANTRY_ARTIFACTS_PASSWORD: password }
  expect(Object.fromEntries(found.map(({ name, value }) => [name, value]))).toEqual(
    fork ? { GANTRY_ARTIFACTS_URL: url } : given,
  )
  expect(work?.masked.includes(password)).toBe(!fork)
  const answer = await team.leader.request(builds.get, { params: { id: pipeline.id, number: 1 } })
  expect(answer.body).not.toContain(password)
})
