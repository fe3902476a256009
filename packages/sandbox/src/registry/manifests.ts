import { RegistryError } from './errors.ts'
import {
  digestOf,
  hasBlob,
  isDigest,
  isTag,
  putManifest,
  readManifest,
  type Storage,
  type StoredManifest,
} from './storage.ts'

const images = new Set([
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
])
const indexes = new Set([
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
])

interface Descriptor {
  digest?: unknown
  urls?: unknown[]
}
interface Manifest {
  schemaVersion?: unknown
  mediaType?: unknown
  config?: Descriptor
  layers?: Descriptor[]
  manifests?: Descriptor[]
}

function parse(content: Buffer): Manifest {
  try {
    const parsed: unknown = JSON.parse(content.toString('utf8'))
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw new RegistryError('MANIFEST_INVALID')
}

/** The parts of a manifest must be in its repository, so that every pushed image can be pulled. */
function checkParts(storage: Storage, name: string, manifest: Manifest, isIndex: boolean): void {
  const parts = isIndex ? manifest.manifests : [manifest.config, ...(manifest.layers ?? [])]
  if (!Array.isArray(parts) || (!isIndex && !Array.isArray(manifest.layers)))
    throw new RegistryError('MANIFEST_INVALID')
  for (const part of parts) {
    if (part?.urls && part.urls.length > 0) continue
    if (typeof part?.digest !== 'string' || !isDigest(part.digest)) throw new RegistryError('MANIFEST_INVALID')
    const there = isIndex ? readManifest(storage, name, part.digest) !== undefined : hasBlob(storage, name, part.digest)
    if (!there) throw new RegistryError('MANIFEST_BLOB_UNKNOWN', { digest: part.digest })
  }
}

/** Stores a manifest under a tag or under its own digest, and answers its digest. */
export function acceptManifest(
  storage: Storage,
  name: string,
  reference: string,
  contentType: string | undefined,
  content: Buffer,
): string {
  const manifest = parse(content)
  const mediaType = contentType?.split(';')[0]?.trim() ?? ''
  if (manifest.schemaVersion !== 2 || !(images.has(mediaType) || indexes.has(mediaType)))
    throw new RegistryError('MANIFEST_INVALID')
  if (manifest.mediaType !== undefined && manifest.mediaType !== mediaType) throw new RegistryError('MANIFEST_INVALID')
  const digest = digestOf(content)
  if (isDigest(reference) ? reference !== digest : !isTag(reference))
    throw new RegistryError(reference.includes(':') ? 'DIGEST_INVALID' : 'TAG_INVALID')
  checkParts(storage, name, manifest, indexes.has(mediaType))
  putManifest(storage, name, { digest, mediaType, content }, isDigest(reference) ? undefined : reference)
  return digest
}

const oci = (mediaType: string): boolean => mediaType.startsWith('application/vnd.oci.')

/** A manifest for a client that accepts these types. OCI types are sent only to clients that accept them. */
export function giveManifest(
  storage: Storage,
  name: string,
  reference: string,
  accept: string | undefined,
): StoredManifest {
  const found = readManifest(storage, name, reference)
  if (!found) throw new RegistryError('MANIFEST_UNKNOWN', isDigest(reference) ? `unknown manifest` : { Tag: reference })
  const accepted = (accept ?? '').split(',').map((type) => type.split(';')[0]?.trim())
  if (accept !== undefined && oci(found.mediaType) && !accepted.includes(found.mediaType) && !accepted.includes('*/*'))
    throw new RegistryError(
      'MANIFEST_UNKNOWN',
      undefined,
      'OCI manifest found, but accept header does not support OCI manifests',
    )
  return found
}
