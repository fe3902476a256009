import { openstack } from '@gantry/contract/openstack/openstack'
import { zones } from '@gantry/contract/openstack/zones'
import { mask } from '@gantry/contract/validators'
import { describe, expect, test } from 'vitest'
import { fakeAccount, fakeIds } from '../../../test/fake-openstack.ts'
import { reply } from '../../../test/kube-api.ts'
import { nothing, openstackApp } from '../../../test/openstack-app.ts'

const { app, fake, team, env, newEnvironment, connect, normal, nested, add, inCluster, settle, breakCluster } =
  await openstackApp()
const refused = (key: string, status = 400) => expect.objectContaining({ key, status })

describe('connections', () => {
  test('inputs are trimmed, blank domains become Default, and the password is masked and encrypted', async () => {
    const body = {
      name: ' cloud.one ',
      keystone: {
        authUrl: ` ${fake.authUrl} `,
        username: ` ${fakeAccount.username} `,
        password: ` ${fakeAccount.password} `,
        projectName: ' demo ',
        projectDomainName: '  ',
      },
    }
    const created = await team.leader.call(openstack.create, { params: { env }, body })
    expect(created).toMatchObject({
      name: 'cloud.one',
      envUuid: env,
      zoneNum: 0,
      state: 'ready',
      keystone: {
        authUrl: fake.authUrl,
        username: 'kuryr',
        password: mask,
        projectName: 'demo',
        projectDomainName: 'Default',
        userDomainName: 'Default',
      },
    })
    const params = { env, uuid: created.uuid }
    expect(await team.leader.call(openstack.get, { params })).toEqual(created)
    const row = await app.db
      .selectFrom('openstack')
      .selectAll()
      .where('uuid', '=', created.uuid)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(fakeAccount.password)
  })

  test.for(['-a', 'a-', 'a..b', 'A', 'a_b', 'а', '', 'x'.repeat(65)])('the name %j is refused', async (name) => {
    const answer = await team.leader.request(openstack.create, {
      params: { env },
      body: { name, keystone: fake.account },
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).not.toContain(fakeAccount.password)
  })

  test('a name has the usual length limit; only zones have a shorter one', async () => {
    const name = `${'x'.repeat(40)}.${'y'.repeat(23)}`
    const created = await team.leader.call(openstack.create, {
      params: { env },
      body: { name, keystone: fake.account },
    })
    expect(created.name).toBe(name)
  })

  test('a refusal by Keystone is shown at its field, and nothing is stored', async () => {
    const create = async (more: object) =>
      team.leader.request(openstack.create, {
        params: { env },
        body: { name: 'never', keystone: { ...fake.account, ...more } },
      })
    for (const [more, path, key] of [
      [{ password: 'wrong-canary-2' }, 'keystone.password', 'openstack-password-refused'],
      [{ projectName: 'none' }, 'keystone.projectName', 'openstack-project-refused'],
      [{ projectDomainName: 'none' }, 'keystone.projectDomainName', 'openstack-domain-refused'],
      [{ authUrl: 'http://127.0.0.1:1' }, 'keystone.authUrl', 'outbound-unreachable'],
      [{ authUrl: 'http://169.254.169.254/v3' }, 'keystone.authUrl', 'outbound-refused'],
    ] as const) {
      const answer = await create(more)
      expect(answer.json()).toMatchObject({ message: key, data: [{ path, key }] })
      expect(answer.statusCode).not.toBe(401)
      expect(answer.body).not.toMatch(/canary/)
    }
    fake.answer(({ body }, response) => reply(response, { error: { message: body } }, 401))
    expect((await create({})).body).not.toContain(fakeAccount.password)
    const { items } = await team.leader.call(openstack.list, { params: { env } })
    expect(items.map(({ name }) => name)).not.toContain('never')
    const trail = await app.db.selectFrom('audit_log').selectAll().where('action', '=', 'openstack.create').execute()
    expect(trail.length).toBeGreaterThan(5)
    expect(JSON.stringify(trail)).not.toMatch(/canary/)
  })

  test('a name is unique in a cluster, even among twenty concurrent calls', async () => {
    const body = { name: 'once', keystone: fake.account }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => team.leader.request(openstack.create, { params: { env }, body })),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    const other = await newEnvironment('other', team)
    await team.leader.call(openstack.create, { params: { env: other.uuid }, body })
  })

  test('the choices are read from OpenStack each time', async () => {
    const { uuid } = await connect()
    const params = { env, uuid }
    const choices = await team.leader.call(openstack.choices, { params })
    expect(choices).toMatchObject({ project: fakeIds.project, projects: [{ name: 'demo' }] })
    expect(choices.subnets.map(({ name }) => name)).toContain('pods-subnet')
    const other = await team.leader.call(openstack.choices, { params, query: { project: 'b'.repeat(32) } })
    expect(other.subnets).toEqual([])
    fake.answer((_, response) => reply(response, {}, 503))
    await expect(team.leader.call(openstack.choices, { params })).rejects.toEqual(refused('openstack-trouble', 502))
  })

  test('a limit that is no number becomes 50', async () => {
    const { uuid: at } = await newEnvironment('many', team)
    await app.db
      .insertInto('openstack')
      .values(
        Array.from({ length: 60 }, (_, n) => ({
          environment: at,
          name: `c${String(n).padStart(2, '0')}`,
          auth_url: 'http://x',
          username: 'x',
          password: '',
          project_name: 'x',
          project_domain_name: 'x',
          user_domain_name: 'x',
        })),
      )
      .execute()
    const list = (limit?: string) => team.leader.call(openstack.list, { params: { env: at }, query: { limit } })
    for (const given of [undefined, 'abc', 'NaN', 'ten'])
      expect(await list(given)).toMatchObject({ pageSize: 50, totalSize: 60, items: { length: 50 } })
    expect((await list('1000')).items).toHaveLength(60)
    expect((await list('3')).items.map(({ name }) => name)).toEqual(['c00', 'c01', 'c02'])
    for (const bad of ['0', '-1', '1001', '2.5', 'Infinity'])
      await expect(list(bad)).rejects.toMatchObject({ status: 400 })
  })
})

describe('deleting a connection', () => {
  test('says how many zones it deletes, and removes them from the cluster', async () => {
    const { uuid } = await connect()
    const params = { env, uuid }
    const two = [await add(normal(uuid)), await add(nested(uuid))]
    expect(await team.leader.call(openstack.check, { params })).toEqual({ zoneNum: 2 })
    expect(await team.leader.call(openstack.remove, { params })).toEqual({ gone: true })
    for (const { name } of two) expect(await inCluster(name)).toEqual(nothing)
    const left = (await team.leader.call(zones.list, { params: { env }, query: { limit: '1000' } })).items
    expect(left.map(({ openStackUuid }) => openStackUuid)).not.toContain(uuid)
    await expect(team.leader.call(openstack.check, { params })).rejects.toEqual(refused('resource-missing', 404))
  })

  test('can be repeated, by hand or by the job, if the cluster fails in between', async () => {
    for (const again of ['by hand', 'by the job'] as const) {
      const { uuid } = await connect()
      const params = { env, uuid }
      const { name } = await add(normal(uuid))
      const mend = await breakCluster()
      await expect(team.leader.call(openstack.remove, { params })).rejects.toMatchObject({ status: 503 })
      expect(await team.leader.call(openstack.get, { params })).toMatchObject({ state: 'removing', zoneNum: 1 })
      await expect(add(normal(uuid))).rejects.toEqual(refused('openstack-removing', 409))
      await mend()
      if (again === 'by hand') await team.leader.call(openstack.remove, { params })
      else await settle()
      expect(await inCluster(name)).toEqual(nothing)
      await expect(team.leader.call(openstack.get, { params })).rejects.toMatchObject({ status: 404 })
    }
  })
})

describe('permissions', () => {
  test('are required for each call, and users of no team of the cluster get 404', async () => {
    const { uuid } = await connect()
    const zone = await add(normal(uuid))
    const [none, viewer] = [await team.member(), await team.member(['resource_openstack_view'])]
    const stranger = (await app.team()).leader
    const params = { env, uuid }
    for (const call of [openstack.get, openstack.check, openstack.choices] as const) {
      await expect(none.call(call, { params })).rejects.toMatchObject({ status: 403 })
      await expect(stranger.call(call, { params })).rejects.toMatchObject({ status: 404 })
      await viewer.call(call, { params })
    }
    // details of a zone require no permission besides access to the cluster
    await none.call(zones.get, { params: { env, uuid: zone.uuid } })
    await expect(stranger.call(zones.get, { params: { env, uuid: zone.uuid } })).rejects.toMatchObject({ status: 404 })
    for (const by of [none, viewer]) {
      await expect(connect({}, by)).rejects.toMatchObject({ status: 403 })
      await expect(add(normal(uuid), by)).rejects.toMatchObject({ status: 403 })
      await expect(by.call(openstack.remove, { params })).rejects.toMatchObject({ status: 403 })
      await expect(by.call(zones.remove, { params: { env, uuid: zone.uuid } })).rejects.toMatchObject({ status: 403 })
    }
    await add(normal(uuid), await team.member(['resource_zone_create']))
    await connect({}, await team.member(['resource_openstack_create']))
  })

  test('allow only administrators to change a cluster of several teams, and all of them to read it', async () => {
    const second = await app.team()
    const shared = (await newEnvironment('shared', team, second)).uuid
    await expect(connect({}, team.leader, shared)).rejects.toEqual(refused('clusters-shared', 403))
    const { uuid } = await connect({}, app.admin, shared)
    expect(await second.leader.call(openstack.get, { params: { env: shared, uuid } })).toMatchObject({ uuid })
    // the account may see more of OpenStack than the team, so only users who can create zones see the choices
    for (const query of [{}, { project: fakeIds.project }]) {
      await expect(second.leader.call(openstack.choices, { params: { env: shared, uuid }, query })).rejects.toEqual(
        refused('clusters-shared', 403),
      )
      await app.admin.call(openstack.choices, { params: { env: shared, uuid }, query })
    }
    const { uuid: zone } = await app.admin.call(zones.create, { params: { env: shared }, body: normal(uuid) })
    await second.leader.call(zones.get, { params: { env: shared, uuid: zone } })
    expect(await second.leader.call(zones.list, { params: { env: shared } })).toMatchObject({ totalSize: 1 })
    await expect(second.leader.call(openstack.remove, { params: { env: shared, uuid } })).rejects.toEqual(
      refused('clusters-shared', 403),
    )
    await app.admin.call(openstack.remove, { params: { env: shared, uuid } })
  })

  test('never show the password, in any field', async () => {
    const { uuid } = await connect()
    const zone = await add(normal(uuid))
    for (const caller of [team.leader, app.admin]) {
      const answers = [
        await caller.request(openstack.list, { params: { env } }),
        await caller.request(openstack.get, { params: { env, uuid } }),
        await caller.request(openstack.choices, { params: { env, uuid } }),
        await caller.request(zones.list, { params: { env } }),
        await caller.request(zones.get, { params: { env, uuid: zone.uuid } }),
      ]
      for (const { statusCode, body } of answers) {
        expect(statusCode).toBe(200)
        expect(body).not.toContain(fakeAccount.password)
        expect(body).not.toContain(Buffer.from(fakeAccount.password).toString('base64').slice(0, 16))
      }
    }
  })
})
