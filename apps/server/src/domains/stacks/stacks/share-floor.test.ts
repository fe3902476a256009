import { quotas } from '@gantry/contract/quotas/quotas'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { beforeEach, describe, expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { testApp } from '../../../../test/test-app.ts'

/** The lower limit of a stack's share: what still runs, whatever was requested since. */

const { app, kube, direct, sandbox, newEnvironment } = await sandboxApp()
const replica = await testApp({ ports: { kube }, beside: app })
const patient = { ms: 30_000 }

let made = 0
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeEach(async () => {
  team = await app.team()
  envId = (await newEnvironment(`cluster-${++made}`, team)).uuid
})

const spec = (replicas: number, cpu: string, image = 'registry.example.test/web:1'): ServiceSpecInput => ({
  image,
  replicas,
  resources: { cpu, memory: '64Mi' },
  // its pods end at once
  lifecycle: { beforeStop: { type: 'command', command: ['true'] } },
})
const cores = (cpu: number) => ({ cpu, memory: 1 })

const settle = () => app.reconcile()
const readService = (id: number) => team.leader.call(services.get, { params: { teamId: team.id, envId, id } })
const settled = (id: number, state: string) =>
  eventually(
    async () => {
      await settle()
      const service = await readService(id)
      expect(service.state).toBe(state)
      return service
    },
    undefined,
    patient,
  )
const readStack = (stackId: number) => team.leader.call(stacks.get, { params: { teamId: team.id, envId, stackId } })
const setShare = (stackName: string, cpu: number, who = team.leader) =>
  who.call(stacks.setQuota, { params: { teamId: team.id, envId, stackName }, body: cores(cpu) })
const of = (id: number) => ({ params: { teamId: team.id, envId, id } })
const upgrade = (id: number, body: ServiceSpecInput) => team.leader.call(services.upgrade, { ...of(id), body })
const deploy = (stackId: number, serviceName: string, body: ServiceSpecInput) =>
  team.leader.call(services.create, { params: { teamId: team.id, stackId, serviceName }, body })

/** A stack whose share is exactly the most that its service may use. */
async function running(body: ServiceSpecInput, share: number) {
  const stack = await team.leader.call(stacks.create, {
    params: { teamId: team.id },
    body: { name: 'shop', envId, quota: cores(share) },
  })
  const { id } = await deploy(stack.id, 'web', body)
  await settled(id, 'stable')
  return { stack, id }
}

async function upgraded() {
  const { stack, id } = await running(spec(2, '0.1'), 1.2)
  await upgrade(id, spec(2, '0.4'))
  await settled(id, 'upgraded')
  return { stack, id }
}

const withdrawn = {
  'an upgrade that is rolled back': async () => {
    const { stack, id } = await upgraded()
    return { stack, id, less: () => team.leader.call(services.rollBack, of(id)) }
  },
  'an upgrade that is cancelled': async () => {
    const { stack, id } = await running(spec(2, '0.1'), 1.2)
    await upgrade(id, spec(2, '0.4', `${sandbox.registry}/missing:1`))
    await settled(id, 'failed')
    return { stack, id, less: () => team.leader.call(services.cancel, of(id)) }
  },
  'a service that is scaled down': async () => {
    const { stack, id } = await running(spec(2, '0.4'), 1.2)
    return { stack, id, less: () => team.leader.call(services.scale, { ...of(id), query: { replicas: 1 } }) }
  },
}

describe('lowering a share', { timeout: 90_000 }, () => {
  test.each(Object.entries(withdrawn))('below %s is refused until its pods have gone', async (_, before) => {
    const { stack, id, less } = await before()
    // concurrently on another replica, in either order
    const [, lowered] = await Promise.allSettled([
      less(),
      setShare('shop', 0.8, replica.caller(team.leader, team.leader.token)),
    ])
    const refusal = { status: 409, key: 'stacks-share-below-use-cpu' }
    expect(lowered).toMatchObject({ status: 'rejected', reason: refusal })
    await expect(setShare('shop', 0.8)).rejects.toMatchObject(refusal)
    expect((await readService(id)).takes.cpu).toBeCloseTo(1.2)
    expect((await readStack(stack.id)).used.cpu).toBe(1.2)
    await expect(deploy(stack.id, 'more', spec(1, '0.1'))).rejects.toMatchObject({ key: 'stacks-share-exceeded-cpu' })

    await settled(id, 'stable')
    await eventually(() => setShare('shop', 0.8), undefined, patient)
    expect((await readStack(stack.id)).quota.cpu).toBe(0.8)
  })

  test('is refused below a service that is being deleted, until it is gone', async () => {
    const { stack, id } = await running(spec(2, '0.4'), 1.2)
    await team.leader.call(services.remove, {
      params: { teamId: team.id, envId, idAndType: `${id}_business` },
      query: { confirm: 'web' },
    })
    await expect(setShare('shop', 1)).rejects.toMatchObject({ status: 409, key: 'stacks-share-below-use-cpu' })
    const another = deploy(stack.id, 'another', spec(2, '0.4'))
    await expect(another).rejects.toMatchObject({ status: 409, key: 'stacks-share-exceeded-cpu' })
    await eventually(
      async () => {
        await settle()
        await expect(readService(id)).rejects.toMatchObject({ status: 404 })
      },
      undefined,
      patient,
    )
    await eventually(() => setShare('shop', 1), undefined, patient)
  })

  test('is refused below what else runs there, as the cluster counts it', async () => {
    const { stack } = await running(spec(1, '0.1'), 2)
    await direct.create(kinds.pods, {
      metadata: { name: 'by-hand', namespace: stack.namespace },
      spec: { containers: [{ name: 'main', image: 'web:1', resources: { limits: { cpu: '1', memory: '64Mi' } } }] },
    })
    const share = quotas.namespaces
    await eventually(
      async () => {
        const [there] = await team.leader.call(share, { params: { teamId: team.id } })
        expect(there?.used?.cpu).toBe(1.1)
      },
      undefined,
      patient,
    )
    await expect(setShare('shop', 1)).rejects.toMatchObject({ status: 409, key: 'stacks-share-below-running-cpu' })
    await expect(setShare('shop', 1)).rejects.toThrow(/using 1.1 cores.*Free 0.1/)
    expect((await setShare('shop', 1.5)).quota.cpu).toBe(1.5)
  })

  test('is limited by what the services may use if the cluster does not answer', async () => {
    await running(spec(1, '0.1'), 2)
    const address = JSON.stringify({ server: 'https://127.0.0.1:1', auth: { kind: 'token', token: 'x' } })
    const dead = { server: 'https://127.0.0.1:1', address: seal(app.ctx(), address) }
    await app.db.updateTable('environment').set(dead).where('uuid', '=', envId).execute()
    await expect(setShare('shop', 0.1)).rejects.toMatchObject({ status: 409, key: 'stacks-share-below-use-cpu' })
    expect((await setShare('shop', 0.2)).quota.cpu).toBe(0.2)
  })

  test('is refused for a stack that is being deleted', async () => {
    const { stack } = await running(spec(1, '0.1'), 2)
    await team.leader.call(stacks.remove, {
      params: { teamId: team.id, envId, stackId: stack.id },
      query: { confirm: stack.name },
    })
    await expect(setShare('shop', 1)).rejects.toMatchObject({ status: 409, key: 'stacks-being-deleted' })
    expect((await readStack(stack.id)).state).toBe('deleting')
  })
})
