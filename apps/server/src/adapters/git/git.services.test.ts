import { afterAll, describe, expect, test } from 'vitest'
import { labService } from '../../../test/lab.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createGit } from './git.ts'

const lab = labService('gitea')

describe.skipIf(lab === undefined)('a real git host (needs the lab’s gitea)', () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const git = createGit({ path: process.env['PATH'] ?? '', outbound })
  const url = lab?.['GITEA_CLONE_URL'] ?? ''
  const repository = { kind: 'remote', url, username: 'demo', password: lab?.['GITEA_PASSWORD'] ?? '' } as const
  afterAll(() => outbound.close())
  const fault = (key: string) => expect.objectContaining({ key })

  test('a private repository is read with its password: branches, tags, default branch', async () => {
    const refs = await git.check(repository)
    expect(refs.head).toBe('main')
    expect(refs.branches.map((ref) => ref.name)).toEqual(expect.arrayContaining(['main', 'feature/greeting']))
    expect(refs.tags.map((ref) => ref.name)).toEqual(expect.arrayContaining(['v1.0', 'v1.1']))
  })

  test('an annotated tag resolves to the commit of its branch', async () => {
    const [main, tag] = await Promise.all([git.resolve(repository, 'main'), git.resolve(repository, 'v1.1')])
    expect(tag).toEqual({ name: 'v1.1', kind: 'tag', commit: main.commit })
    await expect(git.resolve(repository, 'nope')).rejects.toEqual(fault('git-branch-unknown'))
  })

  test('a token serves as password', async () => {
    expect((await git.check({ ...repository, password: lab?.['GITEA_TOKEN'] ?? '' })).head).toBe('main')
  })

  test('a wrong or missing password, and an unknown repository, have their own faults', async () => {
    await expect(git.check({ ...repository, password: 'wrong' })).rejects.toEqual(fault('git-wrong-password'))
    await expect(git.check({ kind: 'remote', url })).rejects.toEqual(fault('git-password-needed'))
    await expect(git.check({ ...repository, url: url.replace('hello', 'nope') })).rejects.toEqual(
      fault('git-not-found'),
    )
  })
})
