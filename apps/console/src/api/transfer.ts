import { session as calls } from '@gantry/contract/auth/session'
import type { CallInput, Endpoint } from '@gantry/contract/endpoint'
import { addressOf, call } from './call.ts'

/** Downloads a stream endpoint's content with a one-use ticket: the browser writes it to disk as it arrives. */
export async function download<E extends Endpoint>(endpoint: E, input: CallInput<E>, name?: string): Promise<void> {
  const url = new URL(addressOf(endpoint, input), location.href)
  // A ticket is for a path, without the query.
  const { ticket } = await call(calls.ticket, { body: { method: 'GET', path: url.pathname } })
  url.searchParams.set('authorization', ticket)
  save(url.href, name)
}

/** Downloads a text of the page. */
export function saveText(text: string, name: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  save(url, name)
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function save(url: string, name?: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name ?? ''
  link.click()
}

/** A picture as data URL, a few kB, because a request by its address would lack the token. */
export const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the picture could not be read')))
    reader.readAsDataURL(blob)
  })
