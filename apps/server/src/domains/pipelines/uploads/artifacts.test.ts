import { artifacts } from '@gantry/contract/pipelines/artifacts'
import { expect, test } from 'vitest'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { runningBuild } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs } })

const files = ['b.txt', 'a/one.txt', 'a/two.txt', 'a/deep/three.txt', 'ab/x.txt', '码头/灯.txt', 'a%_/y.txt']

async function kept() {
  const team = await app.team()
  const { pipeline, number, agent, held } = await runningBuild(app, team)
  for (const path of files) await agent.upload(held, 0, 'artifacts', path, `content of ${path}`)
  const params = { id: pipeline.id, number }
  return {
    list: (query: object) => team.leader.call(artifacts.tree, { params, query }),
    zip: (folder: string) =>
      team.leader.raw({
        method: 'GET',
        url: `/api/v2/pipelines/${pipeline.id}/builds/${number}/artifacts/zip?folder=${encodeURIComponent(folder)}`,
      }),
  }
}

const names = ({ items }: { items: { id: number | null; path: string; files: number }[] }) =>
  items.map(({ id, path, files }) => (id === null ? `${path}/ ${files}` : path))

test('artifacts are listed by folder, folders first with the total size of their files', async () => {
  const { list } = await kept()
  const top = await list({})
  expect(names(top)).toEqual(['a/ 3', 'a%_/ 1', 'ab/ 1', '码头/ 1', 'b.txt'])
  const size = 'content of a/one.txt'.length + 'content of a/two.txt'.length + 'content of a/deep/three.txt'.length
  expect(top.items[0]).toMatchObject({ name: 'a', size, sha256: '', step: '' })
  expect(names(await list({ folder: 'a' }))).toEqual(['a/deep/ 1', 'a/one.txt', 'a/two.txt'])
  expect(names(await list({ folder: '码头' }))).toEqual(['码头/灯.txt'])
  expect(names(await list({ folder: 'a%_' }))).toEqual(['a%_/y.txt'])
  expect(names(await list({ folder: 'nowhere' }))).toEqual([])
})

test('a keyword finds files at any depth, and pages are counted', async () => {
  const { list } = await kept()
  expect(names(await list({ keyword: 'T' }))).toHaveLength(files.length)
  expect(names(await list({ keyword: 'three' }))).toEqual(['a/deep/three.txt'])
  expect(names(await list({ folder: 'a', keyword: 'DEEP' }))).toEqual(['a/deep/three.txt'])
  const page = await list({ pageSize: 2, requestPage: 2 })
  expect([names(page), page.totalSize]).toEqual([['ab/ 1', '码头/ 1'], 5])
})

/** The names and contents of an uncompressed ZIP file, according to its local headers. */
function entriesOf(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'))
  let at = zip.readUInt32LE(end + 16)
  const entries: Record<string, string> = {}
  for (let n = zip.readUInt16LE(end + 10); n > 0; n -= 1) {
    const [size, nameLength] = [zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28)]
    const local = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    entries[name] = zip.toString('utf8', data, data + size)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

test('a folder is downloaded as one ZIP file, whose length is known in advance', async () => {
  const { zip } = await kept()
  const answer = await zip('a')
  expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length))
  expect(answer.headers['content-disposition']).toContain('filename="a.zip"')
  expect(entriesOf(answer.rawPayload)).toEqual({
    'one.txt': 'content of a/one.txt',
    'two.txt': 'content of a/two.txt',
    'deep/three.txt': 'content of a/deep/three.txt',
  })
  expect(Object.keys(entriesOf((await zip('')).rawPayload)).toSorted()).toEqual(files.toSorted())
})

test('a folder without files is 404', async () => {
  const { zip } = await kept()
  expect((await zip('nowhere')).statusCode).toBe(404)
})
