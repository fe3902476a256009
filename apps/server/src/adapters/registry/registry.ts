import { buffer } from 'node:stream/consumers'
import type { Call } from '@gantry/oci/call'
import { manifestTypes, parseManifest, readManifest, writeManifest, type StoredManifest } from '@gantry/oci/manifests'
import { digestOf, isDigest, isRepository, isTag } from '@gantry/oci/names'
import type { Failure, Outcome } from '@gantry/oci/outcome'
import { resolveWithin } from '@gantry/oci/sign-in'
import { uploadBlob, type Upload } from '@gantry/oci/uploads'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { parseJson } from '../outbound/body.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { Config, imageOf, type ImageDetails, platformsOf } from './image.ts'
import {
  createSessions,
  originOf,
  signInFault,
  type Answer,
  type RegistryAccess,
  type RegistryCall,
  type Sessions,
  type SessionSettings,
} from './session.ts'

export interface Page {
  names: string[]
  /** Passed as `after` for the next page: a cursor that the registry chose. Null at the end. */
  next: string | null
}

export interface PageOptions {
  /** 1 to 1,000. Default: 100. Registries may return fewer. */
  limit?: number
  after?: string
  within?: number
  signal?: AbortSignal
}

export interface ReadOptions {
  /** Milliseconds for all attempts together. */
  within?: number | undefined
  signal?: AbortSignal | undefined
}

interface ImageOptions extends ReadOptions {
  /** The digest of one of its platforms; default: linux/amd64, or else the first. */
  platform?: string | undefined
  /** The manifest of the reference, if it has been read already. */
  found?: StoredManifest
}

/**
 * A client of the OCI distribution API. Faults name the cause: `registry-wrong-password`, `registry-password-needed`,
 * `registry-token-refused`, `registry-token-error`, `registry-forbidden`, `registry-not-one`, `registry-error`, `registry-busy`, `registry-resting`,
 * `registry-image-unknown`, `retry-exceeded` after several attempts at a read, and the `outbound-…` ones.
 */
export interface Registry {
  /**
   * Connects to the registry and authenticates. One attempt, regardless of the breaker: a user is waiting at a form.
   */
  verify(access: RegistryAccess, signal?: AbortSignal): Promise<void>
  /** Repositories, if the registry lists them (many do not: `registry-no-catalogue`). */
  repositories(access: RegistryAccess, page?: PageOptions): Promise<Page>
  tags(access: RegistryAccess, repository: string, page?: PageOptions): Promise<Page>
  /** The manifest of a tag or digest. Its digest is computed, and compared with the requested one. */
  manifest(
    access: RegistryAccess,
    repository: string,
    reference: string,
    options?: ReadOptions,
  ): Promise<StoredManifest>
  /** The current digest of a tag; null if the tag does not exist. */
  digest(access: RegistryAccess, repository: string, reference: string, signal?: AbortSignal): Promise<string | null>
  /** The description of an image, and of one of its platforms. */
  image(access: RegistryAccess, repository: string, reference: string, options?: ImageOptions): Promise<ImageDetails>
  /** Deletes by digest; returns whether it existed. Registries that refuse deletion: `registry-no-deletion`. */
  remove(access: RegistryAccess, repository: string, digest: string): Promise<boolean>
  hasBlob(access: RegistryAccess, repository: string, digest: string): Promise<boolean>
  /** The bytes of a blob, limited in size; its digest is computed and compared. */
  blob(access: RegistryAccess, repository: string, digest: string, options: BlobOptions): Promise<Buffer>
  /** Streams a blob of known digest and size, unless it exists already. */
  pushBlob(access: RegistryAccess, repository: string, blob: BlobUpload): Promise<void>
  /** Returns the manifest's digest. Its blobs must exist. */
  pushManifest(access: RegistryAccess, repository: string, reference: string, text: string): Promise<string>
}

interface BlobOptions {
  maxBytes: number
  within?: number | undefined
  signal?: AbortSignal | undefined
}

interface BlobUpload extends Upload {
  signal?: AbortSignal
}

const pull = (repository: string): string => `repository:${repository}:pull`
const push = (repository: string): string => `repository:${repository}:pull,push`
const Names = z.array(z.string().max(300)).nullish()

export function createRegistry(outbound: Outbound, settings: Omit<SessionSettings, 'outbound'> = {}): Registry {
  const sessions = createSessions({ ...settings, outbound })
  const impatient = createSessions({ ...settings, outbound, pauses: [], rests: false })

  const through =
    (access: RegistryAccess, more: Omit<RegistryCall, 'path'>): Call =>
    (request) =>
      sessions.call(access, { ...more, ...request })

  async function paged(
    access: RegistryAccess,
    path: string,
    scope: string,
    options: PageOptions,
    shape: z.ZodType<{ names: string[] }>,
  ) {
    const { after, within, signal } = options
    const requested = after ?? `${path}?n=${Math.min(Math.max(options.limit ?? 100, 1), 1000)}`
    const answer = await sessions.call(access, { path: requested, scope, within, signal })
    if (answer.status !== 200) return { answer, page: undefined }
    const { names } = parseJson(answer.text, shape, originOf(access).host)
    return { answer, page: { names, next: nextPage(access, requested, answer.headers['link']) } }
  }

  async function manifest(
    access: RegistryAccess,
    repository: string,
    reference: string,
    options: ReadOptions = {},
  ): Promise<StoredManifest> {
    referred(repository, reference)
    const call = through(access, { scope: pull(repository), maxBytes: 4 * 1_048_576, ...only(options) })
    return valueOf(await readManifest(call, repository, reference), access, `${repository}:${reference}`)
  }

  /** Registries may store blobs elsewhere and redirect: followed once, to a checked address, without credentials. */
  async function blob(
    access: RegistryAccess,
    repository: string,
    digest: string,
    { maxBytes, within, signal }: BlobOptions,
  ): Promise<Buffer> {
    mustBeValid(repository, digest)
    const host = originOf(access).host
    const call = { path: `/v2/${repository}/blobs/${digest}`, scope: pull(repository), maxBytes, within, signal }
    let answer = await sessions.open(access, call)
    const location = answer.headers['location']
    if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
      answer.body.destroy()
      if (!URL.canParse(location, answer.url)) throw new Fault('badGateway', 'registry-not-one', { host })
      answer = await outbound.request({
        url: new URL(location, answer.url),
        maxBytes: call.maxBytes,
        timeout: Math.min(20_000, within ?? Infinity),
        ...(signal && { signal }),
      })
    }
    const bytes = await buffer(answer.body)
    succeeded({ ...answer, text: '' }, host, `${repository}@${digest}`)
    if (digest.startsWith('sha256:') && digestOf(bytes) !== digest)
      throw new Fault('badGateway', 'registry-wrong-digest', { host })
    return bytes
  }

  async function hasBlob(access: RegistryAccess, repository: string, digest: string): Promise<boolean> {
    mustBeValid(repository, digest)
    const scope = push(repository)
    const answer = await sessions.open(access, { method: 'HEAD', path: `/v2/${repository}/blobs/${digest}`, scope })
    answer.body.destroy()
    if (answer.status !== 404) permitted(answer.status, originOf(access).host)
    return answer.status < 400
  }

  async function verified(by: Sessions, access: RegistryAccess, signal?: AbortSignal): Promise<void> {
    const host = originOf(access).host
    const answer = await by
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
  }

  return {
    verify: (access, signal) => verified(impatient, access, signal),

    async repositories(access, options = {}) {
      const shape = z.object({ repositories: Names }).transform(({ repositories }) => ({ names: repositories ?? [] }))
      const { answer, page } = await paged(access, '/v2/_catalog', 'registry:catalog:*', options, shape)
      if (page === undefined)
        throw new Fault('badGateway', 'registry-no-catalogue', { host: originOf(access).host, status: answer.status })
      return page
    },

    async tags(access, repository, options = {}) {
      mustBeValid(repository)
      const shape = z.object({ tags: Names }).transform(({ tags }) => ({ names: tags ?? [] }))
      const { answer, page } = await paged(access, `/v2/${repository}/tags/list`, pull(repository), options, shape)
      if (page === undefined) throw statusFault(answer.status, originOf(access).host, repository)
      return page
    },

    manifest,

    async digest(access, repository, reference, signal) {
      referred(repository, reference)
      const path = `/v2/${repository}/manifests/${reference}`
      const headers = { accept: manifestTypes }
      const answer = await sessions.call(access, { method: 'HEAD', path, scope: pull(repository), headers, signal })
      if (answer.status === 404) return null
      succeeded(answer, originOf(access).host, repository)
      const digest = answer.headers['docker-content-digest'] ?? ''
      // the header is optional; without it the digest is computed
      return isDigest(digest) ? digest : (await manifest(access, repository, reference, { signal })).digest
    },

    async image(access, repository, reference, { platform, found, ...options } = {}) {
      const top = found ?? (await manifest(access, repository, reference, options))
      let described = top
      if (top.manifest.manifests !== undefined) {
        const platforms = platformsOf(top.manifest)
        const fitting = ({ name, digest }: { name: string; digest: string }) =>
          platform === undefined ? name === 'linux/amd64' : digest === platform
        const chosen = platforms.find(fitting) ?? (platform === undefined ? platforms[0] : undefined)
        if (chosen === undefined) throw new Fault('badGateway', 'registry-image-broken', { image: repository })
        described = await partOf(repository, manifest(access, repository, chosen.digest, options))
      }
      const { config } = described.manifest
      if (config === undefined) throw new Fault('badGateway', 'registry-image-broken', { image: repository })
      const bytes = await partOf(
        repository,
        blob(access, repository, config.digest, { maxBytes: 4 * 1_048_576, ...options }),
      )
      const index = described === top ? undefined : top.manifest
      const parsed = parseJson(bytes.toString('utf8'), Config, originOf(access).host)
      return imageOf({ digest: top.digest, index }, described, parsed)
    },

    async remove(access, repository, digest) {
      mustBeValid(repository, digest)
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
    blob,

    async pushBlob(access, repository, { signal, ...blob }) {
      if (await hasBlob(access, repository, blob.digest)) return
      const scope = push(repository)
      const call: Call = (request) =>
        sessions.call(access, { ...request, scope, signal, ...(request.method === 'PUT' && { timeout: 30 * 60_000 }) })
      valueOf(await uploadBlob(call, repository, blob), access, repository)
    },

    async pushManifest(access, repository, reference, text) {
      referred(repository, reference)
      const manifest = parseManifest(text)
      if (manifest === undefined) throw new Fault('badGateway', 'outbound-not-json', { host: originOf(access).host })
      const call = through(access, { scope: push(repository) })
      return valueOf(await writeManifest(call, repository, reference, text, manifest.mediaType), access, repository)
    },
  }
}

/** The `rel="next"` of a `Link` (RFC 8288), as the registry wrote it. */
function nextOf(link: string): string | undefined {
  for (const [, target, parameters = ''] of link.slice(0, 8192).matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, quoted, bare = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? []
    if ((quoted ?? bare).toLowerCase().split(/\s+/).includes('next')) return target
  }
  return undefined
}

/** The next page on this registry; its link is absolute, from the root, or relative to the requested page. */
function nextPage(access: RegistryAccess, requested: string, link = ''): string | null {
  const target = nextOf(link)
  if (target === undefined) return null
  const origin = originOf(access)
  const page = resolveWithin(origin, URL.parse(target, new URL(requested, origin))?.href ?? target)
  if (!page.ok) throw signInFault(page.failure, access)
  return page.value.pathname + page.value.search
}

/** If a part of an image is missing, the image is not missing but broken. */
async function partOf<T>(image: string, read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof Fault) || error.key !== 'registry-image-unknown') throw error
    throw new Fault('badGateway', 'registry-image-broken', { image })
  }
}

const only = ({ within, signal }: ReadOptions): ReadOptions => ({ within, signal })

/** Names come from users and become part of a path, so only valid ones are allowed. */
function mustBeValid(repository: string, digest?: string): void {
  if (!isRepository(repository)) throw new Fault('invalid', 'registry-image-invalid')
  if (digest !== undefined && !isDigest(digest)) throw new Fault('invalid', 'registry-image-invalid')
}

function referred(repository: string, reference: string): void {
  mustBeValid(repository)
  if (!isTag(reference) && !isDigest(reference)) throw new Fault('invalid', 'registry-image-invalid')
}

function permitted(status: number, host: string): void {
  if (status === 403) throw new Fault('invalid', 'registry-forbidden', { host })
}

function statusFault(status: number, host: string, image: string): Fault {
  if (status === 403) return new Fault('invalid', 'registry-forbidden', { host })
  if (status === 404) return new Fault('missing', 'registry-image-unknown', { host, image })
  return new Fault('badGateway', 'registry-error', { host, status })
}

function failureFault(failure: Failure, access: RegistryAccess, image: string): Fault {
  const { host } = originOf(access)
  if (failure.kind === 'status') return statusFault(failure.status, host, image)
  if (failure.kind === 'digest') return new Fault('badGateway', 'registry-wrong-digest', { host })
  // the server has authenticated us, so it is a registry, and only this answer cannot be parsed
  if (failure.kind === 'protocol') return new Fault('badGateway', 'outbound-not-json', { host })
  return signInFault(failure, access)
}

function valueOf<T>(outcome: Outcome<T>, access: RegistryAccess, image: string): T {
  if (!outcome.ok) throw failureFault(outcome.failure, access, image)
  return outcome.value
}

function succeeded(answer: Answer, host: string, image: string): void {
  if (answer.status < 200 || answer.status > 299) throw statusFault(answer.status, host, image)
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
