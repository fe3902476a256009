import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { labService } from '../../../test/lab.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createRegistry } from './registry.ts'

const lab = labService('registry')

const sha = (bytes: Buffer | string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const fault = (key: string) => expect.objectContaining({ key })

describe.skipIf(lab === undefined)('a real registry (needs the lab’s registry)', () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const registry = createRegistry(outbound)
  const access = {
    url: lab?.['REGISTRY_URL'] ?? '',
    username: lab?.['REGISTRY_USER'],
    password: lab?.['REGISTRY_PASSWORD'],
  }
  const repository = `tests/${randomBytes(6).toString('hex')}`
  afterAll(() => outbound.close())

  test('is verified, and each refusal has its own fault', async () => {
    await registry.verify(access)
    await expect(registry.verify({ ...access, password: 'wrong' })).rejects.toEqual(fault('registry-wrong-password'))
    await expect(registry.verify({ url: access.url })).rejects.toEqual(fault('registry-password-needed'))
    await expect(registry.tags(access, 'no/such/repository')).rejects.toEqual(fault('registry-image-unknown'))
  })

  test('an image is pushed, listed, described and deleted', async () => {
    const layer = randomBytes(3_000_000)
    const config = Buffer.from(
      JSON.stringify({
        os: 'linux',
        architecture: 'amd64',
        history: [{ created_by: 'COPY app /' }],
        rootfs: { type: 'layers', diff_ids: [sha(layer)] },
      }),
    )
    async function* parts(): AsyncGenerator<Buffer> {
      for (let at = 0; at < layer.length; at += 65_536) yield layer.subarray(at, at + 65_536)
    }
    await registry.pushBlob(access, repository, {
      digest: sha(layer),
      size: layer.length,
      open: () => Readable.from(parts()),
    })
    await registry.pushBlob(access, repository, { digest: sha(config), size: config.length, open: () => config })
    expect(await registry.hasBlob(access, repository, sha(layer))).toBe(true)
    const manifest = JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: sha(config), size: config.length },
      layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: sha(layer), size: layer.length }],
    })
    for (const tag of ['1', '2', '3']) {
      expect(await registry.pushManifest(access, repository, tag, manifest)).toBe(sha(manifest))
    }
    expect((await registry.tags(access, repository)).names.sort()).toEqual(['1', '2', '3'])
    expect(await registry.digest(access, repository, '2')).toBe(sha(manifest))
    expect(await registry.image(access, repository, '1')).toMatchObject({
      digest: sha(manifest),
      size: layer.length,
      layers: [{ digest: sha(layer), size: layer.length, createdBy: 'COPY app /' }],
    })

    const repositories: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const page = await registry.repositories(access, { limit: 1, ...(after !== '' && { after }) })
      repositories.push(...page.names)
      after = page.next
    }
    expect(repositories).toContain(repository)

    expect(await registry.remove(access, repository, sha(manifest))).toBe(true)
    expect(await registry.remove(access, repository, sha(manifest))).toBe(false)
    expect(await registry.digest(access, repository, '1')).toBeNull()
  })

  test('a blob with a wrong digest is refused and not stored', async () => {
    const blob = { digest: sha('one'), size: 3, open: () => Buffer.from('two') }
    await expect(registry.pushBlob(access, repository, blob)).rejects.toEqual(fault('registry-error'))
    expect(await registry.hasBlob(access, repository, sha('one'))).toBe(false)
  })
})
