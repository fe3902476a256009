import { session } from '@gantry/contract/auth/session'
import { search, searchKindCap } from '@gantry/contract/search/search'
import { tokens } from '@gantry/contract/tokens/tokens'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { jsonb } from '../../db/json.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'

const app = await testApp()
const { db } = app

const hits = async (caller: TestCaller, keyword: string, headers: Record<string, string> = {}) =>
  (await caller.call(search.find, { query: { keyword } }, headers)).items
const names = async (caller: TestCaller, keyword: string, headers: Record<string, string> = {}) =>
  (await hits(caller, keyword, headers)).map((hit) => `${hit.kind} ${hit.name}`)

async function group(teamId: number, name: string): Promise<number> {
  const row = await db.insertInto('pipeline_group').values({ team_id: teamId, name }).returning('id').executeTakeFirst()
  return row?.id ?? 0
}

async function pipeline(teamId: number, groupId: number, name: string): Promise<number> {
  const values = { team_id: teamId, group_id: groupId, name }
  return (await db.insertInto('pipeline').values(values).returning('id').executeTakeFirst())?.id ?? 0
}

async function build(teamId: number, pipelineId: number, number: number, message = ''): Promise<number> {
  const values = {
    pipeline_id: pipelineId,
    team_id: teamId,
    number,
    cause: 'manual',
    user_cause: 'ann',
    by_admin: false,
    definition: jsonb({ stages: [] }),
    timeout_seconds: 60,
    commit_message: message,
  }
  return (await db.insertInto('build').values(values).returning('id').executeTakeFirst())?.id ?? 0
}

async function cluster(name: string, teams: number[]): Promise<string> {
  const values = { name, server: 'https://example.test', address: 'sealed' }
  const row = await db.insertInto('environment').values(values).returning('uuid').executeTakeFirst()
  const uuid = row?.uuid ?? ''
  for (const team of teams)
    await db.insertInto('environment_team').values({ environment: uuid, team_id: team }).execute()
  return uuid
}

/** Creates one object of each kind, with the word in its name. */
async function everything(teamId: number, word: string) {
  const groupId = await group(teamId, `${word} group`)
  const pipelineId = await pipeline(teamId, groupId, `${word} pipeline`)
  const buildId = await build(teamId, pipelineId, 12)
  const step = { build_id: buildId, index: 0, stage: 'a', stage_index: 0, name: 'image', type: 'image' }
  await db.insertInto('build_step').values(step).execute()
  await db
    .insertInto('build_image')
    .values({
      build_id: buildId,
      step: 0,
      pipeline_id: pipelineId,
      registry_id: 1,
      image: `registry.test/${word}-image`,
      tag: '1',
      digest: 'sha256:0',
      size: 1,
    })
    .execute()
  await db
    .insertInto('product')
    .values({ team_id: teamId, name: `${word} product` })
    .execute()
  await db
    .insertInto('dockerfile')
    .values({
      team_id: teamId,
      name: `${word} dockerfile`,
      description: '',
      content: 'FROM scratch',
      updated_by: 'ann',
    })
    .execute()
  await db
    .insertInto('registry')
    .values({ team_id: teamId, name: `${word}-registry`, url: 'https://registry.test' })
    .execute()
  const envId = await cluster(`${word}-cluster`, [teamId])
  const stack = { team_id: teamId, environment: envId, name: `${word}-stack`, namespace: `${word}-stack`, actor: 'ann' }
  const stackId = (await db.insertInto('stack').values(stack).returning('id').executeTakeFirst())?.id ?? 0
  await db
    .insertInto('service')
    .values({ stack_id: stackId, name: `${word}-service`, state: 'stable', spec: jsonb({}), actor: 'ann' })
    .execute()
  await db
    .insertInto('helm_release')
    .values({
      stack_id: stackId,
      name: `${word}-release`,
      chart: 'hello',
      version: '1.0.0',
      state: 'deployed',
      actor: 'ann',
    })
    .execute()
  return { groupId, pipelineId, envId, stackId }
}

const kinds = async (caller: TestCaller, keyword: string, headers?: Record<string, string>) =>
  (await hits(caller, keyword, headers)).map((hit) => hit.kind).toSorted()

const ofATeam = [
  'cluster',
  'dockerfile',
  'helm-release',
  'image',
  'pipeline',
  'pipeline-group',
  'product',
  'registry',
  'service',
  'stack',
]

/** The permissions that each kind's own page requires. */
const needs = {
  cluster: ['resource_cluster_view'],
  dockerfile: ['pipeline_dockerfile_view'],
  'helm-release': ['helm_release_view'],
  image: ['pipeline_pipeline_view', 'pipeline_build_view'],
  pipeline: ['pipeline_pipeline_view'],
  'pipeline-group': ['pipeline_group_view', 'pipeline_pipeline_view'],
  product: ['product_product_view'],
  registry: ['image_registry_view'],
  service: ['stack_service_view'],
  stack: ['stack_stack_view'],
} as const

describe('visibility', () => {
  test('a leader finds each object of the team, with the parts of its address', async () => {
    const team = await app.team('azure')
    const made = await everything(team.id, 'azurite')
    const found = await hits(team.leader, 'azurite')
    expect(found.map((hit) => hit.kind).toSorted()).toEqual(ofATeam)
    expect(found.every((hit) => hit.team?.id === team.id && hit.team.name === 'azure')).toBe(true)
    expect(found.find((hit) => hit.kind === 'pipeline')).toMatchObject({
      name: 'azurite pipeline',
      hint: 'azurite group',
      place: { id: made.pipelineId, appId: made.groupId },
    })
    expect(found.find((hit) => hit.kind === 'service')).toMatchObject({
      hint: 'azurite-stack',
      state: 'stable',
      place: { stackId: made.stackId, stackName: 'azurite-stack', envId: made.envId },
    })
    expect(await names(team.leader, 'azure')).toContain('team azure')
  })

  test('nobody finds objects of another team, not even with that team in the header', async () => {
    const [ours, theirs] = [await app.team(), await app.team('secretive')]
    await everything(theirs.id, 'hidden')
    const header = { 'x-tenant-id': String(theirs.id) }
    for (const caller of [ours.leader, await ours.member(), await app.user()]) {
      for (const keyword of ['hidden', 'hidden #12', '#12', 'secretive'])
        expect((await hits(caller, keyword, header)).filter((hit) => hit.team?.id === theirs.id)).toEqual([])
    }
  })

  test.each(Object.entries(needs))('%s is found only with the permissions to view it', async (kind, all) => {
    const team = await app.team()
    const word = `w${kind.replace('-', '')}`
    await everything(team.id, word)
    const enough = await team.member([...all])
    expect(await kinds(enough, word)).toContain(kind)
    for (const missing of all) {
      const few = await team.member(
        Object.values(needs)
          .flat()
          .filter((one) => one !== missing),
      )
      expect(await kinds(few, word)).not.toContain(kind)
    }
    expect(await kinds(await team.member(), word)).toEqual([])
  })

  test('a permission in one team reveals nothing of the user’s other teams', async () => {
    const [one, other] = [await app.team(), await app.team()]
    await everything(one.id, 'twoteams')
    await everything(other.id, 'twoteamsx')
    const member = await one.member(Object.values(needs).flat())
    await db.insertInto('team_member').values({ team_id: other.id, account_id: member.id }).execute()
    const found = await hits(member, 'twoteams')
    expect(found.map((hit) => hit.team?.id)).toEqual(found.map(() => one.id))
    expect(found.map((hit) => hit.kind).toSorted()).toEqual(ofATeam)
  })

  test('a shared cluster or registry is found through a team that may use it', async () => {
    const [one, other] = [await app.team(), await app.team()]
    await cluster('commonplace', [one.id, other.id])
    const { id: registry_id } = await db
      .insertInto('registry')
      .values({ name: 'commonplace', url: 'https://common.test' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('registry_team').values({ registry_id, team_id: other.id }).execute()
    const found = await hits(other.leader, 'commonplace')
    expect(found.map(({ kind, team }) => [kind, team?.id])).toEqual([
      ['registry', other.id],
      ['cluster', other.id],
    ])
    expect((await hits(one.leader, 'commonplace')).map(({ kind }) => kind)).toEqual(['cluster'])
  })

  test('an API token finds what both it and its creator may view, in its own team', async () => {
    const [one, other] = [await app.team(), await app.team()]
    for (const { id } of [one, other]) await everything(id, `tokenish${id}`)
    await db.insertInto('team_member').values({ team_id: other.id, account_id: one.leader.id, leader: true }).execute()
    const made = await one.leader.call(tokens.create, {
      params: { teamId: one.id, alias: 'ci' },
      body: { permissions: ['product_product_view', 'stack_stack_view'] },
    })
    const token = app.caller({ kind: 'user', id: one.leader.id, name: '', admin: false }, made.token)
    const header = { 'x-tenant-id': String(other.id) }
    expect(await names(token, 'tokenish', header)).toEqual([
      `stack tokenish${one.id}-stack`,
      `product tokenish${one.id} product`,
    ])
  })

  test('a view as a role finds what the role may see, for administrators too', async () => {
    const team = await app.team()
    await everything(team.id, 'throughglass')
    const values = { team_id: team.id, name: 'looks', permissions: ['product_product_view'] }
    const role = await db.insertInto('team_role').values(values).returning('id').executeTakeFirstOrThrow()
    const admin = await app.user({ admin: true })
    expect(await kinds(admin, 'throughglass')).toEqual(ofATeam)
    await admin.call(session.viewAs, { params: { teamId: team.id }, body: { roleId: role.id } })
    expect(await kinds(admin, 'throughglass')).toEqual(['product'])
  })

  test('a system role covers every team, with its own permissions', async () => {
    const team = await app.team()
    await everything(team.id, 'auditable')
    await cluster('auditable-alone', [])
    const auditor = await app.user()
    const values = { name: 'auditor', permissions: ['product_product_view', 'resource_cluster_view'] }
    const role = await db.insertInto('system_role').values(values).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('account_system_role').values({ account_id: auditor.id, role_id: role.id }).execute()
    expect(await names(auditor, 'auditable')).toEqual([
      'product auditable product',
      'cluster auditable-alone',
      'cluster auditable-cluster',
    ])
  })

  test('only administrators find users and agents, and they find objects of every team', async () => {
    const team = await app.team()
    await everything(team.id, 'admirable')
    const user = await app.user({ name: 'admirable-ann' })
    await db
      .insertInto('agent')
      .values({ name: 'admirable-agent', token_hash: Buffer.from('a') })
      .execute()
    expect(await kinds(app.admin, 'admirable')).toEqual([...ofATeam, 'agent', 'user'].toSorted())
    expect(await kinds(team.leader, 'admirable')).toEqual(ofATeam)
    expect(await kinds(user, 'admirable')).toEqual([])
  })
})

describe('ranking', () => {
  test('is by exact name, prefix, word of the name, any part, then words in name and group', async () => {
    const team = await app.team()
    const groupId = await group(team.id, 'yellow')
    for (const name of [
      'submarine',
      'the submarine',
      'sub marines',
      'submarine two',
      'minisubmarines',
      'sea-submarine',
    ])
      await pipeline(team.id, groupId, name)
    expect(await names(team.leader, 'Submarine')).toEqual([
      'pipeline submarine',
      'pipeline submarine two',
      'pipeline sea-submarine',
      'pipeline the submarine',
      'pipeline minisubmarines',
    ])
    expect((await names(team.leader, 'marine yellow sub')).length).toBe(6)
  })

  test('prefers the team in the header among equals', async () => {
    const [one, other] = [await app.team(), await app.team()]
    for (const { id } of [one, other]) await db.insertInto('product').values({ team_id: id, name: 'evenly' }).execute()
    const member = one.leader
    await db.insertInto('team_member').values({ team_id: other.id, account_id: member.id, leader: true }).execute()
    for (const { id } of [one, other]) {
      const found = await hits(member, 'evenly', { 'x-tenant-id': String(id) })
      expect(found.map((hit) => hit.team?.id)).toEqual([id, id === one.id ? other.id : one.id])
    }
  })

  test('keeps room for the cluster of the team in the header among many of others', async () => {
    const [one, other] = [await app.team(), await app.team()]
    await db.insertInto('team_member').values({ team_id: other.id, account_id: one.leader.id, leader: true }).execute()
    for (let n = 0; n <= searchKindCap; n++) await cluster(`mooring ${n}`, [other.id])
    await cluster('mooring at home', [one.id])
    const [first] = await hits(one.leader, 'mooring', { 'x-tenant-id': String(one.id) })
    expect(first).toMatchObject({ name: 'mooring at home', team: { id: one.id } })
  })

  test('finds the build for #12, a name with #12 and a name with 12', async () => {
    const team = await app.team()
    const groupId = await group(team.id, 'g')
    const [web, api] = [await pipeline(team.id, groupId, 'web'), await pipeline(team.id, groupId, 'api 12')]
    for (const number of [1, 12]) {
      await build(team.id, web, number, 'A first line\n\nand more')
      await build(team.id, api, number)
    }
    expect(await names(team.leader, 'web #12')).toEqual(['build web #12'])
    expect(await names(team.leader, 'web 12')).toEqual(['build web #12'])
    expect(await names(team.leader, 'web#12')).toEqual(['build web #12'])
    expect(await names(team.leader, '#12')).toEqual(['build api 12 #12', 'build web #12'])
    expect(await names(team.leader, 'api 12')).toEqual(['pipeline api 12', 'build api 12 #12'])
    expect((await hits(team.leader, 'web #1'))[0]).toMatchObject({ hint: 'A first line', place: { number: 1 } })
    expect(await names(team.leader, 'web #99999999999')).toEqual([])
  })
})

describe('the searched text', () => {
  test('is taken literally: nothing in it is a pattern, a statement or a wildcard', async () => {
    const team = await app.team()
    const groupId = await group(team.id, 'g')
    for (const name of ['100% done', 'snake_case', String.raw`back\slash`, "it's", 'plain'])
      await pipeline(team.id, groupId, name)
    expect(await names(team.leader, '%')).toEqual(['pipeline 100% done'])
    expect(await names(team.leader, '_')).toEqual(['pipeline snake_case'])
    expect(await names(team.leader, '\\')).toEqual([String.raw`pipeline back\slash`])
    expect(await names(team.leader, "'")).toEqual(["pipeline it's"])
    expect(await names(team.leader, 'p%n')).toEqual([])
  })

  test('has 1 to 100 characters, counted as code points', async () => {
    const team = await app.team()
    const emoji = '🚀'.repeat(100)
    await db.insertInto('product').values({ team_id: team.id, name: emoji }).execute()
    expect(await names(team.leader, emoji)).toEqual([`product ${emoji}`])
    for (const keyword of ['🚀'.repeat(101), ' ', 'a'.repeat(101)])
      await expect(hits(team.leader, keyword)).rejects.toMatchObject({ status: 400 })
    await expect(app.admin.call(search.find, {} as never)).rejects.toMatchObject({ status: 400 })
  })

  test('may be Chinese, in either case, or contain characters that no name has', async () => {
    const team = await app.team()
    for (const name of ['订单服务', 'ÜBER']) await db.insertInto('product').values({ team_id: team.id, name }).execute()
    expect(await names(team.leader, '服务')).toEqual(['product 订单服务'])
    expect(await names(team.leader, 'über')).toEqual(['product ÜBER'])
    await expect(hits(team.leader, 'a\u0000b')).rejects.toMatchObject({ status: 400 })
  })
})

test('gets a limited answer among 10,000 pipelines and 30,000 builds, which says that there is more', async () => {
  const team = await app.team()
  const groupId = await group(team.id, 'many')
  await sql`insert into pipeline (team_id, group_id, name)
    select ${team.id}, ${groupId}, 'crowd ' || n from generate_series(1, 10000) n`.execute(db)
  await sql`insert into build (pipeline_id, team_id, number, cause, user_cause, by_admin, definition, timeout_seconds)
    select id, team_id, n, 'manual', 'ann', false, '{"stages": []}', 60
    from pipeline, generate_series(1, 3) n where group_id = ${groupId}`.execute(db)
  const found = await team.leader.call(search.find, { query: { keyword: 'crowd' } })
  expect(found.items).toHaveLength(searchKindCap)
  expect(found.items.map((hit) => hit.name)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `crowd ${n}`))
  expect(found).toMatchObject({ more: true, unread: [] })
  expect(await names(team.leader, 'crowd 10000')).toEqual(['pipeline crowd 10000'])
  expect(await names(team.leader, 'crowd 9999 #3')).toEqual(['build crowd 9999 #3'])
})

test('gets an answer that names the kinds that could not be searched in time', async () => {
  const team = await app.team()
  await everything(team.id, 'patience')
  await db.transaction().execute(async (busy) => {
    await sql`lock table product in access exclusive mode`.execute(busy)
    const found = await team.leader.call(search.find, { query: { keyword: 'patience' } })
    // stacks and blueprints are also found by the name of their product
    const locked = ['blueprint', 'product', 'stack']
    expect(found.unread.toSorted()).toEqual(locked)
    expect(found.items.map((hit) => hit.kind).toSorted()).toEqual(ofATeam.filter((kind) => !locked.includes(kind)))
  })
})
