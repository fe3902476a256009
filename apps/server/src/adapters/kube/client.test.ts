import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { admitLocal, fakeApi, refuse, reply } from '../../../test/kube-api.ts'
import { kubeOver } from './client.ts'
import type { Kube } from './client.ts'
import * as kinds from './resources.ts'
import { openTransport } from './transport/transport.ts'

const api = await fakeApi((_, response) => reply(response, { items: [] }))
const transport = openTransport(api.address, { admit: admitLocal })
const kube = kubeOver(transport)
afterAll(async () => {
  await transport.close()
  await api[Symbol.asyncDispose]()
})
beforeEach(() => {
  api.seen.length = 0
  api.answer((_, response) => reply(response, { items: [] }))
})

const p = { namespace: 'n', name: 'p' }
const deployment = {
  metadata: { name: 'web', namespace: 'n' },
  spec: { selector: {}, template: { spec: { containers: [] } } },
}

describe('each call sends the request that Kubernetes documents', () => {
  test.each<[string, (kube: Kube) => Promise<unknown>, object]>([
    ['get', () => kube.get(kinds.pods, p), { method: 'GET', path: '/api/v1/namespaces/n/pods/p' }],
    ['get, cluster-wide', () => kube.get(kinds.nodes, { name: 'a.b' }), { method: 'GET', path: '/api/v1/nodes/a.b' }],
    [
      'list',
      () =>
        kube.list(kinds.deployments, { namespace: 'n', labels: 'a=b,c!=d', fields: 'metadata.name=x' }, { after: 't' }),
      {
        method: 'GET',
        path: '/apis/apps/v1/namespaces/n/deployments',
        query: { labelSelector: 'a=b,c!=d', fieldSelector: 'metadata.name=x', limit: '500', continue: 't' },
      },
    ],
    [
      'create',
      () => kube.create(kinds.deployments, deployment, { dryRun: true }),
      {
        method: 'POST',
        path: '/apis/apps/v1/namespaces/n/deployments',
        query: { fieldManager: 'gantry', fieldValidation: 'Strict', dryRun: 'All' },
        body: { ...deployment, apiVersion: 'apps/v1', kind: 'Deployment' },
      },
    ],
    [
      'apply',
      () => kube.apply(kinds.deployments, deployment),
      {
        method: 'PATCH',
        path: '/apis/apps/v1/namespaces/n/deployments/web',
        type: 'application/apply-patch+yaml',
        query: { fieldManager: 'gantry', fieldValidation: 'Strict', force: 'true' },
        body: { ...deployment, apiVersion: 'apps/v1', kind: 'Deployment' },
      },
    ],
    [
      'merge',
      () => kube.merge(kinds.nodes, { name: 'a' }, { spec: { unschedulable: null } }),
      {
        method: 'PATCH',
        path: '/api/v1/nodes/a',
        type: 'application/merge-patch+json',
        query: { fieldManager: 'gantry', fieldValidation: 'Strict' },
        body: { spec: { unschedulable: null } },
      },
    ],
    [
      'remove',
      () => kube.remove(kinds.pods, p, { grace: 0, uid: 'u', dependants: 'Foreground' }),
      {
        method: 'DELETE',
        path: '/api/v1/namespaces/n/pods/p',
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          propagationPolicy: 'Foreground',
          gracePeriodSeconds: 0,
          preconditions: { uid: 'u' },
        },
      },
    ],
    [
      'removeAll',
      () => kube.removeAll(kinds.configMaps, { namespace: 'n', labels: 'a=b' }),
      {
        method: 'DELETE',
        path: '/api/v1/namespaces/n/configmaps',
        query: { labelSelector: 'a=b' },
        body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
      },
    ],
    [
      'scale',
      () => kube.scale(kinds.statefulSets, { namespace: 'n', name: 's' }, 3),
      {
        method: 'PATCH',
        path: '/apis/apps/v1/namespaces/n/statefulsets/s/scale',
        type: 'application/merge-patch+json',
        body: { spec: { replicas: 3 } },
      },
    ],
    [
      'evict',
      () => kube.evict(p),
      {
        method: 'POST',
        path: '/api/v1/namespaces/n/pods/p/eviction',
        body: {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: p,
          deleteOptions: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
        },
      },
    ],
    ['version', () => kube.version(), { method: 'GET', path: '/version' }],
  ])('%s', async (_, call, wanted) => {
    await call(kube)
    const [seen] = api.seen
    expect({
      method: seen?.method,
      path: seen?.path,
      type: seen?.headers['content-type'],
      query: Object.fromEntries(seen?.query ?? []),
      body: seen?.body ? JSON.parse(seen.body) : undefined,
    }).toMatchObject(wanted)
  })
})

test('a name that could leave its path segment is refused, and nothing is sent', async () => {
  for (const name of ['', '.', '..', 'a/b', 'a%2fb', '../../secrets/x']) {
    await expect(kube.get(kinds.pods, { namespace: 'n', name })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(kube.list(kinds.pods, { namespace: name })).rejects.toMatchObject({ kind: 'invalid' })
  }
  await expect(kube.get(kinds.pods, { name: 'p' })).rejects.toMatchObject({ kind: 'invalid' })
  await expect(kube.log({ namespace: '..', name: 'p' }, { container: 'c' }).next()).rejects.toMatchObject({
    kind: 'invalid',
  })
  await expect(kube.removeAll(kinds.pods, { labels: 'a=b' })).rejects.toMatchObject({ kind: 'invalid' })
  await expect(kube.removeAll(kinds.pods, { namespace: 'n', labels: '' })).rejects.toMatchObject({ kind: 'invalid' })
  expect(api.seen).toEqual([])
})

test('a missing object is undefined; a missing kind is an error', async () => {
  api.answer((_, response) => refuse(response, 404, 'NotFound'))
  expect(await kube.find(kinds.pods, p)).toBeUndefined()
  expect(await kube.remove(kinds.pods, p)).toBe(false)
  api.answer((_, response) => void response.writeHead(404).end('404 page not found'))
  await expect(kube.find(kinds.pods, p)).rejects.toMatchObject({ kind: 'missing' })
  await expect(kube.remove(kinds.pods, p)).rejects.toMatchObject({ kind: 'missing' })
})

test('reads all pages in order, in smaller pages where one is too large', async () => {
  const big = 'x'.repeat(33 * 1024 * 1024)
  api.answer(({ query }, response) => {
    const from = Number(query.get('continue') ?? 0)
    const limit = Number(query.get('limit'))
    const to = Math.min(from + limit, 700)
    if (limit > 100 && to > 600) return void response.writeHead(200).end(big)
    const items = Array.from({ length: to - from }, (_, i) => ({ metadata: { name: `p${from + i}` } }))
    reply(response, { metadata: { resourceVersion: '5', ...(to < 700 && { continue: String(to) }) }, items })
  })
  const names: (string | undefined)[] = []
  for await (const page of kube.pages(kinds.pods)) for (const { metadata } of page.items) names.push(metadata?.name)
  expect(names).toEqual(Array.from({ length: 700 }, (_, i) => `p${i}`))
  expect(api.seen.map(({ query }) => query.get('limit'))).toEqual(['500', '500', '100', '100'])
})

test('questions about rights are answered in order, for the user they are about', async () => {
  api.answer(({ body }, response) => {
    const { verb } = JSON.parse(body).spec.resourceAttributes
    reply(response, { status: { allowed: verb === 'get' } })
  })
  const user = kube.as({ user: 'gantry:user:1', groups: ['gantry:team:1'] })
  const rights = ['get', 'delete', 'get'].map((verb) => ({ verb, resource: kinds.pods, namespace: 'n' }))
  expect(await user.can(rights)).toEqual([true, false, true])
  expect(api.seen.every(({ headers }) => headers['impersonate-user'] === 'gantry:user:1')).toBe(true)
})

test('a grant for single objects is not a rule, nor is a malformed one', async () => {
  const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
  const resourceRules = [rule, { ...rule, resourceNames: ['one'] }, null, { verbs: 'get', resources: [5] }]
  api.answer((_, response) => reply(response, { status: { resourceRules } }, 201))
  expect(await kube.rules()).toEqual([
    { verbs: ['get'], groups: [''], resources: ['pods'] },
    { verbs: [], groups: [], resources: [] },
  ])
})

test('reports a caller whom the cluster does not know', async () => {
  api.answer((_, response) => reply(response, { status: { userInfo: { username: 'system:anonymous' } } }, 201))
  await expect(kube.mustBeKnown()).rejects.toMatchObject({ kind: 'anonymous' })
  api.answer((_, response) => reply(response, { status: { userInfo: { username: 'ann' } } }, 201))
  await kube.mustBeKnown()
})

test('many questions about rights leave room for other calls, even from two callers at once', async () => {
  api.answer((_, response) => reply(response, { status: { allowed: true } }))
  const rights = Array.from({ length: 150 }, () => ({ verb: 'get', resource: kinds.pods }))
  const answers = await Promise.all([kube.can(rights), kube.can(rights)])
  expect(answers.flat()).toEqual(Array.from({ length: 300 }, () => true))
})
