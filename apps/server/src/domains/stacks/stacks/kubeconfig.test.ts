import { audit } from '@gantry/contract/audit/audit'
import { host } from '@gantry/contract/settings/host'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/test-app.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'

const { app, kube, direct, newEnvironment } = await sandboxApp()
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeAll(async () => {
  team = await app.team()
  ;({ uuid: envId } = await newEnvironment('mine', team))
})

let made = 0
async function runningStack() {
  const { uuid } = await team.leader.call(stacks.create, {
    params: { teamId: team.id },
    body: { name: `ours-${++made}`, envId },
  })
  await app.reconcile()
  return team.leader.call(stacks.get, { params: { teamId: team.id, envId, stackId: uuid } })
}
const issue = (stackId: string, by = team.leader, hours: 1 | 8 | 24 = 1, environment = envId) =>
  by.call(stacks.kubeconfig, { params: { teamId: team.id, envId: environment, stackId }, body: { hours } })

describe('a kubeconfig for a stack', () => {
  test('gives access to its namespace with the team’s permissions, and to nothing else', async () => {
    const [mine, other] = [await runningStack(), await runningStack()]
    const { kubeconfig, until } = await issue(mine.uuid)
    expect(Date.parse(until)).toBeGreaterThan(Date.now())
    const { kube: theirs } = kube.cluster('by-the-file', parseKubeconfig(kubeconfig))
    const { namespace } = mine
    expect(kubeconfig).toContain(`namespace: ${namespace}`)
    await theirs.create(kinds.configMaps, { metadata: { name: 'mine', namespace }, data: { a: 'b' } })
    const right = (verb: string, resource: kinds.Resource, where?: string) => ({ verb, resource, namespace: where })
    expect(
      await theirs.can([
        right('patch', kinds.deployments, namespace),
        right('create', kinds.roleBindings, namespace),
        right('patch', kinds.resourceQuotas, namespace),
        right('create', kinds.serviceAccounts, namespace),
        right('list', kinds.configMaps, other.namespace),
        right('list', kinds.nodes),
      ]),
    ).toEqual([true, false, false, false, false, false])
  })

  test('uses an account that the team cannot access itself, and that is deleted with the stack', async () => {
    const { uuid, name, namespace } = await runningStack()
    const { kube: theirs } = kube.cluster('of-the-account', parseKubeconfig((await issue(uuid)).kubeconfig))
    const home = { name: namespace, namespace: 'gantry-kubeconfigs' }
    expect(await direct.find(kinds.serviceAccounts, { name: namespace, namespace })).toBeUndefined()
    const may = (verb: string, resource: kinds.Resource) => ({ verb, resource, namespace: home.namespace })
    expect(
      await theirs.can([
        may('create', kinds.secrets),
        may('create', kinds.pods),
        may('get', kinds.secrets),
        may('patch', kinds.serviceAccounts),
      ]),
    ).toEqual([false, false, false, false])

    await team.leader.call(stacks.remove, {
      params: { teamId: team.id, envId, stackId: uuid },
      query: { confirm: name },
    })
    await eventually(async () => {
      await app.reconcile()
      expect(await direct.find(kinds.serviceAccounts, home)).toBeUndefined()
    })
    await expect(theirs.list(kinds.pods, { namespace })).rejects.toMatchObject({ status: 401 })
  })

  test('is refused if another platform has the namespace for its accounts', async () => {
    const { uuid } = await runningStack()
    await issue(uuid)
    const name = { name: 'gantry-kubeconfigs' }
    const label = (value: string) =>
      direct.merge(kinds.namespaces, name, { metadata: { labels: { 'gantry.dev/environment': value } } })
    await label('another')
    try {
      expect(await refusalOf(issue(uuid))).toMatchObject({ status: 409, key: 'stacks-kubeconfig-namespace-taken' })
    } finally {
      await label(envId)
    }
  })

  test('needs the permission, and leaves an audit entry without the token', async () => {
    const stack = await runningStack()
    const stranger = await team.member(['stack_stack_view', 'stack_container_execute'])
    await expect(issue(stack.uuid, stranger)).rejects.toMatchObject({ status: 403 })
    const member = await team.member(['stack_stack_view', 'stack_kubeconfig_execute'])
    const { kubeconfig, until } = await issue(stack.uuid, member, 8)
    const { items } = await app.admin.call(audit.search, { query: { userId: member.id } })
    const { after, action, object } = await app.admin.call(audit.get, { params: { id: items[0]?.id ?? 0 } })
    expect({ after, action, object }).toEqual({
      after: { namespace: stack.namespace, cluster: 'mine', hours: 8, until },
      action: 'Download kubeconfig of stack',
      object: stack.name,
    })
    expect(kubeconfig).toContain('token: ')
  })

  test('is refused for more than a day', async () => {
    const { uuid } = await runningStack()
    await expect(issue(uuid, team.leader, 48 as never)).rejects.toMatchObject({ status: 400 })
  })

  test('is refused if the address is the server’s own and users are elsewhere', async () => {
    const { uuid } = await runningStack()
    await app.admin.call(host.set, { body: { publicUrl: 'https://gantry.example.test', notice: '' } })
    try {
      expect(await refusalOf(issue(uuid))).toMatchObject({ status: 409, key: 'stacks-kubeconfig-private' })
    } finally {
      await app.admin.call(host.set, { body: { publicUrl: '', notice: '' } })
    }
  })

  test('is refused if the cluster’s agent dials out, because there is no address to give', async () => {
    const { uuid } = await runningStack()
    await app.db.updateTable('environment').set({ reach: 'agent' }).where('uuid', '=', envId).execute()
    try {
      expect(await refusalOf(issue(uuid))).toMatchObject({ status: 409, key: 'stacks-kubeconfig-agent' })
    } finally {
      await app.db.updateTable('environment').set({ reach: 'kubeconfig' }).where('uuid', '=', envId).execute()
    }
  })

  test('works in a namespace with older bindings', async () => {
    const stack = await runningStack()
    const { namespace } = stack
    await direct.merge(
      kinds.roleBindings,
      { namespace, name: 'gantry-team' },
      {
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: `gantry:team:${team.id}` }],
      },
    )
    const { kubeconfig } = await issue(stack.uuid)
    const { kube: theirs } = kube.cluster('of-before', parseKubeconfig(kubeconfig))
    expect(await theirs.can([{ verb: 'list', resource: kinds.pods, namespace }])).toEqual([true])
  })
})
