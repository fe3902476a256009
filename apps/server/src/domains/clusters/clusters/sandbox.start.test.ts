import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { admitLocal, type Answer, fakeApi, refuse, reply } from '../../../../test/kube-api.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { insertCluster } from './clusters.store.ts'
import { start } from './sandbox.start.ts'

const closed: Answer = (_, response) => refuse(response, 401, 'Unauthorized')
const looks = (api: { seen: { path: string }[] }): number => api.seen.filter(({ path }) => path === '/version').length

let refusals = 2
const late = await fakeApi((seen, response) => {
  if (seen.path === '/version' && refusals-- > 0) return closed(seen, response)
  return reply(response, { gitVersion: 'v1.34.0', metadata: {}, items: [], status: { allowed: true } })
})
const dead = await fakeApi(closed)
const sandboxKubeconfig = join(testFolder('kubeconfig'), 'kubeconfig')
writeFileSync(
  sandboxKubeconfig,
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'sandbox', cluster: { server: late.address.server } }],
    users: [{ name: 'sandbox', user: { token: 'sandbox' } }],
    contexts: [{ name: 'sandbox', context: { cluster: 'sandbox', user: 'sandbox' } }],
    'current-context': 'sandbox',
  }),
)
const kube = openKube({ admit: admitLocal })
const app = await testApp({ onlyDomains: ['clusters'], ports: { kube }, config: { sandboxKubeconfig } })
afterAll(async () => {
  await kube.close()
  for (const api of [late, dead]) await api[Symbol.asyncDispose]()
})

test('the sandbox is checked until it answers, other clusters once', async () => {
  const address = seal(app.ctx(), JSON.stringify(dead.address))
  const at = { server: dead.address.server, address, reach: 'kubeconfig' as const }
  await insertCluster(app.db, { name: 'other', description: '', cluster: null, ...at })
  await start.run(app.ctx())
  const health = () => app.db.selectFrom('environment').select(['name', 'health']).orderBy('name').execute()
  await expect.poll(health).toEqual([
    { name: 'other', health: 'credentials' },
    { name: 'sandbox', health: 'healthy' },
  ])
  expect([looks(late), looks(dead)]).toEqual([3, 1])
})
