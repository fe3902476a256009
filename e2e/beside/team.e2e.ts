import { alarmChannels } from '@gantry/contract/alarms/channels'
import { alarmRules } from '@gantry/contract/alarms/rules'
import { alarmTemplates } from '@gantry/contract/alarms/templates'
import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { configEntries, configProfiles } from '@gantry/contract/config-centre/profiles'
import { configProjects } from '@gantry/contract/config-centre/projects'
import { configTemplates } from '@gantry/contract/config-centre/templates'
import { products } from '@gantry/contract/products/products'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { tokens } from '@gantry/contract/tokens/tokens'
import { users } from '@gantry/contract/users/users'
import { beforeAll } from 'vitest'
import type { Caller } from '../caller.ts'
import { newUser } from '../product.ts'
import { stories } from '../story.ts'
import { kind, tellAll } from './kind.ts'

/** A colleague changes things in a team: a team member's idle browser shows it. */
stories('the browser beside, in a team', (suite, { language }) => {
  const leader = `beside-lead-${language}`
  const mate = `beside-mate-${language}`
  let teamId = 0
  let productId = 0
  let blueprintId = 0
  let profile = ''
  let mateId = 0
  let roleId = 0
  let ruleId = 0
  const call: Caller['call'] = (...given) => suite().product.admin.call(...given)
  const inTeam = () => ({ teamId })
  const condition = { metric: 'cpu_percent' as const, threshold: 80, for: 5 }
  const template = (service?: string) => `tosca_definitions_version: gantry_1_0_0
topology_template:
  node_templates: ${service === undefined ? '{}' : `{ ${service}: { type: gantry.nodes.Service, properties: { image: 'shop/web:1' } } }`}
`

  beforeAll(async () => {
    ;({ id: teamId } = await call(teams.create, { body: { name: leader } }))
    await newUser(suite().product, leader, { teamId, roleId: 'leader' })
    const body = { userName: mate, nickname: mate, email: `${mate}@example.org` }
    ;({ id: mateId } = await call(users.create, { body }))
    ;({ id: productId } = await call(products.create, { params: { team: teamId }, body: { name: 'ferry' } }))
    ;({ id: blueprintId } = await call(blueprints.create, {
      params: inTeam(),
      body: { applicationId: productId, version: '1.0', template: template() },
    }))
    await call(configProjects.create, { params: inTeam(), body: { name: 'coast' } })
    const params = { ...inTeam(), name: 'coast' }
    ;({ uuid: profile } = await call(configProfiles.create, { params, body: { name: 'north' } }))
    ;({ id: roleId } = await call(roles.create, { params: inTeam(), query: { roleName: 'pilot' } }))
    ;({ id: ruleId } = await call(alarmRules.create, {
      params: { team_id: teamId },
      body: { name: 'tempest', rules: [condition] },
    }))
  })

  const rows = [
    kind({
      what: 'products',
      at: () => `/teams/${teamId}/products/personal`,
      add: () => call(products.create, { params: { team: teamId }, body: { name: 'launch' } }),
      shows: 'launch',
      change: ({ id }) => call(products.update, { params: { team: teamId, id }, body: { name: 'cutter' } }),
      changed: 'cutter',
      remove: ({ id }) => call(products.remove, { params: { team: teamId, id }, query: { confirm: 'cutter' } }),
    }),
    kind({
      what: 'blueprints',
      at: () => `/teams/${teamId}/products/personal/${productId}/version`,
      add: () =>
        call(blueprints.create, {
          params: inTeam(),
          body: { applicationId: productId, version: '7.1', template: template() },
        }),
      shows: '7.1',
      change: ({ uuid }) => call(blueprints.basic, { params: { ...inTeam(), uuid }, body: { version: '7.2' } }),
      changed: '7.2',
      remove: ({ id }) => call(blueprints.remove, { params: { ...inTeam(), id } }),
    }),
    kind({
      what: 'the template of a blueprint',
      at: () => `/teams/${teamId}/products/personal/${productId}/ferry/blueprints/${blueprintId}`,
      add: () =>
        call(blueprints.update, { params: { ...inTeam(), id: blueprintId }, body: { template: template('anchor') } }),
      shows: /anchor/,
      change: () =>
        call(blueprints.update, { params: { ...inTeam(), id: blueprintId }, body: { template: template('rudder') } }),
      changed: /rudder/,
    }),
    kind({
      what: 'configurations',
      at: () => `/teams/${teamId}/configcenter/manage`,
      add: () => call(configProjects.create, { params: inTeam(), body: { name: 'tides' } }),
      shows: 'tides',
      remove: () => call(configProjects.remove, { params: { ...inTeam(), name: 'tides' } }),
    }),
    kind({
      what: 'profiles of a configuration',
      at: () => `/teams/${teamId}/configcenter/manage?project=coast`,
      add: () => call(configProfiles.create, { params: { ...inTeam(), name: 'coast' }, body: { name: 'south' } }),
      shows: 'south',
      change: ({ uuid }) => call(configProfiles.update, { params: { ...inTeam(), uuid }, body: { name: 'west' } }),
      changed: 'west',
      remove: ({ uuid }) => call(configProfiles.remove, { params: { ...inTeam(), uuid } }),
    }),
    kind({
      what: 'templates of a configuration',
      at: () => `/teams/${teamId}/configcenter/manage?project=coast&tab=templates`,
      add: () =>
        call(configTemplates.create, { params: { ...inTeam(), name: 'coast' }, body: { name: 'chart', content: 'x' } }),
      shows: 'chart',
      remove: ({ uuid }) => call(configTemplates.remove, { params: { ...inTeam(), uuid } }),
    }),
    kind({
      what: 'keys of a profile',
      at: () => `/teams/${teamId}/configcenter/manage?project=coast&profile=${profile}`,
      add: () =>
        call(configEntries.add, { params: { ...inTeam(), uuid: profile }, body: { key: 'DEPTH', value: 'seven' } }),
      shows: 'seven',
      change: () =>
        call(configEntries.update, { params: { ...inTeam(), uuid: profile }, body: { key: 'DEPTH', value: 'nine' } }),
      changed: 'nine',
      remove: () => call(configEntries.remove, { params: { ...inTeam(), uuid: profile }, query: { key: 'DEPTH' } }),
    }),
    kind({
      what: 'alarm rules',
      at: () => `/teams/${teamId}/rule`,
      add: () => call(alarmRules.create, { params: { team_id: teamId }, body: { name: 'surge', rules: [condition] } }),
      shows: 'surge',
      change: ({ id }) => call(alarmRules.update, { body: { id, name: 'flood', rules: [condition] } }),
      changed: 'flood',
      remove: () => call(alarmRules.remove, { params: { team_id: teamId, name: 'flood' } }),
    }),
    kind({
      what: 'an alarm rule',
      at: () => `/teams/${teamId}/rule/edit?rule=${ruleId}`,
      add: () => call(alarmRules.update, { body: { id: ruleId, name: 'typhoon', rules: [condition] } }),
      shows: 'typhoon',
    }),
    kind({
      what: 'alarm templates',
      at: () => `/teams/${teamId}/rule?tab=templates`,
      add: () => call(alarmTemplates.save, { params: { team_id: teamId }, body: { name: 'calm', rules: [condition] } }),
      shows: 'calm',
      change: ({ id }) =>
        call(alarmTemplates.save, { params: { team_id: teamId }, body: { id, name: 'breeze', rules: [condition] } }),
      changed: 'breeze',
      remove: ({ id }) => call(alarmTemplates.remove, { params: { team_id: teamId, ID: id } }),
    }),
    kind({
      what: 'notification methods',
      at: () => `/teams/${teamId}/rule?tab=notifications`,
      add: () =>
        call(alarmChannels.save, { params: { team_id: teamId }, body: { name: 'horn', kind: 'push', members: true } }),
      shows: 'horn',
      change: ({ id }) =>
        call(alarmChannels.save, {
          params: { team_id: teamId },
          body: { id, name: 'siren', kind: 'push', members: true },
        }),
      changed: 'siren',
      remove: ({ id }) => call(alarmChannels.remove, { params: { team_id: teamId, ID: id } }),
    }),
    kind({
      what: 'members',
      at: () => `/administration-team/${teamId}/members`,
      add: () => call(teams.addMembers, { params: { id: teamId }, body: [mateId] }),
      shows: (one) => one.page.getByText(mate).first().waitFor(),
      change: () => call(users.update, { params: { id: mateId }, body: { nickname: 'sailor' } }),
      changed: /sailor/,
      remove: () => call(teams.removeMember, { params: { id: teamId, userId: mateId } }),
    }),
    kind({
      what: 'roles',
      at: () => `/administration-team/${teamId}/roles/roleList`,
      add: () => call(roles.create, { params: inTeam(), query: { roleName: 'mate' } }),
      shows: 'mate',
      remove: ({ id }) => call(roles.remove, { params: { ...inTeam(), roleId: id } }),
    }),
    kind({
      what: 'the permissions of a role',
      at: () => `/administration-team/${teamId}/roles/roleEdit?role=${roleId}`,
      add: () =>
        call(roles.setPermissions, {
          params: { ...inTeam(), roleId },
          body: [{ name: 'team_role_view', enable: true }],
        }),
      shows: ({ page }) => page.getByRole('checkbox', { checked: true }).first().waitFor({ state: 'attached' }),
    }),
    kind({
      what: 'API tokens',
      at: () => `/administration-team/${teamId}/api-token`,
      add: () => call(tokens.create, { params: { ...inTeam(), alias: 'ticket' }, body: {} }),
      shows: 'ticket',
      remove: ({ id }) => call(tokens.remove, { params: { id } }),
    }),
    kind({
      what: 'the audit log',
      at: () => `/teams/${teamId}/audit-logs`,
      add: () => call(configProjects.create, { params: inTeam(), body: { name: 'jetty' } }),
      shows: 'jetty',
    }),
  ]

  tellAll(rows, () => suite().enter(leader))
})
