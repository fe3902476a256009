import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { registryServer } from '../../../packages/sandbox/src/registry/server.ts'

/** The sandbox's registry, behind the ways to authenticate that real ones have. */
export interface TestRegistry {
  url: string
  host: string
  /** `METHOD path` of every request, in order. */
  requests: string[]
  /** How clients must authenticate; read for every request. */
  sign: 'basic' | 'bearer' | 'none'
  /** The URL of the token service; its own by default. */
  realm: string
  tokens: { authorization: string | undefined; scopes: string[]; service: string | null }[]
  /** May answer instead of the registry. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean
  get: (path: string, accept?: string) => Promise<Response>
  /** The files of an image, by its tag. */
  open: (repository: string, reference: string) => Promise<OpenedImage>
  close: () => Promise<void>
}

export interface OpenedImage {
  digest: string
  manifest: { layers: { digest: string; size: number; mediaType: string }[]; config: { digest: string } }
  config: Record<string, unknown> & { config: Record<string, unknown>; rootfs: { diff_ids: string[] } }
  files: { name: string; mode: number; type: string; text: string; link: string; mtime: number; uid: number }[]
}

const basic = `Basic ${btoa('robin:push it')}`

export async function imageRegistry(): Promise<TestRegistry> {
  const home = mkdtempSync(join(tmpdir(), 'gantry-registry-'))
  const inner = registryServer({ storage: { root: home }, onError: (error) => process.emitWarning(String(error)) })
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://registry')
    registry.requests.push(`${request.method} ${request.url}`)
    if (registry.answer(request, response)) return
    if (url.pathname === '/token') return token(url, request, response)
    const given = request.headers.authorization
    const wanted = { none: given, basic, bearer: 'Bearer granted' }[registry.sign]
    if (given !== wanted) {
      request.resume()
      const challenge =
        registry.sign === 'basic'
          ? 'Basic realm="here"'
          : `Bearer realm="${registry.realm}",service="the registry",scope="repository:x:pull"`
      response.writeHead(401, { 'www-authenticate': challenge, connection: 'close' }).end('{"errors":[]}')
      return
    }
    inner.emit('request', request, response)
  })

  function token(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const { authorization } = request.headers
    registry.tokens.push({
      authorization,
      scopes: url.searchParams.getAll('scope'),
      service: url.searchParams.get('service'),
    })
    if (authorization !== basic) response.writeHead(401).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"granted","expires_in":300}')
  }

  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`

  const registry: TestRegistry = {
    url: `http://${host}`,
    host,
    requests: [],
    sign: 'none',
    realm: `http://${host}/token`,
    tokens: [],
    answer: () => false,
    get: (path, accept = '*/*') => {
      const authorization = { none: '', basic, bearer: 'Bearer granted' }[registry.sign]
      return fetch(`${registry.url}${path}`, {
        headers: { accept, ...(authorization === '' ? {} : { authorization }) },
      })
    },
    async open(repository, reference) {
      const answered = await registry.get(
        `/v2/${repository}/manifests/${reference}`,
        'application/vnd.oci.image.manifest.v1+json',
      )
      const manifest = (await answered.json()) as OpenedImage['manifest']
      const blob = async (digest: string): Promise<Buffer> =>
        Buffer.from(await (await registry.get(`/v2/${repository}/blobs/${digest}`)).arrayBuffer())
      const config = JSON.parse((await blob(manifest.config.digest)).toString()) as OpenedImage['config']
      const files: OpenedImage['files'] = []
      for (const layer of manifest.layers) files.push(...(await entries(await blob(layer.digest))))
      return { digest: answered.headers.get('docker-content-digest') ?? '', manifest, config, files }
    },
    async close() {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
      rmSync(home, { recursive: true, force: true })
    },
  }
  return registry
}

/** The files of a compressed layer. */
export async function entries(layer: Buffer): Promise<OpenedImage['files']> {
  const files: OpenedImage['files'] = []
  const tar = extract()
  tar.on('entry', (header, stream, next) => {
    const parts: Buffer[] = []
    stream.on('data', (part) => parts.push(part as Buffer))
    stream.on('end', () => {
      files.push({
        name: header.name,
        mode: header.mode ?? 0,
        type: header.type ?? '',
        text: Buffer.concat(parts).toString(),
        link: header.linkname ?? '',
        mtime: header.mtime?.getTime() ?? -1,
        uid: header.uid ?? -1,
      })
      next()
    })
  })
  await new Promise<void>((done, failed) => {
    tar.on('finish', () => done())
    tar.on('error', failed)
    tar.end(gunzipSync(layer))
  })
  return files
}
