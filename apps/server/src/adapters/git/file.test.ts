import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { gitServer } from '../../../../agent/test/git-server.ts'
import { testFolder } from '../../../test/test-folder.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createGit } from './git.ts'

const scratch = testFolder('git-files')
vi.stubEnv('TMPDIR', scratch)
afterAll(() => vi.unstubAllEnvs())
const host = await gitServer()
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const git = createGit({ path: process.env['PATH'] ?? '', outbound })
const path = '.gantry.yaml'
const commits: string[] = []
const fault = (key: string) => expect.objectContaining({ name: 'Fault', key })
const at = (kind: string, username?: string) => ({
  kind: 'remote' as const,
  url: `${host.url}/${kind}/hello.git`,
  ...(username === undefined ? {} : { username, password: 'open sesame' }),
})
const left = () => readdirSync(scratch).filter((name) => name.startsWith('gantry-git-file-'))

beforeAll(async () => {
  commits.push(await host.commit('main', { [path]: 'stages: []\n', 'big.txt': 'x'.repeat(3_000_000) }, 'first'))
  commits.push(
    await host.commit('main', { [path]: 'stages: [] # second\n', 'ci/ü b.yml': 'in a folder\n' }, 'second\n\nand more'),
  )
  commits.push(
    await host.commit('odd', {
      'large.yml': 'x'.repeat(300 * 1024),
      'binary.yml': 'a\0b',
      'folder.yml/x': 'x',
    }),
  )
  symlinkSync('/etc/passwd', join(host.work, 'link.yml'))
  await host.git('add', '--all', '.')
  await host.git('commit', '--quiet', '-m', 'a link')
  await host.git('tag', '-a', '-m', 'one', 'v1', commits[0] ?? '')
  await host.git('tag', 'main', commits[0] ?? '')
  await host.git('update-server-info')
})
afterAll(async () => {
  await host.close()
  await outbound.close()
})

describe.each(['smart', 'plain'])('a file of a commit, from a host that is %s', (kind) => {
  test('is the version of that commit, although the branch has moved on', async () => {
    const first = commits[0] ?? ''
    expect(await git.readFile(at(kind), { path, at: { commit: first } })).toEqual({
      commit: first,
      message: 'first',
      text: 'stages: []\n',
    })
  })

  test('is the version of a branch’s head, of a tag, or of the default branch', async () => {
    const text = async (place: { ref: string } | { tag: string }) =>
      (await git.readFile(at(kind), { path, at: place })).text
    expect(await text({ ref: 'main' })).toContain('second')
    expect(await text({ ref: 'v1' })).not.toContain('second')
    // a tag may have the name of a branch
    expect(await text({ tag: 'main' })).not.toContain('second')
    expect((await git.readFile(at(kind), { path: 'ci/ü b.yml', at: { ref: 'main' } })).message).toBe('second')
  })

  test.each([
    ['gone.yml', 'git-file-missing'],
    ['*.yaml', 'git-file-missing'],
    ['large.yml', 'git-file-too-large'],
    ['binary.yml', 'git-file-not-text'],
    ['folder.yml', 'git-file-not-plain'],
    ['link.yml', 'git-file-not-plain'],
  ])('%s is refused with its cause, and no temporary files are left', async (path, key) => {
    await expect(git.readFile(at(kind), { path, at: { ref: 'odd' } })).rejects.toEqual(fault(key))
    expect(left()).toEqual([])
  })

  test('an unknown commit or branch is refused with its cause', async () => {
    await expect(git.readFile(at(kind), { path, at: { commit: '01'.repeat(20) } })).rejects.toEqual(
      fault('git-commit-unknown'),
    )
    await expect(git.readFile(at(kind), { path, at: { ref: 'nope' } })).rejects.toEqual(fault('git-branch-unknown'))
  })
})

test('a private repository needs its password', async () => {
  const wanted = { path, at: { commit: commits[1] ?? '' } }
  expect((await git.readFile(at('private', 'robin'), wanted)).text).toContain('second')
  await expect(git.readFile(at('private', 'ben'), wanted)).rejects.toEqual(fault('git-wrong-password'))
  await expect(git.readFile(at('private'), wanted)).rejects.toEqual(fault('git-password-needed'))
})

test('is read from a host that cannot leave out contents', async () => {
  const old = await gitServer({ partial: false })
  onTestFinished(old.close)
  const commit = await old.commit('main', { [path]: 'stages: []\n' })
  const repository = { kind: 'remote' as const, url: `${old.url}/smart/hello.git` }
  expect((await git.readFile(repository, { path, at: { commit } })).text).toBe('stages: []\n')
})
