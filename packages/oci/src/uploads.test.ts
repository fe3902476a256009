import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { finishUpload, mountBlob, uploadBlob } from './uploads.ts'

type Answer = Partial<Awaited<ReturnType<Call>>>

/** A registry that gives these answers in turn, and records `METHOD path` of its requests. */
function registry(...answers: Answer[]) {
  const requests: string[] = []
  const call: Call = async ({ method, path }) => {
    requests.push(`${method} ${path}`)
    return { status: 500, headers: {}, text: '', ...answers.shift() }
  }
  return { call, requests }
}

const blob = { digest: 'sha256:1', size: 5, open: () => Buffer.from('hello') }
const begun = (location: string): Answer => ({ status: 202, headers: { location } })

test.each([
  ['/v2/a/blobs/uploads/7', 'PUT /v2/a/blobs/uploads/7?digest=sha256%3A1'],
  ['http://host/up?state=a%2Fb%3D', 'PUT http://host/up?state=a%2Fb%3D&digest=sha256%3A1'],
])('sends a blob to %s, as the registry named it', async (location, put) => {
  const { call, requests } = registry(begun(location), { status: 201 })
  expect(await uploadBlob(call, 'a', blob)).toEqual({ ok: true, value: undefined })
  expect(requests).toEqual(['POST /v2/a/blobs/uploads/', put])
})

test('reports a refusal with the text of the registry, and ends the upload', async () => {
  const denied = registry({ status: 403, text: 'denied' })
  const failure = { kind: 'status', status: 403, text: 'denied' }
  expect(await uploadBlob(denied.call, 'a', blob)).toEqual({ ok: false, failure })
  expect(denied.requests).toHaveLength(1)
  const full = registry(begun('/x'), { status: 507, text: 'full' })
  expect(await uploadBlob(full.call, 'a', blob)).toEqual({
    ok: false,
    failure: { kind: 'status', status: 507, text: 'full' },
  })
})

test('fails without a Location', async () => {
  const { call } = registry({ status: 202 })
  expect(await uploadBlob(call, 'a', blob)).toEqual({ ok: false, failure: { kind: 'protocol' } })
})

test('mounts a blob of another repository, or reports that it has to be sent', async () => {
  const able = registry({ status: 201 })
  expect(await mountBlob(able.call, 'a', 'sha256:1', 'b/c')).toEqual({ ok: true, value: undefined })
  expect(able.requests).toEqual(['POST /v2/a/blobs/uploads/?mount=sha256%3A1&from=b%2Fc'])
  const unable = registry(begun('/up'), { status: 201 })
  const place = await mountBlob(unable.call, 'a', 'sha256:1', 'b/c')
  expect(place).toEqual({ ok: true, value: '/up' })
  expect(await finishUpload(unable.call, '/up', blob)).toMatchObject({ ok: true })
  expect(await mountBlob(registry({ status: 404, text: 'no' }).call, 'a', 'sha256:1', 'b')).toEqual({
    ok: false,
    failure: { kind: 'status', status: 404, text: 'no' },
  })
})
