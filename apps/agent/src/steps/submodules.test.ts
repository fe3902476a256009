import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import type { FakeBuild } from '../../test/fake-build.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { gitServer, type GitServer } from '../../test/git-server.ts'
import { script, work } from '../../test/works.ts'
import { ownHost } from './submodules.ts'

let server: FakeServer
let agent: AgentProcess
let git: GitServer
/** Commits of the submodule, and of the submodule inside it. */
const lib: string[] = []
let inner = ''

beforeAll(async () => {
  server = await fakeServer()
  agent = await agentProcess(server.url)
  git = await gitServer()
  inner = await (await git.add('inner')).commit('main', { 'inner.txt': 'the inner one\n' })
  const { commit, git: inLib } = await git.add('lib')
  lib.push(await commit('main', { 'lib.txt': 'old\n' }))
  await commit('main', { 'lib.txt': 'new\n', '.gitmodules': modules({ deep: '../inner.git' }) })
  lib.push(await link(inLib, { deep: inner }))
})
afterAll(async () => {
  await agent.close()
  await git.close()
  await server.close()
})

const modules = (urls: Record<string, string>): string =>
  Object.entries(urls)
    .map(([path, url]) => `[submodule "${path}"]\n\tpath = "${path}"\n\turl = "${url}"\n`)
    .join('')

async function link(of: GitServer['git'], commits: Record<string, string>): Promise<string> {
  for (const [path, commit] of Object.entries(commits))
    await of('update-index', '--add', '--cacheinfo', `160000,${commit},${path}`)
  await of('commit', '--quiet', '--amend', '--no-edit')
  await of('update-server-info')
  return of('rev-parse', 'HEAD')
}

let branches = 0
/** Creates a branch of the repository with these submodules. */
async function branchWith(text: string, commits: Record<string, string>): Promise<string> {
  const branch = `with-${++branches}`
  await git.commit(branch, { '.gitmodules': text })
  await link(git.git, commits)
  return branch
}

interface Given {
  branch: string
  kind?: 'smart' | 'plain' | 'private'
  fork?: boolean
  step?: Pick<Extract<StepInput, { type: 'checkout' }>, 'submodules' | 'depth'>
  run?: string
  before?: string
}

async function checkout({ branch, kind = 'smart', step, fork, run = 'true', before }: Given): Promise<FakeBuild> {
  const login = kind === 'private' ? { username: 'robin', password: 'open sesame' } : { username: '', password: '' }
  const steps = [{ name: 'sources', type: 'checkout' as const, ...step }, script(run)]
  const build = server.give(
    work(before === undefined ? steps : [script(before, { name: 'before' }), ...steps], {
      repository: { url: `${git.url}/${kind}/hello.git`, branch, commit: '', fork, ...login },
    }),
  )
  expect((await build.ended).reason).toBeUndefined()
  return build
}

describe('a checkout of a repository with submodules', () => {
  test.each(['smart', 'plain', 'private'] as const)(
    'fetches the repository’s submodules at their commits, from a host that is %s',
    async (kind) => {
      const branch = await branchWith(modules({ 'vendor/my lib': '../lib.git' }), { 'vendor/my lib': lib[0] ?? '' })
      const build = await checkout({
        branch,
        kind,
        run: 'cat "vendor/my lib/lib.txt"; git status --short; git submodule status | cut -c 1; git submodule update --init',
      })
      expect(build.log(0)).toContain(
        `Fetched the submodule vendor/my lib at ${lib[0]?.slice(0, 10)} from ${git.url}/${kind}/lib.git\n`,
      )
      expect(build.log(0)).not.toContain('Left out')
      expect(build.log(1)).toBe('old\n \n')
    },
  )

  test('fetches nested submodules only if the step says so, and logs them otherwise', async () => {
    const branch = await branchWith(modules({ lib: '../lib.git' }), { lib: lib[1] ?? '' })
    const run = 'cat lib/lib.txt lib/deep/inner.txt 2> /dev/null || true'
    const direct = await checkout({ branch, run })
    expect(direct.log(1)).toBe('new\n')
    expect(direct.log(0)).toContain(
      'Left out the submodule lib/deep: the step fetches the repository’s own alone (submodules: direct).\n',
    )
    const recursive = await checkout({ branch, run, step: { submodules: 'recursive' } })
    expect(recursive.log(1)).toBe('new\nthe inner one\n')
    expect(recursive.log(0)).toContain(`Fetched the submodule lib/deep at ${inner.slice(0, 10)}`)
    expect(recursive.log(0)).not.toContain('Left out')
  })

  test('fetches no submodules if the step says so', async () => {
    const branch = await branchWith(modules({ lib: '../lib.git' }), { lib: lib[0] ?? '' })
    const build = await checkout({ branch, step: { submodules: 'none' }, run: 'ls -A lib' })
    expect(build.log(0)).not.toContain('submodule')
    expect(build.log(1)).toBe('')
  })

  test('fetches as much history of submodules as of the repository', async () => {
    const branch = await branchWith(modules({ lib: '../lib.git' }), { lib: lib[1] ?? '' })
    const run = 'git -C lib rev-list --count HEAD'
    expect((await checkout({ branch, run })).log(1)).toBe('1\n')
    expect((await checkout({ branch, run, step: { depth: 0 } })).log(1)).toBe('2\n')
  })

  test('logs skipped submodules with the cause, and continues', async () => {
    const left: Record<string, [url: string, why: RegExp]> = {
      'a commit that is not there': ['../lib.git', /lib\.git says: /],
      'a repository that is not there': ['../../nothing/lib.git', /lib\.git says: repository .* not found/],
      'a host that does not answer': ['https://127.0.0.1:1/lib.git', /lib\.git says: unable to access/],
      ssh: ['git@example.com:team/lib.git', /there is no key for that host/],
      'another host without encryption': ['http://localhost:1/lib.git', /http is used for the host of the pipeline’s/],
      'an option': ['--upload-pack=touch /tmp/x', /its address is not valid/],
      'an option without a space': ['-u./x', /its address is not valid/],
      'a file': ['file:///etc', /only https and relative addresses/],
      'a path': ['/etc', /only https and relative addresses/],
      'a command': ['ext::id', /only https and relative addresses/],
      'a way out of the host': ['../../../../example.com/lib.git', /its address leads out of its host/],
      'a login': ['https://me:token@127.0.0.1:1/lib.git', /^https:\/\/127\.0\.0\.1:1\/lib\.git says/],
      nothing: ['', /its address is not valid/],
    }
    const missing = '0123456789012345678901234567890123456789'
    const urls = Object.fromEntries(Object.entries(left).map(([path, [url]]) => [path, url]))
    const commits = Object.fromEntries(Object.keys(left).map((path) => [path, missing]))
    const branch = await branchWith(modules({ ...urls, 'z/lib': '../lib.git' }), { ...commits, 'z/lib': lib[0] ?? '' })
    const build = await checkout({
      branch,
      run: 'cat z/lib/lib.txt; rm -r z; find . -mindepth 2 -not -path "./.git/*"',
    })
    const lines = build.log(0).matchAll(/^Left out the submodule ([^:]*): (.*)$/gm)
    const said = Object.fromEntries([...lines].map(([, path = '', why]) => [path, why]))
    expect(said).toEqual(
      Object.fromEntries(Object.entries(left).map(([path, [, why]]) => [path, expect.stringMatching(why)])),
    )
    expect(build.log(0)).not.toContain('token')
    expect(build.log(1)).toBe('old\n')
  })

  test('of a fork fetches nothing that only the repository’s credentials can read', async () => {
    const urls = { lib: '../lib.git', open: `${git.url}/smart/lib.git` }
    const branch = await branchWith(modules(urls), { lib: lib[0] ?? '', open: lib[0] ?? '' })
    const build = await checkout({ branch, kind: 'private', fork: true, run: 'cat open/lib.txt; ls -A lib' })
    expect(build.log(0)).toMatch(/Left out the submodule lib: .*could not read Username/)
    expect(build.log(1)).toBe('old\n')
  })

  test('logs a submodule without an address, and one whose path leads out of the workspace', async () => {
    const text = modules({ '../out': '../lib.git', '/tmp/out': '../lib.git' })
    const branch = await branchWith(text, { nameless: lib[0] ?? '' })
    const build = await checkout({ branch, run: 'ls -d ../out /tmp/out 2> /dev/null || true' })
    expect(build.log(0)).toContain('Left out the submodule nameless: .gitmodules has no address for it.\n')
    expect(build.log(0)).toContain('Left out the submodule ../out: its path leads out of the repository.\n')
    expect(build.log(0)).toContain('Left out the submodule /tmp/out: its path leads out of the repository.\n')
    expect(build.log(1)).toBe('')
  })

  test('follows no link instead of a submodule, and does not use a repository that a step has left', async () => {
    const branch = await branchWith(modules({ 'a/lib': '../lib.git' }), { 'a/lib': lib[0] ?? '' })
    const planted = `git init --quiet .
      git config filter.x.smudge 'echo smudged'; git config core.fsmonitor 'touch "$HOME/ran"'
      mkdir -p .git/info a/lib; echo '* filter=x' > .git/info/attributes; cp -r .git a/lib/.git`
    const build = await checkout({
      branch,
      before: planted,
      run: 'cat a/lib/lib.txt; ls "$HOME"; git config filter.x.smudge || true',
    })
    expect(build.log(2)).toBe('old\n')

    const outside = 'mkdir "$HOME/outside"; ln -s "$HOME/outside" a'
    const linked = await checkout({ branch, before: outside, run: 'ls -A "$HOME/outside"; cat a/lib/lib.txt' })
    expect(linked.log(2)).toBe('old\n')
  })

  test('whose .gitmodules is not readable finds no addresses', async () => {
    const branch = await branchWith('not = [ a config', { lib: lib[0] ?? '' })
    const build = await checkout({ branch })
    expect(build.log(0)).toContain('Left out the submodule lib: .gitmodules has no address for it.\n')
  })
})

test.each([
  ['https://example.com/team/app.git', 'https://example.com/'],
  ['https://example.com:8443/app.git', 'https://example.com:8443/'],
  ['git@example.com:team/app.git', 'ssh://git@example.com:22/ ssh://git@example.com/ git@example.com:'],
  ['ssh://me@example.com:2222/app.git', 'ssh://me@example.com:2222/'],
])('the prefixes for the own host of %s', (url, own) => {
  expect(ownHost(url)).toBe(own)
})
