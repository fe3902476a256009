import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { launch as launchIn, type Launched, patient, pidOf, postgresPid } from '../test/launched.ts'
import { identify } from './processes.ts'

let base: string
let data: string
let launched: Launched[]

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'gantry-launch-'))
  data = join(base, 'data')
  launched = []
})

afterEach(async () => {
  for (const { signal, ended } of launched) {
    signal('SIGTERM')
    await ended
  }
  await rm(base, { recursive: true })
})

const launch = async (env: Record<string, string> = {}, folder = data): Promise<Launched> => {
  const started = await launchIn(folder, env)
  launched.push(started)
  return started
}

const started = async (env?: Record<string, string>): Promise<Launched> => {
  const gantry = await launch(env)
  await gantry.says(/Stop +Ctrl/)
  return gantry
}

const ask = async (url: string, connection = 'keep-alive'): Promise<{ pid: number; env: Record<string, string> }> =>
  (await (await fetch(url, { headers: { connection } })).json()) as { pid: number; env: Record<string, string> }

const parts = () => [pidOf(data, 'server'), pidOf(data, 'agent'), pidOf(data, 'sandbox'), postgresPid(data)]

const gone = (pid: number) =>
  eventually(
    () => identify(pid),
    (process) => process === undefined,
    patient,
  )

test('the first start prints the address and the password, later ones only the file that contains the password', async () => {
  const first = await started({ DATABASE_URL: '' })
  expect(first.said()).toContain(`Open    ${first.url}`)
  expect(first.said()).toMatch(/Log in +admin, password made-by-the-server /)
  const running = parts()
  first.signal('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(running.filter((pid) => identify(pid))).toEqual([])

  const second = await started()
  expect(second.said()).not.toContain('made-by-the-server')
  expect(second.said()).toContain(join(data, 'admin-password'))
})

test('each part gets the settings that it needs, and the agent gets no secret', async () => {
  const gantry = await started({ GANTRY_SECRET_KEY: 'a secret of the installation' })
  const { env } = await ask(gantry.url)
  expect(env).toMatchObject({
    GANTRY_DATA: data,
    GANTRY_SECRET_KEY: 'a secret of the installation',
    GANTRY_SANDBOX_KUBECONFIG: join(data, 'sandbox/kubeconfig'),
    GANTRY_SANDBOX_REGISTRY_KEY_FILE: join(data, 'sandbox/registry-key'),
    GANTRY_AGENT_TOKEN_FILE: join(data, 'agent-token'),
  })
  expect(env['DATABASE_URL']).toMatch(/^postgresql:\/\/gantry:/)
  expect(env['GANTRY_SANDBOX_REGISTRY']).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(statSync(join(data, 'agent-token')).mode & 0o777).toBe(0o600)

  await eventually(() => existsSync(join(data, 'agent/told.json')), Boolean, patient)
  const agent = pidOf(data, 'agent')
  expect(identify(agent)).toBeDefined()
  const record = await import(join(data, 'agent/told.json'), { with: { type: 'json' } })
  expect(record.default.env).toMatchObject({ GANTRY_SERVER_URL: gantry.url, GANTRY_AGENT_DIR: join(data, 'agent') })
  expect(JSON.stringify(record.default.env)).not.toContain('secret of the installation')
  expect(JSON.stringify(record.default.env)).not.toContain('postgresql:')
})

test('the sandbox keeps its ports when it is restarted', async () => {
  const first = await started()
  const { GANTRY_SANDBOX_REGISTRY: registry } = (await ask(first.url)).env
  first.signal('SIGTERM')
  await first.ended
  const second = await started()
  expect((await ask(second.url)).env['GANTRY_SANDBOX_REGISTRY']).toBe(registry)
})

test('a killed part is restarted, and the others keep running', async () => {
  const gantry = await started()
  for (const part of ['server', 'agent', 'sandbox'] as const) {
    const before = pidOf(data, part)
    process.kill(before, 'SIGKILL')
    await gantry.says(new RegExp(`The ${part} ended \\(SIGKILL\\); it is started again`))
    await gantry.says(new RegExp(`The ${part} is back`))
    expect(pidOf(data, part)).not.toBe(before)
  }
  const server = pidOf(data, 'server')
  const before = postgresPid(data)
  process.kill(before, 'SIGKILL')
  await gantry.says(/PostgreSQL is back/)
  expect(postgresPid(data)).not.toBe(before)
  expect((await ask(gantry.url)).pid).toBe(server)
})

describe.runIf(process.platform === 'linux')('several servers', () => {
  const names = ['server', 'server-2', 'server-3'] as const

  /** Who answers on new connections, as soon as all of these do. */
  const answering = (url: string, pids: number[]) => {
    const seen = new Set<number>()
    return eventually(
      async () => seen.add((await ask(`${url}/?${seen.size}`, 'close')).pid),
      () => pids.every((pid) => seen.has(pid)),
      patient,
    )
  }

  test('share the port, are restarted each by itself while the others answer, and end together', async () => {
    const gantry = await started({ GANTRY_SERVERS: '3' })
    await eventually(() => names.map((name) => pidOf(data, name)), undefined, patient)
    await answering(
      gantry.url,
      names.map((name) => pidOf(data, name)),
    )
    for (const name of ['server', 'server-3'] as const) {
      process.kill(pidOf(data, name), 'SIGKILL')
      await gantry.says(new RegExp(`The ${name} ended \\(SIGKILL\\)`))
      await answering(gantry.url, [pidOf(data, 'server-2')])
      await gantry.says(new RegExp(`The ${name} is back`))
      await answering(gantry.url, [pidOf(data, name)])
    }
    const pids = names.map((name) => pidOf(data, name))
    gantry.signal('SIGTERM')
    expect(await gantry.ended).toBe(0)
    expect(pids.filter((pid) => identify(pid))).toEqual([])
  })
})

test('a first signal lets a request end, and a second one from npm right after it changes nothing', async () => {
  const gantry = await started()
  const slow = fetch(`${gantry.url}/slow`)
  await eventually(
    async () => (await fetch(`${gantry.url}/waiting`)).text(),
    (requests) => requests === '1',
  )
  gantry.signal('SIGINT')
  gantry.signal('SIGINT')
  expect(await (await slow).text()).toBe('whole')
  expect(await gantry.ended).toBe(0)
})

test('a second signal ends at once', async () => {
  const gantry = await started()
  const never = fetch(`${gantry.url}/never`)
  never.catch(() => undefined)
  await eventually(
    async () => (await fetch(`${gantry.url}/waiting`)).text(),
    (requests) => requests === '1',
  )
  const running = parts()
  gantry.signal('SIGTERM')
  await gantry.says(/a second signal ends at once/)
  const again = setInterval(() => gantry.signal('SIGTERM'), 600)
  expect(await gantry.ended).toBe(143)
  clearInterval(again)
  await expect(never).rejects.toThrow('fetch failed')
  await Promise.all(running.map(gone))
})

test('processes that a killed launcher leaves end by themselves, or when the next launcher starts', async () => {
  const gantry = await started()
  const [server = 0, agent = 0, sandbox = 0, postgres = 0] = parts()
  gantry.signal('SIGKILL')
  await Promise.all([server, agent, sandbox].map(gone))
  expect(identify(postgres)).toBeDefined()

  const next = await started({ GANTRY_PORT: new URL(gantry.url).port })
  expect(identify(postgres)).toBeUndefined()
  expect((await ask(next.url)).pid).not.toBe(server)
})

describe('refuses with one line and exit code 1', () => {
  const refusal = async (gantry: Launched): Promise<string> => {
    expect(await gantry.ended).toBe(1)
    return gantry.said()
  }

  test('for a busy port, and creates nothing', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const port = (holder.address() as { port: number }).port
    expect(await refusal(await launch({ GANTRY_PORT: String(port) }))).toMatch(/^Gantry: Port \d+ on .+ taken .+\.\n$/)
    expect(existsSync(data)).toBe(false)
    holder.close()
  })

  test.each([
    ['GANTRY_PORT', 'eighty'],
    ['GANTRY_LOG_LEVEL', 'loud'],
  ])('for a bad %s, and creates nothing', async (name, value) => {
    expect(await refusal(await launch({ [name]: value }))).toMatch(new RegExp(`^Gantry: ${name} [^\\n]+\\n$`))
    expect(existsSync(data)).toBe(false)
  })

  test('for a data folder that cannot be created', async () => {
    writeFileSync(data, 'a file')
    expect(await refusal(await launch({}, join(data, 'below')))).toMatch(
      /^Gantry: The data folder .+ cannot be written .+\n$/,
    )
    expect(readdirSync(base)).toEqual(['data'])
  })

  test('for a data folder that another launcher uses, which continues to run', async () => {
    const holder = await started()
    const line = await refusal(await launch())
    expect(line).toMatch(
      new RegExp(`^Gantry: Another Gantry \\(process ${holder.pid}\\) runs on the data folder .+\\n$`),
    )
    expect((await ask(holder.url)).pid).toBe(pidOf(data, 'server'))
  })

  test('if the server refuses to start, prints only its line and ends the other parts', async () => {
    const gantry = await launch({ STAND_IN_REFUSES: 'The database is of a newer release.' })
    expect(await gantry.ended).toBe(1)
    expect(gantry.said()).toBe('The database is of a newer release.\n')
    expect(identify(pidOf(data, 'sandbox'))).toBeUndefined()
    expect(existsSync(join(data, 'postgres/18/postmaster.pid'))).toBe(false)
  })
})
