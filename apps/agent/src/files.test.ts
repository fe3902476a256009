import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFiles, humanSize, openFile, readOpened } from './files.ts'
import { removeTree } from './workspace/remove-tree.ts'

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

test('finds files in order, follows links that stay inside, and names those that lead out', async () => {
  const { files, passedOver } = await findFiles(work, 'dir/**', 'follow')
  expect(files.map(({ path, size }) => [path, size])).toEqual([
    ['dir/a.txt', 1],
    ['dir/deep/b.txt', 2],
    ['dir/inside', 1],
  ])
  expect(passedOver).toEqual(
    ['dir/absolute', 'dir/dangling', 'dir/folder', 'dir/loop', 'dir/outside'].map(
      (path) => `Passed over ${path}: the link leads out of the workspace.`,
    ),
  )
})

test('keeps links as links if requested', async () => {
  const { files } = await findFiles(work, 'dir/*', 'keep')
  expect(files.find(({ path }) => path === 'dir/outside')).toMatchObject({ link: '../../secret' })
  expect(files.find(({ path }) => path === 'dir/folder')).toMatchObject({ link: home })
  expect(files.map(({ path }) => path)).not.toContain('dir/folder/secret')
})

test('a pattern without a match finds nothing', async () => {
  expect(await findFiles(work, 'no/such/*', 'follow')).toEqual({ files: [], passedOver: [] })
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

test('sizes are shown in common units', () => {
  expect([0, 999, 1000, 12_345, 2_147_483_648].map(humanSize)).toEqual(['0 B', '999 B', '1.0 kB', '12 kB', '2.1 GB'])
})

test('skips names that are not UTF-8 and paths that are too long, and names them', async () => {
  const odd = join(home, 'odd')
  mkdirSync(odd)
  writeFileSync(join(odd, 'good'), 'g')
  writeFileSync(Buffer.concat([Buffer.from(`${odd}/caf`), Buffer.from([0xe9])]), 'latin1')
  const name = '0'.repeat(200)
  execFileSync(
    '/bin/sh',
    ['-ec', `mkdir ${name}; for i in $(seq 1 30); do mkdir up; mv ${name} up/; mv up ${name}; done`],
    { cwd: odd },
  )
  const { files, passedOver } = await findFiles(odd, '**', 'follow')
  expect(files.map(({ path }) => path)).toEqual(['good'])
  expect(passedOver).toHaveLength(2)
  expect(passedOver[0]).toMatch(/^Passed over 0{200}\/.*: the path is too long\.$/)
  expect(passedOver[1]).toBe(String.raw`Passed over caf\xe9: the name is not UTF-8.`)
  await removeTree(odd)
})
