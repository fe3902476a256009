import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A registry's data folder in the layout of distribution/distribution, to write many images without pushing them. */
export function registryFiles(data: string) {
  const root = join(data, 'docker/registry/v2')
  const write = (path: string, text: string): void => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  const blob = (text: string): { digest: string; size: number } => {
    const hex = hexOf(text)
    write(join(root, 'blobs/sha256', hex.slice(0, 2), hex, 'data'), text)
    return { digest: `sha256:${hex}`, size: text.length }
  }
  const link = (path: string, { digest }: { digest: string }): void => write(join(path, 'link'), digest)
  const layer = blob('a layer')
  return {
    /** Writes an image under some tags; its configuration contains its name. Returns its digest. */
    image(repository: string, name: string, tags: readonly string[]): string {
      const folder = join(root, 'repositories', repository)
      const config = blob(
        JSON.stringify({
          created: '2020-01-02T03:04:05Z',
          os: 'linux',
          architecture: 'amd64',
          history: [{ created_by: `COPY ${name} /` }],
        }),
      )
      const mediaType = 'application/vnd.oci.image.manifest.v1+json'
      const manifest = blob(
        JSON.stringify({
          schemaVersion: 2,
          mediaType,
          config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
          layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...layer }],
        }),
      )
      for (const one of [config, layer]) link(join(folder, '_layers/sha256', one.digest.slice(7)), one)
      link(join(folder, '_manifests/revisions/sha256', manifest.digest.slice(7)), manifest)
      for (const tag of tags) link(join(folder, '_manifests/tags', tag, 'current'), manifest)
      return manifest.digest
    },
  }
}
