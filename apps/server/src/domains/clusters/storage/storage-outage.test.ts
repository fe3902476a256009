import { storage } from '@gantry/contract/clusters/storage'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { admitLocal, type FakeApi, fakeApi, reply } from '../../../../test/kube-api.ts'
import { testApp } from '../../../../test/test-app.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'

const kube = openKube({ admit: admitLocal })
const app = await testApp({ ports: { kube } })
afterAll(() => kube.close())

const defaultKey = 'storageclass.kubernetes.io/is-default-class'

const added = async (name: string, { address, uid }: FakeApi): Promise<string> =>
  (
    await app.db
      .insertInto('environment')
      .values({ name, server: address.server, address: seal(app.ctx(), JSON.stringify(address)), cluster: uid ?? null })
      .returning('uuid')
      .executeTakeFirstOrThrow()
  ).uuid

/** A cluster with storage classes that answers a change only when the test lets it. */
async function slowCluster() {
  const pending: (() => void)[] = []
  const classes = ['a', 'b'].map((name) => ({
    metadata: { name, uid: name, annotations: { [defaultKey]: String(name === 'a') } },
    provisioner: 'example.test/none',
  }))
  const api = await fakeApi(({ method, path }, response) => {
    const [, name] = /storageclasses\/(\w+)$/.exec(path) ?? []
    if (method === 'PATCH') pending.push(() => reply(response, classes[1]))
    else reply(response, name === undefined ? { items: classes } : classes.find((one) => one.metadata.name === name))
  })
  return { api, pending, env: await added('slow', api) }
}

test('no database connection is held while a cluster is slow to change its default driver', async () => {
  const { api, pending, env } = await slowCluster()
  const call = app.admin.request(storage.setDefaultDriver, { params: { env, name: 'b' } })
  await eventually(() => expect(pending).toHaveLength(1))
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(app.db)
  expect(rows).toHaveLength(0)
  await api[Symbol.asyncDispose]()
  expect((await call).statusCode).toBe(503)
})

test('a created volume exists, even if the cluster does not answer from then on', async () => {
  await using api = await fakeApi(({ method, body }, response) => {
    if (method === 'POST') reply(response, { ...JSON.parse(body), status: { phase: 'Pending' } }, 201)
    else response.destroy()
  })
  const env = await added('silent', api)
  const source = { type: 'nfs', server: '10.0.0.1', path: '/x' } as const
  const body = { name: 'made', capacity: 1, accessModes: ['ReadWriteOnce' as const], source }
  expect(await app.admin.call(storage.createVolume, { params: { env }, body })).toMatchObject({
    name: 'made',
    capacity: 1,
    state: 'Pending',
    source: 'nfs 10.0.0.1:/x',
  })
})

test('a created driver exists, even if the previous default stays marked, and making it the default again repairs that', async () => {
  type Class = { metadata: { name: string; annotations: Record<string, string | null> }; provisioner: string }
  const provisioner = 'example.test/none'
  const old: Class = { metadata: { name: 'old', annotations: { [defaultKey]: 'true' } }, provisioner }
  const classes = new Map([['old', old]])
  let broken = true
  await using api = await fakeApi(({ method, path, body }, response) => {
    const [, name = ''] = /storageclasses\/(\w+)$/.exec(path) ?? []
    if (method === 'POST') {
      const made = JSON.parse(body) as Class
      classes.set(made.metadata.name, made)
      return reply(response, made, 201)
    }
    if (method === 'PATCH' && broken) return reply(response, {}, 500)
    if (method === 'PATCH') {
      const { annotations } = (JSON.parse(body) as Class).metadata
      Object.assign(classes.get(name)!.metadata.annotations, annotations)
    }
    return reply(
      response,
      classes.get(name) ?? { items: path.endsWith('/storageclasses') ? [...classes.values()] : [] },
    )
  })
  const env = await added('broken', api)
  const body = { name: 'new', provisioner, isDefault: true }
  expect(await app.admin.call(storage.createDriver, { params: { env }, body })).toMatchObject({
    name: 'new',
    isDefault: true,
  })
  const defaults = async () =>
    (await app.admin.call(storage.drivers, { params: { env } })).filter(({ isDefault }) => isDefault)
  expect(await defaults()).toHaveLength(2)
  broken = false
  await app.admin.call(storage.setDefaultDriver, { params: { env, name: 'new' } })
  expect(await defaults()).toMatchObject([{ name: 'new' }])
})
