import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { certificate } from '../../../../test/kube-api.ts'
import { Fault } from '../../../kernel/fault.ts'
import { parseKubeconfig, serverUrl, tokenAuth } from './kubeconfig.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

interface Parts {
  cluster?: object
  user?: object
  top?: object
}

const config = ({ cluster, user, top }: Parts = {}) =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://cluster.test:6443', ...cluster } }],
    users: [{ name: 'u', user: user ?? { token: 'abc' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    ...top,
  })

const client = { cert: certificate('client'), key: certificate('client-key') }

const thrownBy = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}
const isFaultOrNone = (error: unknown) => error === undefined || error instanceof Fault

describe('accepted kubeconfigs', () => {
  test('a token with a CA', () => {
    const ca = certificate('ca')
    const text = config({ cluster: { 'certificate-authority-data': base64(ca), 'tls-server-name': 'inner.test' } })
    expect(parseKubeconfig(text)).toEqual({
      server: 'https://cluster.test:6443',
      ca,
      auth: { kind: 'token', token: 'abc' },
      tlsServerName: 'inner.test',
    })
  })

  test('a token beside a username and password, which API servers no longer accept', () => {
    const { auth, ca } = parseKubeconfig(config({ user: { username: 'a', password: 'b', token: 'abc' } }))
    expect(auth).toEqual({ kind: 'token', token: 'abc' })
    expect(ca).toBeUndefined()
  })

  test('copied out of a Markdown fence, with spaces before every line and the line ends of Windows', () => {
    const pasted = `\uFEFF  \`\`\`yaml\n${config().replaceAll(/^/gm, '  ')}\n  \`\`\`\n`.replaceAll('\n', '\r\n')
    expect(parseKubeconfig(pasted)).toEqual(parseKubeconfig(config()))
  })

  test('a client certificate takes precedence over a token', () => {
    const user = {
      'client-certificate-data': base64(client.cert),
      'client-key-data': base64(client.key),
      token: 'abc',
    }
    expect(parseKubeconfig(config({ user })).auth).toEqual({ kind: 'certificate', ...client })
  })

  test('inline data beside a path, as in kubectl', () => {
    const user = { token: 'abc', tokenFile: '/var/run/token' }
    expect(parseKubeconfig(config({ user })).auth).toEqual({ kind: 'token', token: 'abc' })
  })

  test('JSON, and one of several contexts by its name', () => {
    const several = {
      contexts: [
        { name: 'x', context: { cluster: 'c', user: 'u' } },
        { name: 'y', context: { cluster: 'd', user: 'u', namespace: 'shop' } },
      ],
      clusters: [
        { name: 'c', cluster: { server: 'https://c.test' } },
        { name: 'd', cluster: { server: 'https://d.test/k8s/clusters/d/' } },
      ],
      users: [{ name: 'u', user: { token: 'abc' } }],
      'current-context': 'x',
    }
    expect(parseKubeconfig(JSON.stringify(several), 'y').server).toBe('https://d.test/k8s/clusters/d')
  })
})

const two = [
  { name: 'x', context: { cluster: 'c', user: 'u' } },
  { name: 'y', context: { cluster: 'c', user: 'u' } },
]
const certificateUser = (cert: string, key: string) => ({
  'client-certificate-data': base64(cert),
  'client-key-data': base64(key),
})

describe('refused kubeconfigs, each with its cause', () => {
  test.each<[string, string, string?]>([
    ['kube-config-too-large', `# ${'x'.repeat(1024 * 1024)}`],
    ['kube-config-not-yaml', 'a: @b'],
    ['kube-config-yaml-unclosed', 'a: [1,\nb: }'],
    ['kube-config-yaml-indent', 'a:\n  b: 1\n c: 2'],
    ['kube-config-yaml-indent', 'a:\n\tb: 1'],
    ['kube-config-yaml-indent', 'a: 1\n  b: 2'],
    ['kube-config-yaml-unclosed', 'a: "b'],
    ['kube-config-yaml-unclosed', 'a: [b\n'],
    ['kube-config-yaml-alias', 'a: &x [1]\nb: *y'],
    ['kube-config-yaml-twice', 'a: 1\na: 2'],
    ['kube-config-yaml-documents', 'a: 1\n---\nb: 2'],
    ['kube-config-shape', ''],
    ['kube-config-shape', 'just words'],
    ['kube-config-shape', '[1, 2]'],
    ['kube-config-no-context', '{}'],
    ['kube-config-shape', 'contexts: {a: b}'],
    ['kube-config-shape', 'contexts: [{name: 1}]'],
    ['kube-config-shape', 'contexts: [{name: x, context: {cluster: [1]}}]'],
    ['kube-config-choose-context', config({ top: { contexts: two } })],
    ['kube-config-unknown-context', config(), 'z'],
    ['kube-config-dangling', config({ top: { users: [] } })],
    ['kube-config-dangling', config({ top: { clusters: [] } })],
    ['kube-config-shape', config({ cluster: { server: '' } })],
    ['kube-config-server-invalid', config({ cluster: { server: 'cluster.test:6443' } })],
    ['kube-config-server-invalid', config({ cluster: { server: 'ftp://cluster.test' } })],
    ['kube-config-server-invalid', config({ cluster: { server: 'https://a:b@cluster.test' } })],
    ['kube-config-server-invalid', config({ cluster: { server: 'https://cluster.test/?x=1' } })],
    ['kube-config-server-plain', config({ cluster: { server: 'http://cluster.test' } })],
    ['kube-config-insecure', config({ cluster: { 'insecure-skip-tls-verify': true } })],
    ['kube-config-proxy', config({ cluster: { 'proxy-url': 'http://proxy.test' } })],
    ['kube-config-file', config({ cluster: { 'certificate-authority': '/etc/ca.pem' } })],
    ['kube-config-ca-invalid', config({ cluster: { 'certificate-authority-data': '????' } })],
    ['kube-config-ca-invalid', config({ cluster: { 'certificate-authority-data': base64('no PEM') } })],
    ['kube-config-exec', config({ user: { exec: { command: 'aws', args: ['eks'] } } })],
    ['kube-config-exec', config({ user: { exec: { command: 'aws' }, token: 'abc' } })],
    ['kube-config-auth-provider', config({ user: { 'auth-provider': { name: 'gcp' } } })],
    ['kube-config-impersonation', config({ user: { token: 'abc', as: 'admin' } })],
    ['kube-config-file', config({ user: { tokenFile: '/etc/shadow' } })],
    ['kube-config-file', config({ user: { 'client-certificate': 'a', 'client-key': 'b' } })],
    ['kube-config-file', config({ user: { 'client-certificate-data': base64(client.cert), 'client-key': '/root/k' } })],
    ['kube-config-no-credentials', config({ user: {} })],
    ['kube-config-password', config({ user: { username: 'a' } })],
    ['kube-config-password', config({ user: { username: 'a', password: 'b' } })],
    ['kube-config-token-invalid', config({ user: { token: 'a b' } })],
    ['kube-config-token-invalid', config({ user: { token: 'a\r\nX-Other: b' } })],
    ['kube-config-shape', config({ user: { token: 7 } })],
    ['kube-config-certificate-invalid', config({ user: { 'client-certificate-data': base64(client.cert) } })],
    ['kube-config-certificate-invalid', config({ user: certificateUser('no', 'PEM') })],
    ['kube-config-certificate-invalid', config({ user: certificateUser(client.cert, 'no PEM') })],
    ['kube-config-key-mismatch', config({ user: certificateUser(client.cert, certificate('other-key')) })],
    [
      'kube-config-certificate-expired',
      config({ user: certificateUser(certificate('expired'), certificate('expired-key')) }),
    ],
  ])('%s: %.60j', (key, text, context) => {
    expect(() => parseKubeconfig(text, context)).toThrow(expect.objectContaining({ kind: 'invalid', key }))
  })

  test('aliases that expand without end are refused', () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghijklmnop'
        .split('')
        .map((n, i) => `${n}: &${n} [${Array(9).fill(`*${'abcdefghijklmno'[i]}`).join(', ')}]`),
    ]
    expect(() => parseKubeconfig(bomb.join('\n'))).toThrow(expect.objectContaining({ key: 'kube-config-yaml-alias' }))
  })

  test('any text yields an address or a Fault', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'clusters',
            'users',
            'contexts',
            'name',
            'cluster',
            'user',
            'context',
            'server',
            'token',
            'exec',
          ),
          tie('any'),
        ),
      ),
    })).any
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          value.map((v) => stringify(v)),
        ),
        (text) => {
          expect(thrownBy(() => parseKubeconfig(text))).toSatisfy(isFaultOrNone)
        },
      ),
    )
  })
})

test('a server URL is normalized', () => {
  expect(serverUrl(' https://Cluster.Test:443/ ')).toBe('https://cluster.test')
  expect(serverUrl('https://[fd00::1]:6443')).toBe('https://[fd00::1]:6443')
  expect(serverUrl('http://127.0.0.1:8001')).toBe('http://127.0.0.1:8001')
  expect(() => serverUrl('http://127.0.0.1.evil.test')).toThrow(Fault)
})

test('a token loses the line break that a terminal adds', () => {
  expect(tokenAuth('abc\n')).toEqual({ kind: 'token', token: 'abc' })
})
