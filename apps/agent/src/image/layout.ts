import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Descriptor, mediaTypes, parseManifest, type StoredManifest, writeManifest } from '@gantry/oci/manifests'
import { uploadBlob } from '@gantry/oci/uploads'
import { openFile, readOpened } from '../files.ts'
import { StepFailure } from '../reasons.ts'
import { fittingManifest } from './base.ts'
import { present, pushedBy, type Pushed } from './registry-push.ts'
import type { Registry } from './registry.ts'

/** An image as a folder, in the format that every container engine reads and writes (OCI image layout). */
const blobPath = (digest: string): string => `blobs/${digest.replace(':', '/')}`

/** Downloads an image from a registry into a folder and checks every digest; returns the image's digest. */
export async function fetchLayout(registry: Registry, name: string, dir: string): Promise<string> {
  const { stored, repository } = await fittingManifest(registry, name)
  for (const algorithm of ['sha256', 'sha512']) mkdirSync(join(dir, 'blobs', algorithm), { recursive: true })
  for (const blob of blobsOf(stored)) await fetchBlob(registry, repository, blob, join(dir, blobPath(blob.digest)))
  writeFileSync(join(dir, blobPath(stored.digest)), stored.text)
  const { digest, size, mediaType } = stored
  writeFileSync(
    join(dir, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ mediaType: mediaType || mediaTypes.manifest, digest, size }] }),
  )
  writeFileSync(join(dir, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  return digest
}

const blobsOf = ({ manifest }: Pick<StoredManifest, 'manifest'>): Descriptor[] => [
  ...(manifest.config === undefined ? [] : [manifest.config]),
  ...(manifest.layers ?? []),
]

async function fetchBlob(registry: Registry, repository: string, { digest }: Descriptor, file: string): Promise<void> {
  const { status, body } = await registry.open({ path: `/v2/${repository}/blobs/${digest}` })
  if (status !== 200) {
    body.destroy()
    throw registry.failure({ kind: 'status', status, text: '' }, { action: 'pull', repository })
  }
  const hash = createHash(digest.startsWith('sha512') ? 'sha512' : 'sha256')
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(body, count, createWriteStream(file))
  if (!digest.endsWith(`:${hash.digest('hex')}`))
    throw registry.failure({ kind: 'digest' }, { action: 'pull', repository })
}

const maxIndex = 4 * 1024 * 1024

/**
 * Pushes an image that a step left as a layout in a folder below `root`. The step chose every byte, so names must be
 * digests, links are not followed out of the folder, and the registry checks what it is sent.
 */
export async function pushLayout(
  registry: Registry,
  { repository, tag, root, dir }: { repository: string; tag: string; root: string; dir: string },
  say: (line: string) => void,
): Promise<Pushed> {
  const text = async (path: string): Promise<string> => {
    const { content } = await opened(root, `${dir}/${path}`)
    const parts: Buffer[] = []
    for await (const part of content(maxIndex)) parts.push(part)
    return Buffer.concat(parts).toString('utf8')
  }
  const index = parseManifest(await text('index.json'))
  const first = index?.manifests?.[0]
  const manifestText = first === undefined ? '' : await text(blobPath(first.digest))
  const manifest = parseManifest(manifestText)
  if (manifest?.config === undefined) throw new StepFailure('agents-image-invalid')
  const blobs = blobsOf({ manifest })
  for (const { digest } of blobs) {
    if (await present(registry, repository, digest)) continue
    const { size, content } = await opened(root, `${dir}/${blobPath(digest)}`)
    const open = () => Readable.from(content(size), { objectMode: false })
    pushedBy(registry, repository, await uploadBlob(registry.call, repository, { digest, size, open }))
    say(`Pushed ${digest.slice(7, 19)}`)
  }
  const mediaType = manifest.mediaType ?? first?.mediaType ?? mediaTypes.manifest
  const digest = pushedBy(
    registry,
    repository,
    await writeManifest(registry.call, repository, tag, manifestText, mediaType),
  )
  return { digest, size: blobs.reduce((sum, { size }) => sum + size, 0) }
}

/** Opens a file again each time its bytes are requested, because an upload may be repeated. */
async function opened(
  root: string,
  path: string,
): Promise<{ size: number; content: (most: number) => AsyncGenerator<Buffer> }> {
  const missing = (): never => {
    throw new StepFailure('agents-image-invalid')
  }
  const file = await openFile(root, path).catch(missing)
  const { size } = await file.stat()
  await file.close()
  return {
    size,
    async *content(most) {
      yield* readOpened(await openFile(root, path).catch(missing), Math.min(size, most))
    },
  }
}
