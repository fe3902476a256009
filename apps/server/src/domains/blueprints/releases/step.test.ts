import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { releases } from '@gantry/contract/blueprints/releases'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { products } from '@gantry/contract/products/products'
import { services } from '@gantry/contract/stacks/services'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, expect, test } from 'vitest'
import { type Held, testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { decide } from './releases.service.ts'

const { sandbox, app, newEnvironment } = await sandboxApp()
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
let blueprintId = 0
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('cluster', team)).uuid
  const params = { teamId: team.id }
  const product = await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'shop' } })
  const template = `tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    IMAGE: { type: string }
    COUNT: { type: integer, default: 1 }
    KEY: { type: secret }
  node_templates:
    web:
      type: gantry.nodes.Service
      properties:
        image: { get_input: IMAGE }
        replicas: { get_input: COUNT }
        environment: [{ name: KEY, value: { get_input: KEY }, secret: true }]
        resources: { cpu: '0.1', memory: 32Mi }
`
  const body = { applicationId: product.id, version: '1.0', template }
  blueprintId = (await team.leader.call(blueprints.create, { params, body })).id
})

const first = 'registry.example.test/web:1'
const second = 'registry.example.test/web:2'
let made = 0
const patient = { ms: 30_000 }

const webIn = async (uuid: string) => {
  const params = { teamId: team.id, envId, uuid }
  return (await team.leader.call(services.list, { params, query: {} })).items.find(({ name }) => name === 'web')
}

/** A stack deployed from the product's first version. */
async function deployed() {
  const stack = await team.leader.call(releases.deploy, {
    params: { teamId: team.id },
    body: { blueprintId, envId, stackName: `stack-${++made}`, inputs: { IMAGE: first, KEY: 'key' } },
  })
  await eventually(
    async () => {
      await app.reconcile()
      expect(await webIn(stack.uuid)).toMatchObject({ state: 'stable' })
    },
    undefined,
    patient,
  )
  return stack
}

/** A build with a step that upgrades the stack, and how its agent calls for that step. */
async function upgrading(
  stack: { uuid: string },
  given: { confirm?: boolean; of?: typeof team; caller?: typeof team.leader } = {},
) {
  const { confirm = true, of = team, caller = of.leader } = given
  const inputs = { IMAGE: '${outputs.image.NAME}', COUNT: '2', KEY: '${variables.KEY}' }
  const step: StepInput = { type: 'blueprint', name: 'ship', stackUuid: stack.uuid, blueprintId, inputs, confirm }
  const pipeline = await testPipeline(app, of, [step])
  const { number } = await caller.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const claimed = async (): Promise<Held> => {
    const [work] = (await agent.claim(1)).work
    if (!work) throw new Error('nothing was claimed')
    return work
  }
  const ask = ({ jobId, attempt }: Held, image = second, masked: string[] = []) =>
    agent.caller.call(stepProtocol.serve, {
      params: { jobId, step: 0 },
      query: { attempt },
      // the step does not set the last input
      body: { texts: { IMAGE: image, COUNT: '2', KEY: 'key', SIZE: 'large' }, masked },
    })
  /** Calls until the step has ended. */
  const ended = (job: Held, image = second) =>
    eventually(
      async () => {
        await app.reconcile()
        return ask(job, image)
      },
      ({ state }) => state !== 'running',
      patient,
    )
  const retried = async (job: Held): Promise<Held> => {
    await agent.events(job, 1, [{ type: 'end', state: 'failed', logs: [] }])
    await team.leader.call(builds.retry, { params: { id: pipeline.id, number }, body: { from: 'failed' } })
    return claimed()
  }
  return { pipeline, agent, claimed, ask, ended, retried }
}
const latest = (stackName: string) =>
  team.leader.call(releases.latest, { params: { teamId: team.id, envId, stackName } })

test('a stack is upgraded once however often the agent calls, and confirmed when all of it is ready', async () => {
  const stack = await deployed()
  const { claimed, ask, ended } = await upgrading(stack)
  const job = await claimed()
  for (const answer of await Promise.all([ask(job), ask(job)])) expect(answer.state).toBe('running')
  expect(await ended(job)).toMatchObject({ state: 'success', reason: null })
  expect(await ask(job)).toMatchObject({ state: 'success', log: [`${stack.name} is confirmed`] })
  expect(await latest(stack.name)).toMatchObject({ state: 'confirmed', by: team.leader.name, changed: ['web'] })
  expect(await webIn(stack.uuid)).toMatchObject({ image: second, replicas: 2 })

  const again = await upgrading(stack)
  expect(await again.ended(await again.claimed())).toMatchObject({
    state: 'success',
    log: [`nothing changes in ${stack.name}`],
  })
})

test('a step without confirmation waits for a person, who may roll back', async () => {
  const stack = await deployed()
  const { claimed, ask, ended } = await upgrading(stack, { confirm: false })
  const job = await claimed()
  expect(await ended(job)).toMatchObject({ state: 'success', log: [expect.stringContaining('waits to be confirmed')] })
  expect(await latest(stack.name)).toMatchObject({ state: 'open', ready: true })
  await team.leader.call(releases.rollBack, { params: { teamId: team.id, envId, stackName: stack.name } })
  expect(await ask(job)).toMatchObject({ state: 'failed', reason: { key: 'blueprints-release-returned' } })
})

test('a service that does not become ready fails the step with its cause, and a retry rolls back first', async () => {
  const stack = await deployed()
  const { claimed, ended, retried } = await upgrading(stack)
  const job = await claimed()
  const failed = await ended(job, `${sandbox.registry}/web:missing`)
  expect(failed).toMatchObject({ state: 'failed', log: [`${stack.name}/web did not become ready`] })
  expect(JSON.stringify(failed.reason)).toContain('web:missing')
  expect(await latest(stack.name)).toMatchObject({ state: 'open' })
  expect(await ended(await retried(job))).toMatchObject({ state: 'success', reason: null })
  expect(await webIn(stack.uuid)).toMatchObject({ image: second })
})

test('a user without permission to upgrade stacks upgrades none by a build, and stacks of other teams are not found', async () => {
  const stack = await deployed()
  const builder = await team.member(['pipeline_pipeline_view', 'pipeline_build_execute'])
  const { claimed, ask } = await upgrading(stack, { caller: builder })
  expect(await ask(await claimed())).toMatchObject({ state: 'failed', reason: { key: 'permission-missing-nobody' } })
  expect(await latest(stack.name)).toMatchObject({ action: 'deploy' })
  await expect(upgrading(stack, { of: await app.team() })).rejects.toMatchObject({
    status: 409,
    key: 'pipelines-cannot-run',
  })
})

test('a secret of the build is refused as the value of a plain input', async () => {
  const stack = await deployed()
  const { claimed, ask } = await upgrading(stack)
  const job = await claimed()
  expect(await ask(job, `${second}-secret`, ['KEY', 'IMAGE'])).toMatchObject({
    state: 'failed',
    reason: { key: 'blueprints-input-secret', vars: { name: 'IMAGE' } },
  })
  expect(await latest(stack.name)).toMatchObject({ action: 'deploy' })
  expect(await ask(job, second, ['KEY'])).toMatchObject({ state: 'running' })
  const { inputs } = (await latest(stack.name)) ?? {}
  expect(JSON.stringify(inputs)).not.toContain('key')
})

test('a step decides only its own release, not one started later', async () => {
  const stack = await deployed()
  const before = await latest(stack.name)
  const { claimed, ended } = await upgrading(stack, { confirm: false })
  await ended(await claimed())
  const open = await latest(stack.name)
  const at = { teamId: team.id, envId, stackName: stack.name }
  for (const decision of ['confirm', 'cancel'] as const)
    await expect(decide(app.ctx(), at, decision, before?.id)).rejects.toMatchObject({ key: 'blueprints-no-release' })
  expect(await latest(stack.name)).toMatchObject({ id: open?.id, state: 'open' })
  expect(await decide(app.ctx(), at, 'confirm', open?.id)).toMatchObject({ state: 'confirmed' })
})
