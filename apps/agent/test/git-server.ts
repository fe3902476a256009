import { execFile, spawn } from 'node:child_process'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Repositories over HTTP: `/smart/<name>.git` by git's own backend; `/plain/<name>.git` as files on a web server;
 * `/private/<name>.git` like smart, for one user with a password. `/moved`, `/broken` and `/page` are not repositories.
 * `partial`: the host can leave out the contents of files.
 */
export interface GitServer {
  url: string
  /** The work tree for commits. */
  work: string
  /** Adds a commit to a branch; returns its hash. */
  commit: (branch: string, files: Record<string, string>, message?: string) => Promise<string>
  git: (...args: string[]) => Promise<string>
  /** Adds another repository. */
  add: (name: string) => Promise<Pick<GitServer, 'work' | 'commit' | 'git'>>
  /** Objects of Git LFS by their SHA-256. */
  large: Map<string, Buffer>
  /** Authorization headers that were sent for public repositories. */
  credentials: string[]
  close: () => Promise<void>
}

export async function gitServer({ partial = true } = {}): Promise<GitServer> {
  const home = mkdtempSync(join(tmpdir(), 'gantry-git-'))
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  }
  async function add(name: string): Promise<Pick<GitServer, 'work' | 'commit' | 'git'>> {
    const repository = join(home, `${name}.git`)
    const work = join(home, `work-${name}`)
    mkdirSync(work)
    const git = async (...args: string[]): Promise<string> =>
      (await run('git', [`--git-dir=${repository}`, `--work-tree=${work}`, ...args], { env, cwd: work })).stdout.trim()
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository], { env })
    await git('config', 'uploadpack.allowFilter', String(partial))
    return {
      work,
      git,
      async commit(branch, files, message = 'a change') {
        const there = await git('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).catch(() => '')
        await git('symbolic-ref', 'HEAD', `refs/heads/${branch}`)
        if (there !== '') await git('reset', '--quiet', '--hard')
        for (const [name, text] of Object.entries(files)) {
          mkdirSync(join(work, name, '..'), { recursive: true })
          writeFileSync(join(work, name), text)
        }
        await git('add', '--all', '.')
        await git('commit', '--quiet', '--allow-empty', '-m', message)
        await git('update-server-info')
        return git('rev-parse', 'HEAD')
      },
    }
  }

  const large = new Map<string, Buffer>()
  const credentials: string[] = []
  const http = createServer((request, response) => {
    const [, kind = '', rest = ''] = /^\/(\w+)\/([^?]*)/.exec(request.url ?? '') ?? []
    if (kind !== 'private' && request.headers.authorization !== undefined)
      credentials.push(request.headers.authorization)
    if (rest.endsWith('/info/lfs/objects/batch') && kind === 'smart') batch(request, response)
    else if (kind === 'large') response.writeHead(200).end(large.get(rest))
    else if (kind === 'smart') backend(rest, request, response)
    else if (kind === 'plain') plain(rest, response)
    else if (kind === 'private') {
      const given = request.headers.authorization
      if (given === `Basic ${btoa('robin:open sesame')}`) backend(rest, request, response)
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    } else if (kind === 'forbidden') response.writeHead(403).end()
    else if (kind === 'moved') response.writeHead(302, { location: `/smart/${rest}` }).end()
    else if (kind === 'broken') response.writeHead(500).end()
    else if (kind === 'page')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>\n<h1>hello</h1>\n')
    else response.writeHead(404).end()
  })

  function backend(path: string, request: IncomingMessage, response: ServerResponse): void {
    const cgi = spawn('git', ['http-backend'], {
      env: {
        ...env,
        GIT_PROJECT_ROOT: home,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: `/${path}`,
        QUERY_STRING: (request.url ?? '').split('?')[1] ?? '',
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      },
    })
    request.pipe(cgi.stdin)
    cgi.stdin.on('error', () => {})
    const parts: Buffer[] = []
    cgi.stdout.on('data', (part: Buffer) => parts.push(part))
    cgi.on('close', () => {
      const all = Buffer.concat(parts)
      const end = all.indexOf('\r\n\r\n')
      const headers = all
        .subarray(0, end)
        .toString()
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string])
      const status = Number.parseInt(headers.find(([name]) => name === 'Status')?.[1] ?? '200', 10)
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')))
      response.end(all.subarray(end + 4))
    })
  }

  /** Answers where Git LFS finds its objects. */
  function batch(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(parts).toString()) as { objects: { oid: string; size: number }[] }
      const objects = asked.objects.map((object) =>
        large.has(object.oid)
          ? { ...object, actions: { download: { href: `http://${request.headers.host ?? ''}/large/${object.oid}` } } }
          : { ...object, error: { code: 404, message: 'it is gone' } },
      )
      response.writeHead(200, { 'content-type': 'application/vnd.git-lfs+json' }).end(JSON.stringify({ objects }))
    })
  }

  function plain(path: string, response: ServerResponse): void {
    const file = join(home, normalize(`/${path}`))
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) response.writeHead(404).end()
    else createReadStream(file).pipe(response.writeHead(200, { 'content-type': 'application/octet-stream' }))
  }

  const hello = await add('hello')
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))

  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    credentials,
    ...hello,
    add,
    large,
    async close() {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
      rmSync(home, { recursive: true, force: true })
    },
  }
}
