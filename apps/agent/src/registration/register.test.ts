import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { script, work } from '../../test/works.ts'
import { transport } from '../http.ts'
import { register } from './register.ts'

let built: string
let server: FakeServer
let agent: AgentProcess | undefined

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'gantry-agent-file-'))
  const vite = join(import.meta.dirname, '../../../../node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--mode', 'build', '--outDir', built, '--logLevel', 'error']
  await promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '../..') })
  server = await fakeServer()
})
afterAll(async () => {
  await agent?.close()
  await server.close()
  rmSync(built, { recursive: true, force: true })
})

const lastClaim = () => server.claims.at(-1)

test('the agent as one file registers itself, describes its machine, and keeps its credential over a restart', async () => {
  server.registration.token = 'gr_once'
  const program = join(built, 'agent.mjs')
  const env = { GANTRY_AGENT_TOKEN: 'gr_once', GANTRY_AGENT_LABELS: 'gpu,big', GANTRY_AGENT_TOKEN_FILE: '' }
  agent = await agentProcess(server.url, env, tmpdir(), { program })
  const build = server.give(work([script('echo "from one file"')]))
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect(build.log(0)).toBe('from one file\n')
  expect(server.claims[0]).toMatchObject({ labels: ['gpu', 'big'], machine: { name: hostname() } })
  const credential = readFileSync(join(agent.dir, 'token'), 'utf8').trim()
  expect([server.registration.credential, existsSync(join(agent.dir, 'token.new'))]).toEqual([credential, false])
  await agent.kill('SIGKILL')
  await agent.start()
  expect(await server.give(work([script('true')])).ended).toMatchObject({ state: 'success' })
  expect(server.registration.calls).toBe(1)
})

test('removes what is left of builds when the server requests it, and reports that it did', async () => {
  const left = join(agent?.dir ?? '', 'builds/left')
  mkdirSync(left)
  writeFileSync(join(left, 'spool'), 'a rest')
  server.registration.clean = true
  await expect.poll(() => lastClaim()?.cleaned).toBe(true)
  expect(existsSync(left)).toBe(false)
  expect(await server.give(work([script('true')])).ended).toMatchObject({ state: 'success' })
})

test('sends a credential again whose answer was lost, and becomes another agent with another token', async () => {
  const tokenFile = join(built, 'again/token')
  const http = transport()
  const say = (): void => {}
  const as = (oneTimeToken: string | undefined) =>
    register({ serverUrl: server.url, tokenFile, oneTimeToken }, http, say)
  await expect(as(undefined)).rejects.toThrow('GANTRY_AGENT_TOKEN is not set')
  server.registration = { ...server.registration, token: 'gr_two', credential: '', calls: 0 }
  let lost = 1
  server.trouble = (request, when) =>
    request.url === '/api/agent/register' && when === 'after' && lost-- > 0 ? 'cut' : undefined
  await as('gr_two')
  server.trouble = () => undefined
  expect(server.registration.calls).toBe(2)
  expect(readFileSync(tokenFile, 'utf8').trim()).toBe(server.registration.credential)
  await as('gr_two')
  expect(server.registration.calls).toBe(2)
  await expect(as('gr_wrong')).rejects.toThrow(/^GANTRY_AGENT_TOKEN: /)
  expect(readFileSync(tokenFile, 'utf8').trim()).toBe(server.registration.credential)
  http.close()
})
