import { policy } from '@gantry/contract/auth/policy'
import { clusters } from '@gantry/contract/clusters/clusters'
import { platformRegistries } from '@gantry/contract/images/platform-registries'
import { registries } from '@gantry/contract/images/registries'
import { ldap } from '@gantry/contract/ldap/ldap'
import { monitoring } from '@gantry/contract/monitoring/metrics'
import { groups } from '@gantry/contract/pipelines/groups'
import { products } from '@gantry/contract/products/products'
import { host } from '@gantry/contract/settings/host'
import { mail } from '@gantry/contract/settings/mail'
import { stacks } from '@gantry/contract/stacks/stacks'
import { systemRoles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { tracingSources } from '@gantry/contract/tracing/sources'
import { users } from '@gantry/contract/users/users'
import { expect, test } from 'vitest'
import { fakePorts } from '../../test/fake-ports.ts'
import { refusalOf, testApp } from '../../test/test-app.ts'

const { registry: silent, prometheus, jaeger } = fakePorts()
const app = await testApp({
  ports: {
    registry: { ...silent, verify: async () => {} },
    prometheus: { ...prometheus, verify: async () => {} },
    jaeger: { ...jaeger, verify: async () => ({ version: '' }) },
  },
})
const team = await app.team()
const { admin } = app

/** Saves with this text, on this revision; answers the revision that there is then. */
type Save = (text: string, revision?: string) => Promise<string>

const registry = (text: string) => ({ name: text, url: 'https://registry.example.test', password: 'secret' })
const directory = (text: string) => ({
  name: text,
  url: 'ldaps://ldap.example.test',
  baseDn: 'dc=example',
  enabled: false,
})
const mailing = { enabled: false, host: 'smtp.example.test', port: 25, security: 'none', from: 'gantry@example.test' }

const cluster = async (name: string) =>
  (
    await app.db
      .insertInto('environment')
      .values({ name, server: 'https://cluster.example.test', address: 'x' })
      .returning('uuid')
      .executeTakeFirstOrThrow()
  ).uuid

const edits: Record<string, () => Promise<Save>> = {
  product: async () => {
    const params = { team: team.id }
    const { id } = await team.leader.call(products.create, { params, body: { name: 'made' } })
    return async (name, revision) =>
      (await team.leader.call(products.update, { params: { ...params, id }, body: { name, revision } })).updatedAt
  },
  group: async () => {
    const { id } = await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'made' } })
    return async (name, revision) =>
      (await team.leader.call(groups.update, { params: { id }, body: { name, revision } })).updatedAt
  },
  team: async () => {
    const params = { id: (await app.team()).id }
    const name = `made-${params.id}`
    return async (description, revision) =>
      (await admin.call(teams.update, { params, body: { name, description, revision } })).updatedAt
  },
  registry: async () => {
    const params = { teamId: team.id }
    const { id } = await team.leader.call(registries.create, { params, body: registry('made') })
    return async (name, revision) => {
      const body = { ...registry(name), revision }
      return (await team.leader.call(registries.update, { params: { ...params, registryId: id }, body })).revision
    }
  },
  'registry of the platform': async () => {
    const { id } = await admin.call(platformRegistries.create, { body: registry('made') })
    return async (name, revision) =>
      (await admin.call(platformRegistries.update, { params: { id }, body: { ...registry(name), revision } })).revision
  },
  directory: async () => {
    const { id } = await admin.call(ldap.create, { body: directory('made') })
    return async (name, revision) =>
      (await admin.call(ldap.update, { params: { id }, body: { ...directory(name), revision } })).revision
  },
  mail: async () => async (fromName, revision) =>
    (await admin.call(mail.set, { body: { ...mailing, security: 'none', fromName, revision } })).revision,
  host: async () => async (notice, revision) => {
    await admin.call(host.set, { body: { notice, revision } })
    return (await admin.call(host.get)).revision
  },
  cluster: async () => {
    const uuid = await cluster('made')
    return async (name, revision) =>
      (await admin.call(clusters.update, { params: { uuid }, body: { name, revision } })).revision
  },
  'Prometheus of a cluster': async () => {
    const env = await cluster('measured')
    const source = { kind: 'prometheus', url: 'https://prometheus.example.test' } as const
    return async (cluster, revision) =>
      (await admin.call(monitoring.setSource, { params: { env }, body: { ...source, cluster, revision } })).revision
  },
  'Jaeger of a cluster': async () => {
    const params = { env: await cluster('traced'), kind: 'jaeger' } as const
    const url = 'https://jaeger.example.test'
    return async (cluster, revision) =>
      (await admin.call(tracingSources.set, { params, body: { url, cluster, revision } })).revision
  },
  stack: async () => {
    const joined = await cluster('with a stack')
    const { id: stackId } = await app.db
      .insertInto('stack')
      .values({ team_id: team.id, environment: joined, name: 'shop', namespace: 'shop', actor: 'a', state: 'running' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const params = { teamId: team.id, stackId }
    return async (description, revision) =>
      (await team.leader.call(stacks.update, { params, body: { description, revision } })).revision
  },
  user: async () => {
    const params = { id: (await app.user()).id }
    return async (nickname, revision) =>
      (await admin.call(users.update, { params, body: { nickname, revision } })).updatedAt
  },
  'system role': async () => {
    const { id: roleId } = await admin.call(systemRoles.create, { body: { name: 'made', permissions: [] } })
    return async (name, revision) =>
      (await admin.call(systemRoles.update, { params: { roleId }, body: { name, permissions: [], revision } })).revision
  },
  'login policy': async () => async (text, revision) =>
    (await admin.call(policy.set, { body: { passwordDays: 100 + text.length, retries: 5, revision } })).revision,
}

test.for(Object.entries(edits))('an edit of a %s on an older revision is refused', async ([, begin]) => {
  const save = await begin()
  const seen = await save('one')
  const next = await save('three', seen)
  expect(await refusalOf(save('seven', seen))).toMatchObject({ status: 409, key: 'edit-on-older' })
  // nothing was changed: what was saved last is still what there is
  const last = await save('eleven', next)
  // of two at once the second waits for the first
  const both = await Promise.allSettled([save('this', last), save('that', last)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  // who does not say it changes what there is
  await save('something else')
})
