import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/**
 * Acts on a product's sandbox as another program would, such as kubectl: sends `body` to `path` of its API server, with
 * its kubeconfig, and expects success.
 */
export async function elsewhere(data: string, method: 'POST' | 'PATCH', path: string, body: object): Promise<void> {
  const config = readFileSync(join(data, 'sandbox/kubeconfig'), 'utf8')
  const read = (key: string) => new RegExp(`${key}: (\\S+)`).exec(config)?.[1] ?? ''
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const headers = { authorization: `Bearer ${read('token')}`, 'content-type': type }
  const { ok, status } = await fetch(`${read('server')}${path}`, { method, headers, body: JSON.stringify(body) })
  expect({ ok, status }).toMatchObject({ ok: true })
}
