import { clusters } from '@gantry/contract/clusters/clusters'
import { products } from '@gantry/contract/products/products'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll } from 'vitest'
import { patient } from '../builds.ts'
import type { Caller } from '../caller.ts'
import { newUser } from '../product.ts'
import { stories } from '../story.ts'
import { kind, tellAll } from './kind.ts'

/** A colleague deploys, changes and deletes in the sandbox: a team member's idle browser shows it. */
stories('the browser beside, about what runs', (suite, { language }) => {
  const leader = `beside-ops-${language}`
  let teamId = 0
  let envId = ''
  let productId = 0
  let stack: { id: number; uuid: string }
  let serviceId = 0
  const call: Caller['call'] = (...given) => suite().product.admin.call(...given)
  const inTeam = () => ({ teamId })
  const spec = (tag: string, replicas = 1) => ({
    image: `registry.example.org/shop/web:${tag}`,
    replicas,
    ports: [{ port: 8080 }],
  })
  const one = () => ({ teamId, envId, id: serviceId })
  const newStack = (name: string) => call(stacks.create, { params: inTeam(), body: { name, envId, productId } })
  const removeStack = (id: number, confirm: string) =>
    call(stacks.remove, { params: { ...inTeam(), envId, stackId: id }, query: { confirm } })
  const newService = (name: string) =>
    call(services.create, { params: { ...inTeam(), stackId: stack.id, serviceName: name }, body: spec('1') })
  const removeService = (id: number, type: string, confirm: string) =>
    call(services.remove, { params: { teamId, envId, idAndType: `${id}_${type}` }, query: { confirm } })
  const settled = () =>
    eventually(
      () => call(services.get, { params: one() }),
      ({ state }) => state === 'stable',
      patient,
    )

  beforeAll(async () => {
    ;({ id: teamId } = await call(teams.create, { body: { name: leader } }))
    await newUser(suite().product, leader, { teamId, roleId: 'leader' })
    const [env] = await call(clusters.ofTeam, { params: inTeam() })
    envId = env?.uuid ?? ''
    ;({ id: productId } = await call(products.create, { params: { team: teamId }, body: { name: 'ferry' } }))
    stack = await newStack('quay')
    ;({ id: serviceId } = await newService('crane'))
    await settled()
  })
  const service = (tab: string) =>
    `/teams/${teamId}/appcenter/env/${envId}/stack/${stack.id}/${stack.uuid}/quay/services/${serviceId}/crane/business/containers/from/appcenter?tab=${tab}`
  const rows = [
    kind({
      what: 'stacks',
      at: () => `/teams/${teamId}/appcenter`,
      add: () => newStack('mole'),
      shows: 'mole',
      remove: ({ id }) => removeStack(id, 'mole'),
    }),
    kind({
      what: 'stacks of a product',
      at: () => `/teams/${teamId}/products/personal/${productId}/app`,
      add: () => newStack('dyke'),
      shows: 'dyke',
      remove: ({ id }) => removeStack(id, 'dyke'),
    }),
    kind({
      what: 'services of a stack',
      at: () => `/teams/${teamId}/appcenter`,
      add: () => newService('winch'),
      shows: 'winch',
      remove: ({ id }) => removeService(id, 'business', 'winch'),
    }),
    kind({
      what: 'services of a team',
      at: () => `/teams/${teamId}/appcenter?tab=services`,
      add: () => newService('hoist'),
      shows: 'hoist',
      remove: ({ id }) => removeService(id, 'business', 'hoist'),
    }),
    kind({
      what: 'the map of a stack',
      at: () => `/teams/${teamId}/appcenter/env/${envId}/stack/quay/${stack.id}`,
      add: () => newService('ramp'),
      shows: (seen) => seen.page.getByText('ramp').first().waitFor(),
      remove: ({ id }) => removeService(id, 'business', 'ramp'),
    }),
    kind({
      what: 'how many pods a service has',
      at: () => service('overview'),
      add: () => call(services.scale, { params: one(), query: { replicas: 2 } }),
      shows: (seen) => seen.page.getByText('2/2').first().waitFor(),
      change: () => call(services.upgrade, { params: one(), query: {}, body: spec('2', 2) }),
      changed: (seen) => seen.page.getByText(seen.say('state-upgraded')).first().waitFor(),
    }),
    kind({
      what: 'a decision about a service',
      at: () => service('overview'),
      add: () => call(services.confirm, { params: one() }),
      shows: (seen) => seen.page.getByText(seen.say('state-stable')).first().waitFor(),
    }),
    kind({
      what: 'the history of a service',
      at: () => service('revisions'),
      add: async () => {
        await settled()
        return call(services.upgrade, { params: one(), query: {}, body: spec('3', 2) })
      },
      shows: (seen) =>
        seen.page
          .getByText(/shop\/web:3/)
          .first()
          .waitFor(),
    }),
    kind({
      what: 'ways into stacks',
      at: () => `/teams/${teamId}/global-ingress/list`,
      add: () =>
        call(services.create, {
          params: { ...inTeam(), stackId: stack.id, serviceName: 'gate' },
          body: {
            outward: {
              type: 'lb',
              rules: [{ name: 'gate', protocol: 'TCP', port: 7000, targets: [{ service: 'crane', port: 8080 }] }],
            },
          },
        }),
      shows: 'gate',
      remove: ({ id }) => removeService(id, 'lb', 'gate'),
    }),
  ]

  tellAll(rows, () => suite().enter(leader))
})
