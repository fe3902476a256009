import { agents } from '@gantry/contract/agents/agents'
import { policy } from '@gantry/contract/auth/policy'
import { buildImages } from '@gantry/contract/build-images/build-images'
import { catalogs } from '@gantry/contract/catalog/catalogs'
import { catalogTemplates } from '@gantry/contract/catalog/templates'
import { certificates } from '@gantry/contract/certificates/certificates'
import { domains } from '@gantry/contract/certificates/domains'
import { helmRepositories } from '@gantry/contract/helm/repositories'
import { platformRegistries } from '@gantry/contract/images/platform-registries'
import { registries } from '@gantry/contract/images/registries'
import { ldap } from '@gantry/contract/ldap/ldap'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { groups } from '@gantry/contract/pipelines/groups'
import { host } from '@gantry/contract/settings/host'
import { mail } from '@gantry/contract/settings/mail'
import { systemRoles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { jiraConfigs } from '@gantry/contract/trackers/jira'
import { tapd } from '@gantry/contract/trackers/tapd'
import { users } from '@gantry/contract/users/users'
import { webhooks } from '@gantry/contract/webhooks/webhooks'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { certificates as pairs } from '../../apps/server/test/certificates.ts'
import { chartRepository } from '../../apps/server/test/chart-repository.ts'
import { imageRegistry } from '../../apps/server/test/image-registry.ts'
import { simulatedJira } from '../../apps/server/test/simulated-jira.ts'
import type { Caller } from '../caller.ts'
import { stories } from '../story.ts'
import { field, kind, newAdmin, tellAll } from './kind.ts'

/** An administrator changes the installation: another administrator's idle browser shows it. */
stories(
  'the browser beside, of an administrator',
  (suite, { language }) => {
    const chief = `beside-chief-${language}`
    let chiefId = 0
    let teamId = 0
    let catalogId = 0
    let certificateId = 0
    let systemRoleId = 0
    let webhookId = 0
    let directoryId = 0
    let jira: Awaited<ReturnType<typeof simulatedJira>>
    let charts: Awaited<ReturnType<typeof chartRepository>>
    const registry = imageRegistry({ 'shop/web': { '1.0': 'one' } })
    const registryUrl = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
    const call: Caller['call'] = (...given) => suite().product.admin.call(...given)
    const name = (word: string) => `${word}-${language}`
    const [{ certificate, key: privateKey }] = pairs
    const template = 'tosca_definitions_version: gantry_1_0_0\ntopology_template:\n  node_templates: {}\n'
    const directory = (word: string) => ({
      name: name(word),
      url: 'ldap://127.0.0.1:1',
      baseDn: 'dc=example',
      enabled: false,
    })
    const webhook = (word: string) => ({
      name: name(word),
      url: 'http://127.0.0.1:1/',
      secret: 'a-secret-of-16-chars',
      events: ['build.failed' as const],
    })

    beforeAll(async () => {
      await new Promise<void>((resolve) => void registry.listen(0, '127.0.0.1', resolve))
      jira = await simulatedJira()
      charts = await chartRepository()
      await charts.add('0.1.0', { 'values.yaml': 'a: 1\n' })
      ;({ id: teamId } = await call(teams.create, { body: { name: name('fleet') } }))
      chiefId = await newAdmin(suite().product, chief, teamId)
      ;({ id: catalogId } = await call(catalogs.create, { body: { name: name('chandler') } }))
      const seal = { name: name('seal'), certificate, privateKey }
      ;({ id: certificateId } = await call(certificates.create, { body: seal }))
      await call(certificates.allocate, { params: { certificateId, teamId } })
      ;({ id: systemRoleId } = await call(systemRoles.create, { body: { name: name('warden'), permissions: [] } }))
      ;({ id: webhookId } = await call(webhooks.create, { body: webhook('chain') }))
      ;({ id: directoryId } = await call(ldap.create, { body: directory('muster') }))
    })
    afterAll(async () => {
      registry.close()
      await jira.close()
      charts.close()
    })

    const rows = [
      kind({
        what: 'agents',
        at: () => '/sysconfig/continuous-delivery/agents',
        add: () => call(agents.create, { body: { name: name('tug') } }),
        shows: name('tug'),
        remove: ({ id }) => call(agents.remove, { params: { id } }),
      }),
      kind({
        what: 'users',
        at: () => '/sysconfig/users',
        add: () =>
          call(users.create, {
            body: { userName: name('hand'), nickname: name('hand'), email: `${name('hand')}@example.org` },
          }),
        shows: (one) => one.page.getByText(name('hand')).first().waitFor(),
        change: ({ id }) => call(users.update, { params: { id }, body: { nickname: name('bosun') } }),
        changed: new RegExp(name('bosun')),
        remove: ({ id }) => call(users.remove, { params: { id } }),
      }),
      kind({
        what: 'one’s own profile',
        at: () => '/info/basic',
        add: () => call(users.update, { params: { id: chiefId }, body: { nickname: name('captain') } }),
        shows: name('captain'),
      }),
      kind({
        what: 'teams',
        at: () => '/sysconfig/teams',
        add: () => call(teams.create, { body: { name: name('crew') } }),
        shows: name('crew'),
        change: ({ id }) => call(teams.update, { params: { id }, body: { name: name('watch') } }),
        changed: name('watch'),
        remove: ({ id }) => call(teams.remove, { params: { id }, query: { confirm: name('watch') } }),
      }),
      kind({
        what: 'what a team is called',
        at: () => `/sysconfig/teams/edit?team_id=${teamId}`,
        add: () => call(teams.update, { params: { id: teamId }, body: { name: name('navy') } }),
        shows: field(({ say }) => say('teams-ui-name'), name('navy')),
      }),
      kind({
        what: 'system roles',
        at: () => '/sysconfig/roles',
        add: () => call(systemRoles.create, { body: { name: name('look'), permissions: [] } }),
        shows: name('look'),
        change: ({ id }) =>
          call(systemRoles.update, { params: { roleId: id }, body: { name: name('gaze'), permissions: [] } }),
        changed: name('gaze'),
        remove: ({ id }) => call(systemRoles.remove, { params: { roleId: id } }),
      }),
      kind({
        what: 'the groups of all teams',
        at: () => '/sysconfig/continuous-delivery/project',
        add: () => call(groups.create, { params: { teamId }, body: { name: name('pier') } }),
        shows: name('pier'),
        change: ({ id }) => call(groups.update, { params: { id }, body: { name: name('quay') } }),
        changed: name('quay'),
        remove: ({ id }) => call(groups.remove, { params: { id } }),
      }),
      kind({
        what: 'build images',
        at: () => '/sysconfig/build/customer',
        add: () => call(buildImages.create, { body: { name: name('dock'), image: 'docker.io/library/node:24' } }),
        shows: name('dock'),
        change: ({ id }) =>
          call(buildImages.update, {
            params: { id },
            body: { name: name('yard'), image: 'docker.io/library/node:24' },
          }),
        changed: name('yard'),
        remove: ({ id }) => call(buildImages.remove, { params: { id } }),
      }),
      kind({
        what: 'preset services',
        at: () => '/sysconfig/admin-version',
        add: () => call(catalogs.create, { body: { name: name('sail') } }),
        shows: name('sail'),
        change: ({ id }) => call(catalogs.update, { params: { id }, body: { name: name('mast') } }),
        changed: name('mast'),
        remove: ({ id }) => call(catalogs.remove, { params: { id } }),
      }),
      kind({
        what: 'versions of a preset service',
        at: () => `/sysconfig/admin-version/edition/${catalogId}`,
        add: () => call(catalogTemplates.create, { body: { catalogId, version: '3.1', template } }),
        shows: '3.1',
        remove: ({ id }) => call(catalogTemplates.remove, { params: { id } }),
      }),
      kind({
        what: 'certificates',
        at: () => '/sysconfig/certificates',
        add: () => call(certificates.create, { body: { name: name('wax'), certificate, privateKey } }),
        shows: name('wax'),
        change: ({ id }) =>
          call(certificates.renew, {
            params: { certificateId: id },
            body: { name: name('stamp'), certificate, privateKey },
          }),
        changed: name('stamp'),
        remove: ({ id }) => call(certificates.remove, { params: { certificateId: id } }),
      }),
      kind({
        what: 'domains',
        at: () => `/sysconfig/certificates/${certificateId}/domains`,
        add: () =>
          call(domains.create, { params: { certificateId }, body: { domain: `${name('bay')}.example.com`, teamId } }),
        shows: `${name('bay')}.example.com`,
        remove: ({ id }) => call(domains.remove, { params: { id } }),
      }),
      kind({
        what: 'registries of the platform',
        at: () => '/sysconfig/registry/index',
        add: () =>
          call(platformRegistries.create, {
            body: { name: name('hold'), url: registryUrl() },
          }),
        shows: name('hold'),
        remove: ({ id }) => call(platformRegistries.remove, { params: { id } }),
      }),
      kind({
        what: 'registries of a team',
        at: () => `/teams/${teamId}/registries/thirdpart`,
        add: () =>
          call(registries.create, {
            params: { teamId },
            body: { name: name('crate'), url: registryUrl() },
          }),
        shows: name('crate'),
        remove: ({ id }) => call(registries.remove, { params: { teamId, registryId: id } }),
      }),
      kind({
        what: 'chart repositories',
        at: () => '/sysconfig/helm/repo',
        add: () => call(helmRepositories.create, { body: { name: name('atlas'), url: charts.url } }),
        shows: name('atlas'),
        change: ({ id }) => call(helmRepositories.update, { body: { id, name: name('globe'), url: charts.url } }),
        changed: name('globe'),
        remove: ({ id }) => call(helmRepositories.remove, { params: { id } }),
      }),
      kind({
        what: 'the charts that a team deploys',
        at: () => `/teams/${teamId}/helm/deploy`,
        add: async () => {
          const made = await call(helmRepositories.create, { body: { name: name('log'), url: charts.url } })
          await call(helmRepositories.assign, { params: { helmId: made.id }, body: { teams: [teamId] } })
          return made
        },
        shows: name('log'),
        remove: ({ id }) => call(helmRepositories.remove, { params: { id } }),
      }),
      kind({
        what: 'directories',
        at: () => '/sysconfig/ldap',
        add: () =>
          call(ldap.create, {
            body: directory('roll'),
          }),
        shows: name('roll'),
        change: ({ id }) =>
          call(ldap.update, {
            params: { id },
            body: directory('list'),
          }),
        changed: name('list'),
        remove: ({ id }) => call(ldap.remove, { params: { id }, query: {} }),
      }),
      kind({
        what: 'the OAuth provider',
        at: () => '/sysconfig/oauth',
        add: () =>
          call(oauthProvider.set, {
            body: { enabled: false, name: name('flag'), issuer: 'https://id.example.org', clientId: 'gantry' },
          }),
        shows: field(({ say }) => say('oauth-ui-name'), name('flag')),
      }),
      kind({
        what: 'Jiras',
        at: () => '/sysconfig/continuous-delivery/jira',
        add: () =>
          call(jiraConfigs.create, {
            body: {
              name: name('issues'),
              url: jira.url,
              kind: 'cloud',
              email: jira.email,
              token: jira.token,
              projects: ['SHOP'],
            },
          }),
        shows: name('issues'),
        remove: ({ id }) => call(jiraConfigs.remove, { params: { id } }),
      }),
      kind({
        what: 'TAPD',
        at: () => '/sysconfig/continuous-delivery/cd/common',
        add: () =>
          call(tapd.set, {
            body: {
              enabled: false,
              url: `https://${language}.example.org`,
              user: 'gantry',
              password: 'quiet',
              workspaces: ['20000000'],
            },
          }),
        shows: field(({ say }) => say('tapd-ui-url'), `https://${language}.example.org`),
      }),
      kind({
        what: 'webhooks',
        at: () => '/sysconfig/continuous-delivery/WebHook/WebHookMain',
        add: () =>
          call(webhooks.create, {
            body: webhook('line'),
          }),
        shows: name('line'),
        change: ({ id }) =>
          call(webhooks.update, {
            params: { id },
            body: webhook('rope'),
          }),
        changed: name('rope'),
        remove: ({ id }) => call(webhooks.remove, { params: { id } }),
      }),
      kind({
        what: 'the login policy',
        at: () => '/sysconfig/common?tab=login',
        add: () => call(policy.set, { body: { passwordDays: language === 'en' ? 77 : 78, retries: 6 } }),
        shows: field(({ say }) => say('auth-policy-days'), language === 'en' ? '77' : '78'),
      }),
      kind({
        what: 'the mail server',
        at: () => '/sysconfig/common?tab=mail',
        add: () =>
          call(mail.set, {
            body: {
              enabled: false,
              host: `${language}.example.org`,
              port: 25,
              security: 'none',
              from: 'a@example.org',
            },
          }),
        shows: field(({ say }) => say('settings-ui-mail-host'), `${language}.example.org`),
      }),
      kind({
        what: 'the notice of the login page',
        at: () => '/sysconfig/common?tab=host',
        add: () => call(host.set, { body: { notice: name('gale') } }),
        shows: field(({ say }) => say('settings-ui-host-notice'), name('gale')),
      }),
      kind({
        what: 'a system role',
        at: () => `/sysconfig/roles/edit?role=${systemRoleId}`,
        add: () =>
          call(systemRoles.update, {
            params: { roleId: systemRoleId },
            body: { name: name('guard'), permissions: ['system_user_view'] },
          }),
        shows: field(({ say }) => say('teams-ui-role-name'), name('guard')),
      }),
      kind({
        what: 'a directory',
        at: () => `/sysconfig/ldap/edit?ldap_id=${directoryId}`,
        add: () => call(ldap.update, { params: { id: directoryId }, body: directory('watch') }),
        shows: field(({ say }) => say('ldap-ui-name'), name('watch')),
      }),
      kind({
        what: 'a webhook',
        at: () => `/sysconfig/continuous-delivery/WebHook/WebHookForm?id=${webhookId}`,
        add: () => call(webhooks.update, { params: { id: webhookId }, body: webhook('link') }),
        shows: field(({ say }) => say('webhooks-ui-name'), name('link')),
      }),
    ]

    tellAll(rows, () => suite().enter(chief))
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off' },
)
