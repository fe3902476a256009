import { readManifest, type Descriptor, type StoredManifest } from '@gantry/oci/manifests'
import { parseImageName } from '@gantry/oci/names'
import { StepFailure } from '../reasons.ts'
import { json, type Registry } from './registry.ts'

/** The media types of the parts of images that are created here. */
export const types = {
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
}

/** The part of an image's configuration that is read; the rest is kept unchanged. */
export interface ImageConfig {
  architecture: string
  os: string
  created?: string
  config?: {
    Env?: string[]
    Entrypoint?: string[] | null
    Cmd?: string[] | null
    WorkingDir?: string
    User?: string
    ExposedPorts?: Record<string, object>
    [more: string]: unknown
  }
  rootfs: { type: 'layers'; diff_ids: string[] }
  history?: object[]
  [more: string]: unknown
}

export interface Base {
  /** Empty for `scratch`. */
  repository: string
  layers: Required<Descriptor>[]
  config: ImageConfig
}

const architectures: Record<string, string> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'arm',
  ppc64: 'ppc64le',
  s390x: 's390x',
}
export const architecture = architectures[process.arch] ?? process.arch

export const scratch: Base = {
  repository: '',
  layers: [],
  config: { architecture, os: 'linux', rootfs: { type: 'layers', diff_ids: [] } },
}

const unusableBase =
  (base: string) =>
  (why: string): StepFailure =>
    new StepFailure('agents-base-unusable', { base, text: why })

/** An image's manifest; for several platforms, the manifest for this machine's platform. */
export async function fittingManifest(
  registry: Registry,
  text: string,
): Promise<{ repository: string; stored: StoredManifest }> {
  const name = parseImageName(text)
  if (name === undefined) throw new StepFailure('agents-base-missing', { base: text, host: registry.host })
  const { repository } = name
  const unusable = unusableBase(text)

  async function manifestOf(reference: string): Promise<StoredManifest> {
    const read = await readManifest(registry.call, repository, reference)
    if (read.ok) return read.value
    if (read.failure.kind === 'digest') throw unusable('the registry answers with other bytes than those of its digest')
    if (read.failure.kind === 'status' && read.failure.status === 404)
      throw new StepFailure('agents-base-missing', { base: text, host: registry.host })
    throw registry.failure(read.failure, { action: 'pull', repository })
  }

  const first = await manifestOf(name.digest ?? name.tag ?? 'latest')
  const { manifests } = first.manifest
  if (manifests === undefined) return { repository, stored: first }
  const fitting = manifests.find(({ platform }) => platform?.os === 'linux' && platform.architecture === architecture)
  if (fitting === undefined) throw unusable(`it has no variant for linux/${architecture}`)
  return { repository, stored: await manifestOf(fitting.digest) }
}

/** Reads the manifest and the configuration of an image. */
export async function readBase(registry: Registry, text: string): Promise<Base> {
  const unusable = unusableBase(text)
  const { repository, stored } = await fittingManifest(registry, text)
  const { manifest } = stored
  if (manifest.config === undefined) throw unusable('its manifest names no configuration')
  const answered = await registry.call({ path: `/v2/${repository}/blobs/${manifest.config.digest}` })
  const config = answered.status === 200 ? json(answered.text) : undefined
  const diffIds = (config?.['rootfs'] as { diff_ids?: unknown } | undefined)?.diff_ids
  const layers = (manifest.layers ?? []).map(asOci)
  if (config === undefined || !Array.isArray(diffIds) || diffIds.length !== layers.length)
    throw unusable('its configuration does not fit its layers')
  return { repository, layers, config: config as unknown as ImageConfig }
}

/** Docker's layers are the same as OCI's with another media type. */
const asOci = ({ mediaType = '', digest, size }: Descriptor): Required<Descriptor> => ({
  mediaType: mediaType.startsWith('application/vnd.docker.image.rootfs.diff.tar') ? types.layer : mediaType,
  digest,
  size,
})
