import { storage } from '@gantry/contract/clusters/storage'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { admitLocal, fakeApi, reply } from '../../../test/kube-api.ts'
import { testApp } from '../../../test/test-app.ts'
import { openKube } from '../../adapters/kube/pool.ts'
import { seal } from '../../kernel/secrets.ts'

const kube = openKube({ admit: admitLocal })
const app = await testApp({ ports: { kube } })
afterAll(() => kube.close())

const defaultKey = 'storageclass.kubernetes.io/is-default-class'

/** A cluster that has storage classes, and answers a change when it is told to. */
async function slowCluster() {
  const held: (() => void)[] = []
  const classes = ['a', 'b'].map((name) => ({
    metadata: { name, uid: name, annotations: { [defaultKey]: String(name === 'a') } },
    provisioner: 'example.test/none',
  }))
  const api = await fakeApi(({ method, path }, response) => {
    const [, name] = /storageclasses\/(\w+)$/.exec(path) ?? []
    if (method === 'PATCH') held.push(() => reply(response, classes[1]))
    else reply(response, name === undefined ? { items: classes } : classes.find((one) => one.metadata.name === name))
  })
  const { uuid } = await app.db
    .insertInto('environment')
    .values({ name: 'slow', server: api.address.server, address: seal(app.ctx(), JSON.stringify(api.address)) })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  return { api, held, env: uuid }
}

test('no connection to the database waits for a cluster that is slow to change its default driver', async () => {
  const { api, held, env } = await slowCluster()
  const call = app.admin.request(storage.setDefaultDriver, { params: { env, name: 'b' } })
  await vi.waitFor(() => expect(held).toHaveLength(1))
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(app.db)
  expect(rows).toHaveLength(0)
  await api[Symbol.asyncDispose]()
  expect((await call).statusCode).toBe(503)
})
