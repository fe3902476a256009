import { createReadStream } from 'node:fs'
import { StepFailure } from '../reasons.ts'
import { types, type Base, type Descriptor, type ImageConfig } from './base.ts'
import type { Layer } from './layers.ts'
import { digestOf, type Registry } from './registry.ts'

export interface Pushed {
  digest: string
  /** Of everything that the image consists of, compressed. */
  size: number
}

/** Pushes an image of a base and at most one layer. What the registry has is not sent; the tag moves last, when all is there. */
export async function pushImage(
  registry: Registry,
  image: { repository: string; tag: string; base: Base; layer: Layer | undefined; config: ImageConfig },
  say: (line: string) => void,
): Promise<Pushed> {
  const { repository, tag, base, layer } = image
  for (const blob of base.layers) {
    if (await present(registry, repository, blob.digest)) continue
    await bring(registry, repository, base.repository, blob)
    say(`Took over layer ${short(blob.digest)} of ${base.repository}`)
  }
  const own: Descriptor[] = []
  if (layer !== undefined) {
    own.push({ mediaType: types.layer, digest: layer.digest, size: layer.size })
    if (await present(registry, repository, layer.digest)) say(`Layer ${short(layer.digest)} is there already`)
    else {
      await upload(registry, repository, layer.digest, layer.size, () => createReadStream(layer.file))
      say(`Pushed layer ${short(layer.digest)}`)
    }
  }
  const config = Buffer.from(JSON.stringify(image.config))
  const configDigest = digestOf(config)
  if (!(await present(registry, repository, configDigest)))
    await upload(registry, repository, configDigest, config.length, () => config)

  const layers = [...base.layers, ...own]
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: types.manifest[0],
      config: { mediaType: types.config, digest: configDigest, size: config.length },
      layers,
    }),
  )
  const digest = digestOf(manifest)
  const put = await registry.text({
    method: 'PUT',
    path: `/v2/${repository}/manifests/${tag}`,
    headers: { 'content-type': types.manifest[0] ?? '' },
    body: () => manifest,
    length: manifest.length,
  })
  if (put.status !== 201) throw registry.refusal(put.status, put.text, { action: 'push', repository })
  return { digest, size: layers.reduce((sum, { size }) => sum + size, config.length) }
}

async function present(registry: Registry, repository: string, digest: string): Promise<boolean> {
  const { status, body } = await registry.call({ method: 'HEAD', path: `/v2/${repository}/blobs/${digest}` })
  body.destroy()
  if (status === 403) throw registry.refusal(status, '', { action: 'pull', repository })
  return status === 200
}

/** A layer of the base, from one repository of the registry to another: by its own means, or through the agent. */
async function bring(registry: Registry, repository: string, from: string, blob: Descriptor): Promise<void> {
  const mount = await registry.text({
    method: 'POST',
    path: `/v2/${repository}/blobs/uploads/?mount=${encodeURIComponent(blob.digest)}&from=${encodeURIComponent(from)}`,
  })
  if (mount.status === 201) return
  if (mount.status !== 202) throw registry.refusal(mount.status, mount.text, { action: 'push', repository })
  const answered = await registry.call({ method: 'GET', path: `/v2/${from}/blobs/${blob.digest}` })
  if (answered.status !== 200) {
    answered.body.destroy()
    throw new StepFailure('agents-base-unusable', { base: from, text: `${blob.digest}: ${answered.status}` })
  }
  await send(registry, repository, String(mount.headers.location), blob.digest, blob.size, () => answered.body)
}

async function upload(
  registry: Registry,
  repository: string,
  digest: string,
  size: number,
  body: () => Buffer | ReturnType<typeof createReadStream>,
): Promise<void> {
  const begun = await registry.text({ method: 'POST', path: `/v2/${repository}/blobs/uploads/` })
  if (begun.status !== 202) throw registry.refusal(begun.status, begun.text, { action: 'push', repository })
  await send(registry, repository, String(begun.headers.location), digest, size, body)
}

async function send(
  registry: Registry,
  repository: string,
  location: string,
  digest: string,
  length: number,
  body: () => Buffer | NodeJS.ReadableStream,
): Promise<void> {
  const path = `${location}${location.includes('?') ? '&' : '?'}digest=${encodeURIComponent(digest)}`
  const put = await registry.text({
    method: 'PUT',
    path,
    headers: { 'content-type': 'application/octet-stream' },
    body: body as () => Buffer,
    length,
  })
  if (put.status !== 201) throw registry.refusal(put.status, put.text, { action: 'push', repository })
}

const short = (digest: string): string => digest.slice('sha256:'.length, 'sha256:'.length + 12)
