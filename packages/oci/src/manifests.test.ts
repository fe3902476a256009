import { describe, expect, test } from 'vitest'
import type { Call, RegistryRequest } from './call.ts'
import { mediaTypes, parseManifest, readManifest, writeManifest } from './manifests.ts'
import { digestOf } from './names.ts'

const digest = `sha256:${'0a'.repeat(32)}`
const layer = { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', digest, size: 10 }
const image = { schemaVersion: 2, mediaType: mediaTypes.manifest, config: { digest, size: 2 }, layers: [layer] }

/** A registry that gives every request this answer, and records the requests. */
function answering(status: number, text: string, headers: Record<string, string> = {}) {
  const requests: RegistryRequest[] = []
  const call: Call = async (request) => {
    requests.push(request)
    return { status, headers, text }
  }
  return { call, requests }
}

describe('parsing a manifest', () => {
  test.each([
    ['an image', image],
    ['one without parts', { schemaVersion: 2 }],
    [
      'an index',
      {
        schemaVersion: 2,
        manifests: [
          { digest, size: 1, platform: { os: 'linux', architecture: 'amd64', variant: 'v2' } },
          { digest, size: 1 },
        ],
      },
    ],
    ['one with sha512', { schemaVersion: 2, config: { digest: `sha512:${'0a'.repeat(64)}`, size: 0 } }],
  ])('accepts %s', (_, document) => {
    expect(parseManifest(JSON.stringify(document))).toEqual(document)
  })

  test.each([
    ['a page', '<html>'],
    ['null', 'null'],
    ['a list', '[]'],
    ['the first version', JSON.stringify({ ...image, schemaVersion: 1 })],
    ['a media type that is no text', JSON.stringify({ ...image, mediaType: 1 })],
    ['no descriptor', JSON.stringify({ ...image, config: null })],
    ['a digest that is a path', JSON.stringify({ ...image, layers: [{ ...layer, digest: '../../x' }] })],
    ['a negative size', JSON.stringify({ ...image, layers: [{ ...layer, size: -1 }] })],
    ['layers that are no list', JSON.stringify({ ...image, layers: {} })],
    ['more layers than any image has', JSON.stringify({ ...image, layers: Array.from({ length: 1001 }, () => layer) })],
  ])('refuses %s', (_, text) => {
    expect(parseManifest(text)).toBeUndefined()
  })
})

describe('reading a manifest', () => {
  const text = JSON.stringify(image)

  test('by tag: computes the digest from the bytes, and takes the media type from the manifest', async () => {
    const { call, requests } = answering(200, text)
    expect(await readManifest(call, 'a/b', '1')).toEqual({
      ok: true,
      value: { digest: digestOf(text), mediaType: mediaTypes.manifest, size: text.length, text, manifest: image },
    })
    expect(requests[0]?.path).toBe('/v2/a/b/manifests/1')
    for (const type of Object.values(mediaTypes)) expect(requests[0]?.headers?.['accept']).toContain(type)
  })

  test('takes the media type from the answer if the manifest has none', async () => {
    const { call } = answering(200, '{"schemaVersion":2}', { 'content-type': `${mediaTypes.index}; charset=utf-8` })
    expect(await readManifest(call, 'a', '1')).toMatchObject({ value: { mediaType: mediaTypes.index } })
  })

  test('by digest: refuses other bytes', async () => {
    expect((await readManifest(answering(200, text).call, 'a', digestOf(text))).ok).toBe(true)
    expect(await readManifest(answering(200, text).call, 'a', digest)).toEqual({
      ok: false,
      failure: { kind: 'digest' },
    })
  })

  test('reports a missing manifest and an invalid one', async () => {
    const missing = { ok: false, failure: { kind: 'status', status: 404, text: 'no' } }
    expect(await readManifest(answering(404, 'no').call, 'a', '1')).toEqual(missing)
    const unreadable = { ok: false, failure: { kind: 'protocol' } }
    expect(await readManifest(answering(200, '<html>').call, 'a', '1')).toEqual(unreadable)
  })
})

test("writing returns the digest, or the registry's error", async () => {
  const { call, requests } = answering(201, '')
  expect(await writeManifest(call, 'a', '1', '{"é":1}', mediaTypes.index)).toEqual({
    ok: true,
    value: digestOf('{"é":1}'),
  })
  expect(requests).toMatchObject([
    { method: 'PUT', path: '/v2/a/manifests/1', headers: { 'content-type': mediaTypes.index }, length: 8 },
  ])
  const refused = { ok: false, failure: { kind: 'status', status: 507, text: 'full' } }
  expect(await writeManifest(answering(507, 'full').call, 'a', '1', '{}')).toEqual(refused)
})
