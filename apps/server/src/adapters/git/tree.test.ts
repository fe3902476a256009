import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { gitServer } from '../../../../agent/test/git-server.ts'
import { testFolder } from '../../../test/test-folder.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createGit } from './git.ts'

const scratch = testFolder('git-trees')
vi.stubEnv('TMPDIR', scratch)
afterAll(() => vi.unstubAllEnvs())
const host = await gitServer()
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const git = createGit({ path: process.env['PATH'] ?? '', outbound })
let commit = ''
const at = (kind: string, username?: string) => ({
  kind: 'remote' as const,
  url: `${host.url}/${kind}/hello.git`,
  ...(username === undefined ? {} : { username, password: 'open sesame' }),
})

beforeAll(async () => {
  symlinkSync('/etc/passwd', join(host.work, 'link.json'))
  commit = await host.commit('main', {
    'package.json': '{}',
    'web/ü b.json': '"text"',
    'large.json': 'x'.repeat(300 * 1024),
    'binary.json': 'a\0b',
  })
})
afterAll(async () => {
  await host.close()
  await outbound.close()
})

describe.each(['smart', 'plain'])('the tree of a commit, from a host that is %s', (kind) => {
  test('contains the names of its plain files, and the texts of the chosen small ones', async () => {
    const tree = await git.readTree(at(kind), commit, (files) => files.filter((path) => path !== 'package.json'))
    expect(tree.files.toSorted()).toEqual(['binary.json', 'large.json', 'package.json', 'web/ü b.json'])
    expect(tree).toMatchObject({ commit, isCut: false })
    expect([...tree.texts]).toEqual([['web/ü b.json', '"text"']])
    expect(readdirSync(scratch).filter((name) => name.startsWith('gantry-git-file-'))).toEqual([])
  })

  test('contains at most 24 files, and skips those that do not exist', async () => {
    const tree = await git.readTree(at(kind), commit, () => [
      ...Array.from({ length: 23 }, (_, at) => `none-${at}`),
      'package.json',
      'web/ü b.json',
    ])
    expect([...tree.texts.keys()]).toEqual(['package.json'])
  })
})

test('reads the tree from a host that cannot leave out contents', async () => {
  const old = await gitServer({ partial: false })
  onTestFinished(old.close)
  const commit = await old.commit('main', { a: 'a', b: 'b' })
  const tree = await git.readTree({ kind: 'remote', url: `${old.url}/smart/hello.git` }, commit, (files) => files)
  expect([...tree.texts]).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ])
})

test('names only the files at the root of a tree with too many names', async () => {
  const large = await host.add('large')
  const folder = `${'n'.repeat(200)}/${'m'.repeat(200)}`
  const files = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`${folder}/${at}`, '']))
  const commit = await large.commit('main', { ...files, 'package.json': '{}' })
  const tree = await git.readTree({ kind: 'remote', url: `${host.url}/smart/large.git` }, commit, (files) => files)
  expect({ files: tree.files, isCut: tree.isCut }).toEqual({ files: ['package.json'], isCut: true })
}, 60_000)

test('a private repository needs its password', async () => {
  const files = async (username?: string) =>
    (await git.readTree(at('private', username), commit, () => [])).files.length
  expect(await files('robin')).toBe(4)
  const fault = (key: string) => expect.objectContaining({ name: 'Fault', key })
  await expect(files('ben')).rejects.toEqual(fault('git-wrong-password'))
  await expect(files()).rejects.toEqual(fault('git-password-needed'))
})
