import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, someModes, type AgentProcess } from '../../test/agent-process.ts'
import type { FakeBuild } from '../../test/fake-build.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { script, soon, work } from '../../test/works.ts'
import { readIdentity } from '../executors/process-tree.ts'

/** What a step can reach through the agent's proxy, and what can reach a step. */
const isolates =
  spawnSync('unshare', ['--user', '--map-root-user', '--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0

/** Without link-local addresses, which need the link's name, and without steps' addresses, which change. */
const addresses = Object.values(networkInterfaces())
  .flatMap((list) => (list ?? []).map(({ address }) => address))
  .filter((address) => !/^(fe80:|198\.1[89]\.)/.test(address))
const node = `'${process.execPath}'`

/** For each address, reports whether a step can connect to it. */
const connects = (targets: string[], port: number): string =>
  targets.map((target) => `(exec 3<> '/dev/tcp/${target}/${port}') 2> /dev/null && echo open || echo closed`).join('\n')

/** Talks to the agent's proxy directly, and prints the first line of its answer. */
const asks = (line: string): string =>
  `(exec 3<> /dev/tcp/127.0.0.1/800; printf '${line} HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n' >&3; head -1 <&3)`

const listen = (host: string): Promise<{ server: Server; port: number }> =>
  new Promise((done) => {
    const server = createServer((request, response) => response.end(`${request.method} ${request.url} by ${host}`))
    server.listen(0, host, () => done({ server, port: (server.address() as AddressInfo).port }))
  })

const reaches = (host: string, port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect({ host, port })
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

const bash = (text: string) => script(`set +e\n${text}`, { shell: 'bash' })

describe.skipIf(!isolates).each(someModes)(
  'a step’s network, isolated as $mode (needs unshare and ip)',
  ({ mode: _, ...as }) => {
    let server: FakeServer
    let agent: AgentProcess
    let machine: { server: Server; port: number }
    let opened: { server: Server; port: number }

    beforeAll(async () => {
      server = await fakeServer()
      machine = await listen('0.0.0.0')
      opened = await listen('127.0.0.2')
      const env = { GANTRY_AGENT_NETWORK: 'proxy', GANTRY_OUTBOUND_ALLOW: '127.0.0.2/32' }
      agent = await agentProcess(server.url, { ...env, GANTRY_AGENT_REACH: `127.0.0.3:${machine.port}` }, tmpdir(), as)
      expect(agent.log()).toContain('"network":"proxy"')
    })
    afterAll(async () => {
      await agent.close()
      for (const one of [machine, opened]) one.server.close()
      await server.close()
    })

    async function run(text: string): Promise<string[]> {
      const build = server.give(work([bash(text)]))
      await build.ended
      return build.log(0).replaceAll('\r', '').trim().split('\n')
    }
    const serverPort = (): number => Number(new URL(server.url).port)

    /** Starts a step that serves a page until it is stopped. */
    async function serving(): Promise<{ build: FakeBuild; port: number }> {
      const text = `${node} -e "
      const server = require('node:http').createServer((_, r) => r.end('the page'))
      server.listen(0, '0.0.0.0', async () => {
        const page = await fetch('http://127.0.0.1:' + server.address().port)
        console.log('listens', server.address().port, await page.text())
      })"`
      const build = server.give(work([bash(text)]))
      await expect.poll(() => build.log(0), soon).toMatch(/listens \d+ the page\n/)
      return { build, port: Number(/listens (\d+)/.exec(build.log(0))?.[1]) }
    }

    test('has no way to any address of this machine', async () => {
      const targets = ['127.0.0.1', '127.0.0.2', 'localhost', ...addresses]
      for (const address of addresses)
        if (address.includes('.')) expect(await reaches(address, machine.port)).toBe(true)
      expect(await run(connects(targets, machine.port))).toEqual(targets.map(() => 'closed'))
      expect(await run(connects(['127.0.0.1'], serverPort()))).toEqual(['closed'])
    })

    test('cannot reach this machine through the proxy either, by any name, nor reserved addresses', async () => {
      const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '169.254.169.254', '[fe80::1]']
      const own = addresses.map((address) => (address.includes(':') ? `[${address}]` : address))
      const targets = [...hosts, ...own].map((host) => `${host}:${machine.port}`)
      const lines = targets.flatMap((target) => [asks(`GET http://${target}/`), asks(`CONNECT ${target}`)])
      expect(new Set(await run(lines.join('\n')))).toEqual(new Set(['HTTP/1.1 403 Forbidden']))
    })

    test('reaches only the git of the server, and only for reading', async () => {
      const { host } = new URL(server.url)
      const paths = [
        'metrics',
        'api/docs',
        'git/../metrics',
        'git/%2e%2e/metrics',
        'git/..%5cmetrics/../../api',
        '/git/x',
      ]
      const refused = [
        ...paths.map((path) => `GET http://${host}/${path}`),
        `POST http://${host}/git/x`,
        `CONNECT ${host}`,
        `GET http://localhost:${serverPort()}/git/x`,
      ]
      const before = server.requests
      const answers = await run(refused.map(asks).join('\n').replaceAll('%', '%%'))
      expect(answers).toEqual(refused.map(() => 'HTTP/1.1 403 Forbidden'))
      // this answer is the server's: it allows no git without a password
      expect(await run(asks(`GET http://${host}/git/x`))).toEqual(['HTTP/1.1 401 Unauthorized'])
      expect(server.requests).toBeGreaterThan(before)
    })

    test('reaches what the operator has opened, in the way that programs do', async () => {
      const url = `http://127.0.0.2:${opened.port}/package`
      expect(await run(`${node} -e "fetch('${url}').then((r) => r.text()).then(console.log)"`)).toEqual([
        'GET /package by 127.0.0.2',
      ])
      expect(await run(`${asks(`GET ${url}`)}; ${asks(`CONNECT 127.0.0.2:${opened.port}`)}`)).toEqual([
        'HTTP/1.1 200 OK',
        'HTTP/1.1 200 Connection established',
      ])
      expect(await run(connects(['127.0.0.3'], machine.port))).toEqual(['open'])
    })

    test('accepts connections neither from outside nor from another build', async () => {
      const { build, port } = await serving()
      for (const address of ['127.0.0.1', ...addresses]) expect(await reaches(address, port)).toBe(false)
      const targets = ['127.0.0.1', ...addresses]
      expect(await run(connects(targets, port))).toEqual(targets.map(() => 'closed'))
      server.cancel(build.work.jobId)
      await build.ended
    })

    test('keeps its connections over a restart of the agent', async () => {
      const build = server.give(
        work([
          bash(`echo up; for i in $(seq 1 400); do
          case $(${asks(`GET http://127.0.0.2:${opened.port}/`)} 2> /dev/null) in *200*) n=$((n + 1));; *) echo lost; n=0;; esac
          if [ "$n" = 1 ]; then echo reached; fi
          [ ! -e /tmp/done ] && sleep 0.05 || break
        done`),
        ]),
      )
      await expect.poll(() => build.log(0), soon).toContain('reached')
      await agent.kill('SIGKILL')
      await agent.start()
      await expect.poll(() => build.log(0), soon).toMatch(/reached\n(lost\n)+reached/)
      server.cancel(build.work.jobId)
      await build.ended
    })

    test('a build with too many connections is refused more, and other builds are not affected', async () => {
      const greedy = server.give(
        work([
          bash(`${node} -e "
          const sockets = Array.from({ length: 600 }, () => require('node:net').connect(800, '127.0.0.1'))
          let gone = 0
          for (const socket of sockets) socket.on('error', () => {}).on('close', () => { if (++gone === 344) console.log('bounded') })"`),
        ]),
      )
      await expect.poll(() => greedy.log(0), soon).toContain('bounded')
      expect(await run(asks(`GET http://127.0.0.2:${opened.port}/`))).toEqual(['HTTP/1.1 200 OK'])
      server.cancel(greedy.work.jobId)
      await greedy.ended
    })

    const holders = (): number[] =>
      readdirSync(join(agent.dir, 'net')).flatMap(
        (slot) => readIdentity(join(agent.dir, 'net', slot, 'pid'))?.pid ?? [],
      )

    test('ends with its agent, and what a killed agent left is removed at the next start', async () => {
      await run('true')
      await expect.poll(() => readdirSync(join(agent.dir, 'builds')), soon).toEqual([])
      const left = holders()
      expect(left.length).toBeGreaterThan(0)
      await agent.kill('SIGKILL')
      await agent.start()
      await expect.poll(() => left.filter((pid) => existsSync(`/proc/${pid}`)), soon).toEqual([])
      const last = holders()
      await agent.kill('SIGTERM')
      await expect.poll(() => last.filter((pid) => existsSync(`/proc/${pid}`)), soon).toEqual([])
      expect(holders()).toEqual([])
      await agent.start()
    })
  },
)
