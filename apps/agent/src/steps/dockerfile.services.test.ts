import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../../test/fake-server.ts'
import { labService } from '../../test/lab.ts'
import { script, work } from '../../test/works.ts'

const images = labService('registry')
const busybox = '/bin/busybox'

function hasBuildah(): boolean {
  try {
    execFileSync('buildah', ['--version'])
    return existsSync(busybox) && process.getuid?.() === 0
  } catch {
    return false
  }
}

type Image = Extract<StepInput, { type: 'image' }>

describe.skipIf(images === undefined || !hasBuildah())(
  'an image by a Dockerfile (needs the lab’s registry, buildah and root)',
  () => {
    let server: FakeServer
    let agent: AgentProcess
    const host = images?.['REGISTRY_HOST'] ?? ''
    const password = images?.['REGISTRY_PASSWORD'] ?? ''
    const registry = {
      id: 1,
      url: images?.['REGISTRY_URL'] ?? '',
      username: images?.['REGISTRY_USER'] ?? '',
      password,
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

    async function build(step: Partial<Image>, files: string, dockerfiles: { id: number; content: string }[] = []) {
      const image: Image = { type: 'image', name: 'image', registryId: 1, repository: name, ...step }
      const given = { registries: [registry], masked: [password], dockerfiles }
      const built = server.give(work([script(files), image], given))
      const { reason } = await built.ended
      return { reason, log: built.log(1), image: built.events.find((event) => event.type === 'image') }
    }

    async function get(path: string): Promise<Record<string, unknown>> {
      const answered = await fetch(`${registry.url}/v2/${name}/${path}`, {
        headers: {
          accept: 'application/vnd.oci.image.manifest.v1+json',
          authorization: `Basic ${btoa(`${registry.username}:${password}`)}`,
        },
      })
      return (await answered.json()) as Record<string, unknown>
    }

    const base = 'mkdir -p bin; cp /bin/busybox bin/sh; cp /bin/busybox bin/cat'

    test('builds on an image of its registry, runs commands as several users, and pushes the image with its tag', async () => {
      const first = await build({ tag: 'base', copy: [{ from: 'bin', to: '/bin' }] }, base)
      expect(first.reason).toBeUndefined()
      const content = `ARG BASE
FROM \${BASE} AS build
ARG WHAT
RUN echo "made $WHAT" > /made && chown 1000:1000 /made
RUN cat /proc/*/environ > /environ 2> /dev/null; cat /steps/*/environment /home/*/* >> /environ 2> /dev/null; true
FROM scratch
COPY --from=build /made /environ /
COPY given.txt /
LABEL what=$WHAT
USER 1000
`
      const made = await build(
        {
          method: 'dockerfile',
          dockerfile: { id: 7 },
          tag: 'made',
          context: 'src',
          arguments: [
            { name: 'BASE', value: `${host}/${name}:base` },
            { name: 'WHAT', value: "it's $(true)" },
          ],
        },
        'mkdir src; echo given > src/given.txt',
        [{ id: 7, content }],
      )
      expect(made.reason).toBeUndefined()
      expect(made.log).toContain('Building with buildah')
      expect(made.log).not.toContain(password)
      const manifest = await get('manifests/made')
      const config = await get(`blobs/${(manifest['config'] as { digest: string }).digest}`)
      expect(config['config']).toMatchObject({ User: '1000' })
      expect(made.image).toMatchObject({ tag: 'made', image: `${host}/${name}`, registryId: 1 })
      const layers = manifest['layers'] as { digest: string }[]
      const listed: string[] = []
      for (const { digest } of layers) {
        const answered = await fetch(`${registry.url}/v2/${name}/blobs/${digest}`, {
          headers: { authorization: `Basic ${btoa(`${registry.username}:${password}`)}` },
        })
        const input = Buffer.from(await answered.arrayBuffer())
        listed.push(execFileSync('tar', ['-tvzf', '-', '--numeric-owner'], { input, encoding: 'utf8' }))
        expect(execFileSync('tar', ['-xzOf', '-'], { input, encoding: 'utf8' })).not.toContain(password)
      }
      expect(listed.join('')).toMatch(/1000\/1000.* made$/m)
      expect(listed.join('')).toContain('given.txt')
    })

    test.each([
      ['an instruction that fails', { dockerfile: { path: 'Dockerfile' } }, 'agents-image-failed'],
      ['a file that is not there', { dockerfile: { path: 'other' } }, 'agents-dockerfile-missing'],
      ['a team’s Dockerfile that is gone', { dockerfile: { id: 9 } }, 'agents-dockerfile-unknown'],
      ['a context that is not there', { dockerfile: { path: 'Dockerfile' }, context: 'no' }, 'agents-context-missing'],
      ['a target that is not there', { dockerfile: { path: 'Dockerfile' }, target: 'no' }, 'agents-image-failed'],
    ])('%s fails the step with its reason', async (_, step, key) => {
      const { reason } = await build(
        { method: 'dockerfile', ...step },
        "printf 'FROM scratch\\nCOPY missing /\\n' > Dockerfile",
      )
      expect(reason).toMatchObject({ key })
    })
  },
)
