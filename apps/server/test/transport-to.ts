import { afterEach, expect } from 'vitest'
import { isKube } from '../src/adapters/kube/errors.ts'
import type { KubeError } from '../src/adapters/kube/errors.ts'
import { openTransport } from '../src/adapters/kube/transport/transport.ts'
import type { KubeRequest, Transport, TransportOptions } from '../src/adapters/kube/transport/transport.ts'
import { admitLocal, fakeApi, reply } from './kube-api.ts'
import type { Answer, FakeApi } from './kube-api.ts'

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]()
})

/** Closed at the end of the test. */
export const keep = <T extends AsyncDisposable>(one: T): T => {
  open.push(one)
  return one
}

export function transportTo(api: FakeApi, options: Partial<TransportOptions> = {}, address = api.address): Transport {
  const transport = openTransport(address, { admit: admitLocal, ...options })
  keep({ [Symbol.asyncDispose]: transport.close })
  return transport
}

/** An API server with these answers, and a transport to it. */
export async function pair(answer: Answer, options: Partial<TransportOptions> = {}) {
  const api = keep(await fakeApi(answer))
  return { api, transport: transportTo(api, options) }
}

export const get: KubeRequest = { method: 'GET', path: '/version' }
export const ok: Answer = (_, response) => reply(response, { ok: true })
export const failure = (work: Promise<unknown>): Promise<KubeError> =>
  work.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => (isKube(error) ? error : expect.fail(String(error))),
  )
