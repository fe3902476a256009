import { jiraConfigs } from '@gantry/contract/trackers/jira'
import { type TapdConfig, tapd as calls } from '@gantry/contract/trackers/tapd'
import { mask } from '@gantry/contract/validators'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { simulatedTapd } from '../../../test/simulated-tapd.ts'
import { refusalOf, testApp } from '../../../test/test-app.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { createTapd } from '../../adapters/tapd/tapd.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const [tapd, other] = [await simulatedTapd(), await simulatedTapd()]
afterAll(async () => {
  await outbound.close()
  tapd.close()
  other.close()
})
const app = await testApp({ ports: { tapd: createTapd(outbound) } })
const guarded = await testApp({ beside: app, ports: { tapd: createTapd(createOutbound()) } })

type Body = z.input<typeof TapdConfig>
const input = (more: Partial<Body> = {}): Body => ({
  enabled: true,
  url: tapd.url,
  user: tapd.user,
  password: tapd.password,
  workspaces: [tapd.workspace],
  ...more,
})
const set = (more: Partial<Body> & { revision?: number } = {}, by = app.admin) =>
  by.call(calls.set, { body: { ...input(more), ...(more.revision === undefined ? {} : { revision: more.revision }) } })

beforeEach(() => {
  tapd.instead = undefined
  tapd.calls.length = 0
  other.seen.length = 0
})

test('at first there is none; it is tested, then stored with its password encrypted and masked, and is not listed as a Jira', async () => {
  expect(await app.admin.call(calls.get)).toBeNull()
  const saved = await set({ url: `${tapd.url}/` })
  expect(saved).toMatchObject({ url: tapd.url, password: mask, comment: true, status: '', revision: 1 })
  expect(await app.admin.call(calls.get)).toEqual(saved)
  expect(tapd.calls).toEqual(['GET quickstart/testauth', 'GET workspaces/get_workspace_info'])
  const rows = await app.db.selectFrom('jira').selectAll().where('kind', '=', 'tapd').execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(tapd.password)
  expect((await app.admin.call(jiraConfigs.list, { query: {} })).items).toEqual([])
  const id = rows[0]?.id ?? 0
  await expect(app.admin.call(jiraConfigs.remove, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

describe('nothing is saved where', () => {
  test.each([
    ['the password is wrong', { password: 'other' }, undefined, 'tapd-login'],
    [
      'the login is refused in the answer',
      {},
      { status: 200, body: { status: 401, data: '', info: 'no' } },
      'tapd-login',
    ],
    ['a workspace is not visible', { workspaces: ['20375571', '12345678'] }, undefined, 'tapd-workspace-unknown'],
    ['it is no TAPD', {}, { status: 200, body: '<html></html>' }, 'trackers-not-one'],
    ['it is asked too often', {}, { status: 429, body: '' }, 'trackers-busy'],
    ['it has an error', {}, { status: 503, body: '' }, 'trackers-silent'],
    ['it refuses', {}, { status: 500, body: { status: 500, data: '', info: 'broken' } }, 'trackers-error'],
    ['no workspace is named', { workspaces: [] }, undefined, 'tapd-workspace-required'],
  ])('%s', async (_, more, answer, key) => {
    const before = await app.admin.call(calls.get)
    tapd.instead = answer && (() => answer)
    await expect(set(more)).rejects.toMatchObject({ key })
    expect(await app.admin.call(calls.get)).toEqual(before)
  })
})

test('a refusal does not repeat the credentials', async () => {
  tapd.instead = () => ({ status: 500, body: { status: 500, data: '', info: `${tapd.password} and more` } })
  const { message } = await refusalOf(set())
  expect(message).toContain('and more')
  expect(message).not.toContain(tapd.password)
})

test('the mask keeps the password, but not for another address or account', async () => {
  await set()
  expect(await set({ password: mask, comment: false })).toMatchObject({ comment: false })
  for (const more of [{ url: other.url }, { user: 'somebody' }])
    await expect(set({ ...more, password: mask })).rejects.toMatchObject({ key: 'tapd-password-again' })
  expect(other.seen).toEqual([])
})

test('a disabled one is saved without a call, and a change based on an outdated revision is refused', async () => {
  const { revision } = await set({ enabled: false })
  expect(tapd.calls).toEqual([])
  await set({ revision })
  await expect(set({ revision })).rejects.toMatchObject({ status: 409, key: 'trackers-changed' })
})

test('a forbidden address is not called, and only administrators set it', async () => {
  await expect(set({}, guarded.admin)).rejects.toMatchObject({ key: 'outbound-refused' })
  const { leader } = await app.team()
  await expect(set({}, leader)).rejects.toMatchObject({ status: 403 })
  await expect(leader.call(calls.get)).rejects.toMatchObject({ status: 403 })
})
