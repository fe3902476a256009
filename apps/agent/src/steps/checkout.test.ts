import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import type { FakeBuild } from '../../test/fake-build.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { gitServer, type GitServer } from '../../test/git-server.ts'
import { script, work } from '../../test/works.ts'

let server: FakeServer
let agent: AgentProcess
let git: GitServer
const commits: string[] = []

beforeAll(async () => {
  server = await fakeServer()
  agent = await agentProcess(server.url)
  git = await gitServer()
  for (const n of [1, 2, 3, 4])
    commits.push(await git.commit('main', { 'a/b.txt': `${n}\n` }, `Commit ${n}: "quoted" $HOME`))
  await git.commit('feature/x', { 'x.txt': 'x\n' }, 'On a branch')
  await git.commit('long', { 'x.txt': 'x\n' }, `${'x'.repeat(999)}😀`)
  await git.git('tag', '-a', '-m', 'first', 'v1.0', commits[0] ?? '')
  // a tag and a branch with the same name
  await git.commit('both', { 'of.txt': 'the branch\n' }, 'On the branch')
  await git.git('tag', 'both', commits[1] ?? '')
  await git.git('update-server-info')
})
afterAll(async () => {
  await agent.close()
  await git.close()
  await server.close()
})

type Repository = NonNullable<FakeBuild['work']['repository']>

async function checkout(
  repository: Partial<Repository>,
  run = 'true',
  step: { depth?: number } = {},
): Promise<{ build: FakeBuild; reason: unknown }> {
  const { password } = { password: '', ...repository }
  const build = server.give(
    work([{ name: 'sources', type: 'checkout', ...step }, script(run)], {
      repository: {
        url: `${git.url}/smart/hello.git`,
        branch: 'main',
        commit: '',
        username: '',
        password: '',
        ...repository,
      },
      masked: password === '' ? [] : [password],
    }),
  )
  const { reason } = await build.ended
  return { build, reason }
}

describe('a checkout', () => {
  test('fetches the branch’s last commit, without history, and reports it', async () => {
    const { build, reason } = await checkout(
      {},
      'cat a/b.txt; git log --format=%s; git status --short; id -un 2> /dev/null || true',
    )
    expect(reason).toBeUndefined()
    expect(build.events).toContainEqual({ type: 'commit', commit: commits[3], message: 'Commit 4: "quoted" $HOME' })
    expect(build.log(0)).toContain('Checked out')
    expect(build.log(1)).toMatch(/^4\nCommit 4: "quoted" \$HOME\n/)
  })

  test.each([
    ['a branch with a slash', { branch: 'feature/x' }, 'cat x.txt', 'x\n'],
    ['a tag', { branch: 'v1.0' }, 'cat a/b.txt', '1\n'],
    ['a tag that is named as one', { branch: '', tag: 'v1.0' }, 'cat a/b.txt; test -n "$GANTRY_COMMIT"', '1\n'],
  ])('%s', async (_, repository, run, expected) => {
    const { build } = await checkout(repository, run)
    expect(build.log(1)).toBe(expected)
  })

  test.each([
    ['smart', { branch: 'both' }, 'the branch\n'],
    ['smart', { branch: '', tag: 'both' }, '2\n'],
    ['plain', { branch: 'both' }, 'the branch\n'],
    ['plain', { branch: '', tag: 'both' }, '2\n'],
  ])(
    'distinguishes a branch and a tag with the same name, at a host that is %s, %j',
    async (host, repository, expected) => {
      const run = 'cat of.txt 2> /dev/null || cat a/b.txt'
      const { build } = await checkout({ url: `${git.url}/${host}/hello.git`, ...repository }, run)
      expect(build.log(1)).toBe(expected)
    },
  )

  test('a subject that is cut within an emoji is reported whole', async () => {
    const { build } = await checkout({ branch: 'long' })
    expect(build.events).toContainEqual(
      expect.objectContaining({ type: 'commit', message: `${'x'.repeat(999)}\ufffd` }),
    )
  })

  test('fetches the exact commit of the build, although the branch has moved on', async () => {
    const { build } = await checkout({ commit: commits[1] ?? '' }, 'cat a/b.txt')
    expect(build.log(1)).toBe('2\n')
    expect(build.events).toContainEqual(expect.objectContaining({ type: 'commit', commit: commits[1] }))
  })

  test('fetches as much history as requested', async () => {
    const count = 'git rev-list --count HEAD'
    expect((await checkout({}, count, { depth: 2 })).build.log(1)).toBe('2\n')
    expect((await checkout({}, count, { depth: 0 })).build.log(1)).toBe('4\n')
  })

  test('fetches the whole history if the host offers no less', async () => {
    const url = `${git.url}/plain/hello.git`
    const { build, reason } = await checkout({ url }, 'cat a/b.txt; git rev-list --count HEAD')
    expect(reason).toBeUndefined()
    expect(build.log(1)).toBe('4\n4\n')
    expect((await checkout({ url, commit: commits[1] ?? '' }, 'cat a/b.txt')).build.log(1)).toBe('2\n')
  })

  test('with a password leaves it in no file, and no later step can read it', async () => {
    const { build, reason } = await checkout(
      { url: `${git.url}/private/hello.git`, username: 'robin', password: 'open sesame' },
      `word=$(printf 'ses%s' ame); cat a/b.txt
      grep -r -i "$word" . ../steps "$HOME" /proc/self/environ 2> /dev/null || true
      env | grep -i "$word" || true
      git config --list | grep -i "$word" || true`,
    )
    expect(reason).toBeUndefined()
    expect(build.log(1)).toBe('4\n')
  })

  test('a public repository never gets the password', async () => {
    await checkout({ username: 'robin', password: 'open sesame' })
    expect(git.credentials).toEqual([])
  })

  test.each([
    ['no repository there', { url: '/nothing/hello.git' }, 'git-not-found'],
    ['a wrong password', { url: '/private/hello.git', username: 'robin', password: 'wrong one' }, 'git-wrong-password'],
    ['no password', { url: '/private/hello.git' }, 'git-password-needed'],
    ['a user who may not', { url: '/forbidden/hello.git' }, 'git-forbidden'],
    ['a web page', { url: '/page/hello.git' }, 'git-no-repository'],
    ['a redirect', { url: '/moved/hello.git' }, 'agents-git-redirected'],
    ['a host in trouble', { url: '/broken/hello.git' }, 'git-server-error'],
    ['an unknown branch', { url: '/smart/hello.git', branch: 'nope' }, 'git-branch-unknown'],
    ['an unknown branch of a plain host', { url: '/plain/hello.git', branch: 'nope' }, 'git-branch-unknown'],
    [
      'an unknown commit',
      { url: '/smart/hello.git', commit: '0123456789012345678901234567890123456789' },
      'agents-commit-unknown',
    ],
  ])('%s', async (_, { url, ...repository }, key) => {
    const { build, reason } = await checkout({ url: `${git.url}${url}`, ...repository })
    expect(reason).toMatchObject({ key })
    expect(build.log(0)).not.toContain('wrong one')
    expect(build.events).toContainEqual(expect.objectContaining({ step: 1, state: 'not_built' }))
  })

  test('a host that does not answer', async () => {
    const { reason } = await checkout({ url: 'http://127.0.0.1:1/hello.git' })
    expect(reason).toMatchObject({ key: 'agents-git-unreachable', vars: { host: '127.0.0.1:1' } })
  })

  test.each([
    ['--upload-pack=touch /tmp/x', 'git-branch-invalid'],
    ['$(id)', 'git-branch-unknown'],
    ['main:refs/heads/other', 'git-branch-invalid'],
    ['a\r\nb', 'git-branch-invalid'],
    ['*', 'git-branch-invalid'],
  ])('the branch %o is refused or inert', async (branch, key) => {
    const { build, reason } = await checkout({ branch })
    expect(reason).toMatchObject({ key })
    expect(build.log(0)).not.toMatch(/uid=/)
  })

  test.each(['ext::sh -c id', 'file:///etc', '/etc', '--upload-pack=id', 'ssh://-oProxyCommand=id/y', 'http://a b/'])(
    'the address %o never reaches git',
    async (url) => {
      const { build, reason } = await checkout({ url })
      expect(reason).toMatchObject({ key: 'git-not-found' })
      expect(build.log(0)).toBe('')
    },
  )

  test('a pipeline without a repository fails with that reason', async () => {
    const build = server.give(work([{ name: 'sources', type: 'checkout' }]))
    expect(await build.ended).toMatchObject({ reason: { key: 'agents-no-repository' } })
  })

  test('is adopted like any step if the agent is killed during it', async () => {
    const build = server.give(
      work([script('true'), { name: 'sources', type: 'checkout' }, script('cat a/b.txt')], {
        repository: { url: `${git.url}/smart/hello.git`, branch: 'main', commit: '', username: '', password: '' },
      }),
    )
    // a checkout from this machine takes only a moment, in which the agent is to be killed
    await eventually(
      () => build.events,
      (events) => events.some((e) => e.type === 'step' && e.step === 1),
      { everyMs: 1 },
    )
    await agent.kill('SIGKILL')
    await agent.start()
    expect(await build.ended).toMatchObject({ state: 'success' })
    expect(build.log(1).match(/Fetching/g)).toHaveLength(1)
    expect(build.log(2)).toBe('4\n')
    expect(build.events.filter((e) => e.type === 'commit')).toHaveLength(1)
  })
})
