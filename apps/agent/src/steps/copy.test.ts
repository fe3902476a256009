import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { imageRegistry, type TestRegistry } from '../../test/image-registry.ts'
import { script, work } from '../../test/works.ts'

let server: FakeServer
let agent: AgentProcess
let here: TestRegistry
let there: TestRegistry
let index = ''

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

beforeAll(async () => {
  server = await fakeServer()
  agent = await agentProcess(server.url)
  here = await imageRegistry()
  there = await imageRegistry()
  here.sign = there.sign = 'none'
  index = await pushIndex()
})
afterAll(async () => {
  await agent.close()
  await here.close()
  await there.close()
  await server.close()
})
beforeEach(() => {
  here.answer = there.answer = () => false
  here.requests.length = there.requests.length = 0
})

/** Pushes an image of two platforms that share a layer; returns the digest of its index. */
async function pushIndex(): Promise<string> {
  const put = async (path: string, body: string, type: string) => {
    const answer = await fetch(`${here.url}/v2/team/app/${path}`, {
      method: 'PUT',
      body,
      headers: { 'content-type': type },
    })
    expect(answer.status).toBe(201)
  }
  const blob = async (text: string) => {
    const begun = await fetch(`${here.url}/v2/team/app/blobs/uploads/`, { method: 'POST' })
    const location = new URL(begun.headers.get('location') ?? '', here.url)
    location.searchParams.set('digest', digestOf(text))
    expect((await fetch(location, { method: 'PUT', body: text })).status).toBe(201)
    return { digest: digestOf(text), size: text.length }
  }
  const oci = 'application/vnd.oci.image'
  const layer = { mediaType: `${oci}.layer.v1.tar`, ...(await blob('the shared layer')) }
  const manifests = []
  for (const architecture of ['amd64', 'arm64']) {
    const config = { mediaType: `${oci}.config.v1+json`, ...(await blob(JSON.stringify({ architecture }))) }
    const text = JSON.stringify({ schemaVersion: 2, mediaType: `${oci}.manifest.v1+json`, config, layers: [layer] })
    await put(`manifests/${digestOf(text)}`, text, `${oci}.manifest.v1+json`)
    const platform = { os: 'linux', architecture }
    manifests.push({ mediaType: `${oci}.manifest.v1+json`, digest: digestOf(text), size: text.length, platform })
  }
  const text = JSON.stringify({ schemaVersion: 2, mediaType: `${oci}.index.v1+json`, manifests })
  await put('manifests/1', text, `${oci}.index.v1+json`)
  return digestOf(text)
}

async function copy(more: object = {}) {
  const step = {
    type: 'copy' as const,
    name: 'copy',
    fromRegistryId: 5,
    from: 'team/app:1',
    registryId: 6,
    repository: 'live/app',
    tag: 'v${number}',
    ...more,
  }
  const access = (id: number, { url }: TestRegistry) => ({ id, url, username: '', password: '', insecure: false })
  const after = script('echo "digest $GANTRY_OUTPUT_COPY_DIGEST"')
  const build = server.give(work([step, after], { registries: [access(5, here), access(6, there)] }))
  const { reason } = await build.ended
  return { build, reason, tag: `v${build.work.number}` }
}

const indexType = 'application/vnd.oci.image.index.v1+json'

test('copies all platforms of an image with the same digest, and logs the progress', async () => {
  const { build, tag } = await copy()
  const answer = await there.get(`/v2/live/app/manifests/${tag}`, indexType)
  expect(digestOf(await answer.text())).toBe(index)
  const log = build.log(0)
  expect(log).toContain('Platform linux/amd64')
  expect(log).toContain('Platform linux/arm64')
  expect(log).toMatch(/Copied: layer [0-9a-f]{12} \(16 B\)/)
  expect(build.log(1)).toContain(`digest ${index}`)
  expect(build.events).toContainEqual(
    expect.objectContaining({ type: 'image', image: `${there.host}/live/app`, tag, digest: index, registryId: 6 }),
  )
  // the second time only manifests are sent
  there.requests.length = 0
  await copy()
  expect(there.requests.filter((line) => line.startsWith('POST'))).toEqual([])
})

test('within one registry blobs are mounted instead of copied', async () => {
  const { build, reason } = await copy({ registryId: 5, repository: 'live/app', from: `team/app@${index}` })
  expect(reason).toBeUndefined()
  expect(build.log(0)).toContain('Taken over: layer')
  expect(here.requests.some((line) => line.startsWith('GET') && line.includes('/blobs/'))).toBe(false)
})

test('a blob that does not match its digest is not sent on, and the tag does not move', async () => {
  here.answer = (request, response) => {
    if (request.method !== 'GET' || !request.url?.includes('/blobs/')) return false
    response.writeHead(200).end('something else')
    return true
  }
  const { reason, tag } = await copy({ repository: 'other/app' })
  expect(reason?.key).toBe('agents-registry-not-one')
  expect(there.requests.some((line) => line.startsWith('PUT') && line.includes('/blobs/'))).toBe(false)
  expect((await there.get(`/v2/other/app/manifests/${tag}`, indexType)).status).toBe(404)
})

test.each([
  ['team/gone:1', 'agents-copy-missing'],
  ['${outputs.none.IMAGE}', 'agents-copy-from'],
])('%s is refused: %s', async (from, key) => {
  expect((await copy({ from })).reason?.key).toBe(key)
})
