import { clusters } from '@gantry/contract/clusters/clusters'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { clusterApi } from '../../../../test/cluster-api.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { testApp } from '../../../../test/test-app.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { inTx } from '../../../kernel/context.ts'
import { createStack } from '../../stacks/public.ts'

const api = await clusterApi()
const kube = openKube({ admit: admitLocal })
const app = await testApp({ onlyDomains: ['clusters', 'stacks', 'quotas', 'audit'], ports: { kube } })
const team = await app.team()
afterAll(async () => {
  await kube.close()
  await api[Symbol.asyncDispose]()
})

const kubeconfigOf = (cluster: string) =>
  stringify({
    clusters: [{ name: 'c', cluster: { server: `${api.address.server}/clusters/${cluster}` } }],
    users: [{ name: 'u', user: { token: 'abc' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  })

/** Number of transactions that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
  return rows.length
}

const take = (env: string) =>
  app.admin.call(clusters.assign, { params: { env }, query: { tenant: team.id, assigned: 'false' } })
const remove = (uuid: string, confirm: string) =>
  app.admin.call(clusters.remove, { params: { uuid }, query: { confirm } })
const leave = (uuid: string, confirm: string) =>
  app.admin.call(clusters.remove, { params: { uuid }, query: { confirm, action: 'complete' } })

test.each([
  ['cannot be unassigned from its team', take],
  ['cannot be deleted', remove],
  ['cannot be emptied', leave],
])('a cluster on which a stack is being created %s', async (_, act) => {
  const body = { name: act.name, kubeconfig: kubeconfigOf(act.name), teamIds: [team.id] }
  const { uuid } = await app.admin.call(clusters.create, { body })
  const made = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const stack = { name: 'shop', description: '', envId: uuid, productId: null, quota: { cpu: null, memory: null } }
  const making = inTx(app.ctx(), async (ctx) => {
    await createStack(ctx, team.id, stack)
    made.resolve()
    await over.promise
  })
  await made.promise
  const answer = act(uuid, body.name).catch((error: unknown) => error)
  await expect.poll(waiting).toBeGreaterThan(0)
  over.resolve()
  await making
  const words = expect.stringContaining('shop')
  expect(await answer).toMatchObject({ status: 409, key: 'clusters-in-use', message: words })
  const there = await app.admin.call(clusters.get, { params: { uuid } })
  expect(there).toMatchObject({ leaving: false, teams: [{ id: team.id }] })
})
