import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeLog } from '../../domains/pipelines/logs/log-blob/write.ts'
import { openLog } from '../../domains/pipelines/logs/log-blob/read.ts'
import { blobSource, bytesOf } from './blobs.ts'
import { blobFault, folderBlobs } from './folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-blobs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const fault = (key: string) => expect.objectContaining({ name: 'Fault', key })
const textIn = async (body: AsyncIterable<Buffer>): Promise<string> => (await buffer(body)).toString()
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
const incoming = (): Promise<string[]> => readdir(join(folder, 'incoming'))

describe('a blob', () => {
  test('is stored completely, under a generated name, and read whole or in parts', async () => {
    const blobs = await folderBlobs({ folder })
    const stored = await blobs.put('logs', Readable.from([Buffer.from('hello '), Buffer.from('world')]))
    expect(stored).toEqual({
      key: expect.stringMatching(/^logs\/([0-9a-f]{2})\/\1[0-9a-f]{30}$/),
      size: 11,
      sha256: createHash('sha256').update('hello world').digest('hex'),
    })
    expect(await textIn(await blobs.get(stored.key))).toBe('hello world')
    expect((await bytesOf(blobs, stored.key, 6, 9)).toString()).toBe('wor')
    expect((await bytesOf(blobs, stored.key, 9, 900)).toString()).toBe('ld')
    expect((await bytesOf(blobs, stored.key, 5, 5)).toString()).toBe('')
    expect(await blobs.size(stored.key)).toBe(11)
    expect(await incoming()).toEqual([])
  })

  test('is gone after its deletion, which may be repeated', async () => {
    const blobs = await folderBlobs({ folder })
    const { key } = await blobs.put('artifacts', Readable.from([Buffer.from('x')]))
    await blobs.delete(key)
    await blobs.delete(key)
    await expect(blobs.get(key)).rejects.toEqual(fault('blobs-missing'))
    await expect(blobs.size(key)).rejects.toEqual(fault('blobs-missing'))
  })

  test('whose stream breaks off is not stored, and leaves no file', async () => {
    const blobs = await folderBlobs({ folder })
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('half')
      throw new Error('agent is gone')
    }
    await expect(blobs.put('logs', broken())).rejects.toThrow('agent is gone')
    expect(await incoming()).toEqual([])
    expect(await all(blobs.list('logs'))).toEqual([])
  })

  test.each(['../marker', 'logs/../../etc/passwd', 'logs/aa/x', '/etc/passwd', 'marker', 'incoming/x', ''])(
    'is never found at %j',
    async (key) => {
      const blobs = await folderBlobs({ folder })
      await expect(blobs.get(key)).rejects.toEqual(fault('blobs-missing'))
      await expect(blobs.delete(key)).rejects.toEqual(fault('blobs-missing'))
    },
  )

  test('is not read through a symbolic link', async () => {
    const blobs = await folderBlobs({ folder })
    const key = `logs/aa/aa${'0'.repeat(30)}`
    await mkdir(join(folder, 'logs', 'aa'), { recursive: true })
    await symlink('/etc/passwd', join(folder, key))
    await expect(blobs.get(key)).rejects.toEqual(fault('blobs-missing'))
  })

  test('is listed in its own area only', async () => {
    const blobs = await folderBlobs({ folder })
    const [one, two] = await Promise.all([
      blobs.put('logs', Readable.from([Buffer.from('1')])),
      blobs.put('logs', Readable.from([Buffer.from('22')])),
      blobs.put('backups', Readable.from([Buffer.from('333')])),
    ])
    const found = await all(blobs.list('logs'))
    expect(found.map(({ key, size }) => [key, size]).sort()).toEqual(
      [
        [one.key, 1],
        [two.key, 2],
      ].sort(),
    )
    expect(found[0]?.modified).toBeInstanceOf(Date)
  })
})

describe('a full store', () => {
  test('is refused before the first byte, and reads still work', async () => {
    let free = 1000
    const blobs = await folderBlobs({ folder, reserve: 500, free: async () => free })
    const { key } = await blobs.put('logs', Readable.from([Buffer.from('kept')]))
    free = 499
    const body = Readable.from([Buffer.from('more')])
    await expect(blobs.put('logs', body)).rejects.toEqual(fault('blobs-full'))
    expect(body.destroyed).toBe(true)
    expect(await textIn(await blobs.get(key))).toBe('kept')
  })

  test('is noticed while a long stream is written, and the partial file is removed', async () => {
    let looks = 0
    const blobs = await folderBlobs({ folder, reserve: 500, free: async () => (looks++ === 0 ? 1000 : 0) })
    const chunk = Buffer.alloc(1_048_576)
    async function* long(): AsyncGenerator<Buffer> {
      for (let i = 0; i < 64; i++) yield chunk
    }
    await expect(blobs.put('artifacts', long())).rejects.toEqual(fault('blobs-full'))
    expect(await incoming()).toEqual([])
  })

  test.each([
    ['ENOSPC', 'blobs-full'],
    ['EDQUOT', 'blobs-full'],
    ['EROFS', 'blobs-unavailable'],
    ['EIO', 'blobs-unavailable'],
    ['ENOENT', 'blobs-missing'],
  ])('%s is %s', (code, key) => {
    expect(blobFault(Object.assign(new Error('x'), { code }))).toEqual(fault(key))
  })

  test('does not hide an error of the body itself', () => {
    const error = new Error('x')
    expect(blobFault(error)).toBe(error)
  })
})

describe('the marker', () => {
  test('is the same for all who share the folder, and created by one of them', async () => {
    const servers = await Promise.all(Array.from({ length: 5 }, () => folderBlobs({ folder })))
    const markers = await Promise.all(servers.map((blobs) => blobs.marker()))
    expect(new Set(markers).size).toBe(1)
    expect(markers[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(await incoming()).toEqual([])
  })

  test('differs between folders', async () => {
    const other = await mkdtemp(join(tmpdir(), 'gantry-blobs-'))
    const [one, two] = await Promise.all([folderBlobs({ folder }), folderBlobs({ folder: other })])
    expect(await one.marker()).not.toBe(await two.marker())
    await rm(other, { recursive: true })
  })
})

test('a start removes files that a dead server left half-written, and keeps those that are being written', async () => {
  await mkdir(join(folder, 'incoming'))
  await writeFile(join(folder, 'incoming', 'old'), 'x')
  await writeFile(join(folder, 'incoming', 'new'), 'x')
  await utimes(join(folder, 'incoming', 'old'), 0, 0)
  await folderBlobs({ folder })
  expect(await incoming()).toEqual(['new'])
})

test('a log is written into a blob and read back by ranges', async () => {
  const blobs = await folderBlobs({ folder })
  async function* lines(): AsyncGenerator<Buffer> {
    for (let i = 0; i < 50_000; i++) yield Buffer.from(`line ${i}\n`)
  }
  const { key, size } = await blobs.put('logs', encodeLog(lines()))
  const log = await openLog(blobSource(blobs, key, size))
  expect(await log.read(49_998, 60_000)).toEqual(['line 49998', 'line 49999'])
})
