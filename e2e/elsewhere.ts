import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/**
 * What somebody does in a product's sandbox with another program, such as kubectl: asks its API server for `path` by its
 * kubeconfig, and expects that it is done.
 */
export async function elsewhere(data: string, method: 'POST' | 'PATCH', path: string, body: object): Promise<void> {
  const config = readFileSync(join(data, 'sandbox/kubeconfig'), 'utf8')
  const read = (key: string) => new RegExp(`${key}: (\\S+)`).exec(config)?.[1] ?? ''
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const headers = { authorization: `Bearer ${read('token')}`, 'content-type': type }
  const { ok, status } = await fetch(`${read('server')}${path}`, { method, headers, body: JSON.stringify(body) })
  expect({ ok, status }).toMatchObject({ ok: true })
}
