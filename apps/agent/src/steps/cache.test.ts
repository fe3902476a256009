import { zstdCompressSync } from 'node:zlib'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { script, work } from '../../test/works.ts'

let server: FakeServer
let agent: AgentProcess

beforeAll(async () => {
  server = await fakeServer()
  agent = await agentProcess(server.url)
})
afterAll(async () => {
  await agent.close()
  await server.close()
})

type Cache = Extract<StepInput, { type: 'cache' }>
const cache = (more: Partial<Cache> = {}): Cache => ({
  type: 'cache',
  name: 'npm',
  key: 'npm-${hash:lock}',
  paths: ['deps'],
  ...more,
})
const lock = (text: string) => script(`printf ${text} > lock`, { name: 'lock' })
const ran = async (steps: StepInput[], more = {}) => {
  const build = server.give(work(steps, more))
  const end = await build.ended
  return { state: end.state, build }
}

test('files are stored when the job has succeeded, and are there for the next job with the same key', async () => {
  const fill = script('mkdir deps && echo one > "deps/it is" && ln -s "it is" deps/link && chmod 755 deps/it*')
  const first = await ran([lock('1'), cache(), fill])
  expect(first.build.log(1)).toMatch(/Nothing is cached for npm-[0-9a-f]{32}\nCached npm-[0-9a-f]{32} \(\d+ B\)\n/)
  const read = script('cat deps/link; test -x deps/link; echo "hit $GANTRY_OUTPUT_NPM_HIT"; echo two > deps/it*')
  const again = await ran([lock('1'), cache(), read])
  expect(again.state).toBe('success')
  expect(again.build.log(2)).toBe('one\nhit yes\n')
  expect(again.build.log(1)).not.toContain('Cached')
  // other content of the file gives another key, so only the fallback matches
  const other = await ran([lock('2'), cache({ fallbacks: ['npm-'] }), read])
  expect(other.build.log(2)).toBe('one\nhit fallback\n')
  expect(server.caches.size).toBe(2)
})

test('a failed job stores nothing, and missing files are reported', async () => {
  server.caches.clear()
  const failing = await ran([cache({ key: 'a' }), script('mkdir deps; exit 3')])
  expect(failing.state).toBe('failed')
  const without = await ran([cache({ key: 'a' }), script('true')])
  expect(without.state).toBe('success')
  expect(without.build.log(0)).toContain('Nothing to cache: no deps')
  expect(server.caches.size).toBe(0)
})

test('variables are filled in, with secrets masked', async () => {
  server.caches.clear()
  const environment = [
    { name: 'NODE', value: '26' },
    { name: 'TOKEN', value: 'secret-token' },
  ]
  const key = 'node-${variables.NODE}-${variables.TOKEN}-${outputs.made.PLACE}'
  const before = script('echo PLACE=here > "$GANTRY_OUTPUT"; mkdir deps', { name: 'made' })
  await ran([before, cache({ key })], { environment, masked: ['secret-token'] })
  const [kept = ''] = server.caches.keys()
  expect(kept).toMatch(/^node-26-\*+-here$/)
})

test('a damaged archive is ignored, and a refused one does not fail the job', async () => {
  server.caches.clear()
  const fill = script('mkdir -p deps; echo one > deps/a')
  await ran([cache({ key: 'a' }), fill])
  server.on.cached = (content) => Buffer.concat([content, Buffer.from('x')])
  server.on.keepCache = () => ({ status: 413, key: 'pipelines-cache-too-large' })
  const { state, build } = await ran([cache({ key: 'a' }), script('test ! -e deps; mkdir deps')])
  expect(state).toBe('success')
  expect(build.log(0)).toContain('It is damaged, so it is not used')
  expect(build.log(0)).toContain('Not cached: pipelines-cache-too-large')
})

test.each([
  ['is no archive', (content: Buffer) => Buffer.from(content.toReversed())],
  ['ends early', (content: Buffer) => content.subarray(0, content.length - 8)],
  ['holds other files', () => zstdCompressSync('another archive')],
])('an archive that %s is ignored, and nothing of it is unpacked', async (_, damage) => {
  server.caches.clear()
  server.on.cached = (content) => content
  server.on.keepCache = () => undefined
  await ran([cache({ key: 'a' }), script('mkdir deps; echo one > deps/a')])
  server.on.cached = damage
  const { state, build } = await ran([cache({ key: 'a' }), script('ls')])
  expect(state).toBe('success')
  expect(build.log(0)).toContain('It is damaged, so it is not used')
  expect(build.log(1)).toBe('')
})

test('a key with files that do not exist fails the step', async () => {
  const { build } = await ran([cache({ key: '${hash:gone/*.lock}' })])
  expect(build.events).toContainEqual(
    expect.objectContaining({ reason: { key: 'agents-no-files', vars: { files: 'gone/*.lock' } } }),
  )
})
