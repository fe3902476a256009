import { policy } from '@gantry/contract/auth/policy'
import { platformRegistries } from '@gantry/contract/images/platform-registries'
import { registries } from '@gantry/contract/images/registries'
import { ldap } from '@gantry/contract/ldap/ldap'
import { groups } from '@gantry/contract/pipelines/groups'
import { products } from '@gantry/contract/products/products'
import { host } from '@gantry/contract/settings/host'
import { mail } from '@gantry/contract/settings/mail'
import { teams } from '@gantry/contract/teams/teams'
import { expect, test } from 'vitest'
import { fakePorts } from '../../test/fake-ports.ts'
import { refusalOf, testApp } from '../../test/test-app.ts'

const app = await testApp({ ports: { registry: { ...fakePorts().registry, verify: async () => {} } } })
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
  'login policy': async () => async (text, revision) =>
    (await admin.call(policy.set, { body: { passwordDays: 100 + text.length, retries: 5, revision } })).revision,
}

test.for(Object.entries(edits))('an edit of a %s on an older revision is refused', async ([, begin]) => {
  const save = await begin()
  const seen = await save('one')
  const next = await save('three', seen)
  expect(await refusalOf(save('seven', seen))).toMatchObject({ status: 409, key: 'edit-on-older' })
  await save('eleven', next)
  // who does not say it changes what there is
  await save('something else')
})
