import { execFileSync } from 'node:child_process'
import { createReadStream, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound, type OutboundSettings } from '../outbound/outbound.ts'
import { createGit, type Git, type GitSettings } from './git.ts'
import { addCommit, createRepository, servedFile } from './local.ts'
import { gitFault, parseRefs } from './refs.ts'
import { isRefName, readRepositoryUrl } from './url.ts'

const path = '/usr/local/bin:/usr/bin:/bin'
const author = { name: 'Ann', email: 'ann@example.org' }
let folder = ''
let sample = ''
const open: (() => unknown)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-git-test-'))
  sample = join(folder, 'samples', 'hello.git')
  await createRepository(path, sample, 'main', [
    { message: 'First', files: { 'README.md': 'hello', 'src/a.txt': 'a' }, author, at: new Date(1_700_000_000_000) },
    {
      message: 'Second\n\nwith a body',
      files: { 'README.md': 'hello again' },
      author,
      at: new Date(1_700_000_100_000),
    },
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

function gitWith(settings: OutboundSettings = { allow: ['127.0.0.0/8'] }, more: Partial<GitSettings> = {}): Git {
  const outbound = createOutbound(settings)
  open.push(() => outbound.close())
  return createGit({ path, outbound, localFolder: join(folder, 'samples'), ...more })
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const serve = (handle: RequestListener): Promise<string> => listen(createServer(handle))

/** Serves the sample over plain HTTP, at /hello.git, with an optional password. */
const repositoryServer = (password?: string, seen: IncomingMessage[] = []): Promise<string> =>
  serve((request, reply) => {
    seen.push(request)
    const wanted = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`
    if (password !== undefined && request.headers.authorization !== wanted) {
      return reply.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    }
    const name = (request.url ?? '').replace(/\?.*/, '').replace('/hello.git/', '')
    return servedFile(sample, name).then(
      (file) => createReadStream(file).pipe(reply),
      () => reply.writeHead(404).end(),
    )
  })

const remote = (url: string, password?: string) =>
  ({ kind: 'remote', url, ...(password !== undefined && { username: 'ann', password }) }) as const
const fault = (key: string) => expect.objectContaining({ name: 'Fault', key })

describe('a repository over HTTP', () => {
  test('is checked: its branches and default branch are returned', async () => {
    const url = `${await repositoryServer()}/hello.git`
    const refs = await gitWith().check(remote(url))
    expect(refs.branches.map((ref) => ref.name)).toEqual(['main'])
    expect(refs.branches[0]?.commit).toMatch(/^[0-9a-f]{40}$/)
    expect(refs.tags).toEqual([])
  })

  test('is contacted at the address that was checked, whatever its name resolves to later', async () => {
    const port = new URL(await repositoryServer()).port
    const git = gitWith({ allow: ['127.0.0.0/8'], resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    const refs = await git.check(remote(`http://no-such-name.invalid:${port}/hello.git`))
    expect(refs.branches).toHaveLength(1)
  })

  test('accepts its password; a wrong one and a missing one have different faults', async () => {
    const url = `${await repositoryServer('s3cret ü')}/hello.git`
    const git = gitWith()
    expect((await git.check(remote(url, 's3cret ü'))).branches).toHaveLength(1)
    await expect(git.check(remote(url, 'wrong'))).rejects.toEqual(fault('git-wrong-password'))
    await expect(git.check(remote(url))).rejects.toEqual(fault('git-password-needed'))
    await expect(git.check(remote(url, 'a\r\nX: y'))).rejects.toEqual(fault('git-wrong-password'))
  })

  test('resolves a branch and the default branch, and refuses unknown and invalid names', async () => {
    const git = gitWith()
    const repository = { kind: 'local', path: sample } as const
    const main = await git.resolve(repository, 'main')
    expect(main).toEqual({ name: 'main', kind: 'branch', commit: expect.stringMatching(/^[0-9a-f]{40}$/) })
    expect(await git.resolve(repository, '')).toEqual(main)
    await expect(git.resolve(repository, 'nope')).rejects.toEqual(fault('git-branch-unknown'))
    for (const name of ['--upload-pack=id', '-x', '$(id) x', 'a\r\nb', 'a..b', 'a:b']) {
      await expect(git.resolve(repository, name)).rejects.toEqual(fault('git-branch-invalid'))
    }
    // harmless, because no shell ever reads it
    await expect(git.resolve(repository, '$(id)')).rejects.toEqual(fault('git-branch-unknown'))
  })

  test.each([
    ['not found', 404, 'git-not-found'],
    ['forbidden', 403, 'git-forbidden'],
    ['a redirect', 302, 'git-moved'],
    ['a server error', 500, 'git-server-error'],
    ['a page', 200, 'git-no-repository'],
  ])('names the cause: %s', async (_, status, key) => {
    const origin = await serve((_, reply) =>
      reply.writeHead(status, { 'content-type': 'text/html', location: 'http://127.0.0.1:1/x' }).end('<html>\n'),
    )
    await expect(gitWith().check(remote(`${origin}/x.git`, 'p'))).rejects.toEqual(fault(key))
  })

  test('a redirect to another host does not carry credentials', async () => {
    const seen: IncomingMessage[] = []
    const other = await repositoryServer(undefined, seen)
    const origin = await serve((request, reply) => reply.writeHead(302, { location: other + request.url }).end())
    await expect(gitWith().check(remote(`${origin}/hello.git`, 'p'))).rejects.toEqual(fault('git-moved'))
    expect(seen).toHaveLength(0)
  })

  test('faults name the cause: refused address, unknown host, closed port, plain HTTP behind https', async () => {
    const git = gitWith()
    const origin = await repositoryServer()
    const closed = await repositoryServer()
    await open.pop()?.()
    await expect(gitWith({}).check(remote(`${origin}/hello.git`))).rejects.toEqual(fault('outbound-refused'))
    await expect(git.check(remote('http://169.254.169.254/x.git'))).rejects.toEqual(fault('outbound-refused'))
    await expect(git.check(remote('http://nothing.invalid/x.git'))).rejects.toEqual(fault('outbound-unknown-host'))
    await expect(git.check(remote(`${closed}/x.git`))).rejects.toEqual(fault('outbound-unreachable'))
    await expect(git.check(remote(`${origin.replace('http', 'https')}/x.git`))).rejects.toEqual(
      fault('outbound-tls-missing'),
    )
  })

  test('trusts an additional CA of the configuration; untrusted, expired and foreign certificates have their own faults', async () => {
    const pem = (name: string): string =>
      readFileSync(join(import.meta.dirname, '../../../test/certificates', name), 'utf8')
    const secure = async (name: string): Promise<string> => {
      const files = { cert: pem(`${name}.pem`), key: pem(`${name}-key.pem`) }
      const server = createSecureServer(files, (request, reply) => {
        const file = (request.url ?? '').replace(/\?.*/, '').replace('/hello.git/', '')
        void servedFile(sample, file).then(
          (found) => createReadStream(found).pipe(reply),
          () => reply.writeHead(404).end(),
        )
      })
      return `${(await listen(server)).replace('http:', 'https:')}/hello.git`
    }
    const trusting = gitWith({ allow: ['127.0.0.0/8'], ca: pem('ca.pem') })
    const url = await secure('server')
    expect((await trusting.check(remote(url))).branches).toHaveLength(1)
    await expect(gitWith().check(remote(url))).rejects.toEqual(fault('outbound-tls-untrusted'))
    await expect(trusting.check(remote(await secure('expired')))).rejects.toEqual(fault('outbound-tls-expired'))
    await expect(trusting.check(remote(await secure('other')))).rejects.toEqual(fault('outbound-tls-name'))
  })

  test('public hosts are reached through the proxy, by name', async () => {
    const urls: string[] = []
    const proxy = await serve((request, reply) => {
      urls.push(request.url ?? '')
      reply.writeHead(404).end()
    })
    const git = gitWith({ proxy, resolve: async () => [{ address: '93.184.216.34', family: 4 }] })
    await expect(git.check(remote('http://public.example/x.git'))).rejects.toEqual(fault('git-not-found'))
    expect(urls[0]).toBe('http://public.example/x.git/info/refs?service=git-upload-pack')
  })

  test('a host that never answers is aborted, with git and its helper processes', async () => {
    let closed = (): void => {}
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const origin = await serve((request) => request.socket.once('close', () => closed()))
    await expect(gitWith(undefined, { timeout: 3_000 }).check(remote(`${origin}/x.git`))).rejects.toEqual(
      fault('outbound-timeout'),
    )
    await expect(gone).resolves.toBeUndefined()
  })

  test('a caller that disconnects ends git', async () => {
    const controller = new AbortController()
    const origin = await serve(() => controller.abort(new Error('gone')))
    await expect(gitWith().check(remote(`${origin}/x.git`), controller.signal)).rejects.toThrow('gone')
  })

  test('a missing git has its own fault', async () => {
    const git = gitWith({}, { path: join(folder, 'empty') })
    await expect(git.version()).rejects.toEqual(fault('git-missing'))
    await expect(git.check({ kind: 'local', path: sample })).rejects.toEqual(fault('git-missing'))
  })

  test('an outdated git has its own fault', async () => {
    await writeFile(join(folder, 'git'), '#!/bin/sh\necho git version 2.36.9\n', { mode: 0o755 })
    await expect(gitWith({}, { path: folder }).version()).rejects.toEqual(fault('git-too-old'))
  })
})

describe('the product’s own repositories', () => {
  test('are read by path; others are not, including links and parents', async () => {
    const git = gitWith()
    expect((await git.check({ kind: 'local', path: sample })).head).toBe('main')
    const outside = join(folder, 'outside.git')
    await createRepository(path, outside, 'main', [{ message: 'x', files: { a: 'a' }, author, at: new Date(0) }])
    await symlink(outside, join(folder, 'samples', 'link.git'))
    for (const target of [outside, join(folder, 'samples', '..', 'outside.git'), join(folder, 'samples', 'link.git')]) {
      await expect(git.check({ kind: 'local', path: target })).rejects.toEqual(fault('git-url-invalid'))
    }
    await expect(git.check(remote(`file://${sample}`))).rejects.toEqual(fault('git-url-invalid'))
  })

  test('serve only what a clone reads', async () => {
    expect(await readFile(await servedFile(sample, 'HEAD'), 'utf8')).toBe('ref: refs/heads/main\n')
    expect(await readFile(await servedFile(sample, 'info/refs'), 'utf8')).toContain('refs/heads/main')
    for (const name of ['config', '../hello.git/HEAD', 'objects/../config', '/etc/passwd', 'objects/pack', '']) {
      await expect(servedFile(sample, name)).rejects.toEqual(fault('git-not-found'))
    }
  })

  test('contain files with plain names only', async () => {
    const bad = join(folder, 'bad.git')
    for (const name of ['../x', '/x', 'a//b', 'a/../b', '.git/../..', 'a\nb', '']) {
      const commit = { message: 'x', files: { [name]: 'x' }, author, at: new Date(0) }
      await expect(createRepository(path, bad, 'main', [commit])).rejects.toThrow('no file name')
    }
    await expect(stat(bad)).rejects.toThrow('ENOENT')
  })

  test('accept another commit on top, which keeps unnamed files', async () => {
    const target = join(folder, 'samples', 'grows.git')
    const commit = (files: Record<string, string>) => ({ message: 'x', files, author, at: new Date(1_700_000_000_000) })
    await createRepository(path, target, 'main', [commit({ a: '1', b: '1' })])
    const git = gitWith()
    const before = await git.resolve({ kind: 'local', path: target }, 'main')
    await addCommit(path, target, 'main', commit({ a: '2' }))
    const after = await git.resolve({ kind: 'local', path: target }, 'main')
    expect(after.commit).not.toBe(before.commit)
    const clone = join(folder, 'clone')
    execFileSync('git', ['clone', '--quiet', target, clone])
    expect(await readFile(join(clone, 'a'), 'utf8')).toBe('2')
    expect(await readFile(join(clone, 'b'), 'utf8')).toBe('1')
    expect(await readFile(await servedFile(target, 'info/refs'), 'utf8')).toContain(after.commit)
  })
})

describe('suspicious names', () => {
  test.each([
    'file:///etc',
    'ext::sh -c id',
    'ssh://git@host/x.git',
    'git@host:x.git',
    'git://host/x.git',
    '--upload-pack=id',
    '-uid',
    '/srv/x.git',
    './x',
    'http://',
    'http://host',
    'http://host/',
    'http://host/x.git?y',
    'http://host/x.git#y',
    'http://host\\@evil/x.git',
    'http://host/x.git\r\nHost: y',
    'http://host/$(id) x',
    'http::ext::x',
    'transport::http://host/x',
    '',
  ])('%j is refused', (url) => {
    expect(() => readRepositoryUrl(url)).toThrow(
      expect.objectContaining({ key: expect.stringMatching(/^(git-url-invalid|outbound-refused)$/) }),
    )
  })

  test('credentials in the URL are refused by name', () => {
    expect(() => readRepositoryUrl('https://ann:secret@host/x.git')).toThrow(fault('git-url-credentials'))
  })

  test('every URL that passes is http(s), without credentials', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (text) => {
        let url: URL
        try {
          url = readRepositoryUrl(text)
        } catch {
          return
        }
        expect(url.href).toMatch(/^https?:\/\/[^@/\s]+\/\S+$/)
        expect(url.username + url.password).toBe('')
      }),
    )
  })

  test('every branch name that passes is not an option, a pattern or a revision', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(!isRefName(name) || /^[^-.\s][^\s~^:?*[\\]*$/u.test(name)).toBe(true)
      }),
    )
    for (const good of ['main', 'feature/x-1', 'release/v1.0', '功能/登录', 'a@b']) expect(isRefName(good)).toBe(true)
    for (const bad of ['', '@', 'a.lock', 'a/', '/a', 'a//b', 'a/.b', 'a@{1}', 'x'.repeat(251), 'a\u007fb']) {
      expect(isRefName(bad)).toBe(false)
    }
  })
})

describe('the output of ls-remote', () => {
  const a = 'a'.repeat(40)
  const b = 'b'.repeat(40)

  test('is parsed, with annotated tags resolved to their commit', () => {
    expect(
      parseRefs(
        `ref: refs/heads/main\tHEAD\n${a}\tHEAD\n${a}\trefs/heads/main\n${a}\trefs/heads/f/x\n${a}\trefs/tags/v1\n${b}\trefs/tags/v1^{}\n${a}\trefs/pull/1/head\njunk\n`,
      ),
    ).toEqual({
      branches: [
        { name: 'main', commit: a },
        { name: 'f/x', commit: a },
      ],
      tags: [{ name: 'v1', commit: b }],
      head: 'main',
    })
  })

  test('of any text is parsed without an exception', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseRefs(text).branches.length).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test.each([
    ['server certificate verification failed. CAfile: none', 'outbound-tls-untrusted'],
    ['SSL certificate problem: certificate has expired', 'outbound-tls-expired'],
    ['SSL: no alternative certificate subject name matches target host name', 'outbound-tls-name'],
    ['gnutls_handshake() failed: An unexpected TLS packet was received.', 'outbound-tls-missing'],
    ['error:0A00010B:SSL routines::wrong version number', 'outbound-tls-missing'],
    ['Operation too slow. Less than 1000 bytes/sec', 'outbound-timeout'],
    ['Could not resolve host: x', 'outbound-unknown-host'],
    ['something new', 'git-failed'],
  ])('%s', (stderr, key) => {
    expect(gitFault(stderr, 'h', 'u', true).key).toBe(key)
  })
})
