import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { labService } from '../../../test/lab.ts'
import { s3Blobs } from './s3.ts'

const lab = labService('s3')

const open = (more = {}) =>
  s3Blobs({
    endpoint: lab?.['S3_ENDPOINT'] ?? '',
    bucket: lab?.['S3_BUCKET'] ?? '',
    region: lab?.['S3_REGION'] ?? '',
    accessKey: lab?.['S3_ACCESS_KEY'] ?? '',
    secretKey: lab?.['S3_SECRET_KEY'] ?? '',
    // characters that a signature has to escape specially
    prefix: `run ${randomBytes(4).toString('hex')}/a+b=(é)/`,
    partBytes: 5 * 1_048_576,
    ...more,
  })

describe.skipIf(!lab)('a real store (needs the lab’s s3)', async () => {
  const blobs = await open()
  afterAll(() => blobs.close())

  test.each([0, 1, 5 * 1_048_576, 12 * 1_048_576 + 1])('keeps %i bytes', async (size) => {
    const whole = randomBytes(size)
    const stored = await blobs.put('artifacts', Readable.from([whole]))
    const read = await buffer(await blobs.get(stored.key))
    const rest = await buffer(await blobs.get(stored.key, { from: size >> 1, to: size + 9 }))
    expect([read.equals(whole), rest.equals(whole.subarray(size >> 1))]).toEqual([true, true])
    expect(await blobs.size(stored.key)).toBe(size)
    const found = []
    for await (const { key } of blobs.list('artifacts')) found.push(key)
    expect(found).toEqual([stored.key])
    await blobs.delete(stored.key)
    await blobs.delete(stored.key)
    await expect(blobs.get(stored.key)).rejects.toMatchObject({ key: 'blobs-missing' })
    await expect(blobs.size(stored.key)).rejects.toMatchObject({ key: 'blobs-missing' })
  })

  test('lists more than a page', async () => {
    const put = await Promise.all(Array.from({ length: 1_001 }, () => blobs.put('logs', Readable.from([]))))
    const found = []
    for await (const { key } of blobs.list('logs')) found.push(key)
    expect(found.sort()).toEqual(put.map(({ key }) => key).sort())
    await Promise.all(found.map((key) => blobs.delete(key)))
  })

  test('writes the marker once', async () => {
    const markers = await Promise.all(Array.from({ length: 8 }, () => blobs.marker()))
    expect(new Set([...markers, await blobs.marker()]).size).toBe(1)
  })

  test.each([{ secretKey: 'wrong' }, { bucket: 'nowhere' }])('a store with %o is unavailable', async (wrong) => {
    const other = await open(wrong)
    await expect(other.put('logs', Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
      key: 'blobs-unavailable',
    })
    await other.close()
  })
})
