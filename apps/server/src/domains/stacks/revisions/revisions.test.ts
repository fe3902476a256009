import { createHash } from 'node:crypto'
import { revisions } from '@gantry/contract/stacks/revisions/revisions'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { mask } from '@gantry/contract/validators'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { refusalOf } from '../../../../test/test-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Registry } from '../../../adapters/registry/registry.ts'
import { Fault } from '../../../kernel/fault.ts'

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

/** The digests that tags have in the registry now; below, what every lookup waits for. */
const tags = new Map<string, string>()
let answer: Promise<void> = Promise.resolve()
const requests: string[] = []
const registry = {
  digest: async (access: { url: string }, repository: string, tag: string) => {
    requests.push(`${access.url}/${repository}:${tag}`)
    await answer
    const digest = tags.get(`${repository}:${tag}`)
    if (digest === 'silent') throw new Fault('unavailable', 'outbound-unreachable', { host: 'registry.example.test' })
    return digest ?? null
  },
} as unknown as Registry

const { app, direct, newEnvironment } = await sandboxApp({ registry })
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('one', team)).uuid
})
beforeEach(() => {
  tags.clear()
  tags.set('web:1', digestOf('first'))
  requests.length = 0
})

let made = 0
const newStack = () =>
  team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name: `stack-${++made}`, envId } })
const small = { cpu: '0.1', memory: '32Mi' }
const image = (tag: number | string) => `registry.example.test/web:${tag}`
const of = (id: number) => ({ params: { teamId: team.id, envId, id } })
const create = (stackId: number, more: Partial<ServiceSpecInput> = {}) =>
  team.leader.call(services.create, {
    params: { teamId: team.id, stackId, serviceName: 'web' },
    body: { image: image(1), resources: small, ...more },
  })
const upgrade = (id: number, more: Partial<ServiceSpecInput>) =>
  team.leader.call(services.upgrade, { ...of(id), body: { image: image(1), resources: small, ...more } })
const returnTo = (id: number, revision: number) =>
  team.leader.call(revisions.returnTo, { params: { ...of(id).params, revision } })

const settled = (id: number, ...wanted: string[]) =>
  eventually(
    async () => {
      await app.reconcile()
      return team.leader.call(services.get, of(id))
    },
    (service) => wanted.includes(service.state),
  )

async function running(more: Partial<ServiceSpecInput> = {}) {
  const stack = await newStack()
  const { id } = await create(stack.id, more)
  const service = await settled(id, 'stable')
  return { stack, service, ref: { name: 'web', namespace: stack.namespace } }
}

/** The images of a service's pods, by container. */
async function imagesOf(ref: { name: string; namespace: string }) {
  const { spec } = await direct.get(kinds.deployments, ref)
  const pod = spec?.template?.spec
  return Object.fromEntries([...(pod?.initContainers ?? []), ...(pod?.containers ?? [])].map((c) => [c.name, c.image]))
}

describe('a tag', () => {
  test('is resolved to a digest before its pods start, in every container, and the revision keeps the digest', async () => {
    tags.set('proxy:2', digestOf('proxy'))
    const side = { name: 'proxy', role: 'side' as const, image: 'registry.example.test/proxy:2', resources: small }
    const { service, ref } = await running({ containers: [side] })
    expect(await imagesOf(ref)).toEqual({
      web: `${image(1)}@${digestOf('first')}`,
      proxy: `registry.example.test/proxy:2@${digestOf('proxy')}`,
    })
    expect(service).toMatchObject({ digest: digestOf('first'), image: image(1) })
    expect(service.revisions).toMatchObject([{ digest: digestOf('first'), unpinned: '' }])
  })

  test('that its registry does not know or report is kept, and the revision says so', async () => {
    tags.set('web:9', 'silent')
    for (const [tag, words] of [
      [9, 'registry.example.test'],
      [8, 'registry.example.test'],
    ] as const) {
      const { service, ref } = await running({ image: image(tag) })
      expect(await imagesOf(ref)).toEqual({ web: image(tag) })
      expect(service.revisions[0]?.unpinned).toContain(words)
    }
  })

  test('is looked up once for each revision: scaling and restarts keep the digest', async () => {
    const { service, ref } = await running()
    tags.set('web:1', digestOf('moved'))
    await team.leader.call(services.scale, { ...of(service.id), query: { replicas: 2 } })
    await settled(service.id, 'stable')
    const restart = { teamId: team.id, envId, stackName: service.stackName }
    await team.leader.call(services.restart, { params: restart, body: ['web'] })
    expect((await settled(service.id, 'restarting', 'stable')).state).toBe('restarting')
    await settled(service.id, 'stable')
    expect(await imagesOf(ref)).toEqual({ web: `${image(1)}@${digestOf('first')}` })
    expect(requests).toHaveLength(1)
  })

  test('that takes its registry long blocks no other change of the service', async () => {
    const stack = await newStack()
    const gate = Promise.withResolvers<void>()
    answer = gate.promise
    const { id } = await create(stack.id)
    await eventually(() => {
      void app.reconcile()
      expect(requests).not.toEqual([])
    })
    const body = { image: image(2), resources: small }
    tags.set('web:2', digestOf('second'))
    expect(await team.leader.call(services.upgrade, { ...of(id), body })).toMatchObject({ revision: 2 })
    gate.resolve()
    answer = Promise.resolve()
    expect(await settled(id, 'stable')).toMatchObject({ digest: digestOf('second') })
    expect(await imagesOf({ name: 'web', namespace: stack.namespace })).toEqual({
      web: `${image(2)}@${digestOf('second')}`,
    })
  })
})

describe('a revision', () => {
  const secret = (value: string) => [{ name: 'PASSWORD', value, secret: true }]
  const passwordOf = async ({ namespace }: { namespace: string }) => {
    const { data } = await direct.get(kinds.secrets, { name: 'web-env', namespace })
    return Buffer.from(data?.['PASSWORD'] ?? '', 'base64').toString()
  }

  test('is restored after three confirmed upgrades: its document, its digest though the tag moved, its secrets', async () => {
    const { service, ref } = await running({ environment: secret('of the first') })
    const { id } = service
    for (const content of ['second', 'third', 'fourth']) {
      tags.set('web:1', digestOf(content))
      await upgrade(id, { environment: secret(content), replicas: 2 })
      await settled(id, 'upgraded')
      await team.leader.call(services.confirm, of(id))
    }
    expect(await imagesOf(ref)).toEqual({ web: `${image(1)}@${digestOf('fourth')}` })
    expect(await passwordOf(ref)).toBe('fourth')

    expect(await returnTo(id, 1)).toMatchObject({ state: 'upgrading', revision: 5, replicas: 1 })
    const returned = await settled(id, 'upgraded')
    expect(returned).toMatchObject({ digest: digestOf('first'), previous: { replicas: 2 } })
    expect(returned.revisions[0]).toMatchObject({ action: 'return', digest: digestOf('first') })
    expect(returned.spec.environment).toMatchObject([{ name: 'PASSWORD', value: mask }])
    expect(await imagesOf(ref)).toEqual({ web: `${image(1)}@${digestOf('first')}` })
    expect(await passwordOf(ref)).toBe('of the first')

    await team.leader.call(services.rollBack, of(id))
    await settled(id, 'stable')
    expect(await imagesOf(ref)).toEqual({ web: `${image(1)}@${digestOf('fourth')}` })
    expect(await passwordOf(ref)).toBe('fourth')
    await returnTo(id, 3)
    await settled(id, 'upgraded')
    await team.leader.call(services.confirm, of(id))
    expect(await imagesOf(ref)).toEqual({ web: `${image(1)}@${digestOf('third')}` })
    expect(await passwordOf(ref)).toBe('third')
  })

  test('cannot be restored if it does not exist, on an outdated basis, or while an upgrade waits for a decision', async () => {
    const { service } = await running()
    const { id } = service
    expect(await refusalOf(returnTo(id, 7))).toMatchObject({ status: 404 })
    await team.leader.call(services.scale, { ...of(id), query: { replicas: 2 } })
    await settled(id, 'stable')
    const stale = team.leader.call(revisions.returnTo, {
      params: { ...of(id).params, revision: 1 },
      query: { revision: 1 },
    })
    expect(await refusalOf(stale)).toMatchObject({ status: 409, key: 'stacks-changed-since' })
    await upgrade(id, { replicas: 2, arguments: ['new'] })
    await settled(id, 'upgraded')
    expect(await refusalOf(returnTo(id, 1))).toMatchObject({ status: 409, key: 'stacks-not-now-upgraded' })
  })

  test('from before secrets were kept is refused, with what to do', async () => {
    const { service } = await running({ environment: secret('once') })
    await upgrade(service.id, { environment: secret('now') })
    await settled(service.id, 'upgraded')
    await team.leader.call(services.confirm, of(service.id))
    await app.db
      .updateTable('service_revision')
      .set({ secrets: null })
      .where('service_id', '=', service.id)
      .where('revision', '=', 1)
      .execute()
    expect(await refusalOf(returnTo(service.id, 1))).toMatchObject({ status: 409, key: 'stacks-revision-secrets' })
  })
})

describe('a service', () => {
  test('is edited in place: nothing needs confirmation, and the previous revision can be restored', async () => {
    const { service } = await running()
    const { id } = service
    const body = { image: image(1), resources: small, arguments: ['edited'] }
    const edit = (revision: number) => team.leader.call(services.edit, { ...of(id), query: { revision }, body })
    expect(await edit(1)).toMatchObject({ state: 'deploying', revision: 2, previous: null })
    expect(await settled(id, 'stable')).toMatchObject({ spec: { arguments: ['edited'] }, previous: null })
    expect(await refusalOf(edit(1))).toMatchObject({ status: 409, key: 'stacks-changed-since' })
    await returnTo(id, 1)
    expect(await settled(id, 'upgraded')).toMatchObject({ spec: { arguments: [] } })
    expect(await refusalOf(edit(3))).toMatchObject({ status: 409, key: 'stacks-not-now-upgraded' })
  })

  test('without instances is stopped, and starts when it is scaled', async () => {
    const { service } = await running()
    const scale = (replicas: number) => team.leader.call(services.scale, { ...of(service.id), query: { replicas } })
    await scale(0)
    expect(await settled(service.id, 'stopped', 'stable')).toMatchObject({ state: 'stopped', replicas: 0 })
    const restart = team.leader.call(services.restart, {
      params: { teamId: team.id, envId, stackName: service.stackName },
      body: ['web'],
    })
    expect(await refusalOf(restart)).toMatchObject({ status: 409, key: 'stacks-not-now-stopped' })
    await upgrade(service.id, { replicas: 0, arguments: ['new'] })
    await settled(service.id, 'upgraded')
    expect(await team.leader.call(services.confirm, of(service.id))).toMatchObject({ state: 'stopped' })
    await scale(1)
    expect(await settled(service.id, 'stopped', 'stable')).toMatchObject({ state: 'stable', ready: 1 })
  })

  test('lists who requested which change, also refused ones, and nothing of other services', async () => {
    const { service, stack } = await running()
    await team.leader.call(services.create, {
      params: { teamId: team.id, stackId: stack.id, serviceName: 'web-api' },
      body: { image: image(1), resources: small },
    })
    await refusalOf(team.leader.call(services.rollBack, of(service.id)))
    await team.leader.call(services.scale, { ...of(service.id), query: { replicas: 2 } })
    await settled(service.id, 'stable')
    const restart = { teamId: team.id, envId, stackName: stack.name }
    await settled(service.id, 'stable')
    await team.leader.call(services.restart, { params: restart, body: ['web'] })
    const { items, totalSize } = await team.leader.call(revisions.audit, { ...of(service.id), query: { pageSize: 3 } })
    expect(totalSize).toBe(4)
    expect(items).toMatchObject([
      { apiValue: 'service.restart', action: 'Restart services', result: 1, username: team.leader.name },
      { apiValue: 'service.scale', result: 1 },
      { apiValue: 'service.roll-back', result: 0, reason: expect.stringContaining('stable') },
    ])
    expect(Object.keys(items[0] ?? {})).not.toContain('ip')
  })

  test('is found by the operating system of its hosts', async () => {
    const { stack } = await running()
    await team.leader.call(services.create, {
      params: { teamId: team.id, stackId: stack.id, serviceName: 'dotnet' },
      body: { image: image(1), resources: small, placement: { os: 'windows' } },
    })
    const found = async (osType?: 'linux' | 'windows') => {
      const params = { teamId: team.id, envId, uuid: stack.uuid }
      const { items } = await team.leader.call(services.list, { params, query: osType ? { osType } : {} })
      return items.map(({ name }) => name)
    }
    expect([await found(), await found('linux'), await found('windows')]).toEqual([
      ['dotnet', 'web'],
      ['web'],
      ['dotnet'],
    ])
  })
})

describe('deleting a service', () => {
  /** Its pods end at once. */
  const lifecycle = { beforeStop: { type: 'command' as const, command: ['true'] } }
  const claim = { name: 'data', path: '/data', type: 'claim', size: '1Gi' } as const
  const remove = (id: number, more: { claims?: 'keep' | 'delete'; deleteFore?: 'true' } = {}) =>
    team.leader.call(services.remove, {
      params: { teamId: team.id, envId, idAndType: `${id}_business` },
      query: { confirm: 'web', ...more },
    })
  const gone = (id: number) =>
    eventually(async () => {
      await app.reconcile()
      expect(await app.db.selectFrom('service').select('id').where('id', '=', id).execute()).toEqual([])
    })
  const claimsIn = async (namespace: string) =>
    (await direct.list(kinds.persistentVolumeClaims, { namespace })).items.map(({ metadata }) => metadata?.name)

  test.for([
    ['deployment', 'web.data', 'keep'],
    ['deployment', 'web.data', 'delete'],
    ['statefulset', 'data-web-0', 'keep'],
    ['statefulset', 'data-web-0', 'delete'],
  ] as const)('of a %s names its claim %s, and what is told of it is done: %s', async ([workload, name, claims]) => {
    const { stack, service } = await running({ workload, volumes: [claim], lifecycle })
    const { items } = await team.leader.call(services.claims, { ...of(service.id), query: {} })
    expect(items).toMatchObject([{ name, size: '1Gi', phase: 'Bound' }])
    await remove(service.id, { claims })
    await gone(service.id)
    const left = async () => (await claimsIn(stack.namespace)).join()
    await expect.poll(left).toBe(claims === 'keep' ? name : '')
  })

  test('removes it without its cluster if this is requested, even while it is being deleted', async () => {
    const { service, ref } = await running()
    await remove(service.id)
    expect(await refusalOf(remove(service.id))).toMatchObject({ status: 409, key: 'stacks-not-now-deleting' })
    await remove(service.id, { deleteFore: 'true' })
    expect(await refusalOf(team.leader.call(services.get, of(service.id)))).toMatchObject({ status: 404 })
    expect(await direct.find(kinds.deployments, ref)).toBeDefined()
  })
})

test('a share is set only if the uuid and team, if given, match the stack of this name', async () => {
  const stack = await newStack()
  const set = (query: { stackUUID?: string; tenantName?: string }) =>
    team.leader.call(stacks.setQuota, {
      params: { teamId: team.id, envId, stackName: stack.name },
      query,
      body: { cpu: 1, memory: 1 },
    })
  for (const query of [{ stackUUID: crypto.randomUUID() }, { tenantName: 'another' }])
    expect(await refusalOf(set(query))).toMatchObject({ status: 404 })
  const { teamName } = await app.db
    .selectFrom('team')
    .select('name as teamName')
    .where('id', '=', team.id)
    .executeTakeFirstOrThrow()
  expect(await set({ stackUUID: stack.uuid, tenantName: teamName })).toMatchObject({ quota: { cpu: 1 } })
})
