import { isSuccess, type Call } from './call.ts'
import { digestOf, isDigest } from './names.ts'
import { done, failed, type Outcome } from './outcome.ts'

/** The media types of Docker and OCI, whose forms are alike. */
export const mediaTypes = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerList: 'application/vnd.docker.distribution.manifest.list.v2+json',
} as const

/** The Accept header of a request for a manifest. */
export const manifestTypes = Object.values(mediaTypes).join(', ')

export interface Descriptor {
  mediaType?: string
  digest: string
  size: number
}

/** The manifest of an image, or an index of the images of its platforms (`manifests`). */
export interface Manifest {
  mediaType?: string
  config?: Descriptor
  layers?: Descriptor[]
  manifests?: (Descriptor & { platform?: { os?: unknown; architecture?: unknown } | null })[]
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isOptionalText = (value: unknown): boolean => value === undefined || typeof value === 'string'

const isDescriptor = (value: unknown): boolean =>
  isObject(value) &&
  isOptionalText(value['mediaType']) &&
  typeof value['digest'] === 'string' &&
  isDigest(value['digest']) &&
  typeof value['size'] === 'number' &&
  value['size'] >= 0

const areDescriptors = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length <= 1000 && value.every(isDescriptor))

const isManifest = (value: unknown): value is Manifest =>
  isObject(value) &&
  value['schemaVersion'] === 2 &&
  isOptionalText(value['mediaType']) &&
  (value['config'] === undefined || isDescriptor(value['config'])) &&
  areDescriptors(value['layers']) &&
  areDescriptors(value['manifests'])

/** Undefined if it is invalid. Without a schema library, which would cost an idle agent 10 MB. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isManifest(value) ? value : undefined
  } catch {
    return undefined
  }
}

export interface StoredManifest {
  digest: string
  mediaType: string
  /** The size of the manifest itself, in bytes. */
  size: number
  text: string
  manifest: Manifest
}

/** Reads a manifest by tag or digest. Its digest is computed, and compared with the requested one. */
export async function readManifest(
  call: Call,
  repository: string,
  reference: string,
): Promise<Outcome<StoredManifest>> {
  const { status, headers, text } = await call({
    path: `/v2/${repository}/manifests/${reference}`,
    headers: { accept: manifestTypes },
  })
  if (!isSuccess(status)) return failed({ kind: 'status', status, text })
  const digest = digestOf(text)
  if (reference.startsWith('sha256:') && reference !== digest) return failed({ kind: 'digest' })
  const manifest = parseManifest(text)
  if (manifest === undefined) return failed({ kind: 'protocol' })
  const mediaType =
    manifest.mediaType ??
    String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim() ??
    ''
  return done({ digest, mediaType, size: Buffer.byteLength(text), text, manifest })
}

/** Uploads a manifest and returns its digest. The blobs that it names must exist. */
export async function writeManifest(
  call: Call,
  repository: string,
  reference: string,
  text: string,
  mediaType: string = mediaTypes.manifest,
): Promise<Outcome<string>> {
  const body = Buffer.from(text)
  const { status, text: said } = await call({
    method: 'PUT',
    path: `/v2/${repository}/manifests/${reference}`,
    headers: { 'content-type': mediaType },
    body: () => body,
    length: body.length,
  })
  return isSuccess(status) ? done(digestOf(body)) : failed({ kind: 'status', status, text: said })
}
