import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const kube = openKube({ admit: admitLocal })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

const direct = kube.cluster('direct', parseKubeconfig(kubeconfig)).kube
const spec: ServiceSpecInput = { image: 'registry.example.test/web:1', ports: [{ port: 8080 }], replicas: 2 }
type Team = Awaited<ReturnType<typeof app.team>>
let team: Team
let neighbour: Team
let envId = ''

beforeAll(async () => {
  team = await app.team()
  neighbour = await app.team()
  const body = { name: 'shared', kubeconfig, teamIds: [team.id, neighbour.id] }
  envId = (await app.admin.call(clusters.create, { body })).uuid
})

const settled = (of: Team, id: number, state: string) =>
  eventually(
    async () => {
      await app.reconcile()
      return of.leader.call(services.get, { params: { teamId: of.id, envId, id } })
    },
    (service) => service.state === state,
  )

async function deployed(of: Team) {
  const stack = await of.leader.call(stacks.create, { params: { teamId: of.id }, body: { name: 'shop', envId } })
  const params = { teamId: of.id, stackId: stack.id, serviceName: 'web' }
  const { id } = await of.leader.call(services.create, { params, body: spec })
  await settled(of, id, 'stable')
  const { namespace } = await app.db
    .selectFrom('stack')
    .select('namespace')
    .where('id', '=', stack.id)
    .executeTakeFirstOrThrow()
  return { id, namespace }
}

const podsIn = async (namespace: string) =>
  (await direct.list(kinds.pods, { namespace })).items
    .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    .map(({ metadata, spec }) => ({ uid: metadata?.uid, node: spec?.nodeName, tolerations: spec?.tolerations ?? [] }))

const ours = ({ tolerations }: { tolerations: { key?: string }[] }) =>
  tolerations.filter(({ key }) => key === 'gantry.dev/dedicated')

test('a dedicated host is preferred by the team’s pods, and closed to others', async () => {
  const dedicate = (teamId: number | null) =>
    app.admin.call(hosts.dedicated, { params: { env: envId, host: 'sandbox-3' }, body: { teamId } })
  await dedicate(team.id)
  const [mine, theirs] = [await deployed(team), await deployed(neighbour)]
  // The host is preferred, and replicas are also spread: the scheduler weighs the two.
  expect((await podsIn(mine.namespace)).map(({ node }) => node)).toContain('sandbox-3')
  const { spec } = await direct.get(kinds.deployments, { namespace: mine.namespace, name: 'web' })
  const wanted = { key: 'gantry.dev/dedicated', operator: 'In', values: [String(team.id)] }
  expect(spec?.template.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution).toEqual([
    { weight: 100, preference: { matchExpressions: [wanted] } },
  ])
  expect((await podsIn(theirs.namespace)).map(({ node }) => node)).toEqual(['sandbox-2', 'sandbox-2'])
  await dedicate(null)
})

test('a service of an earlier release keeps its pods, and prefers the host once its pods are replaced anyway', async () => {
  const late = await app.team()
  await app.admin.call(clusters.assign, { params: { env: envId }, query: { tenant: late.id } })
  const stack = await late.leader.call(stacks.create, { params: { teamId: late.id }, body: { name: 'shop', envId } })
  const params = { teamId: late.id, stackId: stack.id, serviceName: 'web' }
  const { id } = await late.leader.call(services.create, { params, body: spec })
  // As an earlier release left it: the pod template has no rules for hosts.
  await app.db.updateTable('service').set({ pod_dedicated: false }).where('id', '=', id).execute()
  await settled(late, id, 'stable')
  const { namespace } = await app.db
    .selectFrom('stack')
    .select('namespace')
    .where('id', '=', stack.id)
    .executeTakeFirstOrThrow()
  const before = await podsIn(namespace)
  expect(before.flatMap(ours)).toEqual([])

  const act = { teamId: late.id, envId, id }
  await late.leader.call(services.scale, { params: act, query: { replicas: 3 } })
  await settled(late, id, 'stable')
  const scaled = await podsIn(namespace)
  expect(scaled.map(({ uid }) => uid)).toEqual(expect.arrayContaining(before.map(({ uid }) => uid)))
  expect(scaled.flatMap(ours)).toEqual([])

  const body = { ...spec, image: 'registry.example.test/web:2' }
  await late.leader.call(services.upgrade, { params: act, body })
  await settled(late, id, 'upgraded')
  const toleration = { key: 'gantry.dev/dedicated', operator: 'Equal', value: String(late.id), effect: 'NoSchedule' }
  const upgraded = await podsIn(namespace)
  expect(upgraded.length).toBeGreaterThan(0)
  for (const pod of upgraded) expect(ours(pod)).toEqual([toleration])
})
