import { buffer } from 'node:stream/consumers'
import { createHash } from 'node:crypto'
import type { IndexedChart, IndexedVersion } from '@gantry/contract/helm/charts'
import { Fault } from '../../kernel/fault.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../outbound/outbound.ts'
import { retried } from '../outbound/retried.ts'
import type { Registry } from '../registry/registry.ts'
import { answering, type RepositoryAccess } from './access.ts'
import { archiveLimits, type ChartContents } from './archive.ts'
import { ChartProblem, indexLimits } from './chart-index.ts'
import { ociArchive, readRegistry } from './oci-charts.ts'
import type { ValuesProblem } from './values-check.ts'
import { inThread } from './worker.ts'

/**
 * Chart repositories. Faults name the cause and the repository's host; an index or archive that is invalid or exceeds
 * its limits is a 400.
 */
export interface Charts {
  /** All charts and versions of a repository. */
  read(access: RepositoryAccess, signal: AbortSignal): Promise<IndexedChart[]>
  /** The archive of a version, whose digest is compared with that in the index. */
  archive(
    access: RepositoryAccess,
    version: Pick<IndexedVersion, 'url' | 'digest'>,
    signal: AbortSignal,
  ): Promise<Buffer>
  contents(archive: Buffer, signal: AbortSignal): Promise<ChartContents>
  /** The icon as a data URL; empty if there is none, or it does not arrive in time. */
  icon(url: string, signal: AbortSignal): Promise<string>
  /** The problems of values, as YAML and against the chart's schema. */
  check(values: { text: string; schema: string; beneath: string }, signal: AbortSignal): Promise<ValuesProblem[]>
}

/** Milliseconds for a repository's whole answer, and for an icon. */
const waits = { whole: 60_000, icon: 3_000 }
/** Milliseconds before the second and third attempt at a document, before jitter. */
const pauses = [300, 1200]
const iconBytes = 256 * 1024
const iconTypes = /^image\/(png|jpeg|gif|webp|svg\+xml)$/

/** Maps a problem of a document to a fault. */
export async function asFault<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChartProblem) throw new Fault('invalid', `helm-${error.key}`, { name, ...error.vars })
    throw error
  }
}

const basic = ({ username, password }: RepositoryAccess): Record<string, string> =>
  username === '' && password === ''
    ? {}
    : { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }

function mustBeFine(answer: OutboundResponse, access: RepositoryAccess): void {
  const { host } = answer.url
  const { status } = answer
  if (status >= 200 && status < 300) return
  answer.body.destroy()
  if (status === 401 || status === 403)
    throw new Fault('invalid', access.username === '' ? 'helm-password-needed' : 'helm-wrong-password', { host })
  if (status === 404) throw new Fault('invalid', 'helm-not-there', { url: answer.url.href })
  throw new Fault('badGateway', 'outbound-status', { host, status })
}

/** A server error or a broken answer may pass; a refused connection may be a wrong address, so it is not retried. */
const isPassing = ({ key, vars }: Fault): boolean =>
  key === 'outbound-broken' ||
  (key === 'outbound-status' && (Number(vars['status']) === 429 || Number(vars['status']) >= 500))

export function createCharts(outbound: Outbound, registry: Registry): Charts {
  /** Tries up to three times after transient failures. A silent server is tried only once, for 5 s. */
  const fetched = (access: RepositoryAccess, url: URL, maxBytes: number, signal: AbortSignal): Promise<Buffer> =>
    retried({ host: url.host, pauses, now: Date.now, mayRetry: isPassing, signal }, () =>
      fetchedOnce(access, url, maxBytes, signal),
    )

  /** Credentials and CA are only used for the repository's own host: an index may name archives anywhere. */
  async function fetchedOnce(
    access: RepositoryAccess,
    url: URL,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const own = url.origin === new URL(access.url).origin
    const patience = answering(signal, url.host)
    const request: OutboundRequest = {
      url,
      headers: own ? basic(access) : {},
      timeout: waits.whole,
      maxBytes,
      signal: patience.signal,
      ...(own && access.ca !== '' && { ca: access.ca }),
    }
    try {
      const answer = await outbound.request(request)
      patience.answered()
      mustBeFine(answer, access)
      return await buffer(answer.body)
    } catch (error) {
      // beyond its limits the document is wrong, not the connection
      if (error instanceof Fault && error.key === 'outbound-too-large')
        throw new Fault('invalid', error.key, error.vars)
      throw error
    } finally {
      patience.answered()
    }
  }

  async function readIndexed(access: RepositoryAccess, signal: AbortSignal): Promise<IndexedChart[]> {
    const url = new URL('index.yaml', `${access.url.replace(/\/+$/, '')}/`)
    const bytes = await fetched(access, url, indexLimits.bytes, signal)
    return asFault(access.name, inThread({ kind: 'index', bytes }, signal))
  }

  async function indexedArchive(
    access: RepositoryAccess,
    { url, digest }: Pick<IndexedVersion, 'url' | 'digest'>,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const base = `${access.url.replace(/\/+$/, '')}/`
    if (!URL.canParse(url, base)) throw new Fault('invalid', 'helm-archive-invalid', { name: access.name })
    const bytes = await fetched(access, new URL(url, base), archiveLimits.bytes, signal)
    if (digest !== '' && createHash('sha256').update(bytes).digest('hex') !== digest)
      throw new Fault('badGateway', 'helm-archive-digest', { name: access.name })
    return bytes
  }

  async function icon(url: string, signal: AbortSignal): Promise<string> {
    if (/^data:image\/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=]+$/.test(url) && url.length < iconBytes)
      return url
    if (!/^https?:\/\//.test(url)) return ''
    try {
      const answer = await outbound.request({ url, timeout: waits.icon, maxBytes: iconBytes, signal })
      const type = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
      if (answer.status !== 200 || !iconTypes.test(type)) {
        answer.body.destroy()
        return ''
      }
      return `data:${type};base64,${(await buffer(answer.body)).toString('base64')}`
    } catch (error) {
      if (error instanceof Fault) return ''
      throw error
    }
  }

  return {
    read: (access, signal) =>
      access.kind === 'oci' ? readRegistry(registry, access, signal) : readIndexed(access, signal),
    archive: (access, version, signal) =>
      access.kind === 'oci' ? ociArchive(registry, access, version, signal) : indexedArchive(access, version, signal),
    contents: (archive, signal) => asFault('', inThread({ kind: 'archive', bytes: archive }, signal)),
    icon,
    check: (values, signal) => asFault('', inThread({ kind: 'values', ...values }, signal)),
  }
}
