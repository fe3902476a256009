import { createHash, randomBytes } from 'node:crypto'
import { pipeline, Readable, Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'
import { SaxesParser } from 'saxes'
import { Agent, request as exchange, type Dispatcher } from 'undici'
import { Fault } from '../../kernel/fault.ts'
import { isBlobKey, newBlobKey, type Blobs } from './blobs.ts'
import { encoded, signed, type Keys } from './sigv4.ts'

export interface S3BlobSettings extends Keys {
  /** Its origin; buckets are addressed by path, which every S3-compatible store takes. */
  endpoint: string
  bucket: string
  /** Put before every key, so that a bucket can be shared. */
  prefix?: string
  /** PEM text, trusted beside the usual authorities. */
  ca?: string | undefined
  /** Bytes of one part of a large blob; S3 wants at least 5 MiB. */
  partBytes?: number
  /** Milliseconds before the second, the third … try. */
  pauses?: readonly number[]
  /** Milliseconds in which whoever downloads a blob has to take some more of it. A minute. */
  stallMs?: number
}

export interface S3Blobs extends Blobs {
  close(): Promise<void>
}

interface Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: string | Buffer
  dispatcher?: Agent
}

type Answer = Dispatcher.ResponseData

/**
 * Blobs in a bucket. The address comes from the configuration, never from a user, so it does not go through the outbound
 * client. Uploads that a dying server left unfinished are the bucket's lifecycle rule to remove.
 */
export function s3Blobs(settings: S3BlobSettings): S3Blobs {
  const { bucket, prefix = '', partBytes = 8 * 1_048_576, pauses = [200, 1000], stallMs = 600_000 } = settings
  const base = new URL(settings.endpoint)
  const connections = (): Agent =>
    new Agent({
      allowH2: false,
      connections: 32,
      connect: { timeout: 5000, ...(settings.ca !== undefined && { ca: [...rootCertificates, settings.ca] }) },
    })
  const dispatcher = connections()
  /** Whole blobs go out as slowly as they are taken: what is read and written here does not wait for them. */
  const downloads = connections()

  async function once({ method, key, query = {}, headers = {}, body = '', dispatcher: by }: Call): Promise<Answer> {
    const url = new URL(`/${encoded(bucket)}/${key.split('/').map(encoded).join('/')}`, base)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const withHeaders = signed({ method, url, headers, body }, settings, new Date())
    // What is sent must be spelt as what was signed.
    url.search = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
    const sent = body.length > 0 || method === 'PUT' || method === 'POST' ? { body } : {}
    return exchange(url, {
      dispatcher: by ?? dispatcher,
      method,
      headers: withHeaders,
      ...sent,
      headersTimeout: 30_000,
      bodyTimeout: 60_000,
    })
  }

  /** Every call here may be repeated: it names what it writes. Answers are 2xx, or one of `also`. */
  async function call(wanted: Call, also: number[] = []): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      const pause = pauses[tries]
      try {
        const answer = await once(wanted)
        if ((answer.statusCode >= 200 && answer.statusCode < 300) || also.includes(answer.statusCode)) return answer
        const text = await answer.body.text()
        if (
          pause === undefined ||
          (answer.statusCode < 500 && answer.statusCode !== 429) ||
          answer.statusCode === 507
        ) {
          throw refused(answer.statusCode, text)
        }
      } catch (error) {
        if (error instanceof Fault) throw error
        if (pause === undefined) throw unavailable(error)
      }
      await sleep((pause ?? 0) * (0.5 + Math.random()))
    }
  }

  const done = async (wanted: Call, also?: number[]): Promise<void> => (await call(wanted, also)).body.dump()

  async function putLarge(key: string, first: Buffer, rest: AsyncIterator<Buffer>): Promise<void> {
    const begun = await (await call({ method: 'POST', key, query: { uploads: '' } })).body.text()
    const uploadId = textsOf(begun, 'UploadId')[0] ?? ''
    try {
      const tags: string[] = []
      for (let part: Buffer | undefined = first; part !== undefined;) {
        const query = { partNumber: String(tags.length + 1), uploadId }
        const answer = await call({ method: 'PUT', key, query, body: part })
        tags.push(String(answer.headers['etag']))
        await answer.body.dump()
        const next: IteratorResult<Buffer> = await rest.next()
        part = next.done === true ? undefined : next.value
      }
      const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const ended = await (await call({ method: 'POST', key, query: { uploadId }, body })).body.text()
      // This one call may fail after it has said 200.
      if (textsOf(ended, 'Code').length > 0) throw refused(500, ended)
    } catch (error) {
      await done({ method: 'DELETE', key, query: { uploadId } }, [404]).catch(() => {})
      throw error
    }
  }

  const nameOf = (key: string): string => {
    if (!isBlobKey(key)) throw new Fault('missing', 'blobs-missing')
    return prefix + key
  }

  return {
    async put(area, body, key = newBlobKey(area)) {
      const hash = createHash('sha256')
      let size = 0
      const parts = partsOf(body, partBytes, (chunk) => {
        hash.update(chunk)
        size += chunk.length
      })
      try {
        const first = await parts.next()
        if (first.done === true) await done({ method: 'PUT', key: prefix + key })
        else if (first.value.length < partBytes) await done({ method: 'PUT', key: prefix + key, body: first.value })
        else await putLarge(prefix + key, first.value, parts)
      } catch (error) {
        if (body instanceof Readable) body.destroy()
        throw error
      } finally {
        await parts.return(undefined)
      }
      return { key, size, sha256: hash.digest('hex') }
    },
    async get(key, range) {
      const name = nameOf(key)
      if (range !== undefined && range.from >= range.to) return Readable.from([])
      if (range === undefined) {
        const whole = await call({ method: 'GET', key: name, dispatcher: downloads })
        return unstalled(whole.body, stallMs)
      }
      const headers = { range: `bytes=${range.from}-${range.to - 1}` }
      const answer = await call({ method: 'GET', key: name, headers }, [416])
      if (answer.statusCode !== 416) return answer.body
      await answer.body.dump()
      return Readable.from([])
    },
    async size(key) {
      const answer = await call({ method: 'HEAD', key: nameOf(key) })
      await answer.body.dump()
      return Number(answer.headers['content-length'])
    },
    delete: (key) => done({ method: 'DELETE', key: nameOf(key) }, [404]),
    async *list(area) {
      for (let token = ''; ;) {
        const query = {
          'list-type': '2',
          prefix: `${prefix}${area}/`,
          ...(token !== '' && { 'continuation-token': token }),
        }
        const text = await (await call({ method: 'GET', key: '', query })).body.text()
        const [keys, sizes, times] = ['Key', 'Size', 'LastModified'].map((name) => textsOf(text, name))
        for (const [i, name] of (keys ?? []).entries()) {
          const key = name.slice(prefix.length)
          if (isBlobKey(key)) yield { key, size: Number(sizes?.[i]), modified: new Date(times?.[i] ?? 0) }
        }
        token = textsOf(text, 'NextContinuationToken')[0] ?? ''
        if (token === '') return
      }
    },
    async marker() {
      const key = `${prefix}marker`
      const found = await call({ method: 'GET', key }, [404])
      const text = await found.body.text()
      if (found.statusCode !== 404) return text.trim()
      // Of two servers that start together the store lets one write; both read what it wrote.
      const body = randomBytes(16).toString('hex')
      await done({ method: 'PUT', key, body, headers: { 'if-none-match': '*' } }, [409, 412])
      return (await (await call({ method: 'GET', key })).body.text()).trim()
    },
    close: async () => {
      await Promise.all([dispatcher.destroy(), downloads.destroy()])
    },
  }
}

/** The stream, given up where its reader takes nothing for so long: a body that waits for its reader has no limit of its own. */
function unstalled(body: Readable, stallMs: number): Readable {
  const taken = new Transform({
    transform(chunk, _, done) {
      timer.refresh()
      done(null, chunk)
    },
  })
  const timer = setTimeout(() => taken.destroy(new Error(`nothing was taken for ${stallMs / 1000} s`)), stallMs)
  // for whoever reads, now or later: an error that nobody listens to yet would end the process
  taken.on('error', () => undefined)
  pipeline(body, taken, () => clearTimeout(timer))
  return taken
}

/** The stream in pieces of one size; only the last may be shorter. */
async function* partsOf(
  body: AsyncIterable<Uint8Array>,
  partBytes: number,
  seen: (chunk: Uint8Array) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    seen(chunk)
    for (let at = 0; at < chunk.length;) {
      // A copy: whoever streams may use its buffer again.
      const piece = Uint8Array.prototype.slice.call(chunk, at, at + partBytes - bytes)
      held.push(piece)
      bytes += piece.length
      at += piece.length
      if (bytes < partBytes) continue
      yield Buffer.concat(held)
      held = []
      bytes = 0
    }
  }
  if (bytes > 0) yield Buffer.concat(held)
}

/** The text of every element of that name, in order. */
function textsOf(xml: string, name: string): string[] {
  const texts: string[] = []
  const parser = new SaxesParser({ xmlns: false })
  let text = ''
  parser.on('opentag', () => (text = ''))
  parser.on('text', (part) => (text += part))
  parser.on('closetag', (tag) => {
    if (tag.name === name) texts.push(text)
  })
  parser.on('error', (error) => {
    throw unavailable(error)
  })
  parser.write(xml).close()
  return texts
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function refused(status: number, text: string): Fault {
  const full = status === 507 || /<Code>(QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded)/.test(text)
  if (full) return new Fault('full', 'blobs-full')
  if (status === 404 && !text.includes('NoSuchBucket')) return new Fault('missing', 'blobs-missing')
  return unavailable(new Error(`${status} ${text.slice(0, 500)}`))
}

function unavailable(cause: unknown): Fault {
  const fault = new Fault('unavailable', 'blobs-unavailable')
  fault.cause = cause
  return fault
}
