import { dryRuns } from '@gantry/contract/stacks/preview/dry-run'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { en } from '@gantry/phrases/en.gen'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { refusalOf } from '../../../../test/test-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const { app, direct, sandbox, newEnvironment } = await sandboxApp()
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('one', team)).uuid
})

const data = { name: 'data', path: '/data', type: 'claim', size: '2Gi' } as const
const body = (more: Partial<ServiceSpecInput> = {}): ServiceSpecInput => ({
  image: 'registry.example.test/web:1',
  resources: { cpu: '0.1', memory: '32Mi' },
  ports: [{ port: 8080 }],
  lifecycle: { beforeStop: { type: 'command', command: ['true'] } },
  ...more,
})
const newStack = async (name: string) =>
  team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
const at = (stackId: number) => ({ teamId: team.id, stackId, serviceName: 'web' })
const changes = (answer: { objects: { kind: string; change: string }[] }) =>
  answer.objects.map(({ kind, change }) => `${change} ${kind}`)

test('every object is sent to the cluster on behalf of the team, and none is stored', async () => {
  const stack = await newStack('asked')
  const early = await team.leader.call(dryRuns.create, { params: at(stack.id), body: body() })
  expect(early).toEqual({ objects: [], silent: expect.stringContaining('namespace') })
  await app.reconcile()
  const spec = body({ replicas: 2, volumes: [data], environment: [{ name: 'KEY', value: 'x', secret: true }] })
  const first = await team.leader.call(dryRuns.create, { params: at(stack.id), body: spec })
  expect(first.silent).toBe('')
  expect(first.objects.filter(({ refusal }) => refusal !== '')).toEqual([])
  expect(changes(first)).toEqual([
    'create Secret',
    'create PersistentVolumeClaim',
    'create Deployment',
    'create Service',
    'create PodDisruptionBudget',
  ])
  const { namespace } = stack
  expect((await direct.list(kinds.deployments, { namespace })).items).toEqual([])

  const { id } = await team.leader.call(services.create, { params: at(stack.id), body: spec })
  await eventually(async () => {
    await app.reconcile()
    const service = await team.leader.call(services.get, { params: { teamId: team.id, envId, id } })
    expect(service).toMatchObject({ state: 'stable' })
  })
  const next = { ...spec, image: 'registry.example.test/web:2', volumes: [{ ...data, size: '1Gi' }], replicas: 1 }
  const refused = await team.leader.call(dryRuns.upgrade, { params: at(stack.id), body: next })
  expect(changes(refused)).toEqual([
    'none Secret',
    'change PersistentVolumeClaim',
    'change Deployment',
    'none Service',
    'remove PodDisruptionBudget',
  ])
  const [claim] = refused.objects.filter(({ refusal }) => refusal !== '')
  expect(claim).toMatchObject({ kind: 'PersistentVolumeClaim', refusal: expect.stringMatching(/can not be less/) })
})

test('a change that the product itself refuses is not sent', async () => {
  const stack = await newStack('refused')
  const given = body({ placement: { apart: ['nobody'] } })
  expect((await refusalOf(team.leader.call(dryRuns.create, { params: at(stack.id), body: given }))).status).toBe(409)
  const missing = await refusalOf(team.leader.call(dryRuns.upgrade, { params: at(stack.id), body: body() }))
  expect(missing.status).toBe(404)
})

test('a cluster that does not answer costs a bounded wait and a note', async () => {
  const stack = await newStack('silent')
  await app.reconcile()
  await sandbox.stop()
  const answer = await team.leader.call(dryRuns.create, { params: at(stack.id), body: body() })
  expect(answer).toEqual({ objects: [], silent: en['clusters-health-unreachable'] })
})
