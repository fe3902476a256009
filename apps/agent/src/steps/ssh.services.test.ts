import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, modes, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { hasSshServer, sshServer, type SshServer } from '../../test/ssh-server.ts'
import { script, work } from '../../test/works.ts'

describe.skipIf(!hasSshServer).each(modes)('a checkout over SSH as $mode (needs OpenSSH’s server)', ({ uid }) => {
  let server: FakeServer
  let agent: AgentProcess
  let git: SshServer
  beforeAll(async () => {
    server = await fakeServer()
    agent = await agentProcess(server.url, {}, undefined, uid === undefined ? {} : { uid })
    git = await sshServer()
  })
  afterAll(async () => {
    await agent.close()
    git.close()
    await server.close()
  })

  async function checkout(
    given: { url?: string; privateKey?: string; knownHosts?: string; branch?: string; fork?: boolean } = {},
    run = 'true',
  ) {
    const { url, privateKey, knownHosts, branch, fork } = { ...git, branch: 'main', fork: false, ...given }
    const build = server.give(
      work([{ name: 'sources', type: 'checkout' }, script(run)], {
        repository: { url, privateKey, knownHosts, branch, fork, commit: '', username: '', password: '' },
        masked: [privateKey].filter((secret) => secret !== ''),
      }),
    )
    const { reason } = await build.ended
    return { build, reason }
  }

  test('fetches the branch, and its key is removed before the next step', async () => {
    const { build, reason } = await checkout(
      {},
      'cat hello.txt; find "$GANTRY_WORKSPACE/.." -name ssh-key 2> /dev/null | wc -l; grep -r -l OPENSSH . | wc -l',
    )
    expect(reason).toBeUndefined()
    expect(build.log(1).split(/\s+/)).toEqual(['hello', '0', '0', ''])
    expect(build.log(0)).not.toContain('PRIVATE')
  })

  test('fetches submodules of the same host with the same key, but none that a fork names', async () => {
    const run = 'cat lib/hello.txt 2> /dev/null || true'
    const own = await checkout({ branch: 'nested' }, run)
    expect(own.build.log(1)).toBe('hello\n')
    const fork = await checkout({ branch: 'nested', fork: true }, run)
    expect(fork.reason).toBeUndefined()
    expect(fork.build.log(0)).toContain('Left out the submodule lib: there is no key for that host.')
    expect(fork.build.log(1)).toBe('')
  })

  test.each([
    ['a key that the host does not know', () => ({ privateKey: git.strangeKey }), 'git-key-refused'],
    ['no key', () => ({ privateKey: '' }), 'git-key-needed'],
    ['no pinned host key', () => ({ knownHosts: '' }), 'git-host-key-changed'],
    ['an unknown repository', () => ({ url: git.url.replace('hello', 'nope') }), 'git-not-found'],
    ['an address outside of the rules', () => ({ url: 'ssh://git@169.254.169.254/x.git' }), 'agents-address-refused'],
  ])('%s is reported as the cause', async (_, given, key) => {
    expect((await checkout(given())).reason).toMatchObject({ key })
  })
})
