import { readFileSync } from 'node:fs'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { labService } from '../../../test/lab.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createMail, type MailMessage, type MailServer } from './smtp.ts'

const lab = labService('smtp')
const certificates = join(import.meta.dirname, '../../../test/certificates')
const pem = (name: string) => readFileSync(join(certificates, name), 'utf8')

const allow = ['127.0.0.0/8']
const trusting = createOutbound({ allow, ca: pem('ca.pem') })
const wary = createOutbound({ allow })
const closed = createOutbound()
const servers: Server[] = []
afterAll(async () => {
  for (const server of servers) server.close()
  await Promise.all([trusting.close(), wary.close(), closed.close()])
})

const mail = createMail(trusting)
const message: MailMessage = {
  from: { name: '控制台', address: 'gantry@example.test' },
  to: 'ann@example.test',
  subject: '测试：crème brûlée',
  text: '你好\n\nLine two',
  html: '<p>你好</p>',
  messageId: '<one@example.test>',
}

interface Taken {
  from: string
  to: string[]
  user: { user: string } | string | null
  subject: string
  text: string
  html: string
}
const messagesUrl = lab?.['SMTP_MESSAGES_URL'] ?? ''
const messages = async (): Promise<Taken[]> => (await fetch(messagesUrl)).json() as Promise<Taken[]>
const server: MailServer = {
  host: lab?.['SMTP_HOST'] ?? '127.0.0.1',
  port: Number(lab?.['SMTP_PORT'] ?? 0),
  security: 'none',
  userName: lab?.['SMTP_USER'] ?? '',
  password: lab?.['SMTP_PASSWORD'] ?? '',
}

describe.skipIf(lab === undefined)('against a real mail server (needs the lab: GANTRY_LAB)', () => {
  beforeEach(async () => {
    await fetch(messagesUrl, { method: 'DELETE' })
  })

  test('a mail arrives as it was written, in any script', async () => {
    await mail.send(server, message)
    expect(await messages()).toMatchObject([
      {
        from: 'gantry@example.test',
        to: ['ann@example.test'],
        user: 'mailer',
        subject: message.subject,
        text: expect.stringContaining('你好'),
        html: expect.stringContaining('<p>你好</p>'),
      },
    ])
  })

  test('without a user it is sent without authentication', async () => {
    await mail.send({ ...server, userName: '', password: '' }, message)
    expect(await messages()).toMatchObject([{ user: null }])
  })

  test('a subject of two lines stays one header', async () => {
    await mail.send(server, { ...message, subject: 'one\r\nBcc: eve@example.test' })
    expect(await messages()).toMatchObject([{ to: ['ann@example.test'] }])
  })

  test('a wrong password is reported as such, and not repeated', async () => {
    const wrong = mail.send({ ...server, password: 'not-the-password' }, message)
    await expect(wrong).rejects.toMatchObject({ key: 'mail-wrong-password' })
    await expect(wrong).rejects.not.toMatchObject({ vars: { answer: expect.stringContaining('not-the-password') } })
    expect(await messages()).toEqual([])
  })

  test('a refused recipient is reported with the server’s answer', async () => {
    await expect(mail.send(server, { ...message, to: 'reject@example.test' })).rejects.toMatchObject({
      key: 'mail-recipient-refused',
      vars: { answer: expect.stringContaining('No such mailbox') },
    })
  })

  test('a server without the requested STARTTLS gets neither password nor mail', async () => {
    await expect(mail.send({ ...server, security: 'starttls' }, message)).rejects.toMatchObject({ key: 'mail-no-tls' })
    expect(await messages()).toEqual([])
  })

  test('a server without the requested TLS is reported as such', async () => {
    await expect(mail.send({ ...server, security: 'tls' }, message)).rejects.toMatchObject({ key: 'mail-no-tls' })
  })

  test('a server on this machine is not reached unless allowed', async () => {
    await expect(createMail(closed).send(server, message)).rejects.toMatchObject({ key: 'outbound-refused' })
    expect(await messages()).toEqual([])
  })
})

/** A server that greets over TLS, which is all that these tests need. */
async function tlsServer(name: string): Promise<MailServer> {
  const tls = createTlsServer({ key: pem(`${name}-key.pem`), cert: pem(`${name}.pem`) }, (socket) => {
    socket.on('error', () => {})
    socket.write('220 test ESMTP\r\n')
    socket.on('data', () => socket.write('421 busy\r\n'))
  })
  servers.push(tls)
  await new Promise<void>((up) => tls.listen(0, '127.0.0.1', up))
  return { ...server, port: (tls.address() as AddressInfo).port, security: 'tls' }
}

test.for([
  ['of an unknown authority', 'server', wary, 'outbound-tls-untrusted'],
  ['made out to another name', 'other', trusting, 'outbound-tls-name'],
] as const)('a certificate %s is refused by its cause', async ([, name, outbound, key]) => {
  await expect(createMail(outbound).send(await tlsServer(name), message)).rejects.toMatchObject({ key })
})

test(
  'a server that is down, and one that never answers, are reported with their cause',
  { timeout: 30_000 },
  async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => {}))
    servers.push(silent)
    await new Promise<void>((up) => silent.listen(0, '127.0.0.1', up))
    const { port } = silent.address() as AddressInfo
    const down = createTcpServer()
    await new Promise<void>((up) => down.listen(0, '127.0.0.1', up))
    const { port: gone } = down.address() as AddressInfo
    await new Promise((closing) => down.close(closing))
    await expect(mail.send({ ...server, port: gone }, message)).rejects.toMatchObject({ key: 'outbound-unreachable' })
    await expect(mail.send({ ...server, port }, message)).rejects.toMatchObject({ key: 'outbound-timeout' })
  },
)
