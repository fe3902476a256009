import { randomBytes } from 'node:crypto'
import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { releases } from '@gantry/contract/blueprints/releases'
import { products } from '@gantry/contract/products/products'
import { services } from '@gantry/contract/stacks/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labApp } from '../../../../test/lab-app.ts'
import { labCluster, nameByDigest } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const lab = labCluster()
const image = 'localhost/busybox:1'

const service = (name: string, after: string, seconds: number) => `    ${name}:
      type: gantry.nodes.Service
      properties:
        image: ${image}
        command: [sh, -c, 'sleep ${seconds}']
        resources: { cpu: '0.1', memory: 32Mi }
        lifecycle: { beforeStop: { type: command, command: ['true'] } }
        terminationSeconds: 1
${after === '' ? '' : `      requirements: [{ dependency: ${after} }]\n`}`
const template = (seconds: number) => `tosca_definitions_version: gantry_1_0_0
topology_template:
  node_templates:
${service('web', 'api', seconds)}${service('api', 'db', seconds)}${service('db', '', 3600)}`

describe.skipIf(lab === undefined)('a blueprint on a real cluster (needs the lab’s kube)', async () => {
  const { app, kube, join, runJobs } = await labApp()
  let team: Awaited<ReturnType<typeof app.team>>
  let envId = ''
  let applicationId = 0
  let namespace = ''

  beforeAll(async () => {
    nameByDigest(lab?.kubeconfig ?? '', image)
    team = await app.team(`blueprints-${randomBytes(3).toString('hex')}`)
    envId = await join(team)
    applicationId = (await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'shop' } })).id
    await runJobs()
  })
  afterAll(async () => {
    if (namespace !== '') await kube().remove(kinds.namespaces, { name: namespace })
  })

  const write = (version: string, seconds: number) =>
    team.leader.call(blueprints.create, {
      params: { teamId: team.id },
      body: { applicationId, version, template: template(seconds) },
    })
  const commands = async () => {
    const { items } = await kube().list(kinds.deployments, { namespace })
    return items.map(({ spec }) => spec?.template.spec?.containers[0]?.command?.at(-1)).toSorted()
  }

  test('three services start one after the other, are upgraded as one release and rolled back', async () => {
    const [first, second] = [await write('1', 3600), await write('2', 7200)]
    const stack = await team.leader.call(releases.deploy, {
      params: { teamId: team.id },
      body: { blueprintId: first.uuid, envId, stackName: 'shop' },
    })
    ;({ namespace } = (await app.db
      .selectFrom('stack')
      .select('namespace')
      .where('id', '=', stack.id)
      .executeTakeFirst()) ?? { namespace: '' })
    const states = async () => {
      const params = { teamId: team.id, envId, uuid: stack.uuid }
      const { items } = await team.leader.call(services.list, { params, query: {} })
      return items.map(({ state }) => state).join(' ')
    }
    await until('all run', async () => (await states()) === 'stable stable stable', 120)
    const made = (await kube().list(kinds.deployments, { namespace })).items
      .toSorted((a, b) => String(a.metadata?.creationTimestamp).localeCompare(String(b.metadata?.creationTimestamp)))
      .map(({ metadata }) => metadata?.name)
    expect(made).toEqual(['db', 'api', 'web'])
    const before = await commands()

    const at = { params: { teamId: team.id, envId, stackName: 'shop' } }
    await team.leader.call(releases.upgrade, { ...at, body: { blueprintId: second.id } })
    await until('the release is ready', async () => (await team.leader.call(releases.latest, at))?.ready === true, 120)
    expect(await commands()).toEqual(['sleep 3600', 'sleep 7200', 'sleep 7200'])
    await team.leader.call(releases.rollBack, at)
    await until('all are back', async () => (await states()) === 'stable stable stable', 120)
    expect(await commands()).toEqual(before)
  })
})
