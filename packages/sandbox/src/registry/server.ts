import type { RegistryAction } from '@gantry/contract/images/registry-token'
import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { harborPrefix, type SimulatedHarbor } from '../harbor/harbor.ts'
import { RegistryError } from './errors.ts'
import { acceptManifest, giveManifest } from './manifests.ts'
import { rightsOf, type Admission, type May } from './rights.ts'
import * as storage from './storage.ts'
import type { Storage } from './storage.ts'
import { appendUpload, cancelUpload, finishUpload, startUpload, uploadSize, type Hashes } from './uploads.ts'

export interface RegistryOptions extends Admission {
  storage: Storage
  /** Answers requests below Harbor's prefix. */
  harbor?: SimulatedHarbor | undefined
  onError(error: unknown): void
}

interface Exchange {
  /** An empty storage if the caller may not know of the repository. */
  store: Storage
  hashes: Hashes
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  may: May
  name: string
}

const json = (response: ServerResponse, code: number, body: unknown, headers: Record<string, string> = {}): void => {
  const text = JSON.stringify(body)
  response.writeHead(code, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}
const empty = (response: ServerResponse, code: number, headers: Record<string, string | number> = {}): void => {
  response.writeHead(code, { 'content-length': 0, ...headers })
  response.end()
}

/** A page of sorted names: at most `n` after `last`, and a Link to the next page. */
function paged(exchange: Pick<Exchange, 'query' | 'response'>, all: string[], path: string): string[] {
  const { query, response } = exchange
  const n = query.get('n')
  const last = query.get('last') ?? ''
  if (n !== null && !/^\d+$/.test(n)) throw new RegistryError('PAGINATION_NUMBER_INVALID', { n })
  const after = all.filter((name) => name > last)
  const page = n === null ? after : after.slice(0, Number(n))
  const end = page.at(-1)
  if (end !== undefined && page.length < after.length)
    response.setHeader('link', `<${path}?${new URLSearchParams({ last: end, n: n ?? '' }).toString()}>; rel="next"`)
  return page
}

const content = async (request: IncomingMessage, limit: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw new RegistryError('MANIFEST_INVALID', 'the manifest is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function serveManifest({ store, request, response, name }: Exchange, reference: string): Promise<void> {
  if (request.method === 'GET' || request.method === 'HEAD') {
    const found = giveManifest(store, name, reference, request.headers.accept)
    response.writeHead(200, {
      'content-type': found.mediaType,
      'content-length': found.content.length,
      'docker-content-digest': found.digest,
      etag: `"${found.digest}"`,
    })
    return void response.end(request.method === 'HEAD' ? undefined : found.content)
  }
  if (request.method === 'PUT') {
    const body = await content(request, 4 * 1024 * 1024)
    const digest = acceptManifest(store, name, reference, request.headers['content-type'], body)
    return empty(response, 201, { location: `/v2/${name}/manifests/${digest}`, 'docker-content-digest': digest })
  }
  if (request.method !== 'DELETE') throw new RegistryError('UNSUPPORTED')
  if (!storage.readManifest(store, name, reference)) throw new RegistryError('MANIFEST_UNKNOWN')
  if (storage.isDigest(reference)) storage.deleteManifest(store, name, reference)
  else storage.deleteTag(store, name, reference)
  empty(response, 202)
}

/** The bytes of a Range header; undefined for the whole. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return undefined
  const start = found[1] === '' ? Math.max(size - Number(found[2]), 0) : Number(found[1])
  const end = found[1] === '' || found[2] === '' ? size - 1 : Math.min(Number(found[2]), size - 1)
  if (start > end) throw new RegistryError('RANGE_INVALID')
  return { start, end }
}

async function serveBlob({ store, request, response, name }: Exchange, digest: string): Promise<void> {
  if (!storage.isDigest(digest)) throw new RegistryError('DIGEST_INVALID', { digest })
  if (!storage.hasBlob(store, name, digest)) throw new RegistryError('BLOB_UNKNOWN', { digest })
  if (request.method === 'DELETE') {
    storage.unlinkBlob(store, name, digest)
    return empty(response, 202, { 'docker-content-digest': digest })
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new RegistryError('UNSUPPORTED')
  const size = storage.blobSize(store, digest)
  const range = rangeOf(request.headers.range, size)
  response.writeHead(range ? 206 : 200, {
    'content-type': 'application/octet-stream',
    'content-length': range ? range.end - range.start + 1 : size,
    'accept-ranges': 'bytes',
    'docker-content-digest': digest,
    etag: `"${digest}"`,
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  })
  if (request.method === 'HEAD') return void response.end()
  await pipeline(createReadStream(storage.blobPath(store, digest), range ?? {}), response)
}

async function serveUpload(exchange: Exchange, upload: string): Promise<void> {
  const { store, hashes, request, response, query, may, name } = exchange
  const made = (digest: string): void =>
    empty(response, 201, { location: `/v2/${name}/blobs/${digest}`, 'docker-content-digest': digest })
  const going = (code: number, id: string, size: number): void =>
    empty(response, code, {
      location: `/v2/${name}/blobs/uploads/${id}`,
      'docker-upload-uuid': id,
      range: `0-${Math.max(size - 1, 0)}`,
    })

  if (upload === '') {
    if (request.method !== 'POST') throw new RegistryError('UNSUPPORTED')
    const [mount, from, digest] = [query.get('mount'), query.get('from'), query.get('digest')]
    const lends = from && storage.isName(from) && may('pull', from)
    if (mount && lends && storage.isDigest(mount) && storage.hasBlob(store, from, mount)) {
      storage.linkBlob(store, name, mount)
      return made(mount)
    }
    const id = startUpload(store, name)
    if (!digest) return going(202, id, 0)
    await appendUpload(store, hashes, name, id, request, undefined)
    await finishUpload(store, hashes, name, id, digest)
    return made(digest)
  }
  switch (request.method) {
    case 'GET':
      return going(204, upload, uploadSize(store, name, upload))
    case 'PATCH':
      return going(
        202,
        upload,
        await appendUpload(store, hashes, name, upload, request, request.headers['content-range']),
      )
    case 'PUT': {
      const digest = query.get('digest')
      uploadSize(store, name, upload)
      if (!digest) throw new RegistryError('DIGEST_INVALID', 'digest missing')
      await appendUpload(store, hashes, name, upload, request, request.headers['content-range'])
      await finishUpload(store, hashes, name, upload, digest)
      return made(digest)
    }
    case 'DELETE':
      cancelUpload(store, hashes, name, upload)
      return empty(response, 204)
    default:
      throw new RegistryError('UNSUPPORTED')
  }
}

/** The action that a request needs in the repository that it names. */
function actionOf(method: string | undefined, what: string | undefined): RegistryAction {
  if (what === 'blobs/uploads') return 'push'
  return method === 'PUT' ? 'push' : method === 'DELETE' ? 'delete' : 'pull'
}

async function serve(exchange: Omit<Exchange, 'name' | 'may'>, options: RegistryOptions, path: string): Promise<void> {
  const { store, request, response } = exchange
  response.setHeader('docker-distribution-api-version', 'registry/2.0')
  const may = rightsOf(options, request.headers.authorization ?? '')
  if (may === undefined) throw new RegistryError('UNAUTHORIZED')
  if (path === '/v2' || path === '/v2/') return json(response, 200, {})
  if (path === '/v2/_catalog') {
    const seen = storage.listRepositories(store).filter((name) => may('pull', name))
    return json(response, 200, { repositories: paged(exchange, seen, path) })
  }
  const found = /^\/v2\/(.+?)\/(tags\/list|manifests|blobs\/uploads|blobs)(?:\/([^/]*))?$/.exec(path)
  const [, name = '', what, last = ''] = found ?? []
  if (name.length > 255) throw new RegistryError('NAME_INVALID')
  if (!storage.isName(name)) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
    return void response.end('404 page not found\n')
  }
  const action = actionOf(request.method, what)
  const visible = may('pull', name)
  // Refusing a push reveals nothing; any other request to an unreadable repository finds it missing.
  if (!may(action, name) && (visible || action === 'push')) throw new RegistryError('DENIED')
  const within = { ...exchange, may, name, store: visible || action === 'push' ? store : nothingIn(store) }
  if (what === 'tags/list') {
    if (request.method !== 'GET') throw new RegistryError('UNSUPPORTED')
    if (!storage.hasRepository(within.store, name)) throw new RegistryError('NAME_UNKNOWN', { name })
    return json(response, 200, { name, tags: paged(exchange, storage.listTags(within.store, name), path) })
  }
  if (what === 'manifests') return serveManifest(within, last)
  if (what === 'blobs') return serveBlob(within, last)
  return serveUpload(within, last)
}

/** An empty storage, whose folder is never created. */
const nothingIn = ({ root }: Storage): Storage => ({ root: join(root, 'nothing') })

/** A path that cannot be decoded is not found. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return ''
  }
}

/** The distribution API for a folder. */
export function registryServer(options: RegistryOptions): Server {
  const hashes: Hashes = new Map()
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://registry')
    const exchange = { store: options.storage, hashes, request, response, query: url.searchParams }
    const work =
      options.harbor && url.pathname.startsWith(harborPrefix)
        ? options.harbor.serve(request, response, url)
        : serve(exchange, options, decoded(url.pathname))
    work.catch((error: unknown) => {
      if (!(error instanceof RegistryError)) options.onError(error)
      if (response.headersSent) return response.destroy()
      if (!(error instanceof RegistryError))
        return json(response, 500, { errors: [{ code: 'UNKNOWN', message: 'unknown error' }] })
      const scheme = options.credential === undefined && options.accounts === undefined ? 'Bearer' : 'Basic'
      const realm = error.status === 401 ? { 'www-authenticate': `${scheme} realm="registry"` } : {}
      json(response, error.status, error.body, realm)
    })
  })
}
