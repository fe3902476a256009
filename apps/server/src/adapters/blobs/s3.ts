import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'
import type { CompletedPart, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { Fault } from '../../kernel/fault.ts'
import { isBlobKey, newBlobKey, type Blobs } from './blobs.ts'

export interface S3BlobSettings {
  accessKey: string
  secretKey: string
  region: string
  /** The store's origin; buckets are addressed by path, which every S3-compatible store supports. */
  endpoint: string
  bucket: string
  /** Prefix of every key, so that a bucket can be shared. */
  prefix?: string
  /** PEM, trusted in addition to the system's CAs. */
  ca?: string | undefined
  /** Size of one part of a large blob; S3 requires at least 5 MiB. */
  partBytes?: number
  /** Maximum milliseconds before the second attempt; twice as many before the third. */
  pauseMs?: number
  /** Milliseconds of silence after which the store counts as unavailable. */
  silenceMs?: number
  /** Milliseconds after which a download is aborted that its reader has not continued. */
  stallMs?: number
}

export interface S3Blobs extends Blobs {
  close(): Promise<void>
}

/**
 * Blobs in a bucket. The address comes from the configuration, never from a user, so the outbound client is not used.
 * Unfinished uploads of a server that died are left to the bucket's lifecycle rule.
 */
export async function s3Blobs(settings: S3BlobSettings): Promise<S3Blobs> {
  // not read by a server whose blobs are in a folder
  const [aws, { StandardRetryStrategy }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@smithy/core/retry'),
  ])
  const { prefix = '', partBytes = 8 * 1_048_576, pauseMs = 700, silenceMs = 30_000, stallMs = 600_000 } = settings
  const openClient = (patience: { requestTimeout?: number; socketTimeout: number }): S3Client =>
    new aws.S3Client({
      endpoint: settings.endpoint,
      region: settings.region,
      credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
      forcePathStyle: true,
      // otherwise environment variables of Amazon's tools would choose another address
      useFipsEndpoint: false,
      useDualstackEndpoint: false,
      // every call is idempotent, because it names the key that it writes
      retryStrategy: new StandardRetryStrategy({ maxAttempts: 3, baseDelay: pauseMs }),
      // many stores other than Amazon's support none of these three
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      expectContinueHeader: false,
      requestHandler: {
        // its time starts with the call, so no call may wait for a connection of a full pool
        connectionTimeout: 5000,
        ...patience,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: Infinity },
        httpsAgent: {
          maxSockets: Infinity,
          ...(settings.ca !== undefined && { ca: [...rootCertificates, settings.ca] }),
        },
      },
    })
  const client = openClient({ socketTimeout: silenceMs })
  /** A blob is sent as slowly as it is read: once an answer has begun, its reader may cause the silence. */
  const downloads = openClient({ requestTimeout: silenceMs, socketTimeout: stallMs })
  const at = (Key: string) => ({ Bucket: settings.bucket, Key })
  const blobAt = (key: string) => {
    if (!isBlobKey(key)) throw new Fault('missing', 'blobs-missing')
    return at(prefix + key)
  }

  async function putLarge(where: ReturnType<typeof at>, first: Buffer, rest: AsyncIterator<Buffer>): Promise<void> {
    const { UploadId } = await client.send(new aws.CreateMultipartUploadCommand(where)).catch(failed)
    try {
      const Parts: CompletedPart[] = []
      for (let Body: Buffer | undefined = first; Body !== undefined;) {
        const part = { ...where, UploadId, PartNumber: Parts.length + 1, Body }
        const { ETag } = await client.send(new aws.UploadPartCommand(part)).catch(failed)
        Parts.push({ PartNumber: part.PartNumber, ETag })
        const next: IteratorResult<Buffer> = await rest.next()
        Body = next.done === true ? undefined : next.value
      }
      const whole = { ...where, UploadId, MultipartUpload: { Parts } }
      await client.send(new aws.CompleteMultipartUploadCommand(whole)).catch(failed)
    } catch (error) {
      await client.send(new aws.AbortMultipartUploadCommand({ ...where, UploadId })).catch(() => undefined)
      throw error
    }
  }

  return {
    async put(area, body, key = newBlobKey(area)) {
      const where = at(prefix + key)
      const hash = createHash('sha256')
      let size = 0
      const parts = partsOf(body, partBytes, (chunk) => {
        hash.update(chunk)
        size += chunk.length
      })
      try {
        const first = await parts.next()
        const Body = first.done === true ? Buffer.alloc(0) : first.value
        if (Body.length === partBytes) await putLarge(where, Body, parts)
        else await client.send(new aws.PutObjectCommand({ ...where, Body })).catch(failed)
      } catch (error) {
        if (body instanceof Readable) body.destroy()
        throw error
      } finally {
        await parts.return(undefined)
      }
      return { key, size, sha256: hash.digest('hex') }
    },
    async get(key, range) {
      const where = blobAt(key)
      if (range === undefined) return bodyOf(await downloads.send(new aws.GetObjectCommand(where)).catch(failed))
      if (range.from >= range.to) return Readable.from([])
      const part = new aws.GetObjectCommand({ ...where, Range: `bytes=${range.from}-${range.to - 1}` })
      const answer = await client.send(part).catch(nothingIf(416))
      return answer === undefined ? Readable.from([]) : bodyOf(answer)
    },
    async size(key) {
      const { ContentLength } = await client.send(new aws.HeadObjectCommand(blobAt(key))).catch(failed)
      return Number(ContentLength)
    },
    async delete(key) {
      await client.send(new aws.DeleteObjectCommand(blobAt(key))).catch(nothingIf(404))
    },
    async *list(area) {
      const pages = aws.paginateListObjectsV2({ client }, { Bucket: settings.bucket, Prefix: `${prefix}${area}/` })
      try {
        for await (const { Contents = [] } of pages)
          for (const { Key = '', Size, LastModified } of Contents) {
            const key = Key.slice(prefix.length)
            if (isBlobKey(key)) yield { key, size: Number(Size), modified: LastModified ?? new Date(0) }
          }
      } catch (error) {
        failed(error)
      }
    },
    async marker() {
      const where = at(`${prefix}marker`)
      const read = () => client.send(new aws.GetObjectCommand(where))
      const found = await read().catch(nothingIf(404))
      if (found === undefined) {
        // of two servers that start together, the store lets one write, and both read what that one wrote
        const Body = randomBytes(16).toString('hex')
        await client.send(new aws.PutObjectCommand({ ...where, Body, IfNoneMatch: '*' })).catch(nothingIf(409, 412))
      }
      const { Body } = found ?? (await read().catch(failed))
      return ((await Body?.transformToString()) ?? '').trim()
    },
    async close() {
      client.destroy()
      downloads.destroy()
    },
  }
}

/** In Node, a body is one of Node's streams. */
const bodyOf = ({ Body }: { Body?: unknown }): Readable => {
  if (Body instanceof Readable) return Body
  throw new Error('the store answered without a body')
}

/** Splits the stream into parts of equal size; only the last may be shorter. */
async function* partsOf(
  body: AsyncIterable<Uint8Array>,
  partBytes: number,
  seen: (chunk: Uint8Array) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let pieces: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    seen(chunk)
    for (let at = 0; at < chunk.length;) {
      // a copy, because the producer may reuse its buffer
      const piece = Uint8Array.prototype.slice.call(chunk, at, at + partBytes - bytes)
      pieces.push(piece)
      bytes += piece.length
      at += piece.length
      if (bytes < partBytes) continue
      yield Buffer.concat(pieces)
      pieces = []
      bytes = 0
    }
  }
  if (bytes > 0) yield Buffer.concat(pieces)
}

/** The status with which the store refused a call. */
const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && '$metadata' in error ? (error as S3ServiceException).$metadata.httpStatusCode : undefined

const noRoom = new Set(['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'])

/** For `.catch` of a call: its failure as a Fault. */
function failed(error: unknown): never {
  const status = statusOf(error)
  const name = error instanceof Error ? error.name : ''
  if (status === 507 || noRoom.has(name)) throw new Fault('full', 'blobs-full')
  if (status === 404 && name !== 'NoSuchBucket') throw new Fault('missing', 'blobs-missing')
  const fault = new Fault('unavailable', 'blobs-unavailable')
  fault.cause = error
  throw fault
}

/** Like `failed`, but returns nothing where the store refused with one of these statuses. */
const nothingIf =
  (...statuses: number[]) =>
  (error: unknown): undefined =>
    statuses.some((status) => status === statusOf(error)) ? undefined : failed(error)
