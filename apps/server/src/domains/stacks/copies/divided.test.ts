import { copies } from '@gantry/contract/stacks/copies/copies'
import type { OutwardInput } from '@gantry/contract/stacks/outward'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { refusalOf } from '../../../../test/test-app.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const { app, direct, newEnvironment } = await sandboxApp()
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
const nginx = 'nginx'
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('one', team)).uuid
  await direct.apply(kinds.ingressClasses, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: nginx },
    spec: { controller: 'k8s.io/ingress-nginx' },
  })
})

const body = (tag: number, more: Partial<ServiceSpecInput> = {}): ServiceSpecInput => ({
  image: `registry.example.test/web:${tag}`,
  resources: { cpu: '0.1', memory: '32Mi' },
  ports: [{ port: 8080 }],
  lifecycle: { beforeStop: { type: 'command', command: ['true'] } },
  labels: [{ key: 'tier', value: 'front' }],
  ...more,
})
const of = (id: number) => ({ params: { teamId: team.id, envId, id } })
const get = (id: number) => team.leader.call(services.get, of(id))
const settled = (id: number, ...states: string[]) =>
  reconciled(
    () => get(id),
    ({ state }) => states.includes(state),
  )
const reconciled = <T>(look: () => Promise<T>, isThere: (seen: T) => boolean) =>
  eventually(
    async () => {
      await app.reconcile()
      return look()
    },
    isThere,
    { ms: 30_000 },
  )

let made = 0
async function running(outward?: (name: string) => OutwardInput, more: Partial<ServiceSpecInput> = {}) {
  const name = `stack-${++made}`
  const stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
  const create = async (serviceName: string, spec: ServiceSpecInput) => {
    const { id } = await team.leader.call(services.create, {
      params: { teamId: team.id, stackId: stack.id, serviceName },
      body: spec,
    })
    await settled(id, 'stable')
    return id
  }
  const id = await create('web', body(1, more))
  const way = outward ? await create('front', { outward: outward(name) }) : 0
  return { id, way, stack, namespace: stack.namespace }
}

const through =
  (group: string) =>
  (name: string): OutwardInput => ({
    type: 'ingress',
    group,
    hosts: [{ host: `${name}.example.com`, paths: [{ service: 'web', port: 8080 }] }],
  })

let requests = 0
/** A line of ingress-nginx about a request to a service, or to its copy. */
const line = (namespace: string, answered: string, status: number) =>
  `192.0.2.1 - - [30/Nov/2026:10:00:00 +0000] "GET /${++requests} HTTP/1.1" ${status} 5 "-" "-" 78 0.012 [${namespace}-web-8080] ` +
  `[${answered === 'web' ? '' : `${namespace}-${answered}-8080`}] 203.0.113.9:8080 5 0.012 ${status} f00d`

/** Has a new pod of the controller log lines. */
async function controllerLogs(lines: readonly string[]): Promise<void> {
  const ref = { name: `controller-${++requests}`, namespace: 'ingress-nginx' }
  await direct.apply(kinds.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ref.namespace } })
  const env = [{ name: 'SANDBOX_LOG', value: lines.join('\n') }]
  await direct.create(kinds.pods, {
    metadata: { ...ref, labels: { [labels.name]: 'ingress-nginx' } },
    spec: { containers: [{ name: 'controller', image: 'registry.example.test/web:1', env }] },
  })
  await eventually(
    () => direct.get(kinds.pods, ref),
    ({ status }) => status?.phase === 'Running',
  )
}

const gray = (id: number, more: object = {}) =>
  team.leader.call(copies.gray, { ...of(id), body: { spec: body(2), by: 'requests', ...more } })

/** The controller's configuration for the copy; undefined if there is none. */
async function canary(namespace: string): Promise<Record<string, string> | undefined> {
  const { items } = await direct.list(kinds.ingresses, { namespace })
  const found = items.find(({ metadata }) => metadata?.name === 'front.web-next')
  if (!found) return undefined
  const [path] = found.spec?.rules?.[0]?.http?.paths ?? []
  const notes = Object.entries(found.metadata?.annotations ?? {}).map(([key, value]) => [key.split('/')[1], value])
  return { to: path?.backend.service?.name ?? '', ...(Object.fromEntries(notes) as Record<string, string>) }
}
const selectorOf = async (namespace: string, name: string) =>
  (await direct.get(kinds.services, { name, namespace })).spec?.selector ?? {}

describe.concurrent('requests that are divided', () => {
  test('go to the copy by weight and by header, step by step, and all of them once confirmed', async () => {
    const { id, namespace } = await running(through(nginx))
    expect(await team.leader.call(copies.grayWays, of(id))).toMatchObject({ ways: ['front'], why: '' })
    const header = { name: 'X-Tester', value: 'yes' }
    await gray(id, { header, steps: [{ weight: 0 }, { weight: 30 }] })
    const stands = (step: number) =>
      reconciled(
        () => get(id),
        ({ copy }) => copy?.step === step && (copy.waits || step === 1),
      )
    expect(await stands(0)).toMatchObject({ copy: { by: 'requests', header, instances: { old: 1, new: 1 } } })
    const annotations = {
      to: 'web-next',
      canary: 'true',
      'canary-by-header': 'X-Tester',
      'canary-by-header-value': 'yes',
    }
    expect(await canary(namespace)).toEqual({ ...annotations, 'canary-weight': '0' })
    expect(await selectorOf(namespace, 'web')).toMatchObject({ [labels.revision]: '1' })
    expect(await selectorOf(namespace, 'web-next')).toMatchObject({ [labels.revision]: '2' })

    await team.leader.call(copies.goOn, of(id))
    await settled(id, 'upgraded')
    expect(await canary(namespace)).toEqual({ ...annotations, 'canary-weight': '30' })
    // all old instances still exist, so that rolling back only changes the ways in
    const { items } = await direct.list(kinds.pods, { namespace })
    expect(items).toHaveLength(2)

    await team.leader.call(services.confirm, of(id))
    expect(await settled(id, 'stable')).toMatchObject({ copy: { ended: 'confirmed' } })
    expect(await canary(namespace)).toBeUndefined()
    expect(await selectorOf(namespace, 'web')).toEqual({ [labels.service]: String(id) })
  })

  test('are divided by an old way in too, which has the usual time to follow', async () => {
    const { id, way, namespace } = await running(through(nginx))
    await sql`update service set updated_at = now() - interval '5 minutes' where id = ${way}`.execute(app.db)
    await gray(id, { steps: [{ weight: 100 }] })
    const look = async () => ({ one: await get(id), to: (await canary(namespace))?.['canary-weight'] })
    const seen = await reconciled(look, ({ one }) => ['upgraded', 'stable', 'failed'].includes(one.state))
    expect(seen).toMatchObject({ one: { state: 'upgraded' }, to: '100' })
    // its minute to follow begins when it is changed
    expect(Date.parse((await get(way)).updatedAt)).toBeGreaterThan(Date.now() - 60_000)
  })

  test('all go to the new instances while a confirmed copy that got all of them is taken over', async () => {
    const { id, namespace } = await running(through(nginx))
    await gray(id, { steps: [{ weight: 100 }] })
    await settled(id, 'upgraded')
    await team.leader.call(services.confirm, of(id))
    const seen: unknown[] = []
    await reconciled(
      async () => {
        if (await direct.find(kinds.deployments, { name: 'web-next', namespace }))
          seen.push((await selectorOf(namespace, 'web'))[labels.revision] ?? 'all')
        return get(id)
      },
      ({ state }) => state === 'stable',
    )
    expect(seen).toContain('2')
    expect(seen).not.toContain('all')
  })

  test('leave a cancelled copy at once, even if the service itself is not ready', async () => {
    const readiness = { type: 'tcp', port: 8080 } as const
    const { id, namespace } = await running(through(nginx), { readiness })
    await gray(id, { spec: body(2, { readiness }), steps: [{ weight: 50 }, { weight: 100 }] })
    await reconciled(
      () => canary(namespace),
      (seen) => seen?.['canary-weight'] === '50',
    )
    // from now on none of its instances counts as available
    await direct.merge(kinds.deployments, { name: 'web', namespace }, { spec: { minReadySeconds: 3600 } })
    await team.leader.call(services.cancel, of(id))
    await reconciled(
      () => canary(namespace),
      (seen) => seen === undefined,
    )
    expect(await direct.find(kinds.deployments, { name: 'web-next', namespace })).toBeDefined()
    expect(await get(id)).toMatchObject({ state: 'cancelling' })
  })

  test('go to the service only before a copy is removed that is cancelled or deleted with the service', async () => {
    const { id, way, namespace } = await running(through(nginx))
    const started = async () => {
      await gray(id, { steps: [{ weight: 50 }, { weight: 100 }] })
      await reconciled(
        () => canary(namespace),
        (seen) => seen?.['canary-weight'] === '50',
      )
    }
    await started()
    await team.leader.call(services.cancel, of(id))
    const gone = await reconciled(
      async () => ({
        route: await canary(namespace),
        copy: await direct.find(kinds.deployments, { name: 'web-next', namespace }),
      }),
      ({ route }) => route === undefined,
    )
    expect(gone.copy).toBeDefined()
    expect(await settled(id, 'stable')).toMatchObject({ copy: { ended: 'returned' } })
    expect(await selectorOf(namespace, 'web')).toEqual({ [labels.service]: String(id) })

    await started()
    const params = { teamId: team.id, envId, idAndType: `${id}_business` }
    await team.leader.call(services.remove, { params, query: { confirm: 'web' } })
    await reconciled(
      () => canary(namespace),
      (route) => route === undefined,
    )
    await settled(way, 'stable')
  })

  test('take the upgrade back if too many of those to the new version fail, with the reason in both languages', async () => {
    const { id, namespace } = await running(through(nginx))
    // nobody can count yet, which the form tells
    expect((await team.leader.call(copies.grayWays, of(id))).uncounted).not.toBe('')
    const before = line(namespace, 'web-next', 500)
    await controllerLogs([...Array.from({ length: 30 }, () => before), line(namespace, 'web', 200)])
    expect((await team.leader.call(copies.grayWays, of(id))).uncounted).toBe('')
    await gray(id, { steps: [{ weight: 50 }, { weight: 100 }], rule: { failed: 10 } })
    // failures before the step do not count
    const standing = await reconciled(
      () => get(id),
      ({ copy }) => copy?.waits === true,
    )
    expect(standing).toMatchObject({ state: 'upgrading', copy: { rule: { failed: 10 } } })
    // neither do those of the old version
    const answered = [...Array<number>(18).fill(200), ...Array<number>(3).fill(502)]
    await controllerLogs([
      ...Array.from({ length: 30 }, () => line(namespace, 'web', 500)),
      ...answered.map((status) => line(namespace, 'web-next', status)),
    ])
    expect(await settled(id, 'stable')).toMatchObject({
      copy: {
        ended: 'taken-back',
        why: 'Taken back in step 1: 3 of 21 requests to the new version failed, more than 10 %',
      },
    })
    const chinese = await team.leader.call(services.get, of(id), { 'accept-language': 'zh' })
    expect(chinese.copy?.why).toBe('已在步骤 1 自动退回：新版本处理的 21 个请求中有 3 个失败，超过 10%')
  })

  test.for<[what: string, outward: ((name: string) => OutwardInput) | undefined, key: string]>([
    ['no way in leads to the service', undefined, 'stacks-gray-no-ways'],
    ['the controller of the way in cannot', through('sandbox'), 'stacks-gray-ways-cannot'],
  ])('are refused with the reason if %s', async ([, outward, key]) => {
    const { id } = await running(outward)
    const refusal = await refusalOf(gray(id))
    expect(refusal).toMatchObject({ status: 409, key })
    const { ways, why } = await team.leader.call(copies.grayWays, of(id))
    expect(ways).toEqual([])
    expect(why).toContain('web')
    expect(await get(id)).toMatchObject({ state: 'stable', revision: 1 })
  })

  test.for<[what: string, more: object, path: string, key: string]>([
    ['failed requests of instances', { by: 'instances', rule: { failed: 5 } }, 'rule.failed', 'gray-rule-failed-by'],
    ['nothing without a header', { steps: [{ weight: 0 }] }, 'steps.0.weight', 'gray-weight-none'],
    ['a header of instances', { by: 'instances', header: { name: 'X', value: 'y' } }, 'header', 'gray-header-by'],
    ['a header of two lines', { header: { name: 'X', value: 'y\r\nHost: z' } }, 'header.value', 'gray-header-value'],
    ['a header that is none', { header: { name: 'X: y', value: 'z' } }, 'header.name', 'gray-header-name'],
  ])('are not divided by %s', async ([, more, path, key]) => {
    const { id } = await running(through(nginx))
    expect(await refusalOf(gray(id, more))).toMatchObject({ status: 400, problems: [{ path, key }] })
  })
})

describe.concurrent('a blue/green copy', () => {
  test('gets nothing from ways in by labels or by TCP, before it is confirmed', async () => {
    const { id, way, namespace } = await running(() => ({
      type: 'lb',
      group: nginx,
      rules: [
        {
          name: 'front',
          port: 80,
          host: 'labelled.example.com',
          labels: 'tier=front',
          targets: [{ service: 'web', port: 8080 }],
        },
        { name: 'raw', protocol: 'TCP', port: 9001, targets: [{ service: 'web', port: 8080 }] },
      ],
    }))
    const revisions = async () =>
      Promise.all(
        [`gantry-${way}-0-0`, `gantry-${way}-port-9001`].map(
          async (name) => (await selectorOf(namespace, name))[labels.revision],
        ),
      )
    expect(await revisions()).toEqual([undefined, undefined])
    await team.leader.call(copies.blueGreen, { ...of(id), body: { spec: body(2) } })
    const seen: unknown[] = []
    await reconciled(
      async () => {
        const copy = await direct.find(kinds.deployments, { name: 'web-next', namespace })
        if (copy) seen.push(await revisions())
        return get(id)
      },
      ({ state }) => state === 'upgraded',
    )
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(new Set(['["1","1"]']))
    await team.leader.call(services.confirm, of(id))
    await settled(id, 'stable')
    expect(await revisions()).toEqual([undefined, undefined])
  })
})
