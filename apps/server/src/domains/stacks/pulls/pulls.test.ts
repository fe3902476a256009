import { clusters } from '@gantry/contract/clusters/clusters'
import { pullSecrets } from '@gantry/contract/harbor/pull-secrets'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { pullSecretName } from '../services/objects/service-objects.ts'
import { renewPullSecrets } from './pulls.service.ts'

const { app, direct, newEnvironment } = await sandboxApp()
const patient = { timeout: 20_000, interval: 50 }
type Team = Awaited<ReturnType<typeof app.team>>
let made = 0

/** A running stack of a team, without services. */
async function running(team: Team) {
  const { uuid: envId } = await newEnvironment(`cluster-${++made}`, team)
  const stack = await team.leader.call(stacks.create, {
    params: { teamId: team.id },
    body: { name: `stack-${made}`, envId },
  })
  const params = { teamId: team.id, envId, stackId: stack.id }
  await expect
    .poll(async () => (await app.reconcile(), (await team.leader.call(stacks.get, { params })).state), patient)
    .toBe('running')
  return { ...stack, envId }
}

/** A Harbor with a team's robot account, as a settled round leaves them. */
async function right(team: Team, password: string): Promise<number> {
  const harbor = await app.db
    .insertInto('harbor')
    .values({ name: `harbor-${++made}`, url: 'https://harbor.example.test', username: 'admin', password: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const registry = await app.db
    .insertInto('registry')
    .values({
      name: `harbor-${made}`,
      url: 'https://harbor.example.test',
      username: 'robot$team',
      password: seal(app.ctx(), password),
      team_id: team.id,
      harbor_id: harbor.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return registry.id
}
const renamed = (id: number, password: string) =>
  app.db
    .updateTable('registry')
    .set({ password: seal(app.ctx(), password) })
    .where('id', '=', id)
    .execute()

/** The user and password in a namespace's secret; undefined if there is none. */
async function inNamespace(namespace: string, registryId: number): Promise<string | undefined> {
  const secret = await direct.find(kinds.secrets, { name: pullSecretName(registryId), namespace })
  const text = secret?.data?.['.dockerconfigjson']
  if (text === undefined) return undefined
  const { auths } = JSON.parse(Buffer.from(text, 'base64').toString()) as {
    auths: Record<string, { username: string; password: string }>
  }
  const account = auths['harbor.example.test']
  return account && `${account.username}:${account.password}`
}

test('a team’s pull secret is in each of its namespaces, renewed with the password and removed with the registry', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const [one, two, foreign] = [await running(team), await running(team), await running(other)]
  const id = await right(team, 'first')
  await renewPullSecrets(app.ctx())
  for (const { namespace } of [one, two]) expect(await inNamespace(namespace, id)).toBe('robot$team:first')
  expect(await inNamespace(foreign.namespace, id)).toBeUndefined()
  await renamed(id, 'second')
  await renewPullSecrets(app.ctx())
  for (const { namespace } of [one, two]) expect(await inNamespace(namespace, id)).toBe('robot$team:second')
  await app.db.deleteFrom('registry').where('id', '=', id).execute()
  await renewPullSecrets(app.ctx())
  for (const { namespace } of [one, two]) expect(await inNamespace(namespace, id)).toBeUndefined()
  expect(await app.db.selectFrom('pull_secret').selectAll().where('registry_id', '=', id).execute()).toEqual([])
})

test('a run only handles what has changed since the last one', async () => {
  const team = await app.team()
  const { namespace, id: stackId } = await running(team)
  const id = await right(team, 'first')
  await renewPullSecrets(app.ctx())
  const marks = async () => (await app.db.selectFrom('pull_secret_change').select('stack_id').execute()).length
  expect(await marks()).toBe(0)
  // what is not marked is not handled
  await app.db.deleteFrom('pull_secret').where('stack_id', '=', stackId).execute()
  await direct.remove(kinds.secrets, { name: pullSecretName(id), namespace })
  await renewPullSecrets(app.ctx())
  expect(await inNamespace(namespace, id)).toBeUndefined()
  await app.db.updateTable('registry').set({ name: 'renamed' }).where('id', '=', id).execute()
  expect(await marks()).toBe(0)
  await renamed(id, 'second')
  expect(await marks()).toBe(1)
  await renewPullSecrets(app.ctx())
  expect(await inNamespace(namespace, id)).toBe('robot$team:second')
})

test('two runs, concurrent or in sequence, do the same as one', async () => {
  const team = await app.team()
  const { namespace, id: stackId } = await running(team)
  const id = await right(team, 'first')
  await Promise.all([renewPullSecrets(app.ctx()), renewPullSecrets(app.ctx())])
  await renewPullSecrets(app.ctx())
  expect(await inNamespace(namespace, id)).toBe('robot$team:first')
  const rows = await app.db.selectFrom('pull_secret').selectAll().where('stack_id', '=', stackId).execute()
  expect(rows).toMatchObject([{ registry_id: id, problem: null }])
})

test('the password of a registry that a service names is renewed without a deployment', async () => {
  const team = await app.team()
  const stack = await running(team)
  const { id } = await app.db
    .insertInto('registry')
    .values({
      name: 'own',
      url: 'https://harbor.example.test',
      username: 'ann',
      password: seal(app.ctx(), 'first'),
      team_id: team.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await renewPullSecrets(app.ctx())
  expect(await inNamespace(stack.namespace, id)).toBeUndefined()
  await team.leader.call(services.create, {
    params: { teamId: team.id, stackId: stack.id, serviceName: 'web' },
    body: { image: 'harbor.example.test/team/web:1', registryId: id },
  })
  await renewPullSecrets(app.ctx())
  expect(await inNamespace(stack.namespace, id)).toBe('ann:first')
  await renamed(id, 'second')
  await renewPullSecrets(app.ctx())
  expect(await inNamespace(stack.namespace, id)).toBe('ann:second')
})

test('synchronizing reports every namespace of the caller’s teams, and repairs what was changed in the cluster', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const [stack] = [await running(team), await running(other)]
  const id = await right(team, 'first')
  await renewPullSecrets(app.ctx())
  await direct.remove(kinds.secrets, { name: pullSecretName(id), namespace: stack.namespace })
  const answer = await team.leader.call(pullSecrets.synchronize)
  expect(answer).toEqual([
    {
      cluster: expect.any(String) as string,
      namespace: stack.namespace,
      team: expect.any(String) as string,
      stack: stack.name,
      done: true,
      secrets: 1,
      problem: '',
    },
  ])
  expect(await inNamespace(stack.namespace, id)).toBe('robot$team:first')
  const outsider = await app.user()
  expect(await outsider.call(pullSecrets.synchronize)).toEqual([])
})

test('an unreachable cluster is reported with the reason, and the others are done', async () => {
  const team = await app.team()
  const [dead, alive] = [await running(team), await running(team)]
  await right(team, 'first')
  const address = seal(app.ctx(), JSON.stringify({ server: 'https://127.0.0.1:1' }))
  await app.db.updateTable('environment').set({ address }).where('uuid', '=', dead.envId).execute()
  const answer = await team.leader.call(pullSecrets.synchronize)
  const of = (namespace: string) => answer.find((one) => one.namespace === namespace)
  expect(of(alive.namespace)).toMatchObject({ done: true, secrets: 1 })
  expect(of(dead.namespace)).toMatchObject({ done: false, problem: expect.stringMatching(/./) as string })
  await app.admin.call(clusters.list, {})
})
