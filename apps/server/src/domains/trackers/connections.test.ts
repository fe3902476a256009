import { type JiraInput, jiraConfigs } from '@gantry/contract/trackers/jira'
import { mask } from '@gantry/contract/validators'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { simulatedJira } from '../../../test/simulated-jira.ts'
import { testApp } from '../../../test/test-app.ts'
import { createJira } from '../../adapters/jira/jira.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { secondsOf } from '../../adapters/tracker.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const [jira, other] = [await simulatedJira(), await simulatedJira()]
afterAll(async () => {
  await outbound.close()
  jira.close()
  other.close()
})
const app = await testApp({ ports: { jira: createJira(outbound) } })
const guarded = await testApp({ beside: app, ports: { jira: createJira(createOutbound()) } })

let made = 0
type Body = z.input<typeof JiraInput>
const input = (more: Partial<Body> = {}): Body => ({
  name: `jira ${++made}`,
  url: jira.url,
  kind: 'cloud',
  email: jira.email,
  token: jira.token,
  projects: ['SHOP'],
  ...more,
})
const add = (more: Partial<Body> = {}, by = app.admin) => by.call(jiraConfigs.create, { body: input(more) })
const change = (id: number, body: Body & { revision?: number }) =>
  app.admin.call(jiraConfigs.update, { params: { id }, body })
const named = async (name: string) => (await app.admin.call(jiraConfigs.list, { query: { keyword: name } })).items

beforeEach(() => {
  jira.instead = undefined
  other.seen.length = 0
})

test.each([
  ['cloud', `Basic ${btoa(`${jira.email}:${jira.token}`)}`],
  ['data-center', `Bearer ${jira.token}`],
] as const)('a connection to %s is verified, then kept with its token sealed and masked', async (kind, credentials) => {
  jira.seen.length = 0
  const one = await add({ kind, url: `${jira.url}/` })
  expect(one).toMatchObject({ url: jira.url, token: mask, version: jira.version, login: 'Build robot', problem: '' })
  expect(one.email).toBe(kind === 'cloud' ? jira.email : '')
  expect(new Set(jira.seen)).toEqual(new Set([credentials]))
  const rows = await app.db.selectFrom('jira').selectAll().where('id', '=', one.id).execute()
  expect(JSON.stringify(rows)).not.toContain(jira.token)
  expect(await named(one.name)).toEqual([one])
})

const page = (status: number) => () => jira.page(status)
test.each([
  ['a wrong token', { token: 'other' }, undefined, 'trackers-token'],
  ['a wrong token, reported by a page', {}, page(401), 'trackers-token'],
  ['a locked account', {}, page(403), 'trackers-forbidden'],
  ['no Jira', {}, page(404), 'trackers-not-one'],
  ['a login page', {}, page(200), 'trackers-not-one'],
  ['a redirect to a login page', {}, () => ({ status: 302, headers: { location: '/login' } }), 'trackers-not-one'],
  ['JSON of something else', {}, () => ({ status: 200, body: { ok: true } }), 'trackers-not-one'],
  ['a gateway without a Jira behind it', {}, page(503), 'trackers-silent'],
  ['too many calls', {}, () => ({ status: 429, headers: { 'retry-after': '7' } }), 'trackers-busy'],
  ['an address that nobody listens at', { url: 'http://127.0.0.1:1' }, undefined, 'trackers-silent'],
  ['a missing account address', { email: '' }, undefined, 'trackers-email-required'],
  ['an unknown project', { projects: ['SHOP', 'NONE'] }, undefined, 'trackers-project-unknown'],
  ['an unknown team', { allTeams: false, teams: [2_147_483_000] }, undefined, 'trackers-team-unknown'],
])('%s is refused and nothing is stored', async (_, more, instead, key) => {
  jira.instead = instead
  const body = input(more)
  await expect(add(body)).rejects.toMatchObject({ key })
  expect(await named(body.name)).toEqual([])
})

test('a forbidden address is not called', async () => {
  jira.calls.length = 0
  await expect(add({}, guarded.admin)).rejects.toMatchObject({ key: 'outbound-refused' })
  expect(jira.calls).toEqual([])
})

test('a refusal by Jira does not repeat the credentials', async () => {
  jira.instead = () => ({
    status: 400,
    body: { errorMessages: [`no: ${jira.seen.at(-1)} ${jira.token}`], errors: {} },
  })
  const refusal = await add().catch((error: unknown) => String(error))
  expect(refusal).toContain('400')
  expect(refusal).not.toContain(jira.token)
  expect(refusal).not.toContain(btoa(`${jira.email}:${jira.token}`))
})

test('a name is unique', async () => {
  const one = await add()
  await expect(add({ name: one.name })).rejects.toMatchObject({ status: 409, key: 'trackers-name-taken' })
})

describe('a change', () => {
  test('with the mask keeps the token, but not for another address', async () => {
    const one = await add()
    expect(await change(one.id, input({ token: mask, comment: true }))).toMatchObject({ comment: true, revision: 2 })
    const moved = input({ token: mask, url: other.url })
    await expect(change(one.id, moved)).rejects.toMatchObject({ key: 'trackers-token-again' })
    const typed = { url: other.url, kind: 'cloud' as const, email: jira.email, token: mask, id: one.id }
    await expect(app.admin.call(jiraConfigs.verify, { body: typed })).rejects.toMatchObject({
      key: 'trackers-token-again',
    })
    expect(other.seen).toEqual([])
  })

  test('based on an outdated revision is refused', async () => {
    const one = await add()
    await change(one.id, { ...input(), revision: 1 })
    await expect(change(one.id, { ...input(), revision: 1 })).rejects.toMatchObject({
      status: 409,
      key: 'trackers-changed',
    })
  })

  test('assigns it to teams, and a deleted team leaves nothing', async () => {
    const team = await app.team()
    const one = await add({ allTeams: false, teams: [team.id] })
    expect(one.teams).toEqual([{ id: team.id, name: team.name }])
    await app.db.deleteFrom('team').where('id', '=', team.id).execute()
    expect(await named(one.name)).toMatchObject([{ allTeams: false, teams: [] }])
  })
})

test('a check stores its result, and a failing one is no error', async () => {
  const one = await add()
  jira.instead = page(401)
  const failed = await app.admin.call(jiraConfigs.check, { params: { id: one.id } })
  expect(failed.problem).toContain('does not accept the token')
  expect(await named(one.name)).toEqual([failed])
  jira.instead = undefined
  expect(await app.admin.call(jiraConfigs.check, { params: { id: one.id } })).toMatchObject({ problem: '' })
})

test.each(['cloud', 'data-center'] as const)('all projects of a Jira of kind %s are listed', async (kind) => {
  const own = await simulatedJira()
  own.projects = Array.from({ length: 120 }, (_, index) => ({ id: `${index}`, key: `P${1000 + index}`, name: 'One' }))
  const { id } = await add({ kind, url: own.url, projects: ['P1119'] })
  const query = { jiraConfigId: id, pageSize: 9999, requestPage: 1 }
  const all = await app.admin.call(jiraConfigs.projects, { query })
  expect(all.items.map(({ key }) => key)).toEqual(own.projects.map(({ key }) => key))
  const some = await app.admin.call(jiraConfigs.projects, { query: { ...query, keyword: 'p111' } })
  expect(some).toMatchObject({ totalSize: 10 })
  own.close()
})

test('transitions are those of an issue, or the statuses of the projects', async () => {
  jira.issue('SHOP-1', 'Baskets')
  const { id: jiraConfigId } = await add()
  const ask = (issueKey?: string) =>
    app.admin.call(jiraConfigs.transitions, { query: { jiraConfigId, ...(issueKey && { issueKey }) } })
  expect(await ask('SHOP-1')).toEqual([
    { id: '11', name: 'Start work', status: 'In Progress' },
    { id: '31', name: 'Finish', status: 'Done' },
  ])
  expect((await ask()).map(({ name }) => name)).toEqual(['To Do', 'In Progress', 'Done'])
  await expect(ask('SHOP-404')).rejects.toMatchObject({ status: 404, key: 'trackers-issue-missing' })
})

test('a deleted connection is not found', async () => {
  const one = await add()
  await app.admin.call(jiraConfigs.remove, { params: { id: one.id } })
  expect(await named(one.name)).toEqual([])
  await expect(app.admin.call(jiraConfigs.remove, { params: { id: one.id } })).rejects.toMatchObject({ status: 404 })
})

test.each([
  ['7', 7],
  ['0', 1],
  ['999999', 3600],
  ['Thu, 01 Jan 1970 00:00:30 GMT', 30],
  ['soon', 60],
  [undefined, 60],
])('Retry-After %s waits %i seconds', (header, seconds) => expect(secondsOf(header, 0)).toBe(seconds))
