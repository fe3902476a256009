import type { Readable } from 'node:stream'
import { isSuccess, type Call } from './call.ts'
import { done, failed, type Outcome } from './outcome.ts'

export interface Upload {
  digest: string
  size: number
  open: () => Buffer | Readable
}

/** Where an upload that was begun goes on. */
function placeOf({ status, headers, text }: Awaited<ReturnType<Call>>): Outcome<string> {
  if (!isSuccess(status)) return failed({ kind: 'status', status, text })
  const { location } = headers
  return typeof location === 'string' && location !== '' ? done(location) : failed({ kind: 'protocol' })
}

export async function uploadBlob(call: Call, repository: string, blob: Upload): Promise<Outcome<undefined>> {
  const begun = placeOf(await call({ method: 'POST', path: `/v2/${repository}/blobs/uploads/` }))
  return begun.ok ? finishUpload(call, begun.value, blob) : begun
}

/** Takes a blob over from another repository of the registry. One that does not do this answers where it is to be sent. */
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

/** Sends a blob to where its upload was begun. */
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
