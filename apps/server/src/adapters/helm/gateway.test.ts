import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Kube } from '../kube/client.ts'
import { mayPass, openGateway } from './gateway.ts'

const reach = { namespace: 'team-shop', anywhere: false }

test.each([
  ['GET', '/api/v1/namespaces/kube-system/secrets', true],
  ['POST', '/api/v1/namespaces/team-shop/configmaps', true],
  ['PATCH', '/apis/apps/v1/namespaces/team-shop/deployments/web', true],
  ['POST', '/api/v1/namespaces/kube-system/configmaps', false],
  ['POST', '/api/v1/namespaces', false],
  ['DELETE', '/api/v1/namespaces/team-shop', false],
  ['POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', false],
  ['POST', '/api/v1/namespaces/team-shop/../kube-system/configmaps', false],
  ['POST', '/api/v1/namespaces/team-shop/%2e%2e/kube-system/configmaps', false],
  ['POST', '/api/v1/namespaces/team-shop%2Fx/configmaps', false],
  ['POST', '//api/v1/namespaces/team-shop/configmaps', false],
])('writes stay in the namespace of the release: %s %s', (method, path, passes) => {
  expect(mayPass(method, path, reach)).toBe(passes)
})

test('an administrator’s run may write anywhere, but not along a path that hides its target', () => {
  const anywhere = { ...reach, anywhere: true }
  expect(mayPass('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', anywhere)).toBe(true)
  expect(mayPass('POST', '/api/v1/namespaces/a/../b', anywhere)).toBe(false)
})

test('passes on only requests with the secret address, and no header that acts for another user', async () => {
  const requests: object[] = []
  const pass: Kube['pass'] = async (request) => {
    requests.push(request)
    return { status: 409, contentType: 'application/json', body: Readable.from(['{"reason":"Conflict"}']) }
  }
  const gateway = await openGateway({ pass } as Kube, reach)
  const { clusters } = JSON.parse(gateway.kubeconfig) as { clusters: { cluster: { server: string } }[] }
  const server = clusters[0]?.cluster.server ?? ''
  try {
    expect((await fetch(`${new URL(server).origin}/api/v1/namespaces`)).status).toBe(401)
    const headers = { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters', authorization: 'Bearer mine' }
    const url = `${server}/api/v1/namespaces/team-shop/configmaps?fieldManager=helm`
    const answer = await fetch(url, { method: 'POST', headers, body: '{}' })
    expect([answer.status, await answer.json()]).toEqual([409, { reason: 'Conflict' }])
    expect(requests).toHaveLength(1)
    expect(JSON.stringify(requests)).not.toMatch(/impersonate|masters|mine/i)
    expect((await fetch(`${server}/api/v1/namespaces/kube-system/configmaps`, { method: 'POST' })).status).toBe(403)
    expect(requests).toHaveLength(1)
  } finally {
    await gateway.close()
  }
  await expect(fetch(server)).rejects.toThrow()
})
