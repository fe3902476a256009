import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { drift } from '@gantry/contract/stacks/drift'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'
import { compareAll } from './drift.service.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

let envId = ''
let team: Awaited<ReturnType<typeof app.team>>
let stack = { uuid: '', namespace: '', id: 0 }
beforeAll(async () => {
  team = await app.team()
  const body = { name: 'sandbox', kubeconfig, teamIds: [team.id] }
  envId = (await app.admin.call(clusters.create, { body })).uuid
  stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name: 'shop', envId } })
})

const get = (id: number) => team.leader.call(services.get, { params: { teamId: team.id, envId, id } })
const settled = (id: number) =>
  eventually(
    async () => {
      await app.reconcile()
      return get(id)
    },
    (service) => service.state === 'stable' && service.ready === service.replicas,
  )
let made = 0
async function running() {
  const name = `web-${++made}`
  const { id } = await team.leader.call(services.create, {
    params: { teamId: team.id, stackId: stack.uuid, serviceName: name },
    body: {
      image: 'registry.example.test/web:1',
      resources: { cpu: '0.1', memory: '32Mi' },
      ports: [{ port: 80 }],
      environment: [{ name: 'A', value: '1' }],
      files: [{ path: '/etc/web.conf', content: 'x' }],
    },
  })
  await settled(id)
  return { id, name, one: { params: { teamId: team.id, envId, id } } }
}
const direct = () => kube.cluster('direct', parseKubeconfig(kubeconfig)).kube
const deployment = (name: string) => direct().get(kinds.deployments, { name, namespace: stack.namespace })
type Found = Awaited<ReturnType<typeof deployment>>

/** Changes a deployment as another program does. */
async function edit(name: string, change: (live: Found) => void) {
  const body = await deployment(name)
  change(body)
  const path = `/apis/apps/v1/namespaces/${stack.namespace}/deployments/${name}`
  const answer = await direct().pass({ method: 'PUT', path, query: { fieldManager: 'kubectl-edit' }, body })
  answer.body.resume()
  expect(answer.status).toBe(200)
}
const main = (live: Found) => live.spec?.template.spec?.containers[0] ?? { name: '', env: [], image: '' }

test('a service that nobody changed has no drift, and nothing to keep or to put back', async () => {
  const { one } = await running()
  expect(await team.leader.call(drift.get, one)).toEqual({ settled: true, fields: [] })
  for (const call of [drift.keep, drift.putBack])
    await expect(team.leader.call(call, one)).rejects.toMatchObject({ status: 409, key: 'drift-none' })
})

test('changes of others are reported by field and author, and are put back as applied', async () => {
  const { id, name, one } = await running()
  const before = (await deployment(name)).spec
  await edit(name, (live) => {
    if (live.spec) live.spec.replicas = 2
    main(live).env = [
      { name: 'A', value: '2' },
      { name: 'B', value: 'new' },
    ]
    if (live.spec?.template.spec) live.spec.template.spec.hostname = 'odd'
  })
  const { namespace } = stack
  await direct().remove(kinds.configMaps, { name: `${name}.files`, namespace })
  const { fields } = await team.leader.call(drift.get, one)
  expect(fields.map(({ object, field, wanted, live, by, keeps }) => [object, field, wanted, live, by, keeps])).toEqual([
    [`ConfigMap ${name}.files`, '', `${name}.files`, null, '', false],
    [`Deployment ${name}`, 'spec.replicas', '1', '2', 'kubectl-edit', true],
    [`Deployment ${name}`, `spec.template.spec.containers[${name}].env[A].value`, '1', '2', 'kubectl-edit', true],
    [
      `Deployment ${name}`,
      `spec.template.spec.containers[${name}].env[B]`,
      null,
      '{"name":"B","value":"new"}',
      'kubectl-edit',
      true,
    ],
    [`Deployment ${name}`, 'spec.template.spec.hostname', null, 'odd', 'kubectl-edit', false],
  ])
  expect(await get(id)).toMatchObject({ drift: 5 })
  expect(await team.leader.call(stacks.get, { params: { teamId: team.id, envId, stackId: stack.id } })).toMatchObject({
    driftNum: 1,
  })
  await expect(team.leader.call(drift.keep, one)).rejects.toMatchObject({ status: 409, key: 'drift-no-place' })
  expect(await team.leader.call(drift.putBack, one)).toMatchObject({ drift: 0, revision: 1 })
  expect((await deployment(name)).spec).toEqual(before)
  expect((await team.leader.call(drift.get, one)).fields).toEqual([])
})

test('changes that the document can express are kept as the next revision', async () => {
  const { id, name, one } = await running()
  await edit(name, (live) => {
    main(live).env = [{ name: 'B', value: 'new' }]
    main(live).image = 'registry.example.test/web:2'
  })
  const kept = await team.leader.call(drift.keep, one)
  expect(kept).toMatchObject({
    revision: 2,
    drift: 0,
    spec: { image: 'registry.example.test/web:2', environment: [{ name: 'B', value: 'new' }] },
  })
  await settled(id)
  expect((await team.leader.call(drift.get, one)).fields).toEqual([])
})

test('a changed number of instances is kept without a new pod', async () => {
  const { id, name, one } = await running()
  await edit(name, (live) => {
    if (live.spec) live.spec.replicas = 2
  })
  await team.leader.call(drift.keep, one)
  expect(await settled(id)).toMatchObject({ replicas: 2, revision: 2 })
  expect(main(await deployment(name)).image).toContain('web:1')
  expect((await deployment(name)).metadata?.generation).toBe(2)
})

test('comparing all clusters notes changes, and that they have been undone', async () => {
  const { id, name } = await running()
  const set = (value: string) =>
    edit(name, (live) => {
      main(live).env = [{ name: 'A', value }]
    })
  await set('2')
  await compareAll(app.ctx())
  expect(await get(id)).toMatchObject({ drift: 1 })
  await set('1')
  await compareAll(app.ctx())
  expect(await get(id)).toMatchObject({ drift: 0 })
})
