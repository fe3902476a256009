import type { Manifest } from '@gantry/oci/manifests'
import { z } from 'zod'

/** The configuration of an image. Other objects in a registry may have any JSON instead. */
export const Config = z.looseObject({
  created: z.string().max(100).optional().catch(undefined),
  architecture: z.string().max(100).optional().catch(undefined),
  os: z.string().max(100).optional().catch(undefined),
  variant: z.string().max(100).optional().catch(undefined),
  history: z
    .array(z.object({ created_by: z.string().nullish().catch(null), empty_layer: z.boolean().nullish().catch(null) }))
    .nullish()
    .catch(null),
})
export type Config = z.infer<typeof Config>

export interface Layer {
  /** Empty if the build step changed no file. */
  digest: string
  size: number
  createdBy: string
}

export interface ImageDetails {
  /** The digest of the reference: of the index, for a multi-platform image. */
  digest: string
  type: 'image' | 'chart' | 'other'
  /** Compressed size of its layers, in bytes. */
  size: number
  createdAt: string | null
  /** The platform that is described: `linux/amd64`. */
  platform: string
  /** The platforms of an index, or the only one. */
  platforms: { name: string; digest: string }[]
  layers: Layer[]
}

/** Limits of the text per layer and of the number of layers, because images are kept in memory. */
const [maxText, maxLayers] = [500, 200]

interface Platform {
  os?: unknown
  architecture?: unknown
  variant?: unknown
}

export const platformName = (platform: Platform | null | undefined): string =>
  [platform?.os, platform?.architecture, platform?.variant]
    .filter((part): part is string => typeof part === 'string' && part !== '' && part !== 'unknown')
    .join('/')

/** The images of an index; its attestations and similar entries are not images. */
export const platformsOf = ({ manifests = [] }: Manifest) =>
  manifests.flatMap(({ digest, platform }) => {
    const name = platformName(platform)
    return platform !== undefined && platform !== null && name === '' ? [] : [{ name, digest }]
  })

function typeOf({ config }: Manifest): ImageDetails['type'] {
  if (config?.mediaType === 'application/vnd.cncf.helm.config.v1+json') return 'chart'
  return config?.mediaType === undefined || /\.image\.|\.container\.image\./.test(config.mediaType) ? 'image' : 'other'
}

/** Null for a date long before images existed, as tools for reproducible builds write it. */
function dateOf(created: string | undefined): string | null {
  const at = new Date(created ?? '')
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 2000 ? null : at.toISOString()
}

function layersOf({ layers = [] }: Manifest, { history }: Config): Layer[] {
  const left = [...layers]
  const steps = (history ?? []).flatMap(({ created_by, empty_layer }) => {
    const createdBy = (created_by ?? '').slice(0, maxText)
    if (empty_layer === true) return [{ digest: '', size: 0, createdBy }]
    const layer = left.shift()
    return layer ? [{ digest: layer.digest, size: layer.size, createdBy }] : []
  })
  return [...steps, ...left.map(({ digest, size }) => ({ digest, size, createdBy: '' }))].slice(0, maxLayers)
}

/** `digest` and `index` belong to the reference, `manifest` and `config` to the platform that is described. */
export function imageOf(
  { digest, index }: { digest: string; index?: Manifest | undefined },
  { digest: own, manifest }: { digest: string; manifest: Manifest },
  config: Config,
): ImageDetails {
  const platform = platformName(config)
  return {
    digest,
    type: typeOf(manifest),
    size: (manifest.layers ?? []).reduce((sum, layer) => sum + layer.size, 0),
    createdAt: dateOf(config.created),
    platform,
    platforms: index ? platformsOf(index) : platform === '' ? [] : [{ name: platform, digest: own }],
    layers: layersOf(manifest, config),
  }
}
