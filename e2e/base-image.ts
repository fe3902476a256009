import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface RegistryAccess {
  url: string
  username: string
  password: string
}

const types = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
}

const sha256 = (bytes: Buffer | string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** A layer with this very Node and the libraries that it loads; the same bytes for the same Node. */
function nodeLayer(): Buffer<ArrayBuffer> {
  const work = mkdtempSync(join(tmpdir(), 'gantry-base-'))
  try {
    const node = realpathSync(process.execPath)
    const loaded = execFileSync('ldd', [node], { encoding: 'utf8' })
    const libraries = [...loaded.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
    const copy = (from: string, to: string) => {
      mkdirSync(dirname(join(work, 'root', to)), { recursive: true, mode: 0o755 })
      cpSync(realpathSync(from), join(work, 'root', to))
    }
    copy(node, '/usr/local/bin/node')
    for (const library of libraries) copy(library, library)
    const options = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=go+rX']
    execFileSync('tar', [...options, '-C', join(work, 'root'), '-cf', join(work, 'layer.tar'), '.'])
    return readFileSync(join(work, 'layer.tar'))
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** Pushes an image with Node.js only, as `repository:1`, by the registry's API and without the product's code. */
export async function pushNodeImage({ url, username, password }: RegistryAccess, repository: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Buffer<ArrayBuffer> | string,
  ) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization, ...headers },
      body: body ?? null,
    })
    if (!response.ok && response.status !== 404)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const pushBlob = async (bytes: Buffer<ArrayBuffer> | string): Promise<string> => {
    const digest = sha256(bytes)
    if ((await ask('HEAD', `/v2/${repository}/blobs/${digest}`)).ok) return digest
    const begun = await ask('POST', `/v2/${repository}/blobs/uploads/`)
    const to = new URL(begun.headers.get('location') ?? '', url)
    to.searchParams.set('digest', digest)
    await ask('PUT', to.href, { 'content-type': 'application/octet-stream' }, bytes)
    return digest
  }
  const layer = nodeLayer()
  const layerDigest = await pushBlob(layer)
  const config = JSON.stringify({
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Env: ['PATH=/usr/local/bin'], User: '1000:1000' },
    rootfs: { type: 'layers', diff_ids: [layerDigest] },
  })
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: types.manifest,
    config: { mediaType: types.config, digest: await pushBlob(config), size: Buffer.byteLength(config) },
    layers: [{ mediaType: types.layer, digest: layerDigest, size: layer.length }],
  })
  await ask('PUT', `/v2/${repository}/manifests/1`, { 'content-type': types.manifest }, manifest)
}
