import { createReadStream } from 'node:fs'
import { mediaTypes, writeManifest, type Descriptor } from '@gantry/oci/manifests'
import { digestOf } from '@gantry/oci/names'
import type { Outcome } from '@gantry/oci/outcome'
import { finishUpload, mountBlob, uploadBlob } from '@gantry/oci/uploads'
import { StepFailure } from '../reasons.ts'
import { types, type Base, type ImageConfig } from './base.ts'
import type { Layer } from './layers.ts'
import type { Registry } from './registry.ts'

export interface Pushed {
  digest: string
  /** Compressed bytes of all parts of the image. */
  size: number
}

/** Pushes an image of a base and at most one layer, without blobs that the registry has. Sets the tag last. */
export async function pushImage(
  registry: Registry,
  image: { repository: string; tag: string; base: Base; layer: Layer | undefined; config: ImageConfig },
  say: (line: string) => void,
): Promise<Pushed> {
  const { repository, tag, base, layer } = image
  const pushed = <T>(outcome: Outcome<T>): T => pushedBy(registry, repository, outcome)
  for (const blob of base.layers) {
    if (await present(registry, repository, blob.digest)) continue
    await bring(registry, repository, base.repository, blob)
    say(`Took over layer ${short(blob.digest)} of ${base.repository}`)
  }
  const own: Descriptor[] = []
  if (layer !== undefined) {
    own.push({ mediaType: types.layer, digest: layer.digest, size: layer.size })
    if (await present(registry, repository, layer.digest)) say(`Layer ${short(layer.digest)} is there already`)
    else {
      const { digest, size, file } = layer
      pushed(await uploadBlob(registry.call, repository, { digest, size, open: () => createReadStream(file) }))
      say(`Pushed layer ${short(layer.digest)}`)
    }
  }
  const config = Buffer.from(JSON.stringify(image.config))
  const configDigest = digestOf(config)
  if (!(await present(registry, repository, configDigest)))
    pushed(
      await uploadBlob(registry.call, repository, { digest: configDigest, size: config.length, open: () => config }),
    )

  const layers = [...base.layers, ...own]
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: { mediaType: types.config, digest: configDigest, size: config.length },
    layers,
  })
  const digest = pushed(await writeManifest(registry.call, repository, tag, manifest))
  return { digest, size: layers.reduce((sum, { size }) => sum + size, config.length) }
}

export function pushedBy<T>(registry: Registry, repository: string, outcome: Outcome<T>): T {
  if (!outcome.ok) throw registry.failure(outcome.failure, { action: 'push', repository })
  return outcome.value
}

export async function present(registry: Registry, repository: string, digest: string): Promise<boolean> {
  const { status, body } = await registry.open({ method: 'HEAD', path: `/v2/${repository}/blobs/${digest}` })
  body.destroy()
  if (status === 403) throw registry.failure({ kind: 'status', status, text: '' }, { action: 'pull', repository })
  return status === 200
}

/** Copies a layer of the base between repositories of the registry, by its own means or through the agent. */
async function bring(
  registry: Registry,
  repository: string,
  from: string,
  { digest, size }: Descriptor,
): Promise<void> {
  const location = pushedBy(registry, repository, await mountBlob(registry.call, repository, digest, from))
  if (location === undefined) return
  const { status, body } = await registry.open({ path: `/v2/${from}/blobs/${digest}` })
  if (status !== 200) {
    body.destroy()
    throw new StepFailure('agents-base-unusable', { base: from, text: `${digest}: ${status}` })
  }
  pushedBy(registry, repository, await finishUpload(registry.call, location, { digest, size, open: () => body }))
}

export const short = (digest: string): string => digest.slice('sha256:'.length, 'sha256:'.length + 12)
