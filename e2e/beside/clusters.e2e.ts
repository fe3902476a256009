import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { ingressGroups } from '@gantry/contract/clusters/ingress-groups'
import { storage } from '@gantry/contract/clusters/storage'
import { harborProjects } from '@gantry/contract/harbor/projects'
import { harbors } from '@gantry/contract/harbor/servers'
import { quotas } from '@gantry/contract/quotas/quotas'
import { teams } from '@gantry/contract/teams/teams'
import { expect, beforeAll } from 'vitest'
import type { Caller } from '../caller.ts'
import { stories } from '../story.ts'
import { kind, newAdmin, tellAll } from './kind.ts'

/** An administrator changes clusters and a Harbor: another administrator's idle browser shows it. */
stories(
  'the browser beside, about clusters',
  (suite, { language }) => {
    const chief = `beside-port-${language}`
    let teamId = 0
    let envUuid = ''
    let harborId = 0
    const call: Caller['call'] = (...given) => suite().product.admin.call(...given)
    const name = (word: string) => `${word}-${language}`
    const cluster = (tab: string) =>
      `/teams/${teamId}/resourcemanager/cluster/environments-detail/${envUuid}?tab=${tab}`

    beforeAll(async () => {
      ;({ id: teamId } = await call(teams.create, { body: { name: name('fleet') } }))
      await newAdmin(suite().product, chief, teamId)
      const { items } = await call(clusters.list, { query: { pageSize: -1 } })
      envUuid = items.find(({ sandbox }) => sandbox)?.uuid ?? ''
      harborId = (await call(harbors.list, {})).find(({ sandbox }) => sandbox)?.id ?? 0
    })

    const rows = [
      kind({
        what: 'clusters',
        at: () => `/teams/${teamId}/resourcemanager/cluster`,
        // with an agent: the server uses the cluster only after its agent connects
        add: () => call(clusters.create, { body: { name: name('sea'), agent: true } }),
        shows: name('sea'),
        change: ({ uuid }) => call(clusters.update, { params: { uuid }, body: { name: name('ocean') } }),
        changed: name('ocean'),
        remove: ({ uuid }) => call(clusters.remove, { params: { uuid }, query: { confirm: name('ocean') } }),
      }),
      kind({
        what: 'quotas',
        at: () => cluster('teams'),
        add: () => call(quotas.set, { params: { tenant: teamId }, body: { envUuid, hard: { cpu: 77, memory: null } } }),
        shows: async (one) => one.page.getByText(/77/).first().waitFor(),
      }),
      kind({
        what: 'hosts',
        at: () => cluster('hosts'),
        add: async () => {
          const { items } = await call(hosts.list, { query: { envUuid } })
          const params = { env: envUuid, host: items.at(-1)?.name ?? '' }
          await call(hosts.cordon, { params, body: { enable: true } })
          return params
        },
        shows: (one) => one.page.getByText(one.say('state-cordoned'), { exact: true }).first().waitFor(),
        change: (params) => call(hosts.cordon, { params, body: { enable: false } }),
        changed: (one) =>
          expect.poll(() => one.page.getByText(one.say('state-cordoned'), { exact: true }).count()).toBe(0),
      }),
      kind({
        what: 'volumes',
        at: () => cluster('storage'),
        add: () =>
          call(storage.createVolume, {
            params: { env: envUuid },
            body: {
              name: name('tank'),
              capacity: 1,
              accessModes: ['ReadWriteOnce'],
              source: { type: 'nfs', server: '10.0.0.9', path: '/tank' },
            },
          }),
        shows: new RegExp(name('tank')),
        remove: () => call(storage.removeVolume, { params: { env: envUuid, name: name('tank') } }),
      }),
      kind({
        what: 'storage drivers',
        at: () => cluster('storage'),
        add: () =>
          call(storage.createDriver, {
            params: { env: envUuid },
            body: { name: name('bilge'), provisioner: 'example.com/disk' },
          }),
        shows: new RegExp(name('bilge')),
        remove: () => call(storage.removeDriver, { params: { env: envUuid, name: name('bilge') } }),
      }),
      kind({
        what: 'ingress groups',
        at: () => cluster('ingress'),
        add: () =>
          call(ingressGroups.create, {
            params: { env: envUuid },
            body: { name: name('lock'), controller: 'example.com/ingress' },
          }),
        shows: name('lock'),
        remove: () => call(ingressGroups.remove, { params: { env: envUuid, name: name('lock') } }),
      }),
      kind({
        what: 'projects of a Harbor',
        at: () => `/sysconfig/registry/harbor/${harborId}`,
        add: () => call(harborProjects.create, { params: { id: harborId }, body: { name: name('berth') } }),
        shows: name('berth'),
        remove: ({ projectId }) => call(harborProjects.remove, { params: { id: harborId, projectId } }),
      }),
      kind({
        what: 'what a team has in a Harbor',
        at: () => `/teams/${teamId}/registries/namespace`,
        add: async () => {
          const { projectId } = await call(harborProjects.create, {
            params: { id: harborId },
            body: { name: name('slip') },
          })
          await call(harborProjects.assign, { params: { id: harborId }, body: { projectId, teams: [teamId] } })
          return projectId
        },
        shows: name('slip'),
        remove: (projectId) =>
          call(harborProjects.assign, { params: { id: harborId }, body: { projectId, teams: [] } }),
      }),
    ]

    tellAll(rows, () => suite().enter(chief))
  },
  // needs its own product: other stories read the clusters of the shared one
  { GANTRY_EMBEDDED_AGENT: 'off' },
)
