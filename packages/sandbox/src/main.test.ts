import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { client, type Client, type Json } from './conformance/trial/client.ts'
import { deploymentOf, must, pathIn, podOf } from './conformance/trial/trial.ts'

const program = join(import.meta.dirname, 'main.ts')

interface Running {
  child: ChildProcess
  kube: Client
  info: { kube: string; registry: string; kubeconfig: string }
  ended: Promise<number | string>
}

let data = ''
const running: ChildProcess[] = []
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'sandbox-'))
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  rmSync(data, { recursive: true, force: true })
})

const environment = (more: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  SANDBOX_DATA: data,
  ...more,
})

function launch(more: Record<string, string> = {}): {
  child: ChildProcess
  ended: Promise<number | string>
  output: () => string
} {
  const child = spawn(process.execPath, [program], { env: environment(more), stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  const ended = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? '')),
  )
  return { child, ended, output: () => output }
}

async function start(more: Record<string, string> = {}): Promise<Running> {
  const { child, ended, output } = launch(more)
  const said = await eventually(output, (text) => text.includes('\n'))
  const info = JSON.parse(said.split('\n')[0] ?? '') as Running['info']
  const token = /token: (.+)/.exec(readFileSync(info.kubeconfig, 'utf8'))?.[1] ?? ''
  return { child, ended, info, kube: client({ url: info.kube, token }) }
}

/** The single line of output of a failed start. */
async function refused(more: Record<string, string>): Promise<string> {
  const { ended, output } = launch(more)
  expect(await ended).toBe(1)
  expect(output().trimEnd().split('\n')).toHaveLength(1)
  return output()
}

const at = (plural: string, name?: string): string => pathIn('default', 'v1', plural, name)

test('prints its address but not its key, and ends cleanly', async () => {
  const { child, ended, kube, info } = await start()
  expect(info).toMatchObject({
    kube: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    registry: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    kubeconfig: join(data, 'kubeconfig'),
  })
  expect(statSync(info.kubeconfig).mode & 0o777).toBe(0o600)
  expect((await fetch(`${info.kube}/api/v1/pods`)).status).toBe(403)
  const wrong = { authorization: 'Bearer wrong' }
  expect((await fetch(`${info.kube}/api/v1/pods`, { headers: wrong })).status).toBe(401)
  expect((await fetch(`${info.kube}/version`)).status).toBe(200)
  const { items } = must(await kube.call('GET', '/api/v1/nodes'), 200)
  expect(items.map((node: Json) => node.metadata.labels['sandbox.gantry.dev/simulated'])).toEqual([
    'true',
    'true',
    'true',
  ])
  const watching = (async () => {
    const lines: string[] = []
    for await (const line of kube.lines(at('configmaps'), { watch: true })) lines.push(line)
    return lines
  })()
  await eventually(async () => must(await kube.call('GET', at('serviceaccounts', 'default')), 200))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect((await watching).length).toBeGreaterThan(0)
})

test('killed at any moment, it keeps all answered writes, at the same address, and continues with them', async () => {
  let { child, ended, kube, info } = await start()
  await eventually(async () => must(await kube.call('GET', at('serviceaccounts', 'default')), 200))
  must(
    await kube.call('POST', pathIn('default', 'apps/v1', 'deployments'), { body: deploymentOf('d', { replicas: 3 }) }),
    201,
  )
  const answered: string[] = []
  const first = must(await kube.call('GET', at('configmaps')), 200).metadata.resourceVersion
  for (let round = 0; round < 3; round++) {
    const state = { writing: true }
    const writer = async (n: number): Promise<void> => {
      for (let k = 0; state.writing; k++) {
        const name = `m-${round}-${n}-${k}`
        try {
          must(await kube.call('POST', at('configmaps'), { body: { metadata: { name } } }), 201)
        } catch {
          return
        }
        answered.push(name)
      }
    }
    const writers = [1, 2, 3].map(writer)
    await eventually(async () => expect(answered.length).toBeGreaterThan((round + 1) * 20))
    child.kill('SIGKILL')
    state.writing = false
    await Promise.all([ended, ...writers])
    const before = info
    ;({ child, ended, kube, info } = await start())
    expect(info).toEqual(before)
    const { items } = must(await kube.call('GET', at('configmaps')), 200)
    expect(items.map((item: Json) => item.metadata.name)).toEqual(expect.arrayContaining(answered))
  }
  // A watcher from before the first kill misses nothing.
  const seen = new Set<string>()
  for await (const line of kube.lines(at('configmaps'), { watch: true, resourceVersion: first })) {
    seen.add((JSON.parse(line) as Json).object.metadata.name)
    if (answered.every((name) => seen.has(name))) break
  }
  await eventually(async () => {
    const deployment = must(await kube.call('GET', pathIn('default', 'apps/v1', 'deployments', 'd')), 200)
    expect(deployment.status.readyReplicas).toBe(3)
  })
  const { items } = must(await kube.call('GET', at('pods')), 200)
  expect(items).toHaveLength(3)
})

test('a container continues over a restart: the same log, no new start', async () => {
  const first = await start()
  await eventually(async () => must(await first.kube.call('GET', at('serviceaccounts', 'default')), 200))
  must(await first.kube.call('POST', at('pods'), { body: podOf('p', 'echo 1; echo 2; echo 3; sleep 3600') }), 201)
  const log = async ({ kube }: Running): Promise<string> =>
    (await kube.call('GET', `${at('pods', 'p')}/log`, { query: { timestamps: true } })).text
  const before = await eventually(async () => {
    const text = await log(first)
    expect(text.split('\n')).toHaveLength(4)
    return text
  })
  first.child.kill('SIGKILL')
  await first.ended
  const second = await start()
  expect(await log(second)).toBe(before)
  expect(must(await second.kube.call('GET', at('pods', 'p')), 200).status.containerStatuses[0].restartCount).toBe(0)
})

test('a second process on a folder, a busy port and an invalid variable are reported in one line each', async () => {
  const { info } = await start()
  expect(await refused({})).toMatch(/^sandbox: another sandbox \(process \d+\) works on this data folder\n$/)
  const other = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const { port } = new URL(info.kube)
  expect(await refused({ SANDBOX_DATA: other, SANDBOX_KUBE_PORT: port })).toContain(
    `EADDRINUSE: address already in use 127.0.0.1:${port}`,
  )
  expect(await refused({ SANDBOX_DATA: other, SANDBOX_KUBE_PORT: 'x' })).toBe(
    'sandbox: SANDBOX_KUBE_PORT must be a number from 0 to 65535\n',
  )
  expect(await refused({ SANDBOX_DATA: other, SANDBOX_REGISTRY_USER: 'a' })).toContain('SANDBOX_REGISTRY_PASSWORD')
  writeFileSync(join(other, 'file'), '')
  expect(await refused({ SANDBOX_DATA: join(other, 'file', 'below') })).toContain('ENOTDIR')
  rmSync(other, { recursive: true })
})

test('ends with its parent process', async () => {
  const parent = spawn('sleep', ['60'])
  running.push(parent)
  const { ended } = await start({ SANDBOX_PARENT_PID: String(parent.pid) })
  parent.kill('SIGKILL')
  expect(await ended).toBe(0)
})

test('takes another port if the previous one is taken', async () => {
  const first = await start()
  first.child.kill('SIGTERM')
  await first.ended
  const thief = createServer()
  const port = Number(new URL(first.info.kube).port)
  await new Promise<void>((resolve) => thief.listen(port, '127.0.0.1', () => resolve()))
  const second = await start()
  thief.close()
  expect(second.info.kube).not.toBe(first.info.kube)
  expect(second.info.registry).toBe(first.info.registry)
})
