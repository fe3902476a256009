import { crc32, deflateSync } from 'node:zlib'
import { users } from '@gantry/contract/users/users'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { sharpPictures } from '../../../adapters/pictures/pictures.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'], ports: { pictures: sharpPictures() } })
const [teamA, teamB] = [await app.team(), await app.team()]

async function upload(by: TestCaller, id: number, payload: Buffer, headers: Record<string, string> = {}) {
  const reply = await by.raw({ method: 'POST', url: `/api/users/${id}/avatar`, headers, payload })
  return reply.json<{ code: number; message: string; data: { avatar: string } | null }>()
}
const picture = (by: TestCaller, id: number, v?: string) =>
  by.request(users.avatar, { params: { id }, query: v === undefined ? {} : { v } })

const red = { r: 200, g: 30, b: 30 }
const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: red } })

/** Allows WebP, which the product never reads, so that a test can inspect what it wrote. */
async function looking<T>(look: () => Promise<T>): Promise<T> {
  const operation = ['VipsForeignLoadWebpBuffer']
  sharp.unblock({ operation })
  try {
    return await look()
  } finally {
    sharp.block({ operation })
  }
}

/** A PNG of one colour, built from the format's chunks: length, name, data and checksum. */
function png(width: number, height: number, rows = height): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // one bit per pixel, grey
  head[8] = 1
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * rows))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('a picture is re-encoded: a square of 256 pixels, WebP, without metadata of the camera', async () => {
  const one = await teamA.member()
  const given = await blank(600, 400)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'taken at home' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .toBuffer()
  expect(given.includes('taken at home')).toBe(true)
  const { code, data } = await upload(one, one.id, given)
  expect(code).toBe(200)
  const kept = await picture(one, one.id)
  expect(kept.headers['content-type']).toBe('image/webp')
  expect(kept.rawPayload.includes('taken at home')).toBe(false)
  const drawn = await looking(() => sharp(kept.rawPayload).metadata())
  expect(drawn).toMatchObject({ format: 'webp', width: 256, height: 256 })
  expect([drawn.exif, drawn.icc, drawn.xmp, drawn.pages]).toEqual([undefined, undefined, undefined, undefined])
  const user = await one.call(users.get, { params: { id: one.id } })
  expect(user.avatar).toBe(data?.avatar)
})

test('a picture is rotated as the camera was held', async () => {
  const one = await teamA.member()
  // the left half is red, and the camera was held upside down, so that the right one will be
  const half = await blank(200, 400).png().toBuffer()
  const given = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#0000ff' } })
    .composite([{ input: half, left: 0, top: 0 }])
    .jpeg()
    .withMetadata({ orientation: 3 })
    .toBuffer()
  await upload(one, one.id, given)
  const pixel = async (left: number) => {
    const { rawPayload } = await picture(one, one.id)
    const at = { left, top: 128, width: 1, height: 1 }
    const [r = 0, , b = 0] = await looking(() => sharp(rawPayload).extract(at).raw().toBuffer())
    return r > b ? 'red' : 'blue'
  }
  expect([await pixel(20), await pixel(236)]).toEqual(['blue', 'red'])
})

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')
const script = '<script>alert(document.cookie)</script>'

test.for([
  ['an SVG', () => svg],
  ['an SVG behind a declaration', () => Buffer.concat([Buffer.from('<?xml version="1.0"?>'), svg])],
  ['a page', () => Buffer.from(`<html>${script}</html>`)],
  ['a page that starts like a JPEG', () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(script)])],
  ['a page that starts like a PNG', () => Buffer.concat([png(8, 8).subarray(0, 16), Buffer.from(script)])],
  ['a GIF', () => blank(8, 8).gif().toBuffer()],
  ['a WebP', () => blank(8, 8).webp().toBuffer()],
  ['a TIFF', () => blank(8, 8).tiff().toBuffer()],
  ['nothing', () => Buffer.alloc(0)],
  ['a broken PNG', () => png(64, 64, 10)],
  ['a bomb of 50,000 × 50,000 pixels', () => png(50_000, 50_000, 1)],
  ['a complete bomb of 40 million pixels', () => png(8_000, 5_000)],
] as const)('%s is no picture', async ([, make]) => {
  const one = await teamA.member()
  const given = await make()
  expect(given.length).toBeLessThan(100_000)
  await expect(upload(one, one.id, given, { 'content-type': 'image/jpeg' })).resolves.toMatchObject({
    code: 400,
    message: 'avatar-format',
  })
  expect((await picture(one, one.id)).statusCode).toBe(404)
})

test('of a picture that is also a page only the picture is kept', async () => {
  const one = await teamA.member()
  for (const given of [
    Buffer.concat([await blank(64, 64).jpeg().toBuffer(), Buffer.from(script)]),
    Buffer.concat([await blank(64, 64).png().toBuffer(), Buffer.from(script)]),
    await blank(64, 64)
      .jpeg()
      .withExif({ IFD0: { ImageDescription: script } })
      .toBuffer(),
  ]) {
    expect(given.includes(script)).toBe(true)
    expect(await upload(one, one.id, given)).toMatchObject({ code: 200 })
    const kept = await picture(one, one.id)
    expect(kept.rawPayload.includes('script')).toBe(false)
    expect(kept.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' })
  }
})

test('2 MB are accepted, and one byte more is not', async () => {
  const one = await teamA.member()
  const small = await blank(64, 64).png().toBuffer()
  const padded = (bytes: number) => Buffer.concat([small, Buffer.alloc(bytes - small.length)])
  expect(await upload(one, one.id, padded(2 * 1024 * 1024))).toMatchObject({ code: 200 })
  expect(await upload(one, one.id, padded(2 * 1024 * 1024 + 1))).toMatchObject({ code: 413 })
})

test('the file name that the sender gives is ignored', async () => {
  const one = await teamA.member()
  const given = await blank(64, 64).png().toBuffer()
  const named = { 'content-disposition': 'attachment; filename="../../x"' }
  expect(await upload(one, one.id, given, named)).toMatchObject({ code: 200 })
  const reply = await one.raw({ method: 'POST', url: `/api/users/${one.id}/avatar?name=../../x`, payload: given })
  expect(reply.statusCode).toBe(400)
})

test('only its user sets it, team mates, administrators and auditors see it, and for others it does not exist', async () => {
  const one = await teamA.member()
  const [mate, stranger] = [await teamA.member(), await teamB.member()]
  const given = await blank(64, 64).png().toBuffer()
  expect(await upload(app.admin, one.id, given)).toMatchObject({ code: 403, message: 'avatar-foreign' })
  expect(await upload(mate, one.id, given)).toMatchObject({ code: 403, message: 'user-forbidden' })
  const foreign = await upload(stranger, one.id, given)
  expect(foreign).toMatchObject({ code: 404, message: 'user-missing' })
  expect(await upload(stranger, 2_000_000_000, given)).toEqual(foreign)

  const { data } = await upload(one, one.id, given)
  const auditor = await app.user()
  const role = await app.db
    .insertInto('system_role')
    .values({ name: 'looks', permissions: ['system_user_view'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('account_system_role').values({ account_id: auditor.id, role_id: role.id }).execute()
  for (const by of [one, mate, app.admin, auditor]) expect((await picture(by, one.id)).statusCode).toBe(200)
  const hidden = await picture(stranger, one.id)
  expect(hidden.statusCode).toBe(404)
  expect((await picture(stranger, 2_000_000_000)).body).toBe(hidden.body)
  expect((await picture(app.anonymous as TestCaller, one.id)).statusCode).toBe(401)

  const cached = await picture(mate, one.id, data?.avatar)
  expect(cached.headers['cache-control']).toBe('private, max-age=31536000, immutable')
  for (const v of [undefined, 'older'])
    expect((await picture(mate, one.id, v)).headers['cache-control']).toBe('no-store')

  await expect(mate.call(users.removeAvatar, { params: { id: one.id } })).rejects.toMatchObject({ status: 403 })
  await expect(app.admin.call(users.removeAvatar, { params: { id: one.id } })).resolves.toMatchObject({ avatar: '' })
  expect((await picture(one, one.id)).statusCode).toBe(404)
})
