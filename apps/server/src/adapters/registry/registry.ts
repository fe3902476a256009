import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { parseJson, textOf } from '../outbound/body.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { isDigest, isRepository, isTag } from './image-ref.ts'
import { Config, Descriptor, Manifest, imageOf, manifestTypes, type ImageDetails } from './manifest.ts'
import { createSessions, originOf, within, type Answer, type RegistryAccess, type SessionSettings } from './session.ts'

export interface Page {
  names: string[]
  /** Hand it back as `after` for the next page; null at the end. */
  next: string | null
}

export interface PageOptions {
  /** 1 to 1,000; 100 unless told. Registries may answer fewer. */
  limit?: number
  after?: string
  signal?: AbortSignal
}

export interface StoredManifest {
  digest: string
  mediaType: string
  /** The document's own bytes. */
  size: number
  text: string
  manifest: Manifest
}

/**
 * A client of the OCI distribution API. Faults name the cause: `registry-wrong-password`, `registry-password-needed`,
 * `registry-forbidden`, `registry-not-one`, `registry-error`, `registry-busy`, `registry-resting`, `registry-image-unknown`,
 * and the `outbound-…` ones.
 */
export interface Registry {
  /** Reaches the registry and signs in. One try, no breaker: someone is waiting at a form. */
  verify(access: RegistryAccess, signal?: AbortSignal): Promise<void>
  /** Repositories, where the registry tells (many do not: `registry-no-catalogue`). */
  repositories(access: RegistryAccess, page?: PageOptions): Promise<Page>
  tags(access: RegistryAccess, repository: string, page?: PageOptions): Promise<Page>
  /** By tag or digest. Its digest is computed, and compared with the one that was asked for. */
  manifest(access: RegistryAccess, repository: string, reference: string, signal?: AbortSignal): Promise<StoredManifest>
  /** The digest that a tag means now, or null where it is not there. */
  digest(access: RegistryAccess, repository: string, reference: string, signal?: AbortSignal): Promise<string | null>
  /** What an image is made of; of one for several platforms, the first that fits linux/amd64. */
  image(access: RegistryAccess, repository: string, reference: string, signal?: AbortSignal): Promise<ImageDetails>
  /** By digest; whether it was there. Registries that refuse deletion: `registry-no-deletion`. */
  remove(access: RegistryAccess, repository: string, digest: string): Promise<boolean>
  hasBlob(access: RegistryAccess, repository: string, digest: string): Promise<boolean>
  /** Streams a blob of known digest and size; nothing is sent where it is already there. */
  pushBlob(access: RegistryAccess, repository: string, blob: BlobUpload): Promise<void>
  /** Answers the manifest's digest. Its blobs must be there. */
  pushManifest(access: RegistryAccess, repository: string, reference: string, text: string): Promise<string>
}

export interface BlobUpload {
  digest: string
  size: number
  open: () => Readable | Buffer
  signal?: AbortSignal
}

const pull = (repository: string): string => `repository:${repository}:pull`
const push = (repository: string): string => `repository:${repository}:pull,push`
const Names = z.array(z.string().max(300)).nullish()

export function createRegistry(outbound: Outbound, settings: Omit<SessionSettings, 'outbound'> = {}): Registry {
  const sessions = createSessions({ ...settings, outbound })
  const impatient = createSessions({ ...settings, outbound, pauses: [], rests: false })

  async function paged(
    access: RegistryAccess,
    path: string,
    scope: string,
    options: PageOptions,
    shape: z.ZodType<{ names: string[] }>,
  ) {
    const query = new URLSearchParams({ n: String(Math.min(Math.max(options.limit ?? 100, 1), 1000)) })
    if (options.after !== undefined) query.set('last', options.after)
    const answer = await sessions.call(access, { path: `${path}?${query}`, scope, signal: options.signal })
    if (answer.status !== 200) return { answer, page: undefined }
    const { names } = parseJson(answer.text, shape, originOf(access).host)
    const more = /rel="?next"?/.test(answer.headers['link'] ?? '')
    return { answer, page: { names, next: more ? (names.at(-1) ?? null) : null } }
  }

  async function manifest(
    access: RegistryAccess,
    repository: string,
    reference: string,
    signal?: AbortSignal,
  ): Promise<StoredManifest> {
    const host = originOf(access).host
    const answer = await sessions.call(access, {
      path: manifestPath(repository, reference),
      scope: pull(repository),
      headers: { accept: manifestTypes },
      maxBytes: 4 * 1_048_576,
      signal,
    })
    succeeded(answer, host, `${repository}:${reference}`)
    const digest = sha256(answer.text)
    if (isDigest(reference) && reference.startsWith('sha256:') && reference !== digest) {
      throw new Fault('badGateway', 'registry-wrong-digest', { host })
    }
    const parsed = parseJson(answer.text, Manifest, host)
    const mediaType = parsed.mediaType ?? answer.headers['content-type']?.split(';')[0]?.trim() ?? ''
    return { digest, mediaType, size: Buffer.byteLength(answer.text), text: answer.text, manifest: parsed }
  }

  /** Registries keep blobs elsewhere and redirect there: followed once, checked like any address, without credentials. */
  async function blobText(
    access: RegistryAccess,
    repository: string,
    digest: string,
    signal?: AbortSignal,
  ): Promise<string> {
    const host = originOf(access).host
    const call = { path: `/v2/${repository}/blobs/${digest}`, scope: pull(repository), maxBytes: 4 * 1_048_576, signal }
    let answer = await sessions.open(access, call)
    const location = answer.headers['location']
    if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
      answer.body.destroy()
      if (!URL.canParse(location, answer.url)) throw new Fault('badGateway', 'registry-not-one', { host })
      answer = await outbound.request({
        url: new URL(location, answer.url),
        maxBytes: call.maxBytes,
        timeout: 20_000,
        ...(signal && { signal }),
      })
    }
    const text = await textOf(answer.body)
    succeeded({ ...answer, text }, host, `${repository}@${digest}`)
    if (digest.startsWith('sha256:') && sha256(text) !== digest)
      throw new Fault('badGateway', 'registry-wrong-digest', { host })
    return text
  }

  async function hasBlob(access: RegistryAccess, repository: string, digest: string): Promise<boolean> {
    named(repository, digest)
    const scope = push(repository)
    const answer = await sessions.open(access, { method: 'HEAD', path: `/v2/${repository}/blobs/${digest}`, scope })
    answer.body.destroy()
    if (answer.status !== 404) permitted(answer.status, originOf(access).host)
    return answer.status < 400
  }

  return {
    async verify(access, signal) {
      const host = originOf(access).host
      const answer = await impatient
        .call(access, { path: '/v2/', scope: '', timeout: 10_000, maxBytes: 1_048_576, signal })
        .catch((error: unknown) => {
          if (error instanceof Fault && error.key === 'outbound-not-json')
            throw new Fault('invalid', 'registry-not-one', { host })
          throw error
        })
      permitted(answer.status, host)
      const isRegistry =
        answer.headers['docker-distribution-api-version']?.startsWith('registry/2') === true || isJson(answer.text)
      if (answer.status !== 200 || !isRegistry) throw new Fault('invalid', 'registry-not-one', { host })
    },

    async repositories(access, options = {}) {
      const shape = z.object({ repositories: Names }).transform(({ repositories }) => ({ names: repositories ?? [] }))
      const { answer, page } = await paged(access, '/v2/_catalog', 'registry:catalog:*', options, shape)
      if (page === undefined)
        throw new Fault('badGateway', 'registry-no-catalogue', { host: originOf(access).host, status: answer.status })
      return page
    },

    async tags(access, repository, options = {}) {
      named(repository)
      const shape = z.object({ tags: Names }).transform(({ tags }) => ({ names: tags ?? [] }))
      const { answer, page } = await paged(access, `/v2/${repository}/tags/list`, pull(repository), options, shape)
      if (page === undefined) throw faultOf(answer, originOf(access).host, repository)
      return page
    },

    manifest,

    async digest(access, repository, reference, signal) {
      const path = manifestPath(repository, reference)
      const headers = { accept: manifestTypes }
      const answer = await sessions.call(access, { method: 'HEAD', path, scope: pull(repository), headers, signal })
      if (answer.status === 404) return null
      succeeded(answer, originOf(access).host, repository)
      const told = answer.headers['docker-content-digest'] ?? ''
      // Registries need not tell; then the document does.
      return isDigest(told) ? told : (await manifest(access, repository, reference, signal)).digest
    },

    async image(access, repository, reference, signal) {
      let found = await manifest(access, repository, reference, signal)
      const top = found.digest
      const platforms = found.manifest.manifests
      if (platforms !== undefined) {
        const fitting = platforms.find(({ platform }) => platform?.os === 'linux' && platform.architecture === 'amd64')
        const chosen = fitting ?? platforms[0]
        if (chosen === undefined) throw new Fault('badGateway', 'registry-image-broken', { image: repository })
        found = await manifest(access, repository, chosen.digest, signal)
      }
      const config = found.manifest.config
      if (config === undefined) throw new Fault('badGateway', 'registry-image-broken', { image: repository })
      const text = await blobText(access, repository, config.digest, signal)
      return imageOf(top, found, parseJson(text, Config, originOf(access).host))
    },

    async remove(access, repository, digest) {
      named(repository, digest)
      const scope = `repository:${repository}:delete,pull`
      const answer = await sessions.call(access, {
        method: 'DELETE',
        path: `/v2/${repository}/manifests/${digest}`,
        scope,
      })
      if (answer.status === 404) return false
      if (answer.status === 405) throw new Fault('invalid', 'registry-no-deletion', { host: originOf(access).host })
      succeeded(answer, originOf(access).host, repository)
      return true
    },

    hasBlob,

    async pushBlob(access, repository, { digest, size, open, signal }) {
      if (await hasBlob(access, repository, digest)) return
      const host = originOf(access).host
      const scope = push(repository)
      const begun = await sessions.call(access, {
        method: 'POST',
        path: `/v2/${repository}/blobs/uploads/`,
        scope,
        signal,
      })
      succeeded(begun, host, repository)
      const at = within(originOf(access), begun.headers['location'] ?? '')
      at.searchParams.set('digest', digest)
      const ended = await sessions.call(access, {
        method: 'PUT',
        path: at.pathname + at.search,
        scope,
        headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
        body: open(),
        timeout: 30 * 60_000,
        signal,
      })
      succeeded(ended, host, repository)
    },

    async pushManifest(access, repository, reference, text) {
      const host = originOf(access).host
      const { mediaType } = parseJson(text, Manifest, host)
      const answer = await sessions.call(access, {
        method: 'PUT',
        path: manifestPath(repository, reference),
        scope: push(repository),
        headers: { 'content-type': mediaType ?? Descriptor.manifest },
        body: text,
      })
      succeeded(answer, host, repository)
      return sha256(text)
    },
  }
}

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

/** Names come from users and go into a path: only what the specification allows. */
function named(repository: string, digest?: string): void {
  if (!isRepository(repository)) throw new Fault('invalid', 'registry-image-invalid')
  if (digest !== undefined && !isDigest(digest)) throw new Fault('invalid', 'registry-image-invalid')
}

function manifestPath(repository: string, reference: string): string {
  named(repository)
  if (!isTag(reference) && !isDigest(reference)) throw new Fault('invalid', 'registry-image-invalid')
  return `/v2/${repository}/manifests/${reference}`
}

function permitted(status: number, host: string): void {
  if (status === 403) throw new Fault('invalid', 'registry-forbidden', { host })
}

function faultOf({ status }: Answer, host: string, image: string): Fault {
  if (status === 403) return new Fault('invalid', 'registry-forbidden', { host })
  if (status === 404) return new Fault('missing', 'registry-image-unknown', { host, image })
  return new Fault('badGateway', 'registry-error', { host, status })
}

function succeeded(answer: Answer, host: string, image: string): void {
  if (answer.status < 200 || answer.status > 299) throw faultOf(answer, host, image)
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
