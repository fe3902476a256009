import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { equal } from './filter.ts'
import { createLdap, type SearchWish } from './ldap.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const ldap = createLdap(outbound)
const servers: Server[] = []
const sockets = new Set<Socket>()

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => outbound.close())

/** A server that answers each chunk of bytes with the result of `answer`. */
async function pretend(answer: (socket: Socket, request: Buffer) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('data', (request: Buffer) => answer(socket, request))
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  return `ldap://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

const fault = (key: string) => expect.objectContaining({ key })
const target = (url: string, startTls = false) => ({ url, startTls, ca: '' })

/** The message's id: a test's requests are short, so it is at a fixed offset. */
const idOf = (request: Buffer): number => request[4] ?? 0
const sequence = (content: number[], tag = 0x30): number[] => [tag, content.length, ...content]
const text = (value: string): number[] => sequence([...Buffer.from(value)], 0x04)
const result = (id: number, tag: number, code: number, said = ''): Buffer =>
  Buffer.from(sequence([2, 1, id, ...sequence([0x0a, 1, code, 4, 0, ...text(said)], tag)]))
const entryOf = (id: number, name: string): Buffer =>
  Buffer.from(sequence([2, 1, id, ...sequence([...text(name), 0x30, 0], 0x64)]))

const wish: SearchWish = { base: '', scope: 'sub', filter: equal('uid', 'a'), attributes: [], limit: 10 }

describe('a server that is not a directory, or hostile', () => {
  test.each([
    ['HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['a mail server', '220 mail ESMTP\r\n'],
    ['another encoding', '\x30\x80\x00\x00'],
    ['a message of no kind', '\x30\x05\x02\x01\x01\x6f\x00'],
  ])('%s', async (_, answer) => {
    const url = await pretend((socket) => socket.write(Buffer.from(answer, 'latin1')))
    const directory = await ldap.open(target(url), { budget: 5_000 })
    await expect(directory.bind('cn=a', 'b')).rejects.toEqual(fault('ldap-not-ldap'))
    directory.close()
  })

  test('an endless answer ends at the allowed bytes', async () => {
    const url = await pretend((socket, request) => {
      const many = Buffer.concat(Array.from({ length: 5_000 }, () => entryOf(idOf(request), 'cn=a')))
      const flow = (): void => {
        while (!socket.destroyed && socket.write(many));
      }
      socket.on('drain', flow)
      flow()
    })
    const directory = await ldap.open(target(url), { budget: 20_000, maxBytes: 500_000 })
    await expect(directory.search(wish)).rejects.toEqual(fault('ldap-too-large'))
    directory.close()
  })

  test('a slow, endless answer ends with the budget', async () => {
    const url = await pretend((socket, request) => {
      const timer = setInterval(() => socket.write(entryOf(idOf(request), 'cn=a')), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const directory = await ldap.open(target(url), { budget: 300 })
    await expect(directory.search(wish)).rejects.toEqual(fault('ldap-timeout'))
    directory.close()
  })

  test('a name that does not resolve in time costs no more than the budget', async () => {
    const slow = createLdap(createOutbound({ resolve: () => new Promise(() => {}) }))
    const both = [1, 2].map(() => slow.open(target('ldap://directory.test'), { budget: 100 }))
    for (const one of await Promise.allSettled(both))
      expect(one).toMatchObject({ status: 'rejected', reason: { key: 'ldap-timeout' } })
  })

  test('each name is looked up once at a time', async () => {
    let lookups = 0
    const resolve = () => {
      lookups += 1
      return new Promise<never>(() => {})
    }
    const slow = createLdap(createOutbound({ resolve }))
    await Promise.allSettled(
      Array.from({ length: 6 }, () => slow.open(target('ldap://directory.test'), { budget: 50 })),
    )
    expect(lookups).toBe(1)
  })
})

describe('StartTLS', () => {
  test('does not take bytes sent right after the consent for encrypted', async () => {
    for (const behind of [result(2, 0x61, 0), Buffer.from([0x30, 0x0c, 2])]) {
      const url = await pretend((socket, request) =>
        socket.write(Buffer.concat([result(idOf(request), 0x78, 0), behind])),
      )
      await expect(ldap.open(target(url, true), { budget: 5_000 })).rejects.toEqual(fault('ldap-not-ldap'))
    }
  })

  test('a refusal is reported; nothing else is sent unencrypted', async () => {
    const requests: Buffer[] = []
    const url = await pretend((socket, request) => {
      requests.push(request)
      socket.write(result(idOf(request), 0x78, 2))
    })
    await expect(ldap.open(target(url, true), { budget: 5_000 })).rejects.toEqual(fault('ldap-start-tls-unsupported'))
    expect(requests[0]?.toString('latin1')).toContain('1.3.6.1.4.1.1466.20037')
    expect(requests.filter((request) => request.includes('secret'))).toEqual([])
  })
})

test('a size limit is reported with the other results of a bind and a search', async () => {
  let code = 4
  const url = await pretend((socket, request) => {
    const id = idOf(request)
    if (request[5] === 0x60) socket.write(result(id, 0x61, code))
    else if (request[5] === 0x63) socket.write(Buffer.concat([entryOf(id, 'cn=a'), result(id, 0x65, code)]))
  })
  const directory = await ldap.open(target(url), { budget: 5_000 })
  expect(await directory.search(wish)).toMatchObject({ entries: [{ dn: 'cn=a' }], more: true })
  for (const [refused, key] of [
    [8, 'ldap-tls-needed'],
    [10, 'ldap-referral'],
    [32, 'ldap-base-missing'],
    [50, 'ldap-no-right'],
    [51, 'ldap-busy'],
    [80, 'ldap-result'],
  ] as const) {
    code = refused
    await expect(directory.search(wish)).rejects.toEqual(fault(key))
  }
  code = 13
  await expect(directory.bind('cn=a', 'b')).rejects.toEqual(fault('ldap-tls-needed'))
  for (const wrong of [19, 32, 34, 48, 49, 50, 53]) {
    code = wrong
    expect(await directory.bind('cn=a', 'b')).toBe(false)
  }
  expect(await directory.bind('cn=a', '')).toBe(false)
  directory.close()
})

test('a password that the directory echoes is masked', async () => {
  const url = await pretend((socket, request) => socket.write(result(idOf(request), 0x61, 80, 'no hunter22 for cn=a')))
  const directory = await ldap.open(target(url), { budget: 5_000 })
  await expect(directory.bind('cn=a', 'hunter22')).rejects.toMatchObject({
    key: 'ldap-result',
    vars: { text: 'no ******** for cn=a' },
  })
  directory.close()
})
