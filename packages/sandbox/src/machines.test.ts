import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { client, type Answer, type Client, type Json } from './conformance/trial/client.ts'
import { must, pathIn, podOf } from './conformance/trial/trial.ts'
import { startSandbox, type Sandbox } from './sandbox.ts'

/** Features of the sandbox alone: its machines, its volumes, and joining. */

const data = mkdtempSync(join(tmpdir(), 'sandbox-'))
const faults: unknown[] = []
let sandbox: Sandbox
let kube: Client
beforeAll(async () => {
  const config = {
    data,
    host: '127.0.0.1',
    kubePort: 0,
    registryPort: 0,
    registryCredential: undefined,
    gatewayClass: false,
    parentPid: undefined,
  }
  sandbox = await startSandbox(config, (error) => faults.push(error))
  kube = client({ url: sandbox.kubeUrl, token: sandbox.token })
  await eventually(async () => must(await kube.call('GET', at('serviceaccounts', 'default')), 200))
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(data, { recursive: true })
  expect(faults).toEqual([])
})

const merge = 'application/merge-patch+json'
const at = (plural: string, name?: string): string => pathIn('default', 'v1', plural, name)
const nodePath = (name: string): string => `/api/v1/nodes/${name}`
const read = async (path: string): Promise<Json> => must(await kube.call('GET', path), 200)
const change = async (path: string, body: Json): Promise<Json> =>
  must(await kube.call('PATCH', path, { body, type: merge }), 200)
const make = async (path: string, body: Json): Promise<Json> => must(await kube.call('POST', path, { body }), 201)
const until = (path: string, look: (object: Json) => void): Promise<Json> =>
  eventually(async () => {
    const now = await read(path)
    look(now)
    return now
  })
const condition = (object: Json, type: string): Json => object.status.conditions?.find((one: Json) => one.type === type)
const on = (node: string): Json => ({ nodeSelector: { 'kubernetes.io/hostname': node } })
const events = async (name: string): Promise<string[]> => {
  const query = { fieldSelector: `involvedObject.name=${name}` }
  const { items } = must(await kube.call('GET', at('events'), { query }), 200)
  return items.map(({ reason }: Json) => reason)
}

describe('machines', () => {
  test('are three; one is the control plane, which takes only pods that tolerate it', async () => {
    const { items } = await read('/api/v1/nodes')
    const role = 'node-role.kubernetes.io/control-plane'
    expect(items.map(({ metadata }: Json) => [metadata.name, role in metadata.labels])).toEqual([
      ['sandbox-1', true],
      ['sandbox-2', false],
      ['sandbox-3', false],
    ])
    await make(at('pods'), podOf('kept-out', 'sleep 3600', {}, on('sandbox-1')))
    await until(at('pods', 'kept-out'), (pod) => expect(condition(pod, 'PodScheduled')?.status).toBe('False'))
  })

  test('a node that is switched off is lost and its pods unready, until it returns', async () => {
    await make(at('pods'), podOf('there', 'sleep 3600', {}, on('sandbox-2')))
    await until(at('pods', 'there'), (pod) => expect(condition(pod, 'Ready')?.status).toBe('True'))
    await change(nodePath('sandbox-2'), { metadata: { annotations: { 'sandbox.gantry.dev/down': 'true' } } })
    const lost = await until(nodePath('sandbox-2'), (node) => {
      expect(condition(node, 'Ready')).toMatchObject({ status: 'Unknown', reason: 'NodeStatusUnknown' })
      expect(node.spec.taints).toMatchObject([{ effect: 'NoSchedule' }, { effect: 'NoExecute' }])
    })
    expect(lost.spec.taints.map(({ key }: Json) => key)).toEqual(Array(2).fill('node.kubernetes.io/unreachable'))
    const pod = await until(at('pods', 'there'), (one) => expect(condition(one, 'Ready')?.status).toBe('False'))
    expect(pod.status.phase).toBe('Running')
    const metrics = '/apis/metrics.k8s.io/v1beta1/nodes/sandbox-2'
    must(await kube.call('GET', metrics), 404)
    expect((await kube.call('GET', `${nodePath('sandbox-2')}/proxy/logs/`)).body).toMatchObject({
      code: 503,
      message: expect.stringContaining('error trying to reach service: dial tcp 10.200.0.2:10250'),
    })
    // No kubelet is there to end the pod.
    must(await kube.call('DELETE', at('pods', 'there'), { body: { gracePeriodSeconds: 1 } }), 200)
    await change(nodePath('sandbox-2'), { metadata: { annotations: { 'sandbox.gantry.dev/down': null } } })
    await until(nodePath('sandbox-2'), (node) => {
      expect(condition(node, 'Ready')?.status).toBe('True')
      expect(node.spec.taints).toBeUndefined()
    })
    await eventually(async () => must(await kube.call('GET', at('pods', 'there')), 404))
    must(await kube.call('GET', metrics), 200)
    expect(await events('sandbox-2')).toEqual(expect.arrayContaining(['RegisteredNode', 'NodeReady', 'NodeNotReady']))
  })

  test('a cordoned node reports that', async () => {
    await change(nodePath('sandbox-3'), { spec: { unschedulable: true } })
    await eventually(async () => expect(await events('sandbox-3')).toContain('NodeNotSchedulable'))
    await change(nodePath('sandbox-3'), { spec: { unschedulable: null } })
    await eventually(async () => expect(await events('sandbox-3')).toContain('NodeSchedulable'))
  })

  test('a node beyond the available address ranges becomes ready as well', async () => {
    const names = Array.from({ length: 254 }, (_, at) => `many-${at}`)
    for (const [at, name] of names.entries())
      await make('/api/v1/nodes', { metadata: { name }, spec: { podCIDR: `10.244.${at + 1}.0/24` } })
    const labels = { 'sandbox.gantry.dev/simulated': 'true' }
    await make('/api/v1/nodes', { metadata: { name: 'one-more', labels } })
    await until(nodePath('one-more'), (one) => expect(condition(one, 'Ready')?.status).toBe('True'))
    for (const name of [...names, 'one-more']) must(await kube.call('DELETE', nodePath(name)), 200)
  })

  test('an added node with the label of simulated ones runs pods; deleting it deletes them', async () => {
    const metadata = { name: 'extra-7', labels: { 'sandbox.gantry.dev/simulated': 'true', extra: 'yes' } }
    await make('/api/v1/nodes', { metadata })
    const node = await until(nodePath('extra-7'), (one) => {
      expect(condition(one, 'Ready')?.status).toBe('True')
      expect(one.spec.taints).toBeUndefined()
    })
    expect(node.spec.podCIDR).toBe('10.244.7.0/24')
    expect(node.status.addresses[0]).toEqual({ type: 'InternalIP', address: '10.200.0.7' })
    await make(at('pods'), podOf('guest', 'sleep 3600', {}, { nodeSelector: { extra: 'yes' } }))
    const pod = await until(at('pods', 'guest'), (one) => expect(one.status.phase).toBe('Running'))
    expect(pod.status.podIP).toMatch(/^10\.244\.7\./)
    must(await kube.call('DELETE', nodePath('extra-7')), 200)
    await eventually(async () => must(await kube.call('GET', at('pods', 'guest')), 404))
  })

  test('their usage varies within their capacity', async () => {
    const used = async (): Promise<string> => JSON.stringify((await read('/apis/metrics.k8s.io/v1beta1/nodes')).items)
    const { items } = await read('/apis/metrics.k8s.io/v1beta1/nodes')
    for (const { usage } of items) {
      expect(Number.parseInt(usage.cpu)).toBeLessThan(8e9)
      expect(Number.parseInt(usage.memory)).toBeLessThan(33_452_032)
    }
    const first = await used()
    await eventually(async () => expect(await used()).not.toBe(first))
  })
})

describe('logs of machines', () => {
  const logs = (query: Record<string, string | number>): Promise<Answer> =>
    kube.call('GET', `${nodePath('sandbox-1')}/proxy/logs/`, { query, headers: { accept: '*/*' } })

  test('are lines as journalctl writes them: the last ones, of a service, or since a time', async () => {
    const all = await logs({ query: 'kubelet,containerd,kube-proxy' })
    expect([all.code, all.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    // A new cluster has logged little yet.
    await eventually(async () => expect((await logs({ query: 'kubelet' })).text).not.toContain('No entries'))
    const { text } = await logs({ query: 'kubelet', tailLines: 1 })
    expect(text).toMatch(/^[A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d\.\d{6} sandbox-1 kubelet\[\d+\]: I\d{4} .*simulated.*\n$/)
    const later = new Date(Date.now() + 3_600_000).toISOString()
    expect((await logs({ query: 'kubelet', sinceTime: later })).text).toBe('-- No entries --\n')
    expect((await logs({ query: 'nothing' })).text).toBe('-- No entries --\n')
  })

  test('an invalid query is refused, and a kubelet without queries shows its folder', async () => {
    expect((await logs({ query: 'kubelet', sinceTime: 'yesterday' })).code).toBe(400)
    expect((await logs({ query: 'kubelet', tailLines: 'many' })).code).toBe(400)
    await change(nodePath('sandbox-1'), { metadata: { annotations: { 'sandbox.gantry.dev/no-log-query': 'true' } } })
    expect((await logs({ query: 'kubelet' })).headers['content-type']).toBe('text/html; charset=utf-8')
    await change(nodePath('sandbox-1'), { metadata: { annotations: { 'sandbox.gantry.dev/no-log-query': null } } })
  })
})

describe('volumes', () => {
  const claim = (name: string, storageClassName: string): Json => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, storageClassName },
  })

  test('the simulated class provisions a volume for a claim, and deletes it with the claim', async () => {
    await make(at('persistentvolumeclaims'), claim('made', 'sandbox'))
    const bound = await until(at('persistentvolumeclaims', 'made'), ({ status }) => expect(status.phase).toBe('Bound'))
    const path = `/api/v1/persistentvolumes/${bound.spec.volumeName}`
    expect(await read(path)).toMatchObject({
      metadata: { annotations: { 'pv.kubernetes.io/provisioned-by': 'sandbox.gantry.dev/simulated' } },
      spec: { capacity: { storage: '2Gi' }, storageClassName: 'sandbox', persistentVolumeReclaimPolicy: 'Delete' },
      status: { phase: 'Bound' },
    })
    must(await kube.call('DELETE', at('persistentvolumeclaims', 'made')), 200)
    await eventually(async () => must(await kube.call('GET', path), 404))
  })

  test('a volume waits for its pod, grows, is retained, and is deleted after a change of its reclaim policy', async () => {
    const kept = { metadata: { name: 'kept' }, provisioner: 'sandbox.gantry.dev/simulated', reclaimPolicy: 'Retain' }
    const grows = { ...kept, allowVolumeExpansion: true, volumeBindingMode: 'WaitForFirstConsumer' }
    await make('/apis/storage.k8s.io/v1/storageclasses', grows)
    await make(at('persistentvolumeclaims'), claim('later', 'kept'))
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'later' } }]
    expect((await read(at('persistentvolumeclaims', 'later'))).status.phase).toBe('Pending')
    await make(at('pods'), podOf('writer', 'sleep 3600', {}, { volumes }))
    const pod = await until(at('pods', 'writer'), ({ status }) => expect(status.phase).toBe('Running'))
    const bound = await until(at('persistentvolumeclaims', 'later'), ({ status }) => expect(status.phase).toBe('Bound'))
    expect(bound.metadata.annotations['volume.kubernetes.io/selected-node']).toBe(pod.spec.nodeName)
    await change(at('persistentvolumeclaims', 'later'), { spec: { resources: { requests: { storage: '3Gi' } } } })
    await until(at('persistentvolumeclaims', 'later'), ({ status }) =>
      expect(status.capacity).toEqual({ storage: '3Gi' }),
    )
    for (const path of [at('pods', 'writer'), at('persistentvolumeclaims', 'later')])
      must(await kube.call('DELETE', path, { body: { gracePeriodSeconds: 0 } }), 200)
    const path = `/api/v1/persistentvolumes/${bound.spec.volumeName}`
    await until(path, ({ status }) => expect(status.phase).toBe('Released'))
    await change(path, { spec: { persistentVolumeReclaimPolicy: 'Delete' } })
    await eventually(async () => must(await kube.call('GET', path), 404))
  })
})

describe('joining', () => {
  test('publishes address, authority, and tokens that sign them and expire', async () => {
    const info = pathIn('kube-public', 'v1', 'configmaps', 'cluster-info')
    const { kubeconfig } = (await read(info)).data
    expect(kubeconfig).toContain(`server: ${sandbox.kubeUrl}\n`)
    const pem = Buffer.from(/certificate-authority-data: (\S+)/.exec(kubeconfig)?.[1] ?? '', 'base64')
    expect(new X509Certificate(pem).subject).toBe('CN=gantry-sandbox (simulated)')
    const token = (id: string, expiration: number): Json => ({
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': id,
        'token-secret': 'abcdefghijklmnop',
        'usage-bootstrap-signing': 'true',
        expiration: new Date(expiration).toISOString(),
      },
    })
    const secrets = pathIn('kube-system', 'v1', 'secrets')
    await make(secrets, token('lasts1', Date.now() + 3_600_000))
    await make(secrets, token('ended1', Date.now() - 1000))
    await until(info, ({ data }) => {
      expect(data['jws-kubeconfig-lasts1']).toMatch(/^[\w-]+\.\.[\w-]+$/)
      expect(Object.keys(data).sort()).toEqual(['jws-kubeconfig-lasts1', 'kubeconfig'])
    })
    must(await kube.call('GET', `${secrets}/bootstrap-token-ended1`), 404)
    must(await kube.call('DELETE', `${secrets}/bootstrap-token-lasts1`), 200)
    await until(info, ({ data }) => expect(Object.keys(data)).toEqual(['kubeconfig']))
  })
})

describe('remaining pods after a drain', () => {
  const pods = pathIn('kube-system', 'v1', 'pods')
  const evict = async (name: string): Promise<Json> => {
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }
    return must(await kube.call('POST', `${pods}/${name}/eviction`, { body }), 201)
  }

  test('a control plane’s static pods come back', async () => {
    await change(nodePath('sandbox-1'), { metadata: { annotations: { 'sandbox.gantry.dev/static-pods': 'true' } } })
    const path = `${pods}/kube-apiserver-sandbox-1`
    await eventually(async () => must(await kube.call('GET', path), 200))
    const server = await until(path, ({ status }) => expect(status.phase).toBe('Running'))
    expect(server.metadata.annotations['kubernetes.io/config.mirror']).toBeTruthy()
    expect(server.metadata.ownerReferences).toMatchObject([{ kind: 'Node', name: 'sandbox-1' }])
    await evict('kube-apiserver-sandbox-1')
    await until(path, ({ metadata, status }) => {
      expect(metadata.uid).not.toBe(server.metadata.uid)
      expect(status.phase).toBe('Running')
    })
  })
})
