import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { imports } from '@gantry/contract/blueprints/imports'
import { promotions } from '@gantry/contract/blueprints/promotions'
import { releases } from '@gantry/contract/blueprints/releases'
import { products } from '@gantry/contract/products/products'
import { services } from '@gantry/contract/stacks/services'
import { until } from '../own-namespace.ts'
import type { Thing } from './pool.ts'
import { type Place, type Set } from './story.ts'

const template = (name: string, image: string) => `tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    SECRET: { type: secret }
  node_templates:
    ${name}:
      type: gantry.nodes.Service
      properties:
        image: ${image}
        resources: { cpu: '0.1', memory: 32Mi }
        environment: [{ name: CLOSED, value: { get_input: SECRET }, secret: true }]
`

/** A product with its blueprints: created, changed, deployed, and each decision about a release. */
export async function release(
  { run }: Set,
  { side, leader, team }: Place,
  env: string,
  picture: Buffer,
): Promise<void> {
  const within: Thing = { side, values: { team } }
  const params = { teamId: team }
  const { id: product } = await run.make(
    leader,
    products.create,
    { params: { team }, body: { name: run.fresh(side) } },
    within,
  )
  const inProduct: Thing = { side, values: { team, product } }
  const service = run.fresh(side)
  const write = (image: string) =>
    run.make(
      leader,
      blueprints.create,
      { params, body: { applicationId: product, version: run.fresh(side), template: template(service, image) } },
      inProduct,
    )
  const ofProduct = { params: { team, id: product } }
  await run.make(leader, products.setImage, { ...ofProduct, upload: picture }, inProduct)
  await run.make(leader, products.image, ofProduct, inProduct)
  await run.make(leader, products.clone, { ...ofProduct, body: { name: run.fresh(side) } }, inProduct)
  const { id: blueprint, uuid } = await write('registry.example.test/web:1')
  const ofIt: Thing = { side, values: { ...inProduct.values, blueprint, blueprintUuid: uuid } }
  const body = { template: template(service, 'registry.example.test/web:2') }
  await run.make(leader, blueprints.update, { params: { ...params, id: blueprint }, body }, ofIt)
  await run.make(leader, blueprints.basic, { params: { ...params, uuid }, body: { version: run.fresh(side) } }, ofIt)
  await run.make(leader, blueprints.clone, { params: { ...params, uuid }, body: { version: run.fresh(side) } }, ofIt)
  await run.make(leader, blueprints.translate, { query: { uuid }, body: { version: 'gantry_1_0_0' } }, ofIt)
  const inputs = { SECRET: run.secret() }
  const stackName = run.fresh(side)
  const wanted = { params, body: { blueprintId: uuid, envId: env, stackName, inputs } }
  const onEnv: Thing = { side, values: { ...ofIt.values, env } }
  await run.make(leader, releases.deployCheck, wanted, onEnv)
  const stack = await run.make(leader, releases.deploy, wanted, onEnv)
  const at = { teamId: team, envId: env, stackName }
  const inStack: Thing = { side, values: { ...onEnv.values, stack: stack.id, stackUuid: stack.uuid, stackName } }
  run.pool.add(inStack)
  const settled = (state: string) =>
    until(`the release to be ${state}`, async () => {
      const { items } = await run.make(
        leader,
        services.list,
        { params: { teamId: team, envId: env, uuid: stack.uuid }, query: {} },
        inStack,
      )
      return items.every((one) => one.state === state) || undefined
    })
  await settled('stable')
  await run.make(
    leader,
    blueprints.saveStack,
    { params: { teamId: team, envId: env, uuid: stack.uuid }, body: { version: run.fresh(side) } },
    inStack,
  )
  const targetName = run.fresh(side)
  const goal = { params: at, body: { envId: env, stackName: targetName } }
  await run.make(leader, promotions.settings, { params: at, query: { targetEnv: env, targetName } }, inStack)
  await run.make(leader, promotions.check, goal, inStack)
  await run.make(leader, promotions.promote, goal, inStack)
  const text = 'services: { web: { image: registry.example.test/web:2 } }'
  const into = { params: { ...at, stackName: run.fresh(side) }, body: { text } }
  await run.make(leader, imports.check, into, inStack)
  await run.make(leader, imports.create, into, inStack)
  for (const [decision, image] of [
    [releases.confirm, 'registry.example.test/web:3'],
    [releases.rollBack, 'registry.example.test/web:4'],
    [releases.cancel, 'registry.example.test/web:5'],
  ] as const) {
    const { id: blueprintId } = await write(image)
    await run.make(leader, releases.check, { params: at, body: { blueprintId } }, inStack)
    await run.make(leader, releases.upgrade, { params: at, body: { blueprintId } }, inStack)
    if (decision !== releases.cancel) await settled('upgraded')
    await run.make(leader, decision, { params: at }, inStack)
    await settled('stable')
  }
}
