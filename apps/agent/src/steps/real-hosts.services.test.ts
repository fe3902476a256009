import { randomBytes } from 'node:crypto'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import type { FakeBuild } from '../../test/fake-build.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { labService } from '../../test/lab.ts'
import { script, work } from '../../test/works.ts'

const git = labService('gitea')
const images = labService('registry')

describe.skipIf(git === undefined || images === undefined)(
  'steps with real hosts (needs the lab’s gitea and registry)',
  () => {
    let server: FakeServer
    let agent: AgentProcess
    const repository = {
      url: git?.['GITEA_CLONE_URL'] ?? '',
      branch: 'main',
      commit: '',
      username: git?.['GITEA_USER'] ?? '',
      password: git?.['GITEA_PASSWORD'] ?? '',
    }
    const registry = {
      id: 1,
      url: images?.['REGISTRY_URL'] ?? '',
      username: images?.['REGISTRY_USER'] ?? '',
      password: images?.['REGISTRY_PASSWORD'] ?? '',
      insecure: false,
    }
    const name = `tests/${randomBytes(6).toString('hex')}`

    beforeAll(async () => {
      server = await fakeServer()
      agent = await agentProcess(server.url)
    })
    afterAll(async () => {
      await agent.close()
      await server.close()
    })

    async function run(
      steps: Parameters<typeof work>[0],
      more: Parameters<typeof work>[1] = {},
    ): Promise<[FakeBuild, unknown]> {
      const build = server.give(
        work(steps, { repository, registries: [registry], masked: [repository.password, registry.password], ...more }),
      )
      return [build, (await build.ended).reason]
    }
    const checkout = { name: 'sources', type: 'checkout' } as const
    const image: Extract<StepInput, { type: 'image' }> = {
      name: 'image',
      type: 'image',
      registryId: 1,
      repository: name,
      copy: [{ from: '**', to: '/src' }],
    }

    test.each(['main', 'feature/greeting', 'v1.0', 'v1.1'])('%s of a private repository', async (branch) => {
      const [build, reason] = await run([checkout, script('git rev-list --count HEAD')], {
        repository: { ...repository, branch },
      })
      expect(reason).toBeUndefined()
      expect(build.log(1)).toBe('1\n')
    })

    test('a commit that is not the head of its branch any more', async () => {
      const [all] = await run([{ ...checkout, depth: 0 }, script('git rev-list HEAD | tail -1')])
      const commit = all.log(1).trim()
      const [build, reason] = await run([checkout, script('git rev-parse HEAD')], {
        repository: { ...repository, commit },
      })
      expect(reason).toBeUndefined()
      expect(build.log(1).trim()).toBe(commit)
    })

    test.each([
      ['a wrong password', { password: 'wrong' }, 'git-wrong-password'],
      ['no password', { username: '', password: '' }, 'git-password-needed'],
      ['another repository', { url: repository.url.replace('hello', 'nope') }, 'git-not-found'],
      ['an unknown branch', { branch: 'nope' }, 'git-branch-unknown'],
      ['an unknown commit', { commit: '0123456789012345678901234567890123456789' }, 'agents-commit-unknown'],
    ])('%s', async (_, given, key) => {
      const [, reason] = await run([checkout], { repository: { ...repository, ...given } })
      expect(reason).toMatchObject({ key })
    })

    test('an image from nothing, and one on it from another repository of the registry', async () => {
      const [first, failed] = await run([checkout, { ...image, tag: 'base' }])
      expect(failed).toBeUndefined()
      expect(first.log(1)).toContain('Pushed')
      const [second, reason] = await run([
        script('mkdir out; echo hello > out/file'),
        { ...image, repository: `${name}-app`, base: `${name}:base`, copy: [{ from: 'out', to: '/out' }] },
      ])
      expect(reason).toBeUndefined()
      const made = second.events.find((event) => event.type === 'image')
      const answered = await fetch(`${registry.url}/v2/${name}-app/manifests/${second.work.number}`, {
        headers: {
          accept: 'application/vnd.oci.image.manifest.v1+json',
          authorization: `Basic ${btoa(`${registry.username}:${registry.password}`)}`,
        },
      })
      expect(answered.headers.get('docker-content-digest')).toBe(made?.type === 'image' && made.digest)
      expect(((await answered.json()) as { layers: unknown[] }).layers).toHaveLength(2)
    })

    test.each([
      ['a wrong password', {}, { password: 'wrong' }, 'agents-registry-wrong-password'],
      ['a base that is not there', { base: 'no/such:image' }, {}, 'agents-base-missing'],
    ])('the registry: %s', async (_, step, access, key) => {
      const [, reason] = await run([script('echo > a'), { ...image, ...step }], {
        registries: [{ ...registry, ...access }],
      })
      expect(reason).toMatchObject({ key })
    })
  },
)
