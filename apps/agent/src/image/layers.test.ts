import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestOf } from '@gantry/oci/names'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entries } from '../../test/image-registry.ts'
import { layerEntries, writeLayer } from './layers.ts'

let home: string
let work: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'gantry-layers-'))
  work = join(home, 'work')
  mkdirSync(join(work, 'dist/deep/er'), { recursive: true })
  writeFileSync(join(work, 'server.js'), 'serve()', { mode: 0o644 })
  writeFileSync(join(work, 'dist/run.sh'), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(join(work, 'dist/deep/er/a.txt'), 'a')
  writeFileSync(join(work, 'dist/.hidden'), 'h')
  writeFileSync(join(work, 'dist/empty'), '')
  writeFileSync(join(work, 'dist', `${'long'.repeat(60)}.txt`), 'long')
  symlinkSync('deep/er/a.txt', join(work, 'dist/link'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const quiet = (): void => {}

const targets = async (copies: { from: string; to: string }[]): Promise<string[]> =>
  (await layerEntries(work, copies, quiet)).map(({ target }) => target)

test.each([
  ['one file to a name', 'server.js', '/app/main.js', ['app/main.js']],
  ['one file to a folder', 'server.js', '/app/', ['app/server.js']],
  ['a folder', 'dist/deep', '/srv', ['srv/er/a.txt']],
  [
    'a pattern keeps what is below its fixed part',
    'dist/**/*.txt',
    '/x',
    [`x/${'long'.repeat(60)}.txt`, 'x/deep/er/a.txt'].sort(),
  ],
  ['to the root', 'server.js', '/', ['server.js']],
  ['upwards stays inside', 'server.js', '/../../etc/x', ['etc/x']],
])('%s', async (_, from, to, expected) => {
  expect(await targets([{ from, to }])).toEqual(expected)
})

test('a later copy wins over an earlier one', async () => {
  const [entry, ...more] = await layerEntries(
    work,
    [
      { from: 'server.js', to: '/a' },
      { from: 'dist/empty', to: '/a' },
    ],
    quiet,
  )
  expect(more).toEqual([])
  expect(entry?.source.path).toBe('dist/empty')
})

test('a pattern without a match is refused', async () => {
  await expect(layerEntries(work, [{ from: 'nope/**', to: '/' }], quiet)).rejects.toMatchObject({
    reason: { key: 'agents-no-files', vars: { files: 'nope/**' } },
  })
})

test('a layer contains files, modes, links and folders, all owned by root and with the same time', async () => {
  const file = join(home, 'layer')
  const layer = await writeLayer(work, await layerEntries(work, [{ from: 'dist', to: '/app' }], quiet), file, true)
  const bytes = readFileSync(file)
  expect(layer).toMatchObject({ digest: digestOf(bytes), size: bytes.length })
  const files = await entries(bytes)
  expect(files.map(({ name, type, mode }) => [name, type, mode.toString(8)])).toEqual([
    ['app/', 'directory', '755'],
    ['app/.hidden', 'file', '644'],
    ['app/deep/', 'directory', '755'],
    ['app/deep/er/', 'directory', '755'],
    ['app/deep/er/a.txt', 'file', '644'],
    ['app/empty', 'file', '644'],
    ['app/link', 'symlink', '777'],
    [`app/${'long'.repeat(60)}.txt`, 'file', '644'],
    ['app/run.sh', 'file', '755'],
  ])
  expect(files.find(({ name }) => name === 'app/link')?.link).toBe('deep/er/a.txt')
  expect(new Set(files.map(({ mtime, uid }) => `${mtime} ${uid}`))).toEqual(new Set(['0 0']))
})

test('the same files give the same digest, wherever and whenever the layer is created', async () => {
  const other = join(home, 'other')
  cpSync(work, other, { recursive: true, verbatimSymlinks: true })
  chmodSync(join(other, 'server.js'), 0o664)
  utimesSync(join(other, 'server.js'), 1, 1)
  const of = async (from: string): Promise<string[]> => {
    const copies = [
      { from: '**', to: '/' },
      { from: 'dist', to: '/again' },
    ]
    const layer = await writeLayer(from, await layerEntries(from, copies, quiet), join(home, 'layer'), true)
    return [layer.digest, layer.diffId]
  }
  const first = await of(work)
  expect(await of(other)).toEqual(first)
  writeFileSync(join(other, 'server.js'), 'served()')
  expect(await of(other)).not.toEqual(first)
})

test('a file that can no longer be read fails the layer', async () => {
  const found = await layerEntries(work, [{ from: 'server.js', to: '/' }], quiet)
  const gone = found.map((entry) => ({ ...entry, source: { ...entry.source, path: 'gone.js' } }))
  await expect(writeLayer(work, gone, join(home, 'layer'), true)).rejects.toThrow(/ENOENT/)
})
