import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFiles, humanSize, openFile, readOpened } from './files.ts'

let home: string
let work: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'gantry-files-'))
  work = join(home, 'work')
  mkdirSync(join(work, 'dir/deep'), { recursive: true })
  writeFileSync(join(home, 'secret'), 'the key')
  writeFileSync(join(work, 'dir/a.txt'), 'a')
  writeFileSync(join(work, 'dir/deep/b.txt'), 'bb', { mode: 0o755 })
  writeFileSync(join(work, 'empty'), '')
  symlinkSync('a.txt', join(work, 'dir/inside'))
  symlinkSync('../../secret', join(work, 'dir/outside'))
  symlinkSync('/etc/passwd', join(work, 'dir/absolute'))
  symlinkSync(home, join(work, 'dir/folder'))
  symlinkSync('nowhere', join(work, 'dir/dangling'))
  symlinkSync('loop', join(work, 'dir/loop'))
  execFileSync('mkfifo', [join(work, 'dir/pipe')])
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function read(path: string): Promise<string> {
  const file = await openFile(work, path)
  const parts: Buffer[] = []
  for await (const part of readOpened(file, (await file.stat()).size)) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('finds files in order, follows links that stay inside, and names those that do not', async () => {
  const { files, refused } = await findFiles(work, 'dir/**', 'follow')
  expect(files.map(({ path, size }) => [path, size])).toEqual([
    ['dir/a.txt', 1],
    ['dir/deep/b.txt', 2],
    ['dir/inside', 1],
  ])
  expect(refused).toEqual(['dir/absolute', 'dir/dangling', 'dir/folder', 'dir/loop', 'dir/outside'])
})

test('keeps links as links where they are asked for', async () => {
  const { files } = await findFiles(work, 'dir/*', 'keep')
  expect(files.find(({ path }) => path === 'dir/outside')).toMatchObject({ link: '../../secret' })
  expect(files.find(({ path }) => path === 'dir/folder')).toMatchObject({ link: home })
  expect(files.map(({ path }) => path)).not.toContain('dir/folder/secret')
})

test('a pattern that means nothing finds nothing', async () => {
  expect(await findFiles(work, 'no/such/*', 'follow')).toEqual({ files: [], refused: [] })
})

test('opens regular files inside the workspace', async () => {
  expect(await read('dir/deep/b.txt')).toBe('bb')
  expect(await read('dir/inside')).toBe('a')
  expect(await read('empty')).toBe('')
})

test.each(['dir/outside', 'dir/absolute', 'dir/folder/secret', 'dir/pipe', 'dir', '../secret'])(
  'refuses %s',
  async (path) => {
    await expect(openFile(work, path)).rejects.toMatchObject({ reason: { key: 'agents-workspace-link' } })
  },
)

test('sizes are said in the units that people use', () => {
  expect([0, 999, 1000, 12_345, 2_147_483_648].map(humanSize)).toEqual(['0 B', '999 B', '1.0 kB', '12 kB', '2.1 GB'])
})
