import { gzipSync } from 'node:zlib'
import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { releases } from '@gantry/contract/helm/releases'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Held, testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { chartRepository } from '../../../../test/chart-repository.ts'
import { addRepository, helmPorts } from '../../../../test/lab-helm.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { HelmRun } from '../../../adapters/helm/helm.ts'

/** Arguments of helm's runs, without dry runs. */
const ran: string[] = []
/** How the next run ends. */
let code = 0
const revisions = new Map<string, number>()

/** Replaces helm, and leaves a record of a release in the cluster like it. */
async function played({ kube, namespace, args, files }: HelmRun) {
  const dry = args.includes('--dry-run=server')
  const values = String(files?.['values.yaml'] ?? '')
  const version = (revisions.get(namespace) ?? 0) + (dry ? 0 : 1)
  const record = { name: 'web', namespace, version, manifest: '', info: { status: 'deployed' } }
  if (dry) return { code: 0, stdout: JSON.stringify(record), stderr: '' }
  ran.push(values)
  if (code !== 0) return { code, stdout: '', stderr: 'Error: INSTALLATION FAILED: the chart was refused' }
  revisions.set(namespace, version)
  const release = Buffer.from(gzipSync(JSON.stringify(record)).toString('base64')).toString('base64')
  const labels = { owner: 'helm', name: 'web', status: 'deployed' }
  const name = `sh.helm.release.v1.web.v${version}`
  await kube.create(kinds.secrets, { metadata: { name, namespace, labels }, data: { release } })
  return { code: 0, stdout: '', stderr: '' }
}

const { app, newEnvironment } = await sandboxApp({
  ...helmPorts(undefined),
  helm: { version: async () => '3.0.0', run: played },
})
const repository = await chartRepository()
afterAll(() => repository.close())
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
let repositoryId = 0
beforeAll(async () => {
  repository.add('0.1.0', { 'values.yaml': 'greeting: hello\n' })
  team = await app.team()
  envId = (await newEnvironment('cluster', team)).uuid
  repositoryId = await addRepository(app, team.id, repository.url)
})

const patient = { ms: 30_000 }
let made = 0
async function newStack() {
  const body = { name: `shop-${++made}`, envId }
  const stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body })
  await eventually(
    async () => {
      await app.reconcile()
      const params = { teamId: team.id, envId, stackId: stack.id }
      expect(await team.leader.call(stacks.get, { params })).toMatchObject({ state: 'running' })
    },
    undefined,
    patient,
  )
  return stack
}

/** A build with a step that deploys the chart to a stack, and its agent's call for that step. */
async function deploying(stack: { uuid: string }, caller = team.leader) {
  const step: StepInput = {
    type: 'helm',
    name: 'ship',
    stackUuid: stack.uuid,
    release: 'web',
    repositoryId,
    chart: 'hello',
    version: '0.1.0',
    values: 'tag: "${outputs.image.TAG}"',
  }
  const pipeline = await testPipeline(app, team, [step])
  const { number } = await caller.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const claimed = async (): Promise<Held> => {
    const [work] = (await agent.claim(1)).work
    if (!work) throw new Error('nothing was claimed')
    return work
  }
  const ask = ({ jobId, attempt }: Held) =>
    agent.caller.call(stepProtocol.serve, {
      params: { jobId, step: 0 },
      query: { attempt },
      body: { texts: { values: 'tag: "1.2"' } },
    })
  /** Calls until the step has ended. */
  const ended = (job: Held) =>
    eventually(
      async () => {
        await app.reconcile()
        return ask(job)
      },
      ({ state }) => state !== 'running',
      patient,
    )
  return { pipeline, number, agent, claimed, ask, ended }
}
const released = async (stack: { id: number }) =>
  (await team.leader.call(releases.list, { params: { tenantId: team.id }, query: { envUuid: envId } })).items.filter(
    ({ stackId }) => stackId === stack.id,
  )

test('a chart is deployed once however often the agent calls, with the values that the agent filled in', async () => {
  const stack = await newStack()
  const { claimed, ask, ended } = await deploying(stack)
  const job = await claimed()
  ran.length = 0
  for (const answer of await Promise.all([ask(job), ask(job)])) expect(answer.state).toBe('running')
  expect(await ended(job)).toMatchObject({ state: 'success', log: ['web is deployed'], reason: null })
  expect(await ask(job)).toMatchObject({ state: 'success' })
  expect(ran).toEqual(["tag: '1.2'\n"])
  expect(await released(stack)).toMatchObject([{ name: 'web', state: 'deployed', actor: team.leader.name }])
})

test('a chart that helm refuses fails the step with helm’s message, and a retry deploys it again', async () => {
  const stack = await newStack()
  const { agent, pipeline, number, claimed, ended } = await deploying(stack)
  const job = await claimed()
  ran.length = 0
  code = 1
  const failed = await ended(job)
  code = 0
  expect(failed).toMatchObject({ state: 'failed', log: ['web was not deployed'] })
  expect(JSON.stringify(failed.reason)).toContain('the chart was refused')
  await agent.events(job, 1, [{ type: 'end', state: 'failed', logs: [] }])
  await team.leader.call(builds.retry, { params: { id: pipeline.id, number }, body: { from: 'failed' } })
  expect(await ended(await claimed())).toMatchObject({ state: 'success' })
  expect(ran).toHaveLength(2)
})

test('a step does not overwrite a later deployment by somebody else, and waits for one in progress', async () => {
  const stack = await newStack()
  const [first, second] = [await deploying(stack), await deploying(stack)]
  const [one, two] = [await first.claimed(), await second.claimed()]
  expect(await first.ask(one)).toMatchObject({ state: 'running' })
  expect(await second.ask(two)).toMatchObject({
    state: 'running',
    log: [expect.stringContaining('The release web is being worked on') as string],
  })
  expect(await second.ended(two)).toMatchObject({ state: 'success' })
  expect(await first.ask(one)).toMatchObject({ state: 'failed', reason: { key: 'helm-changed-meanwhile' } })
})

test('a user without permission to deploy charts deploys none by a build, and another team’s stack is not found', async () => {
  const stack = await newStack()
  const builder = await team.member(['pipeline_pipeline_view', 'pipeline_build_execute'])
  const { claimed, ask } = await deploying(stack, builder)
  expect(await ask(await claimed())).toMatchObject({
    state: 'failed',
    reason: { vars: { permission: 'helm_release_operate' } },
  })
  expect(await released(stack)).toEqual([])
  const other = await app.team()
  await app.db.updateTable('stack').set({ team_id: other.id }).where('id', '=', stack.id).execute()
  const foreign = deploying(stack)
  await expect(foreign).rejects.toMatchObject({ status: 409, key: 'pipelines-cannot-run' })
})
