import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownNamespace } from '../../../test/own-namespace.ts'
import type { OwnNamespace } from '../../../test/own-namespace.ts'
import { startSandbox } from '../../../test/sandbox.ts'
import * as kinds from './resources.ts'

// The life of a service on the simulated cluster, through the adapter alone. Behaviour that only a real cluster has is
// tested in the *.cluster.test.ts files.

let sandbox: Awaited<ReturnType<typeof startSandbox>>
let place: OwnNamespace
beforeAll(async () => {
  sandbox = await startSandbox()
  place = await ownNamespace(sandbox.kubeconfig)
})
afterAll(async () => {
  await place.close()
  await sandbox.stop()
})

test('a service is deployed, watched, scaled, read and deleted', async () => {
  const { kube, cluster, namespace, labels } = place
  const ref = { namespace, name: 'web' }
  const app = { ...labels, app: 'web' }
  using deployments = cluster.need('deployments')
  using pods = cluster.need('pods')
  expect((await deployments.ready()).state).toBe('live')
  await kube.apply(kinds.deployments, {
    metadata: { ...ref, labels: app },
    spec: {
      replicas: 2,
      selector: { matchLabels: app },
      template: { metadata: { labels: app }, spec: { containers: [{ name: 'c', image: 'shop/web:1' }] } },
    },
  })
  const rollout = () => {
    const row = deployments.get(ref)
    return row && `${row.rollout} ${row.ready}/${row.replicas}`
  }
  await expect.poll(rollout).toBe('complete 2/2')
  const ours = () => pods.inNamespace(namespace).filter(({ deleting }) => !deleting)
  expect(ours().map(({ status, ready, total }) => `${status} ${ready}/${total}`)).toEqual([
    'Running 1/1',
    'Running 1/1',
  ])
  expect(ours()[0]?.containers[0]).toMatchObject({ image: 'shop/web:1', digest: expect.stringMatching(/^sha256:/) })

  const [pod] = ours()
  const lines: string[] = []
  for await (const { text } of kube.log({ namespace, name: pod?.name ?? '' }, { container: 'c', tail: 5 }))
    lines.push(text)
  expect(lines.length).toBeGreaterThan(0)

  expect(await kube.scale(kinds.deployments, ref, 1)).toBe(1)
  await expect.poll(rollout).toBe('complete 1/1')
  await kube.remove(kinds.deployments, ref)
  await expect.poll(() => [deployments.get(ref), ours()]).toEqual([undefined, []])
})

test('refusals have the names of the real ones', async () => {
  const { kube, namespace } = place
  await expect(kube.get(kinds.pods, { namespace, name: 'none' })).rejects.toMatchObject({ kind: 'missing' })
  expect(await kube.find(kinds.pods, { namespace, name: 'none' })).toBeUndefined()
  await kube.apply(kinds.resourceQuotas, { metadata: { name: 'q', namespace }, spec: { hard: { pods: '0' } } })
  await expect
    .poll(() =>
      kube.create(kinds.pods, place.podOf('p', 'true'), { dryRun: true }).then(
        () => 'made',
        ({ kind }) => kind,
      ),
    )
    .toBe('quota')
})
