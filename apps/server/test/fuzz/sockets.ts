import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { session } from '@gantry/contract/auth/session'
import { tunnelPath } from '@gantry/tunnel/frames'
import { pushPath } from '@gantry/contract/push/path'
import { followPath, terminalPath } from '@gantry/contract/stacks/containers/containers'
import type { Topic } from '@gantry/contract/topic'
import { kindOf } from '../parameters.ts'
import { mutated } from './mutations.ts'
import type { Thing } from './pool.ts'
import type { Random } from './random.ts'
import type { Role, RoleName, Roles } from './roles.ts'
import type { Run, Target } from './runner.ts'
import type { Answer, Wire } from './wire.ts'

/** Bytes of one client frame, valid by RFC 6455 or not. */
function frame(opcode: number, payload: Buffer, { fin = true, masked = true, length = payload.length } = {}): Buffer {
  const first = (fin ? 0x80 : 0) | opcode
  const flag = masked ? 0x80 : 0
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = first
  head[1] = flag | (length < 126 ? length : length < 65_536 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  // a mask of zeros leaves the payload unchanged
  return Buffer.concat([head, ...(masked ? [Buffer.alloc(4)] : []), payload])
}

const text = (value: unknown): Buffer =>
  frame(1, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))

/** Frames that no client should send. */
const broken: readonly ((random: Random) => Buffer)[] = [
  () => frame(1, Buffer.from('{"op":"ping"}'), { masked: false }),
  () => frame(3, Buffer.from('x')),
  () => frame(0, Buffer.from('goes on with nothing')),
  () => frame(1, Buffer.from('begins'), { fin: false }),
  () => Buffer.concat([frame(1, Buffer.from('{'), { fin: false }), frame(1, Buffer.from('}'))]),
  () => frame(9, Buffer.alloc(200)),
  () => frame(1, Buffer.from([0xff, 0xfe, 0xc0])),
  () => frame(1, Buffer.from('{"op"'), { length: 5_000_000_000 }),
  () => frame(1, Buffer.alloc(0), { length: 2 ** 53 }),
  () => frame(1, Buffer.alloc(200_000, 0x61)),
  () => frame(2, Buffer.alloc(1_000)),
  () => frame(8, Buffer.from([0x00])),
  () => frame(8, Buffer.from([0xff, 0xff])),
  () => text('{"op":"ping"}').subarray(0, 5),
  (random) => Buffer.from(Array.from({ length: 64 }, () => random.int(256))),
]

interface Open {
  status: number
  body: string
  socket?: Duplex
  /** All received bytes; nothing is compressed, so that texts can be found in them. */
  seen: () => string
}

/** Opens a websocket; a refused one has an answer. */
function upgrade(origin: string, target: string, headers: Record<string, string>): Promise<Open> {
  const { hostname, port, host } = new URL(origin)
  const wanted = {
    host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'Z2FudHJ5IGZ1enplciBrZXk=',
    ...headers,
  }
  return new Promise((resolve) => {
    const asked = request({ hostname, port, path: target, headers: wanted, signal: AbortSignal.timeout(20_000) })
    asked.on('upgrade', (response, socket, head) => {
      const chunks: Buffer[] = [head]
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.on('error', () => undefined)
      resolve({
        status: response.statusCode ?? 0,
        body: '',
        socket,
        seen: () => Buffer.concat(chunks).toString('utf8'),
      })
    })
    asked.on('response', (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('close', () => resolve({ status: response.statusCode ?? 0, body, seen: () => body }))
      response.on('error', () => undefined)
    })
    asked.on('error', () => resolve({ status: 0, body: '', seen: () => '' }))
    asked.end()
  })
}

/** All topics of this thing, whoever may subscribe to them. */
function topicsOf(topics: readonly Topic[], { values }: Thing): string[] {
  return topics.flatMap(({ path }) => {
    const name = path.replaceAll(/:(\w+)/g, (_, param: string) => String(values[kindOf(path, param) ?? 'team'] ?? 1))
    return path.endsWith('/:scope') ? [name, name.replace(/[^/]*$/, 'all')] : [name]
  })
}

/** Tests websockets like `openRun` tests calls: with valid and invalid tickets and frames. */
export function openSocketRun(run: Run, { origin, topics }: Pick<Target, 'origin' | 'topics'>, roles: Roles) {
  const { random, pool } = run

  function place(side: 'ours' | 'theirs'): { path: string; within: Thing } {
    const push = { path: pushPath, within: pool.draw(random, ['team', 'pipeline'], [side]) ?? { side, values: {} } }
    const inPod = pool.draw(random, ['team', 'env', 'pod', 'container'], [side])
    const kind = random.int(5)
    if (kind < 3 || !inPod) return push
    if (random.chance(0.1)) return { path: tunnelPath, within: inPod }
    const { team, env, pod, container } = inPod.values
    const named: Record<string, unknown> = { teamId: team, envId: env, podId: pod, name: container }
    const pattern = kind === 3 ? followPath : terminalPath
    return { path: pattern.replaceAll(/:(\w+)/g, (_, name: string) => String(named[name])), within: inPod }
  }

  async function ticketOf(role: Role, path: string): Promise<string> {
    const { status, text } = await run.ask(role, session.ticket, { body: { method: 'GET', path } })
    return status === 200 ? (JSON.parse(text) as { data: { ticket: string } }).data.ticket : 'none'
  }

  /** Frames to send, most of them valid. */
  function frames(path: string, within: Thing): Buffer[] {
    const named = topicsOf(topics, within)
    const subscribe = (topic: string) => ({ op: 'subscribe', topic })
    const said: unknown[] =
      path === pushPath
        ? [...named.map(subscribe), { op: 'ping' }, { op: 'resume', topic: named[0], seq: '0' }]
        : [
            { type: 'input', data: 'env\r' },
            { type: 'resize', columns: 80, rows: 24 },
            { type: 'input', data: 'x'.repeat(1_000) },
          ]
    const good = said.map((one) => (random.chance(0.15) ? text(mutated(one, random)) : text(one)))
    if (random.chance(0.1)) good.push(...Array.from({ length: 300 }, () => text(said[said.length - 1])))
    return random.chance(0.3) ? [...good, random.pick(broken)(random)] : good
  }

  return {
    /** One websocket from its ticket to its end. */
    step: async (at: number): Promise<void> => {
      run.begin(at)
      const role =
        roles[
          random.pick([
            'leader',
            'leader',
            'member',
            'idle',
            'other',
            'outsider',
            'token',
            'admin',
            'visitor',
            'banned',
          ] as RoleName[])
        ]
      const { path, within } = place(random.pick(['ours', 'theirs']))
      const otherPath = random.chance(0.15)
      const ticket = role.token === undefined ? 'none' : await ticketOf(role, otherPath ? '/msghub/api/else' : path)
      const target = `${path}?authorization=${random.chance(0.1) ? `${ticket}x` : ticket}${random.chance(0.1) ? '&lang=zh&x=1' : ''}`
      const headers: Record<string, string> = random.chance(0.1) ? { origin: 'http://elsewhere.example' } : { origin }
      const wire: Wire = { method: 'GET', target, headers: Object.entries({ ...headers, upgrade: 'websocket' }) }
      const judge = ({ status, seen }: Open) => {
        const answer: Answer = { status, headers: {}, text: seen(), ms: 0, hung: false }
        const found = run.oracle.told(role, answer.text, target)
        if (status >= 500 && status !== 503)
          found.push({ rule: 'failure', what: `a websocket: ${status} ${answer.text.slice(0, 300)}` })
        if (status === 101 && otherPath)
          found.push({ rule: 'let-in', what: 'a ticket for another path opened a websocket' })
        for (const finding of found) run.report(finding, wire, role, answer, at)
      }
      const opened = await upgrade(origin, target, headers)
      if (!opened.socket) return judge(opened)
      const again = await upgrade(origin, target, headers)
      if (again.status === 101)
        run.report(
          { rule: 'let-in', what: 'a ticket opened two websockets' },
          wire,
          role,
          { ...again, headers: {}, text: '', ms: 0, hung: false },
          at,
        )
      again.socket?.destroy()
      for (const bytes of frames(path, within)) opened.socket.write(bytes)
      await sleep(100 + random.int(200))
      judge(opened)
      if (random.chance(0.5)) opened.socket.destroy()
      else opened.socket.end(frame(8, Buffer.from([0x03, 0xe8])))
    },
  }
}
