import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import type { FakeBuild } from '../../test/fake-build.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { gitServer, type GitServer } from '../../test/git-server.ts'
import { script, work } from '../../test/works.ts'

const hasGitLfs = ((): boolean => {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

let server: FakeServer
let agent: AgentProcess
let git: GitServer

beforeAll(async () => {
  server = await fakeServer()
  git = await gitServer()
  // git-lfs uses no proxy for an address of this machine
  agent = await agentProcess(server.url, { GANTRY_AGENT_REACH: new URL(git.url).host })
})
afterAll(async () => {
  await agent.close()
  await git.close()
  await server.close()
})

const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text\n'

function pointer(content: string): string {
  const oid = createHash('sha256').update(content).digest('hex')
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`
}

/** A pointer to content that the host has. */
function kept(content: string): string {
  git.large.set(createHash('sha256').update(content).digest('hex'), Buffer.from(content))
  return pointer(content)
}

async function checkout(name: string, run = 'true'): Promise<FakeBuild> {
  const repository = { url: `${git.url}/smart/${name}.git`, branch: 'main', commit: '', username: '', password: '' }
  const build = server.give(work([{ name: 'sources', type: 'checkout' }, script(run)], { repository }))
  expect((await build.ended).reason).toBeUndefined()
  return build
}

test('a repository without large files logs nothing about them, whatever its files contain', async () => {
  const { commit } = await git.add('plain')
  await commit('main', { 'notes.txt': pointer('x') })
  expect((await checkout('plain')).log(0)).not.toContain('LFS')
})

test('pointer files that stay are logged: the first ten names, and the number', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `big ${String(i).padStart(2, '0')}.bin`)
  const { commit } = await git.add('gone')
  await commit('main', {
    '.gitattributes': attributes,
    ...Object.fromEntries(names.map((name) => [name, pointer(name)])),
  })
  const log = (await checkout('gone')).log(0)
  expect(log).toContain('Left out large files (Git LFS), which are pointers now: 12. The cause: ')
  expect(log).toContain(
    names
      .slice(0, 10)
      .map((name) => `  ${name}\n`)
      .join('') + '  …\n',
  )
  expect(log).not.toContain('big 10.bin')
})

test.skipIf(hasGitLfs)('without git-lfs the log says that it is missing', async () => {
  const { commit } = await git.add('without')
  await commit('main', { '.gitattributes': attributes, 'a.bin': kept('the content') })
  const log = (await checkout('without')).log(0)
  expect(log).toContain('pointers now: 1. The cause: git-lfs is not installed on the build agent’s machine.\n  a.bin\n')
})

describe.skipIf(!hasGitLfs)('with git-lfs (needs git-lfs)', () => {
  test('large files are fetched, also those of submodules, and git sees no change', async () => {
    const lib = await git.add('lib')
    const commit = await lib.commit('main', { '.gitattributes': attributes, 'l.bin': kept('of the submodule') })
    const whole = await git.add('whole')
    await whole.commit('main', {
      '.gitattributes': attributes,
      'a b.bin': kept('the content'),
      '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ../lib.git\n',
    })
    await whole.git('update-index', '--add', '--cacheinfo', `160000,${commit},lib`)
    await whole.git('commit', '--quiet', '--amend', '--no-edit')
    const build = await checkout('whole', 'cat "a b.bin" lib/l.bin; git status --short')
    expect(build.log(1)).toBe('the contentof the submodule')
    expect(build.log(0)).toContain('Fetched the large files (Git LFS): 1\n')
    expect(build.log(0)).toContain('Fetched the large files (Git LFS) of lib/: 1\n')
  })

  test('a file that the host does not have is logged, and the others are fetched', async () => {
    const { commit } = await git.add('some')
    await commit('main', { '.gitattributes': attributes, 'a.bin': kept('here'), 'b.bin': pointer('nowhere') })
    const build = await checkout('some', 'cat a.bin')
    expect(build.log(0)).toMatch(/pointers now: 1\. The cause: .+\n {2}b\.bin\n/)
    expect(build.log(1)).toBe('here')
  })

  test.each(['file:///etc', 'ssh://git@example.com/lfs', 'http://localhost:1/lfs', 'ext::id'])(
    'none are requested at %s',
    async (url) => {
      const name = `at-${url.replaceAll(/\W/g, '-')}`
      const { commit } = await git.add(name)
      await commit('main', {
        '.gitattributes': attributes,
        '.lfsconfig': `[lfs]\n\turl = ${url}\n`,
        'a.bin': kept('the content'),
      })
      expect((await checkout(name)).log(0)).toMatch(/pointers now: 1\. The cause: (only https|http is|there is no key)/)
    },
  )
})
