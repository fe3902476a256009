import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { client, type Client, type Json } from './conformance/trial/client.ts'
import { deploymentOf, must, pathIn, podOf } from './conformance/trial/trial.ts'
import { startSandbox, type Sandbox } from './sandbox.ts'

const credential = { username: 'admin', password: 'secret' }
const data = mkdtempSync(join(tmpdir(), 'sandbox-'))
let sandbox: Sandbox
let kube: Client
const faults: unknown[] = []
beforeAll(async () => {
  const config = {
    data,
    host: '127.0.0.1',
    kubePort: 0,
    registryPort: 0,
    registryCredential: credential,
    gatewayClass: false,
    parentPid: undefined,
  }
  sandbox = await startSandbox(config, (error) => faults.push(error))
  kube = client({ url: sandbox.kubeUrl, token: sandbox.token })
  await eventually(async () => must(await kube.call('GET', pathIn('default', 'v1', 'serviceaccounts', 'default')), 200))
  const auths = { [sandbox.registry]: credential }
  const content = { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') }
  const secret = { metadata: { name: 'registry' }, type: 'kubernetes.io/dockerconfigjson', data: content }
  must(await kube.call('POST', at('v1', 'secrets'), { body: secret }), 201)
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(data, { recursive: true })
  expect(faults).toEqual([])
})

const at = (groupVersion: string, plural: string, name?: string): string =>
  pathIn('default', groupVersion, plural, name)
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

/** Pushes an image with this configuration, and answers its digest. */
async function push(repository: string, tag: string, config: object): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString('base64')}`
  const call = async (method: string, path: string, body: string, type: string): Promise<void> => {
    const answer = await fetch(`http://${sandbox.registry}/v2/${repository}/${path}`, {
      method,
      body,
      headers: { authorization, 'content-type': type },
    })
    expect(answer.status).toBe(201)
  }
  const text = JSON.stringify({ config })
  await call('POST', `blobs/uploads/?digest=${digestOf(text)}`, text, 'application/octet-stream')
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config: { digest: digestOf(text) }, layers: [] })
  await call('PUT', `manifests/${tag}`, manifest, mediaType)
  return digestOf(manifest)
}

const pullSecret = { imagePullSecrets: [{ name: 'registry' }] }
const apply = async (body: Json, plural: string): Promise<Json> => {
  const answer = await kube.call('PATCH', at(body.apiVersion, plural, body.metadata.name), {
    body,
    type: 'application/apply-patch+yaml',
    query: { fieldManager: 'gantry', force: true },
  })
  return must(answer, answer.code === 201 ? 201 : 200)
}

test('a pushed image is deployed, upgraded and rolled back without a failed request', async () => {
  const labels = (revision: string) => ({ 'org.opencontainers.image.revision': revision })
  const one = await push('shop/web', '1', { Cmd: ['./server'], Labels: labels('aaa') })
  const two = await push('shop/web', '2', { Cmd: ['./server'], Labels: labels('bbb') })
  expect(one).not.toBe(two)
  const deploy = (tag: string): Promise<Json> => {
    const container = {
      image: `${sandbox.registry}/shop/web:${tag}`,
      ports: [{ containerPort: 8080 }],
      command: undefined,
      imagePullPolicy: 'Always',
    }
    const body = deploymentOf('web', { replicas: 2 }, container)
    Object.assign(body.spec.template.spec, pullSecret)
    return apply(body, 'deployments')
  }
  const url = `${sandbox.kubeUrl}/sandbox/services/default/web:80/hello`
  const answers = async (): Promise<string> => (await fetch(url)).text()
  expect((await fetch(url)).status).toBe(404)
  const spec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] }
  await apply({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec }, 'services')
  expect((await fetch(url)).status).toBe(503)

  await deploy('1')
  await eventually(async () => expect((await fetch(url)).status).toBe(200))
  expect(await answers()).toContain('Hello from shop/web:1 (simulated by the Gantry sandbox)\n')
  const state = { failed: 0, asking: true }
  const asking = (async () => {
    while (state.asking) if ((await fetch(url)).status !== 200) state.failed++
  })()
  const shows = (tag: string, digest: string, revision: number, commit: string): Promise<void> =>
    eventually(async () => {
      for (let n = 0; n < 4; n++) {
        const text = await answers()
        for (const line of [
          `shop/web:${tag} `,
          `digest: ${digest}\n`,
          `revision: ${revision}\n`,
          `commit: ${commit}\n`,
          'path: /hello\n',
        ])
          expect(text).toContain(line)
      }
    })
  await shows('1', one, 1, 'aaa')
  await deploy('2')
  await shows('2', two, 2, 'bbb')
  await deploy('1')
  await shows('1', one, 3, 'aaa')
  state.asking = false
  await asking
  expect(state.failed).toBe(0)
  // A revision answers before its last pod is ready and the last pod of the previous one is deleted.
  await eventually(async () => {
    const { items } = must(await kube.call('GET', at('v1', 'pods'), { query: { labelSelector: 'app=web' } }), 200)
    const imageIds = items.map((pod: Json) => pod.status.containerStatuses[0].imageID)
    expect(imageIds).toEqual(Array(2).fill(`${sandbox.registry}/shop/web@${one}`))
  })
})

const waiting = async (name: string): Promise<Json> => {
  const pod = must(await kube.call('GET', at('v1', 'pods', name)), 200)
  return pod.status.containerStatuses?.[0].state.waiting
}

test('reports an image that was not pushed, and one without access', async () => {
  await push('shop/there', '1', {})
  const image = (name: string): string => `${sandbox.registry}/shop/${name}`
  must(
    await kube.call('POST', at('v1', 'pods'), { body: podOf('none', '', { image: image('none:1') }, pullSecret) }),
    201,
  )
  must(await kube.call('POST', at('v1', 'pods'), { body: podOf('private', '', { image: image('there:1') }) }), 201)
  await eventually(async () => {
    expect(await waiting('none')).toEqual({
      reason: 'ErrImagePull',
      message: `rpc error: code = NotFound desc = failed to pull and unpack image "${image('none:1')}": failed to resolve reference "${image('none:1')}": ${image('none:1')}: not found`,
    })
  })
  await eventually(async () => expect((await waiting('private')).message).toContain('no basic auth credentials'))
  // It is pulled as soon as it exists.
  await push('shop/none', '1', {})
  await eventually(async () => {
    const pod = must(await kube.call('GET', at('v1', 'pods', 'none')), 200)
    expect(pod.status.containerStatuses[0].imageID).toContain('/shop/none@sha256:')
  })
})

test('a container runs the command of its image', async () => {
  await push('shop/talks', '1', { Cmd: ['sh', '-c', 'echo "from the image: $WHO"; sleep 3600'], Env: ['WHO=me'] })
  const body = podOf('talks', '', { image: `${sandbox.registry}/shop/talks:1`, command: undefined }, pullSecret)
  must(await kube.call('POST', at('v1', 'pods'), { body }), 201)
  await eventually(async () =>
    expect((await kube.call('GET', `${at('v1', 'pods', 'talks')}/log`)).text).toBe('from the image: me\n'),
  )
})

test('a container crashes on demand', async () => {
  const annotations = { 'sandbox.gantry.dev/crash': '9' }
  const bodies = [
    podOf('asked', '', { command: ['./server'] }, {}, { annotations }),
    podOf('told', '', {
      command: ['./server'],
      env: [
        { name: 'SANDBOX_CRASH', value: '1' },
        { name: 'SANDBOX_LOG', value: 'my own line' },
      ],
    }),
  ]
  for (const body of bodies) must(await kube.call('POST', at('v1', 'pods'), { body }), 201)
  for (const [name, code] of [
    ['asked', 9],
    ['told', 1],
  ] as const) {
    await eventually(async () => expect(await waiting(name)).toMatchObject({ reason: 'CrashLoopBackOff' }))
    const pod = must(await kube.call('GET', at('v1', 'pods', name)), 200)
    expect(pod.status.containerStatuses[0].lastState.terminated.exitCode).toBe(code)
    const previous = await kube.call('GET', `${at('v1', 'pods', name)}/log`, { query: { previous: true } })
    expect(previous.text).toContain(`fatal: asked to crash, exit code ${code}`)
    if (name === 'told') expect(previous.text).toContain('my own line')
  }
})

test('a server identifies itself as simulated, and keeps logging', async () => {
  const body = podOf('server', '', {
    image: 'team/server:3',
    command: undefined,
    imagePullPolicy: 'Always',
    env: [{ name: 'SANDBOX_LOG', value: 'one\ntwo' }],
  })
  must(await kube.call('POST', at('v1', 'pods'), { body }), 201)
  const path = `${at('v1', 'pods', 'server')}/log`
  await eventually(async () => must(await kube.call('GET', path), 200))
  const lines: string[] = []
  for await (const line of kube.lines(path, { follow: true })) if (lines.push(line) === 6) break
  expect(lines).toEqual([
    'starting team/server:3 (simulated by the Gantry sandbox)',
    'one',
    'two',
    'ready',
    'team/server:3 is well, 2 s after its start (simulated)',
    'team/server:3 is well, 4 s after its start (simulated)',
  ])
})

test('a service answers 503 until its pod is ready', async () => {
  const body = podOf(
    'held',
    'sleep 3600',
    { ports: [{ containerPort: 80 }] },
    {},
    { labels: { app: 'held' }, annotations: { 'sandbox.gantry.dev/unready': 'true' } },
  )
  must(await kube.call('POST', at('v1', 'pods'), { body }), 201)
  const service = { metadata: { name: 'held' }, spec: { selector: { app: 'held' }, ports: [{ port: 80 }] } }
  must(await kube.call('POST', at('v1', 'services'), { body: service }), 201)
  const ask = () => fetch(`${sandbox.kubeUrl}/sandbox/services/default/held:80/`)
  await eventually(async () => {
    const pod = must(await kube.call('GET', at('v1', 'pods', 'held')), 200)
    expect(pod.status.containerStatuses[0]).toMatchObject({ started: true, ready: false })
  })
  expect((await ask()).status).toBe(503)
  const change = { metadata: { annotations: { 'sandbox.gantry.dev/unready': null } } }
  must(await kube.call('PATCH', at('v1', 'pods', 'held'), { body: change, type: 'application/merge-patch+json' }), 200)
  await eventually(async () => expect((await ask()).status).toBe(200))
  expect((await ask()).headers.get('x-gantry-sandbox')).toBe('simulated')
})
