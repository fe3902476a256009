import { execFile, spawnSync } from 'node:child_process'
import type { Socket as Datagrams } from 'node:dgram'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { script, soon, work } from '../../test/works.ts'
import { endInside, makeInside, openDoors, type Inside } from './inside.ts'

/**
 * Tests address translation on an imitated machine: a network namespace with an agent in it, connected to another one
 * that is the outside. The real machine's network is not changed.
 */
const can = (command: string): boolean => spawnSync('/bin/sh', ['-c', `command -v ${command}`]).status === 0
const translates = process.getuid?.() === 0 && ['ip', 'iptables-restore', 'nsenter'].every(can)

const [inner, outer] = ['10.99.0.1', '10.99.0.2']

describe.skipIf(!translates)('a step’s network behind address translation (needs root, ip and iptables)', () => {
  let home: string
  let machine: Inside
  let outside: Inside
  let server: FakeServer
  let agent: AgentProcess
  const closing: (() => void)[] = []

  const inNetwork = async ({ enter: [command = '', ...words] }: Inside, text: string): Promise<string> =>
    (await promisify(execFile)(command, [...words, 'bash', '-c', text])).stdout.trim()
  const says =
    (text: string) =>
    (socket: Socket): void =>
      void socket.on('error', () => {}).end(text)

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'gantry-nat-'))
    machine = await makeInside(join(home, 'machine'), false)
    outside = await makeInside(join(home, 'outside'), false)
    await inNetwork(
      machine,
      `set -e
      ip link add out type veth peer name in netns ${outside.holder.pid}
      ip addr add ${inner}/24 dev out; ip link set out up
      echo 1 > /proc/sys/net/ipv4/ip_forward
      iptables -A INPUT -s 10.1.2.3 -j ACCEPT`,
    )
    await inNetwork(outside, `ip addr add ${outer}/24 dev in; ip link set in up; ip route add default via ${inner}`)
    server = await fakeServer()
    const port = Number(new URL(server.url).port)
    const toServer = (socket: Socket): void => {
      socket.on('error', () => {})
      socket.pipe(connect(port, '127.0.0.1').on('error', () => {})).pipe(socket)
    }
    closing.push(
      await openDoors(machine, [
        { door: { kind: 'stream', address: '127.0.0.1', port }, take: toServer },
        { door: { kind: 'stream', address: '0.0.0.0', port: 8000 }, take: says('the machine') },
      ]),
      await openDoors(outside, [
        { door: { kind: 'stream', address: outer, port: 8000 }, take: says('the outside') },
        { door: { kind: 'stream', address: outer, port: 53 }, take: says('') },
        { door: { kind: 'datagrams', address: outer, port: 53 }, attach: nameserver },
      ]),
    )
    writeFileSync(join(home, 'resolv.conf'), `nameserver ${outer}\n`)
    const own = ['unshare', '--mount', '/bin/sh', '-c', 'mount --bind "$0" /etc/resolv.conf; exec "$@"']
    const enter = [...machine.enter, ...own, join(home, 'resolv.conf')]
    agent = await agentProcess(server.url, {}, tmpdir(), { enter })
    expect(agent.log()).toContain('"network":"nat"')
  })
  afterAll(async () => {
    await agent?.close()
    for (const close of closing) close()
    for (const name of ['machine', 'outside']) endInside(join(home, name))
    await server?.close()
    rmSync(home, { recursive: true, force: true })
  })

  async function run(text: string): Promise<string[]> {
    const build = server.give(work([script(`set +e\n${text}`, { shell: 'bash' })]))
    await build.ended
    return build.log(0).trim().split('\n')
  }
  const reads = (host: string, port: number): string =>
    `(exec 3<> /dev/tcp/${host}/${port} && timeout 5 cat <&3) 2> /dev/null | grep . || echo nothing`

  test('leads outward, by address and by name', async () => {
    expect(
      await run(`${reads(outer, 8000)}; getent ahostsv4 far.example | head -1; ${reads('far.example', 8000)}`),
    ).toEqual(['the outside', expect.stringContaining(outer), 'the outside'])
  })

  test('leads to no address of the machine, and to none that clouds reserve for their machines’ metadata', async () => {
    expect(await inNetwork(machine, reads(inner, 8000))).toBe('the machine')
    const gateway = "$(ip route | sed -n 's/default via \\([^ ]*\\).*/\\1/p')"
    const targets = ['127.0.0.1', inner, gateway, '169.254.169.254', '100.100.100.200']
    expect(await run(targets.map((host) => reads(host, 8000)).join('\n'))).toEqual(targets.map(() => 'nothing'))
  })

  test('accepts connections neither from outside, nor from the machine, nor from another build', async () => {
    const build = server.give(
      work([
        script(
          `ip -4 addr show eth0; '${process.execPath}' -e "
            require('node:net').createServer((s) => s.end('the step')).listen(9000, () => console.log('listens'))"`,
        ),
      ]),
    )
    await expect.poll(() => build.log(0), soon).toContain('listens')
    const [, address = ''] = /inet (198\.[\d.]+)/.exec(build.log(0)) ?? []
    expect(address).not.toBe('')
    for (const from of [machine, outside]) expect(await inNetwork(from, reads(address, 9000))).toBe('nothing')
    expect(await run(reads(address, 9000))).toEqual(['nothing'])
    server.cancel(build.work.jobId)
    await build.ended
  })

  test('lets steps reach only the server’s git, through the proxy', async () => {
    const ask = (path: string): string =>
      `(exec 3<> /dev/tcp/127.0.0.1/800; printf 'GET ${server.url}/${path} HTTP/1.0\\r\\n\\r\\n' >&3; head -1 <&3 | tr -d '\\r')`
    expect(await run(`${ask('git/x')}; ${ask('metrics')}`)).toEqual([
      'HTTP/1.1 401 Unauthorized',
      'HTTP/1.1 403 Forbidden',
    ])
  })

  const rules = async (): Promise<string[]> =>
    (await inNetwork(machine, 'iptables -S; iptables -t nat -S')).split('\n').sort()
  const own = (rule: string): boolean => /gty|GANTRY|198\.(18|19)\./.test(rule)

  test('leaves no rule and no interface behind, and changes only its own', async () => {
    await run('true')
    const used = await rules()
    expect(used.filter(own).length).toBeGreaterThan(0)
    await agent.kill('SIGKILL')
    await agent.start()
    await run('true')
    // no rule exists twice
    expect(await rules()).toEqual(used)
    await expect.poll(() => readdirSync(join(agent.dir, 'builds')), soon).toEqual([])
    await agent.kill('SIGTERM')
    expect((await rules()).filter(own)).toEqual([])
    expect(await rules()).toContain('-A INPUT -s 10.1.2.3/32 -j ACCEPT')
    await expect.poll(() => inNetwork(machine, 'ip -o link'), soon).not.toContain('gty')
    await agent.start()
  })
})

/** A nameserver with the same address for every name. */
function nameserver(socket: Datagrams): void {
  socket.on('message', (question, asker) => {
    const end = question.indexOf(0, 12) + 5
    const isA = question.readUInt16BE(end - 4) === 1
    const header = Buffer.from([0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0])
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...outer.split('.').map(Number)])
    const parts = [question.subarray(0, 2), header, question.subarray(12, end), ...(isA ? [answer] : [])]
    socket.send(Buffer.concat(parts), asker.port, asker.address)
  })
}
