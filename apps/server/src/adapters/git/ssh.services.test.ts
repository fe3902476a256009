import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasSshServer, sshServer, type SshServer } from '../../../../agent/test/ssh-server.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createGit } from './git.ts'

describe.skipIf(!hasSshServer)('a repository over SSH (needs OpenSSH’s server)', () => {
  let server: SshServer
  const open: (() => unknown)[] = []
  beforeAll(async () => {
    server = await sshServer()
  })
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
  })
  afterAll(() => server.close())

  const gitWith = (...allow: string[]) => {
    const outbound = createOutbound({ allow })
    open.push(() => outbound.close())
    return createGit({ path: process.env['PATH'] ?? '', outbound })
  }
  const repository = (given: { url?: string; privateKey?: string; knownHosts?: string } = {}) => ({
    kind: 'ssh' as const,
    url: server.url,
    privateKey: server.privateKey,
    knownHosts: server.knownHosts,
    ...given,
  })
  const fault = (key: string) => expect.objectContaining({ name: 'Fault', key })

  test('is read with its key: branches, default branch, commit', async () => {
    const git = gitWith('127.0.0.0/8')
    const { branches, head } = await git.check(repository())
    expect([branches.map(({ name }) => name), head]).toEqual([['main'], 'main'])
    expect(await git.resolve(repository(), 'main')).toMatchObject({ kind: 'branch', commit: branches[0]?.commit })
  })

  test('a file of a commit is read with its key', async () => {
    const git = gitWith('127.0.0.0/8')
    const { commit } = await git.resolve(repository(), 'main')
    const wanted = { path: 'hello.txt', at: { commit } }
    expect(await git.readFile(repository(), wanted)).toEqual({ commit, message: 'First', text: 'hello\n' })
    await expect(git.readFile(repository({ privateKey: server.strangeKey }), wanted)).rejects.toEqual(
      fault('git-key-refused'),
    )
  })

  test('without a pinned host key returns the one that the server presented, with its fingerprint', async () => {
    const { hostKey } = await gitWith('127.0.0.0/8').check(repository({ knownHosts: '' }))
    expect(hostKey).toEqual({
      type: 'ssh-ed25519',
      fingerprint: server.fingerprint,
      knownHosts: server.knownHosts,
    })
  })

  test('a host key other than the pinned one is refused', async () => {
    const other = server.knownHosts.replace(/ \S+$/, ` ${'AAAAC3NzaC1lZDI1NTE5AAAAI'.padEnd(67, 'A')}A`)
    await expect(gitWith('127.0.0.0/8').check(repository({ knownHosts: other }))).rejects.toEqual(
      fault('git-host-key-changed'),
    )
  })

  test.each([
    ['a key that the host does not know', () => ({ privateKey: server.strangeKey }), 'git-key-refused'],
    ['no key', () => ({ privateKey: '' }), 'git-key-needed'],
    [
      'a key that is none',
      () => ({ privateKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----' }),
      'git-key-invalid',
    ],
    ['an unknown repository', () => ({ url: server.url.replace('hello', 'nope') }), 'git-not-found'],
    ['a closed port', () => ({ url: server.url.replace(`:${server.port}/`, ':1/') }), 'outbound-unreachable'],
  ])('%s is named as the cause', async (_, given, key) => {
    await expect(gitWith('127.0.0.0/8').check(repository(given()))).rejects.toEqual(fault(key))
  })

  test('an address that the rules refuse is not connected to', async () => {
    await expect(gitWith().check(repository())).rejects.toEqual(fault('outbound-refused'))
  })
})
