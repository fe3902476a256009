import { sonarqubes } from '@gantry/contract/code-quality/sonarqube'
import { mask } from '@gantry/contract/validators'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { fakeSonar } from '../../../test/fake-sonar.ts'
import { testApp } from '../../../test/test-app.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { createSonar } from '../../adapters/sonarqube/sonarqube.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const [sonar, other] = [await fakeSonar(), await fakeSonar()]
afterAll(async () => {
  await outbound.close()
  sonar.close()
  other.close()
})
const app = await testApp({ ports: { sonar: createSonar(outbound) } })
const save = (body: { url: string; token: string; revision?: number }) => app.admin.call(sonarqubes.set, { body })
const stored = async () =>
  (await app.db.selectFrom('setting').select('value').where('name', '=', 'sonarqube').executeTakeFirst())?.value

beforeEach(async () => {
  Object.assign(sonar, { version: '9.9.0', permissions: ['provisioning', 'scan'], ill: undefined })
  await app.db.deleteFrom('setting').where('name', '=', 'sonarqube').execute()
})

test('a code quality server is tested, then stored with its token encrypted and masked', async () => {
  expect(await app.admin.call(sonarqubes.get)).toBeNull()
  expect(await app.admin.call(sonarqubes.version)).toEqual({ version: null })
  await save({ url: `${sonar.url}/`, token: sonar.token })
  expect(await app.admin.call(sonarqubes.get)).toEqual({ url: sonar.url, token: mask, revision: 1 })
  expect(await app.admin.call(sonarqubes.version)).toEqual({ version: '9.9.0' })
  expect(JSON.stringify(await stored())).not.toContain(sonar.token)
  // the tokens that the test issued are revoked
  expect(sonar.tokens.size).toBe(0)
})

test.each([
  ['a wrong token', { token: 'squ_wrong' }, {}, 'code-quality-token'],
  ['a token that may make no projects', {}, { permissions: ['scan'] }, 'code-quality-rights'],
  ['a token that may not analyse', {}, { permissions: ['provisioning'] }, 'code-quality-rights'],
  ['a server that is too old', {}, { version: '8.9.10' }, 'code-quality-old'],
  ['a server with an error', {}, { ill: 503 }, 'code-quality-silent'],
  ['no server at all', { url: 'http://127.0.0.1:1' }, {}, 'code-quality-silent'],
])('%s is refused and nothing is stored', async (_, body, state, key) => {
  Object.assign(sonar, state)
  await expect(save({ url: sonar.url, token: sonar.token, ...body })).rejects.toMatchObject({ key })
  expect(await stored()).toBeUndefined()
})

test('a stored token is never sent to another server', async () => {
  await save({ url: sonar.url, token: sonar.token })
  await expect(save({ url: other.url, token: mask })).rejects.toMatchObject({ key: 'code-quality-token-again' })
  expect(other.seen).toEqual([])
  expect(await save({ url: sonar.url, token: mask })).toMatchObject({ revision: 2 })
})

test('a refusal by the server does not repeat the token', async () => {
  sonar.ill = 400
  const refusal = await save({ url: sonar.url, token: sonar.token }).catch((error: unknown) => String(error))
  expect(refusal).not.toContain(btoa(`${sonar.token}:`))
  expect(refusal).not.toContain(sonar.token)
})

test('a change based on an outdated revision is refused, and an empty address removes the server', async () => {
  await save({ url: sonar.url, token: sonar.token })
  await save({ url: sonar.url, token: mask, revision: 1 })
  await expect(save({ url: '', token: '', revision: 1 })).rejects.toMatchObject({ key: 'code-quality-changed' })
  expect(await save({ url: '', token: '', revision: 2 })).toBeNull()
  expect(await app.admin.call(sonarqubes.get)).toBeNull()
  expect(JSON.stringify(await stored())).not.toContain('sealed')
})

test('a removed server can be set again by a caller who has read that there is none', async () => {
  await save({ url: sonar.url, token: sonar.token })
  await save({ url: '', token: '', revision: 1 })
  await expect(save({ url: sonar.url, token: sonar.token, revision: 1 })).rejects.toMatchObject({
    key: 'code-quality-changed',
  })
  expect(await save({ url: sonar.url, token: sonar.token, revision: 0 })).toMatchObject({ url: sonar.url, revision: 3 })
})
