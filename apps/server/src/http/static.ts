import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../kernel/fault.ts'
import { manualPolicy, pagePolicy } from './headers.ts'
import type { Server } from './server.ts'
import { root } from '../root.ts'

const kinds: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
}

const compressible = new Set(['.html', '.js', '.css', '.json', '.webmanifest', '.svg', '.txt', '.md'])
const smallest = 1024

/** The better one first. */
const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

/** How the names of the copies end that a build wrote beside a file. */
const endings: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

const compress: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (content) => promisify(gzip)(content),
}

interface StaticFile {
  type: string
  etag: string
  /** The build puts a hash of the content into such a file's name, so it never changes. */
  forever: boolean
  /** How it can be sent compressed. */
  encodings: readonly Encoding[]
  read: (encoding?: Encoding) => Promise<Buffer>
}

const typeOf = (path: string): string => kinds[extname(path)] ?? 'application/octet-stream'

/** A file whose content stays in memory; it is compressed once and sent often. */
function heldFile(path: string, content: Buffer): StaticFile {
  const encoded: Partial<Record<Encoding, Promise<Buffer>>> = {}
  return {
    type: typeOf(path),
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    forever: false,
    encodings: compressible.has(extname(path)) && content.length >= smallest ? ['br', 'gzip'] : [],
    read: async (encoding) => (encoding ? (encoded[encoding] ??= compress[encoding](content)) : content),
  }
}

/** A file with a hash in its name, which is read whenever it is sent, or the copy of it that the build compressed. */
const builtFile = (path: string, encodings: readonly Encoding[]): StaticFile => ({
  type: typeOf(path),
  etag: `"${basename(path)}"`,
  forever: true,
  encodings,
  read: (encoding) => readFile(encoding ? path + endings[encoding] : path),
})

/**
 * All files of a folder by their URL path, except hidden ones and the copies that a build compressed. Only paths in the
 * map are served, so none can lead out of the folder.
 */
async function readFolder(folder: string, prefix: string): Promise<Map<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = new Set(
    entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  )
  const isServed = (path: string) =>
    !/(^|[/\\])\./.test(path) && !Object.values(endings).some((ending) => path.endsWith(ending))
  const files = await Promise.all(
    [...paths].filter(isServed).map(async (path): Promise<[string, StaticFile]> => {
      const url = prefix + path.split(sep).join('/')
      const place = join(folder, path)
      if (!/\/assets\/.*[.-][A-Za-z0-9_-]{8,}\.\w+$/.test(url)) return [url, heldFile(path, await readFile(place))]
      return [
        url,
        builtFile(
          place,
          encodings.filter((encoding) => paths.has(path + endings[encoding])),
        ),
      ]
    }),
  )
  return new Map(files)
}

async function sendFile(path: string, file: StaticFile, request: FastifyRequest, reply: FastifyReply) {
  const headers = {
    'content-type': file.type,
    etag: file.etag,
    vary: 'accept-encoding',
    'cache-control': file.forever ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(file.type === kinds['.html'] && { 'content-security-policy': manualPolicy }),
  }
  if (request.headers['if-none-match'] === file.etag) return reply.headers(headers).code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = file.encodings.find((one) => new RegExp(`\\b${one}\\b`).test(accepted))
  const content = await file.read(encoding).catch((error: NodeJS.ErrnoException) => {
    // another build has taken the place of the one that was there when the server started
    if (error.code === 'ENOENT') throw new Fault('missing', 'path-missing', { method: request.method, path })
    throw error
  })
  return reply.headers({ ...headers, ...(encoding && { 'content-encoding': encoding }) }).send(content)
}

/** The placeholder that the console's build puts where a nonce belongs. */
const nonceWord = '__GANTRY_NONCE__'

function sendPage(page: string, reply: FastifyReply) {
  const nonce = randomBytes(16).toString('base64url')
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy(nonce),
      'cache-control': 'no-store',
    })
    .send(page.replaceAll(nonceWord, nonce))
}

const missingConsole = `<!doctype html><title>Gantry</title><p>The console is not built: npm start builds it.</p>`

/** First segments of paths that belong to the server and never to pages of the console. */
const reserved = (server: Server): Set<string> =>
  new Set([...server.endpoints.map(({ path }) => path.split('/')[1] ?? ''), 'metrics', 'livez', 'readyz', 'assets'])

/** `/a/:b` as a pattern for whole paths. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')}$`)

/**
 * Serves the built console and the manual, and answers every unmatched path: an unknown call or manual page with an
 * envelope, any other path with the console, whose router knows its pages.
 */
export async function serveConsole(app: FastifyInstance, server: Server): Promise<void> {
  const { console: folder } = server.config
  const built = await readFolder(folder, '/')
  const files = new Map([...built, ...(await readManual(built))])
  const page = (await files.get('/index.html')?.read())?.toString('utf8') ?? missingConsole
  files.delete('/index.html')
  const calls = reserved(server)
  const patterns = server.endpoints.map((endpoint) => ({ method: endpoint.method, pattern: patternOf(endpoint.path) }))

  app.setNotFoundHandler(async (request, reply) => {
    const [path = '/'] = request.url.split('?')
    const reading = request.method === 'GET' || request.method === 'HEAD'
    if (reading && /^\/document\/?$/.test(path)) return reply.redirect(`/document/${request.lang}/`)
    const file = reading
      ? (files.get(path) ?? (path.startsWith('/document') ? manualPage(files, path) : undefined))
      : undefined
    if (file) return sendFile(path, file, request, reply)
    if (reading && !calls.has(path.split('/')[1] ?? '') && !path.startsWith('/document')) return sendPage(page, reply)
    const allowed = [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
    if (allowed.length > 0 && !allowed.some((method) => method === request.method)) {
      reply.header('allow', allowed.join(', '))
      throw new Fault('notAllowed', 'method-not-allowed', { method: request.method, allowed: allowed.join(', ') })
    }
    throw new Fault('missing', 'path-missing', { method: request.method, path: path.slice(0, 200) })
  })
}

/** The manual: every page with the list of pages, and the console's fonts by names without the build's hashes. */
async function readManual(built: Map<string, StaticFile>): Promise<Map<string, StaticFile>> {
  const files = await readFolder(join(root, 'docs/manual'), '/document/')
  const listed = await Promise.all(
    [...files]
      .filter(([path]) => path.endsWith('.html'))
      .map(async ([path, file]): Promise<[string, StaticFile]> => {
        const first = (await files.get(`${dirname(path)}/index.html`)?.read()) ?? ''
        return [path, heldFile(path, Buffer.from(withPages(path, String(await file.read()), String(first))))]
      }),
  )
  const fonts = [...built].flatMap(([path, file]): [string, StaticFile][] => {
    const name = /([^/]+-wght-normal)-[^/]+\.woff2$/.exec(path)?.[1]
    return name === undefined ? [] : [[`/document/${name}.woff2`, { ...file, forever: false }]]
  })
  return new Map([...files, ...listed, ...fonts])
}

/** Puts the list of pages into a page of the manual; it is kept in the first page of each language. */
function withPages(path: string, page: string, first: string): string {
  const own = `href="${path.replace(/index\.html$/, '')}"`
  const list = /<nav[^>]*>(.*?)<\/nav>/s.exec(first)?.[1]?.replace(own, `${own} aria-current="page"`)
  return page.replace(/(<nav[^>]*>).*?(<\/nav>)/s, `$1${list ?? ''}$2`)
}

/** The index page of a folder of the manual. */
const manualPage = (files: Map<string, StaticFile>, path: string): StaticFile | undefined =>
  files.get(`${path.replace(/\/$/, '')}/index.html`)
