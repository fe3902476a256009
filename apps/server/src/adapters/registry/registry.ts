import type { Call } from '@gantry/oci/call'
import { manifestTypes, parseManifest, readManifest, writeManifest, type StoredManifest } from '@gantry/oci/manifests'
import { digestOf, isDigest, isRepository, isTag } from '@gantry/oci/names'
import type { Failure, Outcome } from '@gantry/oci/outcome'
import { uploadBlob, type Upload } from '@gantry/oci/uploads'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { parseJson, textOf } from '../outbound/body.ts'
import { discreetly } from '../outbound/discreet.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { Config, imageOf, type ImageDetails } from './image.ts'
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
  /** Pass as `after` for the next page; null at the end. */
  next: string | null
}

export interface PageOptions {
  /** 1 to 1,000. Default: 100. Registries may return fewer. */
  limit?: number
  after?: string
  signal?: AbortSignal
}

/**
 * A client of the OCI distribution API. Faults name the cause: `registry-wrong-password`, `registry-password-needed`,
 * `registry-forbidden`, `registry-not-one`, `registry-error`, `registry-busy`, `registry-resting`,
 * `registry-image-unknown`, and the `outbound-…` ones.
 */
export interface Registry {
  /**
   * Connects to the registry and authenticates. One attempt, regardless of the breaker: a user is waiting at a form.
   * `discreet`, for non-administrators: an internal address only reveals what it says about passwords, and every other
   * failure is `outbound-inside`.
   */
  verify(access: RegistryAccess, signal?: AbortSignal, discreet?: boolean): Promise<void>
  /** Repositories, if the registry lists them (many do not: `registry-no-catalogue`). */
  repositories(access: RegistryAccess, page?: PageOptions): Promise<Page>
  tags(access: RegistryAccess, repository: string, page?: PageOptions): Promise<Page>
  /** By tag or digest. Its digest is computed, and compared with the requested one. */
  manifest(access: RegistryAccess, repository: string, reference: string, signal?: AbortSignal): Promise<StoredManifest>
  /** The present digest of a tag, or null where it does not exist. */
  digest(access: RegistryAccess, repository: string, reference: string, signal?: AbortSignal): Promise<string | null>
  /** The description of an image; for several platforms, of the first that fits linux/amd64. */
  image(access: RegistryAccess, repository: string, reference: string, signal?: AbortSignal): Promise<ImageDetails>
  /** Deletes by digest; returns whether it existed. Registries that refuse deletion: `registry-no-deletion`. */
  remove(access: RegistryAccess, repository: string, digest: string): Promise<boolean>
  hasBlob(access: RegistryAccess, repository: string, digest: string): Promise<boolean>
  /** Streams a blob of known digest and size, unless it exists already. */
  pushBlob(access: RegistryAccess, repository: string, blob: BlobUpload): Promise<void>
  /** Returns the manifest's digest. Its blobs must exist. */
  pushManifest(access: RegistryAccess, repository: string, reference: string, text: string): Promise<string>
}

interface BlobUpload extends Upload {
  signal?: AbortSignal
}

const pull = (repository: string): string => `repository:${repository}:pull`
const push = (repository: string): string => `repository:${repository}:pull,push`
const Names = z.array(z.string().max(300)).nullish()

interface RegistrySettings extends Omit<SessionSettings, 'outbound'> {
  /** Milliseconds after which a discreet check of an internal address ends. */
  insideMs?: number
}

export function createRegistry(outbound: Outbound, settings: RegistrySettings = {}): Registry {
  const sessions = createSessions({ ...settings, outbound })
  const impatient = (by: SessionSettings['outbound']) =>
    createSessions({ ...settings, outbound: by, pauses: [], rests: false })

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
    referred(repository, reference)
    const call = through(access, { scope: pull(repository), maxBytes: 4 * 1_048_576, signal })
    return valueOf(await readManifest(call, repository, reference), access, `${repository}:${reference}`)
  }

  /**
   * Registries may store blobs elsewhere and redirect: followed once, checked like any address, without credentials.
   */
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
    if (digest.startsWith('sha256:') && digestOf(text) !== digest)
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
    async verify(access, signal, discreet = false) {
      if (!discreet) return verified(impatient(outbound), access, signal)
      const discretion = {
        host: originOf(access).host,
        told: ['registry-wrong-password', 'registry-password-needed'],
        ms: settings.insideMs,
        signal,
      } as const
      return discreetly(outbound, discretion, (by, until) => verified(impatient(by), access, until))
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
      const told = answer.headers['docker-content-digest'] ?? ''
      // The header is optional; without it the digest is computed.
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
      return imageOf(top, found.manifest, parseJson(text, Config, originOf(access).host))
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

/** Names come from users and become part of a path: only what the specification allows. */
function named(repository: string, digest?: string): void {
  if (!isRepository(repository)) throw new Fault('invalid', 'registry-image-invalid')
  if (digest !== undefined && !isDigest(digest)) throw new Fault('invalid', 'registry-image-invalid')
}

function referred(repository: string, reference: string): void {
  named(repository)
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
  // It authenticated us, so it is a registry: only this answer cannot be parsed.
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
