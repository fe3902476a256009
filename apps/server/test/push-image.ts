import { digestOf } from '@gantry/oci/names'
import type { Registry } from '../src/adapters/registry/registry.ts'
import type { RegistryAccess } from '../src/adapters/registry/session.ts'

const mediaType = 'application/vnd.oci.image.manifest.v1+json'

/** Pushes an image of one layer under the tags; returns its digest. `config` is added to the usual configuration. */
export async function pushImage(
  { pushBlob, pushManifest }: Registry,
  access: RegistryAccess,
  repository: string,
  { tags, layer, config: more }: { tags: readonly string[]; layer: Buffer; config: object },
): Promise<string> {
  const config = Buffer.from(
    JSON.stringify({
      os: 'linux',
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
      ...more,
    }),
  )
  for (const bytes of [layer, config])
    await pushBlob(access, repository, { digest: digestOf(bytes), size: bytes.length, open: () => bytes })
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType,
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digestOf(config), size: config.length },
    layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: digestOf(layer), size: layer.length }],
  })
  for (const tag of tags) await pushManifest(access, repository, tag, manifest)
  return digestOf(manifest)
}
