import type { Readable } from 'node:stream'
import { isSuccess, type Call } from './call.ts'
import { done, failed, type Outcome } from './outcome.ts'

export interface Upload {
  digest: string
  size: number
  open: () => Buffer | Readable
}

/** The Location at which a started upload continues. */
function placeOf({ status, headers, text }: Awaited<ReturnType<Call>>): Outcome<string> {
  if (!isSuccess(status)) return failed({ kind: 'status', status, text })
  const { location } = headers
  return typeof location === 'string' && location !== '' ? done(location) : failed({ kind: 'protocol' })
}

export async function uploadBlob(call: Call, repository: string, blob: Upload): Promise<Outcome<undefined>> {
  const begun = placeOf(await call({ method: 'POST', path: `/v2/${repository}/blobs/uploads/` }))
  return begun.ok ? finishUpload(call, begun.value, blob) : begun
}

/** Mounts a blob from another repository of the registry. A registry without support answers where to send the blob. */
export async function mountBlob(
  call: Call,
  repository: string,
  digest: string,
  from: string,
): Promise<Outcome<string | undefined>> {
  const query = `mount=${encodeURIComponent(digest)}&from=${encodeURIComponent(from)}`
  const answer = await call({ method: 'POST', path: `/v2/${repository}/blobs/uploads/?${query}` })
  return answer.status === 201 ? done(undefined) : placeOf(answer)
}

/** Sends a blob to the Location of its upload. */
export async function finishUpload(
  call: Call,
  location: string,
  { digest, size, open }: Upload,
): Promise<Outcome<undefined>> {
  const { status, text } = await call({
    method: 'PUT',
    path: `${location}${location.includes('?') ? '&' : '?'}digest=${encodeURIComponent(digest)}`,
    headers: { 'content-type': 'application/octet-stream' },
    body: open,
    length: size,
  })
  return isSuccess(status) ? done(undefined) : failed({ kind: 'status', status, text })
}
