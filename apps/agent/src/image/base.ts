import { StepFailure } from '../reasons.ts'
import { json, type Registry } from './registry.ts'

export const types = {
  index: ['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json'],
  manifest: ['application/vnd.oci.image.manifest.v1+json', 'application/vnd.docker.distribution.manifest.v2+json'],
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
}

export interface Descriptor {
  mediaType: string
  digest: string
  size: number
}

/** The part of an image's configuration that is read; the rest is kept as it is. */
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
  layers: Descriptor[]
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

/** `path`, `path:tag` or `path@digest`; undefined for what is none of these. */
export function parseBase(text: string): { repository: string; reference: string } | undefined {
  const match =
    /^([a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*)(?::(\w[\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(
      text,
    )
  const [, repository, tag, digest] = match ?? []
  return repository === undefined ? undefined : { repository, reference: digest ?? tag ?? 'latest' }
}

/** Reads an image's manifest and configuration; of one for several platforms, the one for this machine's kind. */
export async function readBase(registry: Registry, text: string): Promise<Base> {
  const parsed = parseBase(text)
  if (parsed === undefined) throw new StepFailure('agents-base-missing', { base: text, host: registry.host })
  const { repository } = parsed
  const unusable = (why: string): StepFailure => new StepFailure('agents-base-unusable', { base: text, text: why })

  let manifest = await readManifest(registry, text, repository, parsed.reference)
  if (isIndex(manifest)) {
    const fitting = list(manifest['manifests']).find((entry) => {
      const platform = entry['platform'] as { os?: string; architecture?: string } | undefined
      return platform?.os === 'linux' && platform.architecture === architecture
    })
    const digest = fitting?.['digest']
    if (typeof digest !== 'string') throw unusable(`it has no variant for linux/${architecture}`)
    manifest = await readManifest(registry, text, repository, digest)
  }
  const config = manifest['config'] as Partial<Descriptor> | undefined
  if (typeof config?.digest !== 'string') throw unusable('its manifest names no configuration')
  const answered = await registry.text({ method: 'GET', path: `/v2/${repository}/blobs/${config.digest}` })
  const read = answered.status === 200 ? json(answered.text) : undefined
  const diffIds = (read?.['rootfs'] as { diff_ids?: unknown } | undefined)?.diff_ids
  const layers = list(manifest['layers']).map(descriptor)
  if (read === undefined || !Array.isArray(diffIds) || diffIds.length !== layers.length)
    throw unusable('its configuration does not fit its layers')
  return { repository, layers, config: read as unknown as ImageConfig }
}

async function readManifest(
  registry: Registry,
  base: string,
  repository: string,
  reference: string,
): Promise<Record<string, unknown>> {
  const { status, text } = await registry.text({
    method: 'GET',
    path: `/v2/${repository}/manifests/${reference}`,
    headers: { accept: [...types.manifest, ...types.index].join(', ') },
  })
  if (status === 404) throw new StepFailure('agents-base-missing', { base, host: registry.host })
  if (status !== 200) throw registry.refusal(status, text, { action: 'pull', repository })
  const manifest = json(text)
  if (manifest === undefined) throw new StepFailure('agents-registry-not-one', { host: registry.host })
  return manifest
}

const isIndex = (manifest: Record<string, unknown>): boolean => Array.isArray(manifest['manifests'])

const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? (value as Record<string, unknown>[]) : []

/** Docker's layers are OCI's under another name. */
function descriptor(given: Record<string, unknown>): Descriptor {
  const mediaType = String(given['mediaType'] ?? '')
  return {
    mediaType: mediaType.startsWith('application/vnd.docker.image.rootfs.diff.tar') ? types.layer : mediaType,
    digest: String(given['digest']),
    size: Number(given['size']),
  }
}
